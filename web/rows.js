'use strict';
// Boards about one row of a setting: its numbers operation by operation, and its vectors as arrows in a plane.

const row_operations = {products: 'products', score: 'sum', scale: 'scale', position: 'mask', bias: 'mask', modify: 'mask', mask: 'mask', shift: 'exp',
  exponential: 'exp', row_sum: 'row_sum', divide: 'divide', weights: 'divide', dropout: 'divide', mix: 'mix'};

/// A table of keys that grows by a line with each operation, and the arithmetic of one key.
class StepsBoard {
  constructor() {
    this.player = new Player(() => this.write());
    this.controls = element('div', {className: 'own'});
    this.table = element('div', {className: 'scroll'});
    this.sum = element('p', {className: 'formula', 'aria-live': 'polite'});
    this.text = element('p', {});
    this.box = element('div', {className: 'exhibit'}, this.controls, this.player.box, this.table, this.sum, this.text);
    this.key = 0;
  }

  show(shown, k) {
    const {batch, head} = placeOf(shown), {board} = shown, begins = JSON.stringify([shown.step, shown.phase, board.query, board.at]);
    Object.assign(this, {shown, k});
    const fresh = begins !== this.begins;
    if (fresh) this.query = board.query;
    if (fresh && board.pin) this.key = board.pin[1];
    this.place = {batch, head};
    this.read();
    if (fresh) this.begin(board.at);
    this.begins = begins;
    this.write();
  }
  read() {
    const {shown, k, place} = this;
    this.row = shown.source.row(k, place.batch, place.head, this.query);
    const {row} = this;
    this.steps = [];
    if (!row.lines) return;
    if (row.terms[0]?.length) this.steps.push('products');
    for (const line of row.lines) {
      if (line.operation === 'divide') this.steps.push('row_sum');
      this.steps.push(line.operation);
    }
    this.steps.push('mix');
    this.keys = tokensOf(shown, k, row.mixed.length, 'key_tokens');
    this.queries = tokensOf(shown, k, row.queries);
    this.key = Math.min(this.key, row.mixed.length - 1);
    this.player.setSteps(this.steps.length, step => this.title(this.steps[step]));
    const live = shown.board.live.includes('query') && row.queries > 1;
    refill(this.controls, JSON.stringify([live, this.queries, this.query, language]), () => (live ? [picker(t().query, this.queries.map((name, i) => [String(i), name]), String(this.query), query => {
      this.query = Number(query);
      this.read();
      this.write();
    })] : []));
  }
  begin(at) {
    const order = ['products', 'sum', 'scale', 'mask', 'exp', 'row_sum', 'divide', 'mix'], named = {exp: 'exponential', sum: 'score'}[at] ?? at;
    const exact = this.steps.indexOf(named), later = this.steps.findIndex(step => order.indexOf(row_operations[step]) >= order.indexOf(at));
    this.player.step = exact >= 0 ? exact : Math.max(0, later);
    this.player.showStep();
  }

  line(operation) { return this.row.lines.find(line => line.operation === operation); }
  before(operation) {
    const at = this.row.lines.findIndex(line => line.operation === operation);
    return at > 0 ? this.row.lines[at - 1] : null;
  }
  title(operation) {
    const line = this.row.lines?.find(one => one.operation === operation);
    switch (operation) {
      case 'products': return phrase('products');
      case 'score': return this.row.products ? 'q · k' : phrase('scores');
      case 'position': return phrase('+ position');
      case 'bias': return phrase('+ bias');
      case 'modify': return 'score_mod';
      case 'mask': return phrase('mask');
      case 'shift': return phrase('− row max');
      case 'exponential': return phrase('exp');
      case 'row_sum': return phrase('row sum');
      case 'divide': return phrase('÷ row sum');
      case 'mix': return phrase('× values');
      default: return line?.title ? said(line.title) : operation;
    }
  }

  write() {
    const {row} = this;
    this.player.box.hidden = !row.lines;
    if (!row.lines) {
      this.table.replaceChildren(element('p', {className: 'muted'}, phrase('This mechanism does not go from scores to weights to the output in one pass: there is no row to walk.')));
      this.sum.textContent = this.text.textContent = '';
      return;
    }
    const now = this.steps[this.player.step], reached = this.steps.slice(0, this.player.step + 1), body = element('tbody');
    const had_focus = this.table.contains(document.activeElement);
    const heading = key => {
      const button = element('button', {type: 'button', className: 'plain', 'aria-pressed': String(key === this.key)}, this.keys[key]);
      button.addEventListener('click', () => { this.key = key; this.write(); });
      return element('th', {scope: 'col', className: key === this.key ? 'chosen' : ''}, button);
    };
    for (const operation of reached) {
      const line = this.line(operation), cells = operation === 'row_sum' || operation === 'mix' || operation === 'products' ? this.wholeRow(operation) : line.values.map(value => numberText(finite(value), 4));
      if (!cells) continue;
      const row_of = element('tr', {className: operation === now ? 'present' : ''}, element('th', {scope: 'row'}, this.title(operation)));
      if (cells.length === 1 && this.keys.length > 1) row_of.append(element('td', {colSpan: this.keys.length}, cells[0]));
      else cells.forEach((text, key) => row_of.append(element('td', {className: [row.blocked[key] && operation !== 'products' ? 'shut' : '', key === this.key ? 'chosen' : ''].join(' ')}, text)));
      body.append(row_of);
    }
    this.table.replaceChildren(element('table', {className: 'numeric'}, element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, `${t().query} ${this.queries[this.query]}`), ...this.keys.map((_, key) => heading(key)))), body));
    if (had_focus) this.table.querySelector('.chosen button')?.focus();
    this.sum.textContent = `${this.keys[this.key]}: ${this.arithmetic(now)}`;
    this.text.textContent = this.purpose(now);
  }
  /// Operations of the whole row: a term each, their sum, the values.
  wholeRow(operation) {
    const {row} = this, n = value => numberText(finite(value));
    if (operation === 'products') return row.terms.map(terms => terms.slice(0, 4).map(([, , product]) => n(product)).join(', ') + (terms.length > 4 ? ', …' : ''));
    if (operation === 'row_sum') return [numberText(finite(row.sum), 5)];
    return row.value.map((value, key) => (value.length ? `${n(row.mixed[key])} · (${value.slice(0, 3).map(n).join(', ')}${value.length > 3 ? ', …' : ''})` : n(row.mixed[key])));
  }
  arithmetic(operation) {
    const {row, key} = this, n = value => numberText(finite(value), 5), bracketed = value => (finite(value) < 0 ? `(${n(value)})` : n(value));
    const after = this.line(operation)?.values[key], from = this.before(operation)?.values[key];
    const joined = parts => parts.slice(0, 6).join(' + ') + (parts.length > 6 ? ` + ${t().more(parts.length - 6)}` : '');
    switch (operation) {
      case 'products':
      case 'score': {
        const terms = row.terms[key] ?? [];
        return terms.length ? `${joined(terms.map(([left, right]) => `${n(left)} · ${bracketed(right)}`))} = ${n(this.line('score').values[key])}` : n(after);
      }
      case 'shift': return `${n(from)} − ${bracketed(row.maximum)} = ${n(after)}`;
      case 'exponential': return `exp(${this.line('shift') ? n(from) : `${n(from)} − ${bracketed(row.maximum)}`}) = ${n(after)}`;
      case 'row_sum': return `${joined(this.line('exponential').values.map(n))} = ${n(row.sum)}`;
      case 'divide': return `${n(from)} / ${n(row.sum)} = ${n(after)}`;
      case 'mix': return row.mixes ? `${joined(row.mixed.map((weight, i) => [finite(weight), i]).filter(([weight]) => weight !== 0).sort((a, b) => Math.abs(b[0]) - Math.abs(a[0]))
        .map(([weight, i]) => phrase('%1 × value of %2', n(weight), this.keys[i])))} = (${row.output.slice(0, 4).map(n).join(', ')}${row.output.length > 4 ? ', …' : ''})` : '';
      default: {
        const line = this.line(operation);
        return line?.follows && from !== undefined ? `${n(from)} ${this.title(operation)} = ${n(after)}` : from === undefined ? n(after) : `${n(from)} → ${n(after)}`;
      }
    }
  }
  purpose(operation) {
    const {row} = this, query = this.queries[this.query], key = this.keys[this.key], n = value => numberText(finite(value), 5);
    const blocked = row.blocked.filter(Boolean).length;
    switch (operation) {
      case 'products': return row.products ? phrase('Query %1 and key %2, entry by entry: each product is what the two numbers add to the score.', query, key) : phrase('The terms of the score of query %1 and key %2.', query, key);
      case 'score': return row.terms[0]?.length ? phrase('Added up, the terms are the score of %1 and %2. Every key of the row has one.', query, key) : phrase('The score of %1 and %2 is not a sum of terms; this is what the mechanism gives.', query, key);
      case 'scale': return this.scaleWords();
      case 'position': return phrase('Where query and key stand adds to the score.');
      case 'bias': return phrase('The mask adds a number to each score instead of blocking keys.');
      case 'modify': return phrase('An expression of the score and of the places of query and key replaces the score.');
      case 'mask':
        if (!blocked) return phrase('The mask blocks no key of this row.');
        if (blocked === row.blocked.length) return phrase('Every key of this row is blocked, so −∞ stands everywhere.');
        return row.blocked[this.key] ? phrase('%1 may not be read: its score becomes %2. Blocked keys in this row: %3 of %4.', key, n(this.line('mask').values[this.key]), blocked, row.blocked.length)
          : phrase('%1 may be read: its score stays. Blocked keys in this row: %2 of %3.', key, blocked, row.blocked.length);
      case 'shift': return phrase('The largest score, %1, is taken from all: no exponential can overflow then, and the weights stay the same.', n(row.maximum));
      case 'exponential': return phrase('Exponentials are positive: the largest score gives 1, smaller ones less, −∞ gives 0.');
      case 'row_sum': return phrase("The sum of the row's exponentials.");
      case 'divide': return phrase("Each exponential over their sum is the key's share: the row sums to 1.");
      case 'mix': return !row.mixes ? phrase('This mechanism makes its output by a schedule of its own, not as one sum of weights times values.')
        : phrase('Each value times its weight, added up, is the output of %1.', query);
      default: return '';
    }
  }
  scaleWords() {
    const before = this.line('score').values.map(finite), after = this.line('scale').values.map(finite);
    if (before.every((value, i) => value === after[i])) return phrase('The scores stay as they are.');
    const at = before.reduce((best, value, i) => (Math.abs(value) > Math.abs(before[best]) ? i : best), 0), factor = after[at] / before[at];
    const is_factor = factor > 0 && before.every((value, i) => Math.abs(value * factor - after[i]) <= 1e-6 * Math.abs(after[at]));
    return is_factor ? phrase('Differences between the scores become %1 times as large.', numberText(factor)) : phrase('After scaling, the scores of this row lie between %1 and %2.', numberText(Math.min(...after)), numberText(Math.max(...after)));
  }
}

/// Queries and keys in one plane, values and output in another: their tips are dragged, or moved with the arrow keys.
class ArrowsBoard {
  constructor({send}) {
    this.send = send;
    this.planes = element('div', {className: 'planes'});
    this.table = element('div', {className: 'scroll'});
    this.hint = element('p', {className: 'muted'});
    this.text = element('p', {'aria-live': 'polite'});
    this.box = element('div', {className: 'exhibit'}, this.planes, this.hint, this.text, this.table);
    this.side = 340;
  }

  show(shown, k) {
    const rows_of = name => {
      const {values} = stageOf(shown, k, name);
      return Array.from({length: values.length / 2}, (_, i) => [values[2 * i], values[2 * i + 1]]);
    };
    const {board} = shown, begins = JSON.stringify([shown.step, shown.phase]), scores = stageOf(shown, k, 'scaled') ?? stageOf(shown, k, 'scores');
    Object.assign(this, {shown, k, queries: rows_of('query'), keys: rows_of('key'), values: rows_of('value'), outputs: rows_of('output'), scores: scores.values, weights: stageOf(shown, k, 'weights').values});
    if (begins !== this.begins) this.query = Math.min(board.query, this.queries.length - 1);
    this.begins = begins;
    this.reach = board.axis ? Math.max(Math.abs(board.axis[0]), Math.abs(board.axis[1])) : 3;
    this.movable = board.live.includes('cells') && !shown.asking && shown.source.computes;
    this.query_names = tokensOf(shown, k, this.queries.length);
    this.key_names = tokensOf(shown, k, this.keys.length, 'key_tokens');
    this.draw();
  }
  rowOf(numbers, key) { return numbers[this.query * this.keys.length + key]; }
  text_of(value) { return Number.isNaN(value) ? '?' : numberText(Math.abs(value) < 1e-9 ? 0 : value); }

  draw() {
    const focused = document.activeElement?.dataset?.tip, width = Math.min(760, this.box.clientWidth || 320);
    this.side = width >= 560 ? Math.floor((width - 14) / 2) : Math.min(width, 420);
    this.unit = this.side / 2 / (1.12 * this.reach);
    this.planes.replaceChildren(this.scorePlane(), this.valuePlane());
    this.hint.textContent = this.movable ? phrase('Drag the tips of arrows. With Shift, all arrows of a kind move together.') : '';
    if (focused) this.planes.querySelector(`[data-tip="${focused}"]`)?.focus();
    const largest = Math.max(1e-9, ...this.keys.map((_, key) => this.rowOf(this.weights, key)).filter(Number.isFinite));
    const rows = this.keys.map((_, key) => {
      const weight = this.rowOf(this.weights, key);
      return {name: this.key_names[key], value: Number.isFinite(weight) ? weight : 0, numbers: [this.text_of(this.rowOf(this.scores, key)), this.text_of(weight)]};
    });
    this.table.replaceChildren(barsTable(rows, Math.max(1, largest), [phrase('key'), phrase('score'), phrase('weight')], phrase('query %1', this.query_names[this.query])));
  }

  at([x, y]) { return [this.side / 2 + x * this.unit, this.side / 2 - y * this.unit]; }
  plane(title) {
    const {side, reach} = this, plane = svg('svg', {viewBox: `0 0 ${side} ${side}`, width: side, height: side, class: 'plane', role: 'group', 'aria-label': title});
    for (let k = -Math.floor(reach); k <= reach; ++k) {
      const [x, y] = this.at([k, k]);
      plane.append(svg('line', {x1: x, x2: x, y1: 0, y2: side, class: k === 0 ? 'axis' : 'grid'}), svg('line', {x1: 0, x2: side, y1: y, y2: y, class: k === 0 ? 'axis' : 'grid'}));
      if (k !== 0) plane.append(svgText(x, side - 4, numberText(k)), svgText(4, y + 4, numberText(k), 'start'));
    }
    return plane;
  }
  framed(title, plane) { return element('figure', {}, element('figcaption', {}, title), plane); }

  arrow(plane, tip, kind, thick = 2) {
    const [x0, y0] = this.at([0, 0]), [x, y] = this.at(tip), length = Math.hypot(x - x0, y - y0);
    if (length < 1) {
      plane.append(svg('circle', {cx: x, cy: y, r: 1.5 * thick, class: `head ${kind}`}));
      return;
    }
    const head = Math.min(5 + 2.5 * thick, 0.6 * length), [ux, uy] = [(x - x0) / length, (y - y0) / length], foot = [x - head * ux, y - head * uy];
    plane.append(svg('line', {x1: x0, y1: y0, x2: x - 0.7 * head * ux, y2: y - 0.7 * head * uy, class: `shaft ${kind}`, 'stroke-width': thick}),
      svg('polygon', {points: `${x},${y} ${foot[0] - 0.42 * head * uy},${foot[1] + 0.42 * head * ux} ${foot[0] + 0.42 * head * uy},${foot[1] - 0.42 * head * ux}`, class: `head ${kind}`}));
  }
  /// Beyond the tip; `aside`: beside the shaft.
  name(plane, tip, text, kind, aside = false) {
    if (aside) {
      const [x, y] = this.at(tip), label = svgText(x + (tip[0] < 0 ? -10 : 10), y + 4, text, tip[0] < 0 ? 'end' : 'start');
      label.setAttribute('class', `name ${kind}`);
      plane.append(label);
      return;
    }
    const [x, y] = this.at(tip), [x0, y0] = this.at([0, 0]), length = Math.hypot(x - x0, y - y0) || 1;
    const right = x >= x0, label = svgText(Math.max(6, Math.min(this.side - 6, x + 8 * (x - x0) / length)), Math.max(12, Math.min(this.side - 6, y + 4 + 12 * (y - y0) / length)), text, right ? (x > this.side - 60 ? 'end' : 'start') : x < 60 ? 'start' : 'end');
    label.setAttribute('class', `name ${kind}`);
    plane.append(label);
  }
  tip(plane, kind, row, at, words) {
    const [x, y] = this.at(at), circle = svg('circle', {cx: x, cy: y, r: 13, class: 'tip', tabindex: 0, role: kind === 'query' || !this.movable ? 'button' : 'slider', 'aria-label': words, 'data-tip': `${kind}${row}`});
    if (circle.getAttribute('role') === 'slider')
      for (const [name, value] of [['aria-valuenow', at[0]], ['aria-valuemin', -this.reach], ['aria-valuemax', this.reach], ['aria-valuetext', `(${this.text_of(at[0])}, ${this.text_of(at[1])})`]]) circle.setAttribute(name, value);
    const choose = () => {
      this.text.textContent = words;
      if (kind !== 'query' || row === this.query) return;
      this.query = row;
      this.draw();
    };
    const move = ([to_x, to_y], all) => this.send({arrow: {input: kind, row, x: to_x, y: to_y, reach: this.reach, all}});
    circle.addEventListener('focus', choose);
    circle.addEventListener('pointerenter', () => { this.text.textContent = words; });
    circle.addEventListener('keydown', event => {
      const by = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]}[event.key];
      if (!by || !this.movable) return;
      event.preventDefault();
      move([at[0] + by[0], at[1] + by[1]], event.shiftKey);
    });
    circle.addEventListener('pointerdown', event => {
      choose();
      if (!this.movable) return;
      event.preventDefault();
      // The picture is drawn again with each move: the window follows the pointer.
      const side = kind === 'value' ? 1 : 0;
      const follow = moved => {
        const box = this.planes.querySelectorAll('svg')[side].getBoundingClientRect(), scale = this.side / box.width;
        move([((moved.clientX - box.left) * scale - this.side / 2) / this.unit, (this.side / 2 - (moved.clientY - box.top) * scale) / this.unit], moved.shiftKey);
      };
      const end = () => {
        removeEventListener('pointermove', follow);
        removeEventListener('pointerup', end);
        removeEventListener('pointercancel', end);
      };
      addEventListener('pointermove', follow);
      addEventListener('pointerup', end);
      addEventListener('pointercancel', end);
    });
    plane.append(circle);
  }

  /// Each key casts a shadow on the line of the query.
  scorePlane() {
    const plane = this.plane(phrase('query and keys')), [qx, qy] = this.queries[this.query], length = Math.hypot(qx, qy);
    if (length > 0) {
      const along = [qx / length, qy / length], far = 3 * this.reach, [x1, y1] = this.at([-far * along[0], -far * along[1]]), [x2, y2] = this.at([far * along[0], far * along[1]]);
      plane.append(svg('line', {x1, y1, x2, y2, class: 'line_of_query'}));
      this.keys.forEach((key, i) => {
        if (Number.isNaN(this.rowOf(this.scores, i))) return;
        const shadow = key[0] * along[0] + key[1] * along[1], [kx, ky] = this.at(key), [fx, fy] = this.at([shadow * along[0], shadow * along[1]]);
        plane.append(svg('line', {x1: kx, y1: ky, x2: fx, y2: fy, class: 'shadow'}), svg('circle', {cx: fx, cy: fy, r: 3, class: 'head key'}));
      });
    }
    this.keys.forEach(key => this.arrow(plane, key, 'key'));
    this.queries.forEach((query, i) => this.arrow(plane, query, `query${i === this.query ? '' : ' other'}`, i === this.query ? 3.2 : 1.4));
    this.keys.forEach((key, i) => this.name(plane, key, this.key_names[i], 'key'));
    this.queries.forEach((query, i) => this.name(plane, query, phrase('query %1', this.query_names[i]), 'query'));
    const pair = ([x, y]) => `(${this.text_of(x)}, ${this.text_of(y)})`;
    this.keys.forEach((key, i) => this.tip(plane, 'key', i, key, phrase('%1: score %2, weight %3', `${phrase('key %1', this.key_names[i])} ${pair(key)}`, this.text_of(this.rowOf(this.scores, i)), this.text_of(this.rowOf(this.weights, i)))));
    this.queries.forEach((query, i) => this.tip(plane, 'query', i, query, `${phrase('query %1', this.query_names[i])} ${pair(query)}`));
    return this.framed(phrase('query and keys'), plane);
  }
  /// The output is the sum of the values, each shortened by its weight.
  valuePlane() {
    const plane = this.plane(phrase('values and output')), output = this.outputs[this.query], hidden = output.some(Number.isNaN), hull = hullOf(this.values);
    plane.append(svg('polygon', {points: hull.map(point => this.at(point).join(',')).join(' '), class: 'hull'}));
    let end = [0, 0];
    this.values.forEach((value, i) => {
      this.arrow(plane, value, 'value', hidden ? 2 : 1.2);
      const weight = this.rowOf(this.weights, i);
      if (hidden || Number.isNaN(weight)) return;
      const part = [weight * value[0], weight * value[1]], [x0, y0] = this.at([0, 0]), [px, py] = this.at(part), [ex, ey] = this.at(end), [nx, ny] = this.at([end[0] + part[0], end[1] + part[1]]);
      plane.append(svg('line', {x1: x0, y1: y0, x2: px, y2: py, class: 'shaft value', 'stroke-width': 4.8}), svg('line', {x1: ex, y1: ey, x2: nx, y2: ny, class: 'shadow value'}));
      end = [end[0] + part[0], end[1] + part[1]];
    });
    if (!hidden) this.arrow(plane, output, 'output', 3.2);
    this.values.forEach((value, i) => this.name(plane, value, this.key_names[i], 'value'));
    if (!hidden) this.name(plane, [0.55 * output[0], 0.55 * output[1]], phrase('output'), 'output', true);
    this.values.forEach((value, i) => this.tip(plane, 'value', i, value, `${phrase('value %1', this.key_names[i])} (${this.text_of(value[0])}, ${this.text_of(value[1])})`));
    return this.framed(phrase('values and output'), plane);
  }
}

/// Monotone chain (Andrew 1979).
function hullOf(points) {
  const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = list => {
    const made = [];
    for (const point of list) {
      while (made.length >= 2 && cross(made.at(-2), made.at(-1), point) <= 0) made.pop();
      made.push(point);
    }
    return made.slice(0, -1);
  };
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]), hull = [...half(sorted), ...half(sorted.reverse())];
  return hull.length ? hull : points.slice(0, 1);
}
