'use strict';
// The board: inputs and stages of a result as cards, drawn again after each computation, and the arithmetic of a cell.

/// "query" × "feature" of an input; null where the rows are not tokens.
const input_axes = {query: ['query', 'feature'], key: ['key', 'feature'], value: ['key', 'feature']};
const most_cards = 24;
const special_boards = {...exhibit_boards, step_through: StepsBoard, arrows: ArrowsBoard, costs: CostsBoard};

const mean_of = (sum, one, count) => sum + one / count;

/// One matrix of a stage or an input. `place`: {"batch", "head"}; a head that is null stands for all of them, whose cells
/// `fold` joins from `start`.
/// The same object as long as `array` is.
function matrixOf(array, axes, place, fold = mean_of, start = 0) {
  if (!matrices_of.has(array)) matrices_of.set(array, new Map());
  const made = matrices_of.get(array), key = [place.batch, place.head, place.heads, fold === mean_of].join();
  if (!made.has(key)) made.set(key, newMatrixOf(array, axes, place, fold, start));
  return made.get(key);
}
const matrices_of = new WeakMap();
function newMatrixOf(array, axes, place, fold, start) {
  const {shape, values} = array, rank = shape.length;
  if (rank > 4 || values.length === 0) return null;
  const is_column = axes[rank - 1] === 'query' && axes[rank - 2] !== 'query';
  const rows = rank === 0 ? 1 : is_column ? shape[rank - 1] : rank === 1 ? 1 : shape[rank - 2];
  const columns = rank === 0 || is_column ? 1 : shape[rank - 1];
  const leading = shape.slice(0, rank - (is_column || rank === 1 ? 1 : Math.min(2, rank)));
  let matrices = [0];
  leading.forEach((size, axis) => {
    const name = axes[axis] ?? (axis === leading.length - 1 && leading.length > 1 ? 'head' : 'batch');
    const wanted = name === 'head' ? Math.floor(place.head * size / Math.max(size, place.heads)) : name === 'batch' ? place.batch : 0;
    const all = name === 'head' && place.head === null ? Array.from({length: size}, (_, head) => head) : [Math.min(wanted, size - 1)];
    matrices = matrices.flatMap(at => all.map(one => at * size + one));
  });
  const parts = matrices.map(at => values.subarray(at * rows * columns, (at + 1) * rows * columns));
  const joined = () => parts[0].map((_, cell) => parts.reduce((sum, part) => fold(sum, part[cell], parts.length), start));
  return {rows, columns, at: matrices[0] * rows * columns, values: parts.length > 1 ? joined() : parts[0], parts,
    row_axis: is_column ? 'query' : axes[rank - 2] ?? null, column_axis: is_column ? null : axes[rank - 1] ?? null};
}

/// Labels of `count` rows, numbers where there are no more tokens. The same array for the same tokens.
function labelsOf(tokens, count) {
  if (!labels_of.has(tokens)) labels_of.set(tokens, new Map());
  const made = labels_of.get(tokens);
  if (!made.has(count)) made.set(count, Array.from({length: count}, (_, i) => tokens[i] ?? String(i)));
  return made.get(count);
}
const labels_of = new WeakMap(), no_tokens = [];

class Board {
  /// `changed(request)` changes the scene, and `attempt(request)` too, which returns the error of what is refused.
  constructor(host, changed, attempt) {
    this.host = host;
    this.changed = changed;
    this.attempt = attempt;
    this.cards = new Map();
    this.special = new Map();
    this.views = new Map();
    this.chosen = null;
    this.painting = null;
    this.sum = element('section', {className: 'sum', 'aria-live': 'polite'});
    this.sections = {};
  }

  /// `shown`: {"board", "result", "source", "words" (texts of cards), "whole" (inputs and every stage), "asking",
  /// "place", "stage", "editable"}.
  show(shown) {
    this.shown = shown;
    const wanted = this.wantedCards(), special = this.specialKinds();
    const key = [...wanted.map(card => card.key), ...special.map(one => one.key), shown.step, shown.phase, shown.board.show, language].join('|');
    if (key !== this.key) this.build(wanted, special, key);
    for (const one of special) this.showSpecial(one);
    const shared = shown.board.shared_colors && !shown.whole ? new Map() : null;
    for (const card of wanted)
      if (shared && card.matrix)
        shared.set(card.stage, (shared.get(card.stage) ?? []).concat([card.matrix.values]));
    // All sizes are read before anything is drawn: the browser lays out once.
    for (const card of wanted) {
      const made = this.cards.get(card.key);
      made.card = card;
      const columns = card.matrix?.columns;
      if (card.matrix && (made.room === undefined || made.columns !== columns)) made.room = this.widthOf(made);
      made.columns = columns;
    }
    for (const card of wanted) {
      const made = this.cards.get(card.key);
      if (!card.matrix) {
        this.showHeading(made);
        continue;
      }
      const range = rangeOf(shared ? shared.get(card.stage) : [card.matrix.values]);
      made.view.show({...card.matrix, range, hidden: shown.asking, shares: /(^|[._])weights/.test(card.stage), name: card.name, blocked: this.blockedOf(card), row_labels: this.labels(card, card.matrix.row_axis, card.matrix.rows),
        column_labels: this.labels(card, card.matrix.column_axis, card.matrix.columns), over: this.highlights(card)}, made.room);
      made.bar.show(range, made.room);
      this.showHeading(made);
    }
    this.showMore();
    put(this.sum, {hidden: wanted.length === 0});
    const has_cell = Boolean(this.chosen) && this.explain(this.chosen);
    if (!has_cell) refill(this.sum, t().point, () => [element('p', {className: 'muted'}, t().point)]);
    if (!has_cell) put(this.sum, {className: 'sum without_cell'});
    this.showEdited();
  }

  /// A card without a matrix says why. A heading that fits a line has a fixed size, so that other words in it are laid out
  /// alone.
  showHeading(made) {
    const {card, heading, title, operation, view, bar, problem} = made, {result, source, whole} = this.shown, {error} = result.settings[card.setting];
    const reason = card.matrix ? '' : error ? said(error) : source.computes ? '' : t().not_exported;
    const named = card.title ?? card.name, made_by = card.of?.operation && whole ? ` ${said(card.of.operation)}` : '';
    const headed = [named, made_by, reason, Boolean(error), card.matrix ? view.layout.width : 0, MatrixView.unit];
    if (sameParts(headed, made.headed)) return;
    made.headed = headed;
    put(heading, {className: card.matrix && MatrixView.widthOf(named + made_by) < view.layout.width ? 'name one_line' : 'name'});
    put(title, {textContent: named});
    put(operation, {textContent: made_by});
    put(problem, {textContent: reason, className: error ? 'error' : 'muted', hidden: reason === ''});
    put(view.box, {hidden: !card.matrix});
    put(bar.box, {hidden: !card.matrix});
  }

  /// After a change of the window's size.
  resized() {
    for (const made of this.cards.values()) made.room = undefined;
  }

  /// Boards about one setting, in place of its matrices; of a workspace, below them.
  specialKinds() {
    const {board, result, whole, source} = this.shown;
    if (whole)
      return result.settings.flatMap((setting, k) => setting.exhibits.map((exhibit, at) => ({kind: exhibit.kind, k, exhibit, key: `${k}.${exhibit.kind}.${at}`})));
    if (!Object.hasOwn(special_boards, board.board)) return [];
    const k = Math.max(0, board.settings.findIndex(setting => setting.id === board.setting));
    const exhibit = result.settings[k].exhibits.find(one => one.kind === board.board);
    return [{kind: board.board, k, exhibit, key: `${k}.${board.board}`, missing: Object.hasOwn(exhibit_boards, board.board) && !exhibit, computes: source.computes}];
  }
  showSpecial({key, k, exhibit, missing}) {
    const {shown} = this, made = this.special.get(key), {error} = shown.result.settings[k], id = shown.board.settings[k].id;
    const words = shown.words?.[id] ?? '';
    if (made.words && !(made.view instanceof CostsBoard)) refill(made.words, words + language, () => inline(words));
    const reason = error ? said(error) : missing ? phrase('This setting has nothing to show here.') : '';
    put(made.problem, {textContent: reason});
    put(made.view.box, {hidden: reason !== ''});
    if (reason === '') made.view.show(shown, k, exhibit);
  }

  /// What a lesson points at.
  highlights(card) {
    const {highlight} = this.shown.board, {matrix} = card;
    if (!highlight.length || card.kind === 'input' || matrix.row_axis === null) return null;
    return (pen, {left, top, size}) => {
      pen.lineWidth = 2;
      pen.strokeStyle = MatrixView.theme.text;
      for (const [row, column] of highlight)
        if (row < matrix.rows && column < matrix.columns) pen.strokeRect(left + column * size + 1, top + row * size + 1, size - 2, size - 2);
    };
  }

  /// The further matrices of cards: the mask as numbers, and the output.
  showMore() {
    const {board, result} = this.shown, outputs = new Map();
    for (const [key, {card, output}] of this.cards) {
      const stage = output && result.settings[card.setting].stages.find(one => one.name === 'output' && one.values);
      const matrix = stage && matrixOf(stage, stage.axes, card.place);
      if (matrix) outputs.set(key, matrix);
    }
    const range = rangeOf([...outputs.values()].map(matrix => matrix.values));
    for (const [key, made] of this.cards) {
      const {card} = made, matrix = outputs.get(key), width = made.room ?? 250;
      const show = (part, name, cells) => {
        put(part.box, {hidden: !cells});
        put(part.heading, {textContent: name});
        if (!cells) return;
        part.view.show({hidden: this.shown.asking, name: `${card.name}: ${name}`, blocked: null, row_labels: this.labels(card, 'query', cells.rows), ...cells}, width);
        // Numbers of few kinds, such as 0 and −∞, each have their colour; others the ends of the colours.
        const kinds = [...new Set(cells.values)].sort((a, b) => a - b), shown = kinds.length <= 4 ? kinds.filter(value => !Number.isNaN(value)) : cells.range;
        refill(part.key, [shown, MatrixView.themes].join('|'), () => shown.map(value => element('span', {}, MatrixView.swatch(value, cells.range), ` ${numberText(value)}`)));
      };
      if (made.output) show(made.output, called('output'), matrix && {...matrix, range, column_labels: this.labels(card, matrix.column_axis, matrix.columns)});
      const mask = made.mask && result.cards[card.index]?.mask;
      if (!made.mask) continue;
      const numbers = mask && Float64Array.from(values_of(mask.values)), largest = numbers ? Math.max(1, rangeOf([numbers])[1]) : 1;
      const name = mask && !mask.added ? phrase('M, in place of the blocked scores') : phrase('M, added to the scaled scores');
      show(made.mask, name, mask && {rows: mask.rows, columns: mask.columns, values: numbers, range: [-largest, largest], row_axis: 'query', column_axis: 'key',
        column_labels: this.labels(card, 'key', mask.columns)});
    }
  }

  /// Numbers beside cards and notes below: they may wait for the next frame.
  showWords() {
    const {result, words, board} = this.shown;
    for (const {card, text, numbers, tables} of this.cards.values()) {
      if (text) refill(text, words?.[card.id] ?? '', () => inline(words?.[card.id] ?? ''));
      if (numbers) this.showNumbers(numbers, card, result.settings[card.setting]);
      if (tables) this.showTables(tables, card);
    }
    for (const one of this.specialKinds()) this.showSpecial(one);
    this.showHistograms();
    const notes = [];
    result.settings.forEach(setting => {
      if (setting.error) notes.push(element('li', {className: 'error'}, said(setting.error)));
      for (const note of setting.notes) {
        const text = said(note.message);
        if (!notes.some(other => other.textContent === text)) notes.push(element('li', {className: note.warning ? 'warning' : ''}, text));
      }
    });
    refill(this.notes, notes.map(note => note.className + note.textContent).join('|'), () => notes);
    put(this.notes, {hidden: notes.length === 0});
  }

  /// Of scaled scores, all between the same ends.
  showHistograms() {
    const {board, result, asking} = this.shown;
    const scaled = k => result.settings[k]?.stages.find(stage => stage.name === 'scaled' && stage.values)?.values;
    if (!board.show.includes('histogram')) return;
    let reach = 0;
    for (const {card} of this.cards.values())
      for (const value of scaled(card.setting) ?? []) if (Number.isFinite(value)) reach = Math.max(reach, Math.abs(value));
    for (const made of this.cards.values()) {
      const {card, chart} = made, values = scaled(card.setting), covered = asking && values?.some(Number.isNaN), drawn = values && reach > 0 && !covered;
      const axis = card.axis ?? board.axis ?? [-reach, reach], theory = result.settings[card.setting].numbers.theory, title = this.titleOf(card.setting);
      const width = Math.max(120, Math.min(300, made.room ?? 260)), parts = drawn ? [values, ...axis, theory, width, title, language] : [];
      if (!chart || sameParts(parts, made.histogram)) continue;
      made.histogram = parts;
      chart.replaceChildren(...(drawn ? [histogramChart(values, axis, theory, title, width)] : []));
    }
  }

  /// The curve of the board, which takes longer to compute than a frame.
  showCurve(curve) {
    const {board, asking} = this.shown, wanted = !asking && curve.sizes?.length > 1;
    this.curve.replaceChildren(...(wanted ? [curveChart(curve, board.settings.map((setting, k) => this.titleOf(k)), Math.min(680, this.host.clientWidth || 560))] : []));
  }

  /// Which cells of weights the mask blocks; null for other stages.
  blockedOf(card) {
    if (!/(^|\.)weights/.test(card.stage)) return null;
    const blocked = this.shown.result.settings[card.setting].stages.find(stage => stage.name === 'blocked' && stage.values);
    const matrix = blocked && matrixOf(blocked, blocked.axes, card.place ?? this.shown.place, Math.min, 1); // by every head
    return matrix && matrix.rows === card.matrix.rows && matrix.columns === card.matrix.columns ? matrix.values : null;
  }

  labels(card, axis, count) {
    const {board} = this.shown, setting = board.settings[card.setting] ?? {};
    const query = setting.query_tokens?.length ? setting.query_tokens : board.query_tokens;
    const keys = setting.key_tokens?.length ? setting.key_tokens : board.key_tokens;
    const tokens = axis === 'query' ? query : axis === 'key' ? (keys?.length ? keys : query) : null;
    return tokens?.length ? labelsOf(tokens, count) : axis && count <= 16 ? labelsOf(no_tokens, count) : null;
  }

  /// The room of a matrix: a few sizes for inputs and stages, else the column of the grid.
  widthOf(made) {
    const around = 27, row = made.box.parentElement, {columns} = made.card.matrix;
    if (this.shown.whole || made.card.kind === 'input')
      return Math.min((row.clientWidth || 320) - around, columns > 32 ? 420 : columns > 8 ? 340 : 250);
    return Math.min(460 * MatrixView.unit, made.box.clientWidth - around * MatrixView.unit);
  }

  // What is shown.

  wantedCards() {
    const {board, result, whole, place} = this.shown, cards = [];
    const add_inputs = (setting, k, prefix) => {
      for (const input of setting.inputs ?? []) {
        const of_tokens = input_axes[input.name]?.length && input.shape.length >= 2;
        const axes = of_tokens ? [...['batch', 'head'].slice(0, input.shape.length - 2), ...input_axes[input.name]] : [];
        if (input.shape.length <= 4) add(setting, k, input, axes, {kind: 'input', stage: input.name, name: prefix + called(input.name)});
      }
    };
    const add = (setting, k, array, axes, more) => {
      const matrix = array && matrixOf(array, axes, place);
      cards.push({setting: k, matrix, key: `${k}.${more.kind}.${more.stage}.${more.id ?? ''}`, ...more});
    };
    if (whole) {
      result.settings.forEach((setting, k) => {
        const prefix = result.settings.length > 1 ? `${board.settings[k].id}: ` : '';
        add_inputs(setting, k, prefix);
        const stages = setting.stages.filter(stage => ['step', 'exact'].includes(stage.role));
        for (const stage of stages.slice(0, most_cards))
          add(setting, k, stage, stage.axes, {kind: 'stage', stage: stage.name, of: stage, name: prefix + called(stage.name)});
      });
      return cards;
    }
    if (Object.hasOwn(special_boards, board.board)) return cards;
    for (const card of board.cards) {
      const k = board.settings.findIndex(setting => setting.id === card.setting), setting = result.settings[k];
      const name = card.stage && card.stage !== board.stage ? card.stage : this.shown.stage;
      const stage = setting.stages.find(one => one.name === name && one.values);
      const cell_place = {...place, batch: card.batch, head: card.head};
      const matrix = stage && matrixOf(stage, stage.axes, cell_place), title = this.cardTitle(card, k, name);
      cards.push({setting: k, matrix, key: `${k}.stage.${name}.${card.id}`, id: card.id, index: cards.length, kind: 'stage', stage: name, of: stage, title, axis: card.axis,
        name: title.includes(called(name)) ? title : `${title} · ${called(name)}`, place: cell_place});
    }
    if (board.show.includes('scores') && cards.length) {
      const k = cards.find(card => card.of)?.setting ?? 0, stage = result.settings[k].stages.find(one => one.name === 'scaled' && one.values), own = cards[0].place;
      const matrix = stage && matrixOf(stage, stage.axes, own), title = phrase('scores before the mask');
      if (matrix) cards.unshift({setting: k, matrix, key: `${k}.shared.scaled`, kind: 'stage', stage: 'scaled', of: stage, title, name: title, place: own, is_shared: true});
    }
    if (this.edits()) add_inputs(result.settings[0], 0, '');
    return cards;
  }

  /// A lab or a lesson whose reader may change numbers.
  edits() {
    const {board, whole, asking} = this.shown;
    return !whole && !asking && board.live.includes('cells') && board.board !== 'arrows';
  }

  /// What sets a card apart from the others: its setting, or its stage and head.
  cardTitle(card, k, stage) {
    const {board, place} = this.shown, {cards} = board;
    const several = new Set(cards.map(one => this.titleOf(board.settings.findIndex(setting => setting.id === one.setting)))).size > 1;
    const slices = cards.some(one => one.stage !== card.stage || one.head !== card.head), heads = cards.some(one => one.head !== card.head);
    const head = heads && place.heads > 1 ? ` · ${card.head === null ? t().mean_of_heads : `${t().head} ${card.head}`}` : '';
    return [...(several ? [this.titleOf(k)] : []), ...(slices || !several ? [called(stage)] : [])].join(' · ') + head;
  }

  /// What sets a setting apart: its scale, its masks, its mechanism, or its text.
  titleOf(k) {
    const {board, choices} = this.shown, setting = board.settings[k], {spec} = setting;
    const compared = board.settings.filter(other => board.cards.some(card => card.setting === other.id));
    const differs_in = get => compared.some(other => JSON.stringify(get(other)) !== JSON.stringify(get(setting)));
    const differs = get => differs_in(other => get(other.spec));
    const title = (rows, {id, parameters}) => {
      const row = rows.find(one => one.id === id), values = Object.values(parameters ?? {});
      return (row ? said(row.title) : id) + (values.length ? ` (${values.map(value => (typeof value === 'number' ? numberText(value) : value)).join(', ')})` : '');
    };
    const parts = [];
    if (differs_in(other => other.query_tokens)) {
      const others = compared.filter(other => other !== setting).map(other => other.query_tokens);
      const words = setting.query_tokens.length ? setting.query_tokens : board.query_tokens, own = words.filter((word, i) => others.some(other => other[i] !== word));
      parts.push(words.join(' ').length > 24 && own.length ? own.join(', ') : words.join(' '));
    }
    if (differs(one => one.variant)) parts.push(title(choices.mechanisms, {id: spec.variant}));
    if (differs(one => one.scale) || board.board === 'scale_lab') parts.push(title(choices.scales, spec.scale.id ? spec.scale : {id: setting.scale}));
    if (differs(one => one.masks) || board.board === 'mask_lab') parts.push(spec.masks.map(mask => title(choices.masks, mask)).join(' + ') || t().none);
    if (differs(one => one.position)) parts.push(spec.position.id ? title(choices.positions, spec.position) : t().none);
    if (differs(one => one.parameters)) parts.push(...Object.entries(spec.parameters).map(([name, value]) => `${name} = ${value}`));
    if (differs(one => one.normaliser)) parts.push(title(choices.normalisers, spec.normaliser?.id ? spec.normaliser : {id: 'softmax'}));
    if (spec.masks.length && differs(one => one.mask_fill)) parts.push(`${spec.mask_fill.mode === 'add' ? phrase('plus') : t().fill} ${numberText(Number(String(spec.mask_fill.value).replace('inf', 'Infinity')))}`);
    if (differs_in(other => [other.float32, other.spec.rounding])) parts.push(spec.rounding ? spec.rounding.split(':')[0] : setting.float32 ? 'float32' : 'float64');
    if (differs_in(other => other.rate) && setting.rate !== null) parts.push(`η = ${numberText(setting.rate)}`);
    return parts.join(' · ') || (board.settings.length > 1 ? setting.id.replaceAll('_', ' ') : '') || title(choices.mechanisms, {id: spec.variant});
  }

  build(wanted, special, key) {
    this.key = key;
    this.cards.clear();
    this.special = new Map();
    const {whole, board} = this.shown, parts = [];
    const row_of = kind => element('div', {className: `cards ${kind}${whole || kind === 'input' ? '' : ' beside'}${board.board === 'scale_lab' ? ' narrow' : ''}`});
    const rows = {input: row_of('input'), stage: row_of('stage')};
    for (const card of wanted) rows[card.kind].append(this.buildCard(card));
    this.editor = this.buildEditor();
    this.curve = element('div', {className: 'curves'});
    const exhibits = special.map(({kind, key: own}) => {
      const view = this.views.get(own + kind) ?? new special_boards[kind]({send: this.changed});
      this.views.set(own + kind, view); // keeps its step while the same board is shown
      const made = {view, words: element('p', {className: 'words'}), problem: element('p', {className: 'muted'})};
      this.special.set(own, made);
      return element('section', {className: 'special'}, made.words, made.problem, view.box);
    });
    if (whole) {
      parts.push(element('h3', {}, t().inputs), rows.input, this.editor, element('h3', {}, t().steps), rows.stage, ...exhibits);
    } else {
      parts.push(...exhibits, rows.stage, this.curve);
      if (this.edits()) {
        const open = board.board.endsWith('_lab') ? {} : {open: true};
        parts.push(element('details', {className: 'inputs', ...open}, element('summary', {}, element('h3', {}, t().inputs)), rows.input, this.editor));
      }
    }
    this.notes = element('ul', {className: 'notes', 'aria-label': t().notes});
    this.sum.setAttribute('aria-label', t().cell);
    this.host.replaceChildren(...parts, this.sum, this.notes);
  }

  buildCard(card) {
    const made = {card}, box = element('section', {className: 'card'}), beside = card.kind === 'stage' && !this.shown.whole;
    box.append(made.heading = element(this.shown.whole || card.kind === 'input' ? 'h4' : 'h3', {className: 'name'}, made.title = element('span'), made.operation = element('span', {className: 'muted'})));
    if (beside && !card.is_shared) box.append(made.controls = element('div', {className: 'own'}));
    made.view = new MatrixView((row, column, chosen, pressed) => this.pointed(card.key, row, column, chosen, pressed));
    made.bar = new ColorBar();
    made.problem = element('p');
    box.append(made.view.box, made.bar.box, made.problem);
    if (beside && !card.is_shared) {
      const {show} = this.shown.board;
      box.append(made.chart = element('div'), made.text = element('p', {className: 'words'}), made.numbers = element('dl', {className: 'numbers'}), made.tables = element('div'));
      const further = () => {
        const view = new MatrixView(() => {}), title = element('h4'), key = element('p', {className: 'legend muted'});
        return {view, heading: title, key, box: element('div', {className: 'further'}, title, view.box, key)};
      };
      if (show.includes('additive')) box.append((made.mask = further()).box);
      if (show.includes('output')) box.append((made.output = further()).box);
    }
    made.box = box;
    this.cards.set(card.key, made);
    return box;
  }

  showNumbers(list, card, setting) {
    const {board, asking, result} = this.shown, shown = [], numbers = result.cards[card.index]?.numbers ?? {};
    if (board.show.includes('numbers') && !asking)
      for (const name of ['variance', 'theory', 'entropy', 'effective_keys', 'max_weight', 'jacobian_norm', 'median_gradient'])
        if (numbers[name] !== undefined) shown.push([t()[name], numberText(numbers[name])]);
    if (board.show.includes('measures') && !card.stage.startsWith('exact'))
      for (const {title, unit, value, exact} of setting.measures) {
        const own = amountText(finite(value), unit);
        shown.push([said(title), exact === undefined ? own : phrase('%1 (exact %2)', own, amountText(finite(exact), unit))]);
      }
    refill(list, JSON.stringify(shown.map(([name]) => name)), () => shown.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
    shown.forEach(([, value], i) => put(list.children[2 * i + 1], {textContent: value}));
  }

  /// Bars of rows: how far each output moves when a token is edited, and the entropy of each row.
  showTables(host, card) {
    const {board, result} = this.shown, {leak} = result.settings[card.setting], {rows} = result.cards[card.index] ?? {};
    refill(host, JSON.stringify([board.show.includes('leak') && leak, rows, language, card.name]), () => [
      ...(board.show.includes('leak') && leak ? this.leakTable(card, leak) : []), ...(rows ? this.rowsTable(card, rows) : [])]);
  }
  leakTable(card, leak) {
    if (leak.error) return [element('p', {className: 'error'}, said(leak.error))];
    const {board, result} = this.shown, moved = leak.moved.map(finite), names = this.names(card, 'query', moved.length), token = this.names(card, 'key', leak.count)[leak.token];
    const largest = Math.max(...result.settings.flatMap(setting => (setting.leak?.moved ?? []).map(finite)).filter(Number.isFinite)) || 1;
    const by_reading = moved.map((by, row) => (row === leak.own ? (leak.by_reading === null ? 0 : finite(leak.by_reading)) : by));
    const wrong = moved.map((_, row) => by_reading[row] > 0 && leak.blocked[row]), moving = names.filter((_, row) => moved[row] > 0 && !wrong[row]), leaking = names.filter((_, row) => wrong[row]);
    const listed = list => list.slice(0, 6).join(', ') + (list.length > 6 ? ', …' : '');
    const bars = moved.map((by, row) => {
      const is_own = row === leak.own && leak.by_reading !== null, end = value => (Number.isFinite(value) ? value : largest);
      return {name: names[row], value: end(is_own ? by_reading[row] : by), numbers: [numberText(by)], wrong: wrong[row], marked: row === leak.token,
        ...(is_own ? {frame: end(by)} : {}), ...(board.live.includes('token') ? {chosen: () => this.changed({token: row})} : {})};
    });
    const of_all = leaking.length === 1 ? phrase('A leak: the mask keeps token %1 from output %2, and yet it moves.', token, leaking[0])
      : leaking.length ? phrase('A leak: the mask keeps token %1 from outputs %2, and yet they move.', token, listed(leaking))
        : !moving.length ? phrase('No output moves.') : moving.length === moved.length ? phrase('Every output moves.')
          : moving.length === 1 ? phrase('Only output %1 moves; all others stay exactly as they were.', moving[0]) : phrase('Only outputs %1 move; all others stay exactly as they were.', listed(moving));
    const of_own = leak.own === null || moved[leak.own] === 0 ? '' : leak.by_reading === null ? phrase('Output %1 may move by its own query alone.', token)
      : finite(leak.by_reading) === 0 ? phrase('Output %1 moves by its own query alone.', token) : phrase('Frame: with the new query of %1.', token);
    return [barsTable(bars, largest, [], phrase('moves when %1 is edited', token)), element('p', {className: leaking.length ? 'error' : ''}, [of_all, of_own].join(' ').trim())];
  }
  rowsTable(card, rows) {
    const names = this.names(card, 'query', rows.length), keys = card.matrix?.columns ?? rows.length, counted = rows.filter(row => typeof row === 'object');
    const bars = rows.map((row, i) => (typeof row === 'object' ? {name: names[i], value: finite(row.entropy), numbers: [numberText(finite(row.entropy)), numberText(finite(row.effective_keys))]}
      : {name: names[i], value: 0, numbers: ['–', row === 'empty' ? '0' : '–']}));
    const mean = name => numberText(counted.reduce((sum, row) => sum + finite(row[name]), 0) / counted.length), no_shares = rows.filter(row => row === 'no_shares').length;
    return [barsTable(bars, Math.max(1e-9, Math.log(keys)), ['', t().entropy, phrase('eff. keys')], phrase('entropy of each row')),
      ...(counted.length ? [element('p', {}, phrase('Mean: entropy %1, effective keys %2', mean('entropy'), mean('effective_keys')))] : []),
      ...(no_shares ? [element('p', {}, phrase('Rows that do not sum to 1, so without entropy: %1', no_shares))] : [])];
  }
  names(card, axis, count) {
    const labels = this.labels(card, axis, count);
    return Array.from({length: count}, (_, i) => isolated(labels?.[i] ?? String(i)));
  }

  // Cells.

  buildEditor() {
    const box = element('form', {className: 'editor'}), label = element('label'), field = element('input', {type: 'number', step: 'any'});
    const name = element('span', {}, t().edit_help), reason = element('span', {className: 'error', role: 'alert', id: 'edit_reason'});
    label.append(name, field);
    field.disabled = true;
    box.append(label, ' ', reason);
    box.addEventListener('submit', event => event.preventDefault());
    const say = words => {
      if (reason.textContent === words) return;
      reason.textContent = words;
      if (words) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
    };
    field.setAttribute('aria-describedby', reason.id);
    field.addEventListener('input', () => {
      if (field.value === '' || !this.edited) return;
      const {key, row, column} = this.edited, {card} = this.cards.get(key);
      const error = this.attempt({setting: card.setting, tensor: card.stage, cell: card.matrix.at + row * card.matrix.columns + column, value: field.valueAsNumber});
      say(error ? reasonOf(error) : '');
    });
    // While a number is typed, its beginning is none: "-".
    field.addEventListener('change', () => {
      if (field.value === '') say(field.validity.badInput ? phrase('This is not a number') : phrase('An empty cell is not a number; type 0 for zero'));
    });
    return Object.assign(box, {words: name, field, say});
  }
  edit(key, row, column) {
    this.edited = {key, row, column};
    this.showEdited();
  }
  /// The cell to edit, as long as the inputs have it.
  showEdited() {
    if (!this.edited && this.editor.is_empty) return;
    this.editor.is_empty = !this.edited;
    const {words, field} = this.editor, {key, row, column} = this.edited ?? {}, matrix = this.cards.get(key)?.card.matrix;
    if (!matrix || row >= matrix.rows || column >= matrix.columns) this.edited = null;
    put(words, {textContent: this.edited ? `${t().value_of(this.cards.get(key).card.name, `${row}, ${column}`)} = ` : t().edit_help});
    put(field, {disabled: !this.edited || !this.shown.editable});
    const value = this.edited ? matrix.values[row * matrix.columns + column] : NaN;
    if (document.activeElement === field && field.valueAsNumber === value) return;
    put(field, {value: this.edited ? String(value) : ''});
    this.editor.say('');
  }

  pointed(key, row, column, chosen, pressed) {
    if (row === null) {
      if (this.chosen) this.explain(this.chosen);
      return;
    }
    const at = {key, row, column};
    if (chosen) {
      this.chosen = at;
      const {card} = this.cards.get(key);
      if (card.kind === 'input') this.edit(key, row, column);
      if (card.kind === 'input' && pressed === 'key') this.editor.field.focus();
      if (pressed && this.painting === card.setting && card.matrix.row_axis === 'query' && card.matrix.column_axis === 'key') this.paint(card, row, column);
    }
    this.explain(at);
  }

  /// Blocks the cell for all heads, or keeps it.
  paint(card, row, column) {
    const blocked = this.shown.result.settings[card.setting].stages.find(stage => stage.name === 'blocked' && stage.values);
    const now = blocked && matrixOf(blocked, blocked.axes, {...card.place ?? this.shown.place, head: 0});
    this.changed({setting: card.setting, paint: {query: row, key: column, blocked: !now?.values[row * card.matrix.columns + column]}});
  }

  /// Marks what a cell is made of in every matrix, and writes its arithmetic. False where there is no such cell.
  explain({key, row, column}) {
    const card = this.cards.get(key)?.card, matrix = card?.matrix;
    if (!matrix || row >= matrix.rows || column >= matrix.columns) return false;
    const at = {[matrix.row_axis]: row, [matrix.column_axis]: column};
    for (const {view, card: other} of this.cards.values()) {
      if (!other.matrix) continue;
      const index = (axis, count) => (axis in at && at[axis] < count ? at[axis] : null);
      if (other.key === key) view.mark(row, column);
      else if (!matrix.row_axis || !other.matrix.row_axis) view.mark(null, null);
      else view.mark(index(other.matrix.row_axis, other.matrix.rows), index(other.matrix.column_axis, other.matrix.columns));
    }
    const lines = this.arithmetic(card, row, column);
    const row_label = this.labels(card, matrix.row_axis, matrix.rows)?.[row] ?? row, column_label = this.labels(card, matrix.column_axis, matrix.columns)?.[column] ?? column;
    const heading = `${card.name} [${isolated(row_label)}, ${isolated(column_label)}] = ${this.cards.get(key).view.textOf(row, column, 6)}`;
    put(this.sum, {className: 'sum'});
    refill(this.sum, JSON.stringify(lines.map(([name]) => name)), () => [
      element('h3', {className: 'name'}),
      element('div', {className: 'lines'}, ...lines.map(([name]) => element('p', {}, element('b', {}, name), ' ', element('span'))))]);
    put(this.sum.firstChild, {textContent: heading});
    lines.forEach(([, text], i) => put(this.sum.lastChild.children[i].lastChild, {textContent: text}));
    return true;
  }

  arithmetic(card, row, column) {
    const {source, asking, place} = this.shown, {matrix} = card, lines = [], n = numberText;
    if (asking || card.kind === 'input') return lines;
    const where = card.place ?? place;
    if (matrix.parts.length > 1) {
      const numbers = matrix.parts.map(part => n(part[row * matrix.columns + column])), rest = numbers.length - 6;
      return [[t().mean_of_heads, `(${numbers.slice(0, 6).join(' + ').replaceAll('+ −', '− ')}${rest > 0 ? ` + ${t().more(rest)}` : ''}) ÷ ${numbers.length}`]];
    }
    if (matrix.row_axis === 'query' && matrix.column_axis === 'feature') return this.mixture(card, row, column, where);
    if (matrix.row_axis !== 'query' || matrix.column_axis !== 'key') return lines;
    const cell = source.computes ? source.cell(card.setting, where.batch, where.head, row, column) : {};
    const value = text => Number(text === 'inf' ? Infinity : text === '-inf' ? -Infinity : text === 'nan' ? NaN : text);
    if (cell.terms?.length && cell.products) {
      const terms = cell.terms.slice(0, 6).map(([left, right]) => `${n(value(left))} · ${n(value(right))}`);
      if (cell.terms.length > 6) terms.push(t().more(cell.terms.length - 6));
      lines.push([t().products, terms.join(' + ').replaceAll('+ −', '− ').replace('+ …', '…')]);
    }
    const names = {scale: 'scale_op', position: 'position_op'};
    const stage = name => this.shown.result.settings[card.setting].stages.find(one => one.name === name);
    for (const line of cell.lines ?? []) {
      let text = `= ${n(value(line.value), 5)}`;
      if (line.operation === 'scale' && stage('scaled')) text = `${said(stage('scaled').operation)} ${text}`;
      if (line.operation === 'mask' && cell.blocked) text = `${t().blocked} ${text}`;
      if (line.operation === 'shift') text = `− ${n(value(cell.maximum), 4)} ${text}`;
      if (line.operation === 'divide') text = `÷ ${n(value(cell.sum), 5)} ${text}`;
      lines.push([t()[names[line.operation] ?? line.operation] ?? line.operation, text]);
    }
    return lines;
  }

  /// A number of the output, where it is the sum of weights times values.
  mixture(card, row, column, where) {
    const {stages} = this.shown.result.settings[card.setting], n = numberText;
    const {parts} = this.shown.source.mix(card.setting, stages.findIndex(stage => stage.name === card.stage), where.batch, where.head, row, column);
    if (!parts) return [];
    const largest = parts.map(values_of).filter(([, , product]) => product !== 0).sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
    const text = largest.slice(0, 6).map(([weight, value]) => `${n(weight)} · ${n(value)}`).join(' + ');
    return [[t().output_sum, (text + (largest.length > 6 ? ` + ${t().more(largest.length - 6)}` : '')).replaceAll('+ −', '− ')]];
  }
}
