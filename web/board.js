'use strict';
// The board: inputs and stages of a result as cards, drawn again after each computation, and the arithmetic of a cell.

/// "query" × "feature" of an input; null where the rows are not tokens.
const input_axes = {query: ['query', 'feature'], key: ['key', 'feature'], value: ['key', 'feature']};
const most_cards = 24;

/// One matrix of a stage or an input. `place`: {"batch", "head"}.
function matrixOf(array, axes, place) {
  const {shape, values} = array, rank = shape.length;
  if (rank > 4 || values.length === 0) return null;
  const is_column = axes[rank - 1] === 'query' && axes[rank - 2] !== 'query';
  const rows = rank === 0 ? 1 : is_column ? shape[rank - 1] : rank === 1 ? 1 : shape[rank - 2];
  const columns = rank === 0 || is_column ? 1 : shape[rank - 1];
  const leading = shape.slice(0, rank - (is_column || rank === 1 ? 1 : Math.min(2, rank)));
  let at = 0;
  leading.forEach((size, axis) => {
    const name = axes[axis] ?? (axis === leading.length - 1 && leading.length > 1 ? 'head' : 'batch');
    const wanted = name === 'head' ? Math.floor(place.head * size / Math.max(size, place.heads)) : name === 'batch' ? place.batch : 0;
    at = at * size + Math.min(wanted, size - 1);
  });
  return {rows, columns, at: at * rows * columns, values: values.subarray(at * rows * columns, (at + 1) * rows * columns),
    row_axis: is_column ? 'query' : axes[rank - 2] ?? null, column_axis: is_column ? null : axes[rank - 1] ?? null};
}

class Board {
  /// `changed(request)` is called for an edited cell.
  constructor(host, changed) {
    this.host = host;
    this.changed = changed;
    this.cards = new Map();
    this.chosen = null;
    this.sum = element('section', {className: 'sum', 'aria-live': 'polite'});
    this.sections = {};
  }

  /// `shown`: {"board", "result", "source", "words" (texts of cards), "whole" (inputs and every stage), "asking",
  /// "place", "stage", "editable"}.
  show(shown) {
    this.shown = shown;
    const wanted = this.wantedCards(), key = wanted.map(card => card.key).join('|') + language;
    if (key !== this.key) this.build(wanted, key);
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
      if (!card.matrix) continue;
      const range = rangeOf(shared ? shared.get(card.stage) : [card.matrix.values]);
      made.view.show({...card.matrix, range, hidden: shown.asking, name: card.name, blocked: this.blockedOf(card), row_labels: this.labels(card, card.matrix.row_axis, card.matrix.rows),
        column_labels: this.labels(card, card.matrix.column_axis, card.matrix.columns)}, made.room);
      const ends = range.map(end => numberText(end)), diverging = range[0] < 0 ? MatrixView.theme.diverging : 'sequential';
      if (made.low.textContent !== ends[0]) made.low.textContent = ends[0];
      if (made.high.textContent !== ends[1]) made.high.textContent = ends[1];
      if (made.painted !== diverging) MatrixView.paintBar(made.colors, range);
      made.painted = diverging;
    }
    if (this.chosen && this.cards.has(this.chosen.key)) this.explain(this.chosen);
    else refill(this.sum, t().point, () => [element('p', {className: 'muted'}, t().point)]);
  }

  /// After a change of the window's size.
  resized() {
    for (const made of this.cards.values()) made.room = undefined;
  }

  /// Numbers beside cards and notes below: they may wait for the next frame.
  showWords() {
    const {result, words, board} = this.shown;
    for (const {card, text, numbers} of this.cards.values()) {
      if (text) text.textContent = (card.id && words?.[card.id]) || '';
      if (numbers) this.showNumbers(numbers, result.settings[card.setting], board);
    }
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
    this.notes.hidden = notes.length === 0;
  }

  /// Of scaled scores, all between the same ends.
  showHistograms() {
    const {board, result, asking} = this.shown;
    const scaled = k => result.settings[k]?.stages.find(stage => stage.name === 'scaled' && stage.values)?.values;
    if (!board.show.includes('histogram')) return;
    let reach = 0;
    for (const {card} of this.cards.values())
      for (const value of scaled(card.setting) ?? []) if (Number.isFinite(value)) reach = Math.max(reach, Math.abs(value));
    for (const {card, chart} of this.cards.values()) {
      const values = scaled(card.setting), covered = asking && values?.some(Number.isNaN), drawn = values && reach > 0 && !covered;
      chart?.replaceChildren(...(drawn ? [histogramChart(values, reach, result.settings[card.setting].numbers.theory, this.titleOf(card.setting))] : []));
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
    const matrix = blocked && matrixOf(blocked, blocked.axes, card.place ?? this.shown.place);
    return matrix && matrix.rows === card.matrix.rows && matrix.columns === card.matrix.columns ? matrix.values : null;
  }

  labels(card, axis, count) {
    const {board} = this.shown, setting = board.settings[card.setting] ?? {};
    const query = setting.query_tokens?.length ? setting.query_tokens : board.query_tokens;
    const keys = setting.key_tokens?.length ? setting.key_tokens : board.key_tokens;
    const tokens = axis === 'query' ? query : axis === 'key' ? (keys?.length ? keys : query) : null;
    if (tokens?.length) return Array.from({length: count}, (_, i) => tokens[i] ?? String(i));
    return axis && count <= 16 ? Array.from({length: count}, (_, i) => String(i)) : null;
  }

  /// The room of a matrix: a few sizes for inputs and stages, else the column of the grid.
  widthOf(made) {
    const around = 27, row = made.box.parentElement, {columns} = made.card.matrix;
    if (this.shown.whole || made.card.kind === 'input')
      return Math.min((row.clientWidth || 320) - around, columns > 32 ? 420 : columns > 8 ? 340 : 250);
    return Math.min(460, made.box.clientWidth - around);
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
    for (const card of board.cards) {
      const k = board.settings.findIndex(setting => setting.id === card.setting), setting = result.settings[k];
      const name = card.stage && card.stage !== board.stage ? card.stage : this.shown.stage;
      const stage = setting.stages.find(one => one.name === name);
      const of_card = stage && {...stage};
      const cell_place = {...place, batch: card.batch, head: card.head ?? place.head};
      const matrix = of_card && matrixOf(of_card, of_card.axes, cell_place);
      cards.push({setting: k, matrix, key: `${k}.stage.${name}.${card.id}`, id: card.id, kind: 'stage', stage: name, of: stage,
        name: `${this.titleOf(k)} · ${called(name)}`, place: cell_place});
    }
    if (this.edits()) add_inputs(result.settings[0], 0, '');
    return cards;
  }

  /// A lab or a lesson whose reader may change numbers.
  edits() {
    const {board, whole, asking} = this.shown;
    return !whole && !asking && board.live.includes('cells') && board.board !== 'mask_lab';
  }

  /// What sets a setting apart: its scale, its masks, or its mechanism.
  titleOf(k) {
    const {board, choices} = this.shown, setting = board.settings[k], {spec} = setting;
    const differs = get => board.settings.some(other => JSON.stringify(get(other.spec)) !== JSON.stringify(get(spec)));
    const title = (rows, {id, parameters}) => {
      const row = rows.find(one => one.id === id), values = Object.values(parameters ?? {});
      return (row ? said(row.title) : id) + (values.length ? ` (${values.map(value => (typeof value === 'number' ? numberText(value) : value)).join(', ')})` : '');
    };
    const parts = [];
    if (differs(one => one.variant)) parts.push(title(choices.mechanisms, {id: spec.variant}));
    if (differs(one => one.scale) || board.board === 'scale_lab') parts.push(title(choices.scales, spec.scale.id ? spec.scale : {id: setting.scale}));
    if (differs(one => one.masks) || board.board === 'mask_lab') parts.push(spec.masks.map(mask => title(choices.masks, mask)).join(' + ') || t().none);
    if (differs(one => one.position)) parts.push(spec.position.id ? title(choices.positions, spec.position) : t().none);
    if (setting.float32) parts.push(t().float32);
    return parts.join(' · ') || (board.settings.length > 1 ? setting.id.replaceAll('_', ' ') : '') || title(choices.mechanisms, {id: spec.variant});
  }

  build(wanted, key) {
    this.key = key;
    this.cards.clear();
    const {whole} = this.shown, parts = [];
    const row_of = kind => element('div', {className: `cards ${kind}${whole || kind === 'input' ? '' : ' beside'}`});
    const rows = {input: row_of('input'), stage: row_of('stage')};
    for (const card of wanted) rows[card.kind].append(this.buildCard(card));
    this.editor = this.buildEditor();
    this.curve = element('div', {className: 'curves'});
    if (whole) {
      parts.push(element('h3', {}, t().inputs), rows.input, this.editor, element('h3', {}, t().steps), rows.stage);
    } else {
      parts.push(rows.stage, this.curve);
      if (this.edits()) parts.push(element('h3', {}, t().inputs), rows.input, this.editor);
    }
    this.notes = element('ul', {className: 'notes', 'aria-label': t().notes});
    this.sum.setAttribute('aria-label', t().cell);
    this.host.replaceChildren(...parts, this.sum, this.notes);
  }

  buildCard(card) {
    const made = {card}, box = element('section', {className: 'card'}), beside = card.kind === 'stage' && !this.shown.whole;
    const heading = element('h4', {}, card.kind === 'stage' && this.shown.whole ? card.name : card.kind === 'input' ? card.name : this.titleOf(card.setting));
    const operation = card.of && this.shown.whole ? said(card.of.operation) : '';
    if (operation) heading.append(' ', element('span', {className: 'muted'}, operation));
    box.append(heading);
    if (beside) box.append(made.controls = element('div', {className: 'own'}));
    if (card.matrix) {
      made.view = new MatrixView((row, column, chosen) => this.pointed(card.key, row, column, chosen));
      box.append(made.view.box);
      made.low = element('span');
      made.high = element('span');
      made.colors = element('canvas', {width: 256, height: 1, 'aria-hidden': 'true'});
      box.append(element('p', {className: 'bar muted'}, made.low, made.colors, made.high));
    } else if (this.shown.result.settings[card.setting].error) {
      box.append(element('p', {className: 'error'}, said(this.shown.result.settings[card.setting].error)));
    } else if (!this.shown.source.computes) {
      box.append(element('p', {className: 'muted'}, t().not_exported));
    }
    if (beside) {
      box.append(made.chart = element('div'), made.text = element('p', {className: 'words'}), made.numbers = element('dl', {className: 'numbers'}));
    }
    made.box = box;
    this.cards.set(card.key, made);
    return box;
  }

  showNumbers(list, setting, board) {
    const shown = [];
    if (board.show.includes('numbers') && !this.shown.asking)
      for (const name of ['variance', 'theory', 'entropy', 'effective_keys', 'max_weight'])
        if (setting.numbers[name] !== undefined) shown.push([t()[name], numberText(setting.numbers[name])]);
    if (board.show.includes('measures') || board.board === 'costs')
      for (const measure of setting.measures) shown.push([said(measure.title), numberText(Number(measure.value), 4)]);
    refill(list, JSON.stringify(shown), () => shown.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }

  // Cells.

  buildEditor() {
    const box = element('form', {className: 'editor'}), label = element('label'), field = element('input', {type: 'number', step: 'any'});
    const name = element('span', {}, t().edit_help);
    label.append(name, field);
    field.disabled = true;
    box.append(label);
    box.addEventListener('submit', event => event.preventDefault());
    field.addEventListener('input', () => {
      if (field.value === '' || !this.edited) return;
      this.changed({setting: this.edited.card.setting, tensor: this.edited.card.stage, cell: this.edited.cell, value: field.valueAsNumber});
    });
    return Object.assign(box, {words: name, field});
  }
  edit(card, row, column) {
    this.edited = {card, cell: card.matrix.at + row * card.matrix.columns + column};
    this.editor.words.textContent = `${t().value_of(card.name, `${row}, ${column}`)} = `;
    this.editor.field.disabled = !this.shown.editable;
    this.editor.field.value = String(card.matrix.values[row * card.matrix.columns + column]);
  }

  pointed(key, row, column, chosen) {
    if (row === null) {
      if (this.chosen && this.cards.has(this.chosen.key)) this.explain(this.chosen);
      return;
    }
    const at = {key, row, column};
    if (chosen) {
      this.chosen = at;
      const {card} = this.cards.get(key);
      if (card.kind === 'input') this.edit(card, row, column);
    }
    this.explain(at);
  }

  /// Marks what a cell is made of in every matrix, and writes its arithmetic.
  explain({key, row, column}) {
    const {card} = this.cards.get(key), {matrix} = card;
    if (!matrix || row >= matrix.rows || column >= matrix.columns) return;
    const at = {[matrix.row_axis]: row, [matrix.column_axis]: column};
    for (const {view, card: other} of this.cards.values()) {
      if (!view) continue;
      const index = (axis, count) => (axis in at && at[axis] < count ? at[axis] : null);
      if (other.key === key) view.mark(row, column);
      else if (!matrix.row_axis || !other.matrix.row_axis) view.mark(null, null);
      else view.mark(index(other.matrix.row_axis, other.matrix.rows), index(other.matrix.column_axis, other.matrix.columns));
    }
    const lines = this.arithmetic(card, row, column);
    const row_label = this.labels(card, matrix.row_axis, matrix.rows)?.[row] ?? row, column_label = this.labels(card, matrix.column_axis, matrix.columns)?.[column] ?? column;
    const heading = `${card.name} [${row_label}, ${column_label}] = ${this.cards.get(key).view.textOf(row, column, 6)}`;
    refill(this.sum, heading + JSON.stringify(lines), () => [
      element('h4', {}, heading),
      element('div', {className: 'lines'}, ...lines.map(([name, text]) => element('p', {}, element('b', {}, name), ' ', text)))]);
  }

  arithmetic(card, row, column) {
    const {source, asking, place} = this.shown, {matrix} = card, lines = [], n = numberText;
    if (asking || card.kind === 'input') return lines;
    const where = card.place ?? place;
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

  /// A number of the output: weights times values.
  mixture(card, row, column, where) {
    const {stages} = this.shown.result.settings[card.setting], n = numberText;
    const find = name => { const stage = stages.find(one => one.name === name); return stage && matrixOf(stage, stage.axes, where); };
    const weights = find('weights_dropped') ?? find('weights'), values = find('value');
    if (card.stage !== 'output' || !weights || !values || values.rows !== weights.columns || values.columns !== card.matrix.columns) return [];
    const parts = Array.from({length: weights.columns}, (_, key) => [weights.values[row * weights.columns + key], values.values[key * values.columns + column]]);
    const largest = parts.filter(([weight]) => weight !== 0).sort((a, b) => Math.abs(b[0] * b[1]) - Math.abs(a[0] * a[1]));
    const text = largest.slice(0, 6).map(([weight, value]) => `${n(weight)} · ${n(value)}`).join(' + ');
    return [[t().output_sum, (text + (largest.length > 6 ? ` + ${t().more(largest.length - 6)}` : '')).replaceAll('+ −', '− ')]];
  }
}
