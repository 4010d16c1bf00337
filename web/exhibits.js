'use strict';
// Boards about one setting that its matrices do not show: tiles, pages, buckets, a curve. Each has `box`, and show(shown, k,
// exhibit) for setting `k` of what Board shows.

const finite = value => (typeof value === 'number' ? value : Number(value === 'inf' ? Infinity : value === '-inf' ? -Infinity : NaN));
const stageOf = (shown, k, name) => shown.result.settings[k].stages.find(stage => stage.name === name && stage.values);

/// The batch and the head that a board about one setting shows.
function placeOf(shown) {
  const card = shown.whole ? null : shown.board.cards[0];
  return {batch: card?.batch ?? shown.place.batch, head: card ? card.head ?? 0 : shown.place.head, heads: shown.place.heads};
}
function tokensOf(shown, k, count, axis = 'query_tokens') {
  const {board} = shown, setting = board.settings[k];
  const tokens = setting[axis]?.length ? setting[axis] : board[axis];
  if (axis === 'key_tokens' && !tokens.length) return tokensOf(shown, k, count);
  return Array.from({length: count}, (_, i) => isolated(tokens[i] || String(i)));
}

/// First, back, play, forward, last, and a slider over the steps. `moved(step)` is called for each.
class Player {
  constructor(moved) {
    this.step = 0;
    this.count = 1;
    this.moved = moved;
    this.range = element('input', {type: 'range', min: '0', step: '1'});
    this.range.addEventListener('input', () => this.go(this.range.valueAsNumber));
    const button = (text, step) => {
      const made = element('button', {type: 'button'}, text);
      made.addEventListener('click', () => { this.stop(); this.go(step()); });
      return made;
    };
    this.back = button('‹', () => this.step - 1);
    this.forward = button('›', () => this.step + 1);
    this.play = element('button', {type: 'button'});
    this.play.addEventListener('click', () => (this.timer ? this.stop() : this.start()));
    this.box = element('div', {className: 'player'}, this.back, this.play, this.forward, this.range);
    this.name();
  }
  name() {
    this.back.setAttribute('aria-label', t().back);
    this.forward.setAttribute('aria-label', t().next);
    this.range.setAttribute('aria-label', phrase('step'));
    this.play.textContent = this.timer ? phrase('Stop') : t().play;
  }
  start() {
    if (this.step === this.count - 1) this.go(0);
    this.timer = setInterval(() => {
      if (this.step < this.count - 1 && this.box.isConnected) this.go(this.step + 1);
      else this.stop();
    }, 900);
    this.name();
  }
  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.name();
  }
  /// Of so many steps; `words(step)` describes one to a screen reader.
  setSteps(count, words) {
    this.count = Math.max(1, count);
    this.words = words;
    this.step = Math.min(this.step, this.count - 1);
    this.showStep();
  }
  go(step) {
    this.step = Math.max(0, Math.min(this.count - 1, step));
    this.showStep();
    this.moved(this.step);
  }
  showStep() {
    this.name();
    this.range.max = String(this.count - 1);
    this.range.value = String(this.step);
    this.range.setAttribute('aria-valuetext', this.words?.(this.step) ?? String(this.step + 1));
    this.back.disabled = this.step === 0;
    this.forward.disabled = this.step === this.count - 1;
  }
}

/// Attention by tiles: the order of tiles over the weights, and the running maximum m, sum l and output of each row.
class TilesBoard {
  constructor() {
    this.player = new Player(() => this.draw());
    this.view = new MatrixView((row, column, chosen) => {
      if (row === null) return;
      this.row = row;
      if (chosen) this.player.go(this.stepOf(row, column) ?? this.player.step);
      else this.write();
    });
    this.text = element('p', {'aria-live': 'polite'});
    this.table = element('div', {className: 'scroll'});
    this.legend = element('p', {className: 'legend muted'});
    this.box = element('div', {className: 'exhibit'}, this.player.box, this.text, element('div', {className: 'cards'},
      element('div', {className: 'card'}, this.view.box, this.legend), this.table));
  }

  show(shown, k, walk) {
    const {batch, head, heads} = placeOf(shown), weights = stageOf(shown, k, 'weights');
    Object.assign(this, {shown, k, walk});
    const [, count, queries, keys] = weights.shape, own = Math.floor(head * count / Math.max(count, heads));
    this.at = {batch, head: own, heads: count, queries, keys};
    this.matrix = matrixOf(weights, weights.axes, {batch, head, heads});
    this.names = {queries: tokensOf(shown, k, queries), keys: tokensOf(shown, k, keys, 'key_tokens')};
    this.read = [];
    for (let query = 0; query < walk.query_tiles; ++query)
      for (let key = 0; key < walk.key_tiles; ++key)
        if (!this.isSkipped(query, key)) this.read.push([query, key]);
    const {tile} = shown.board, begins = JSON.stringify([shown.step, tile]);
    if (begins !== this.begins && tile) this.player.step = Math.max(0, this.read.findIndex(([query, key]) => query === tile[0] && key === tile[1]));
    else if (begins !== this.begins) this.player.step = 0;
    this.begins = begins;
    this.player.setSteps(this.read.length, step => `${step + 1} / ${this.read.length}`);
    this.draw();
  }

  isSkipped(query, key) {
    const {walk, at} = this;
    return Boolean(walk.skipped[((at.batch * at.heads + at.head) * walk.query_tiles + query) * walk.key_tiles + key]);
  }
  stepOf(row, column) {
    const found = this.read.findIndex(([query, key]) => query === Math.floor(row / this.walk.block_q) && key === Math.floor(column / this.walk.block_k));
    return found < 0 ? null : found;
  }
  stateOf(query, key) {
    const now = this.read[this.player.step];
    if (!now || this.isSkipped(query, key)) return 'skipped';
    if (query === now[0] && key === now[1]) return 'reading';
    return query < now[0] || (query === now[0] && key < now[1]) ? 'done' : 'to_come';
  }

  /// Of a row after the present step, from a stage (tiles,B,H,L) or (tiles,B,H,L,Ev); null: not reached yet.
  state(name, row, before = false) {
    const stage = stageOf(this.shown, this.k, name), now = this.read[this.player.step], tile = Math.floor(row / this.walk.block_q);
    if (!stage || !now || tile > now[0]) return null;
    const key = (tile < now[0] ? this.walk.key_tiles - 1 : now[1]) - (before ? 1 : 0);
    if (key < 0) return null;
    const {batch, head, heads, queries} = this.at, width = stage.shape[4] ?? 1, batches = stage.shape[1];
    const from = (((key * batches + batch) * heads + head) * queries + row) * width;
    return stage.values.subarray(from, from + width);
  }

  draw() {
    const {matrix, at, names, walk} = this, blocked = stageOf(this.shown, this.k, 'blocked');
    const closed = blocked && matrixOf(blocked, blocked.axes, {batch: at.batch, head: at.head, heads: at.heads});
    const room = Math.min(520, (this.box.clientWidth || 320) - 27);
    this.view.show({...matrix, range: rangeOf([matrix.values]), name: called('weights'), blocked: closed?.values ?? null, row_labels: names.queries,
      column_labels: names.keys, over: (pen, layout) => this.drawTiles(pen, layout, walk)}, room);
    this.write();
  }
  drawTiles(pen, {left, top, size}, walk) {
    const {back, muted, accent} = MatrixView.theme, {queries, keys} = this.at;
    let reading = null;
    for (let query = 0; query < walk.query_tiles; ++query)
      for (let key = 0; key < walk.key_tiles; ++key) {
        const state = this.stateOf(query, key), rows = Math.min(walk.block_q, queries - query * walk.block_q), columns = Math.min(walk.block_k, keys - key * walk.block_k);
        const box = [left + key * walk.block_k * size, top + query * walk.block_q * size, columns * size, rows * size];
        if (state === 'reading') reading = box;
        if (state === 'to_come' || state === 'skipped') {
          pen.globalAlpha = 0.78;
          pen.fillStyle = back;
          pen.fillRect(...box);
          pen.globalAlpha = 1;
        }
        pen.lineWidth = 1;
        pen.strokeStyle = muted;
        pen.setLineDash(state === 'to_come' ? [2, 3] : []);
        pen.strokeRect(...box);
        pen.setLineDash([]);
        if (state !== 'skipped') continue;
        const [x, y, width, height] = box;
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(x + width, y + height);
        pen.moveTo(x, y + height);
        pen.lineTo(x + width, y);
        pen.stroke();
      }
    if (!reading) return;
    pen.lineWidth = 5;
    pen.strokeStyle = back;
    pen.strokeRect(...reading);
    pen.lineWidth = 3;
    pen.strokeStyle = accent;
    pen.strokeRect(...reading);
  }

  rescale(row) {
    const before = this.state('tile_row_max', row, true)?.[0] ?? -Infinity, after = this.state('tile_row_max', row)?.[0] ?? -Infinity;
    return before === after ? 1 : Math.exp(before - after);
  }
  write() {
    const {walk, read, names} = this, {step} = this.player, now = read[step], n = numberText;
    if (!now) {
      this.text.textContent = phrase('Every cell is blocked: no tile is read.');
      return;
    }
    const span = (tile, block, labels) => {
      const first = tile * block, last = Math.min(first + block, labels.length) - 1;
      return first === last ? labels[first] : `${labels[first]}–${labels[last]}`;
    };
    const said_of = [phrase('Tile %1 of %2: queries %3 × keys %4.', step + 1, read.length, span(now[0], walk.block_q, names.queries), span(now[1], walk.block_k, names.keys))];
    const rows = Array.from({length: Math.min(walk.block_q, names.queries.length - now[0] * walk.block_q)}, (_, i) => now[0] * walk.block_q + i);
    const chosen = rows.includes(this.row), row = chosen ? this.row : rows.reduce((best, one) => (this.rescale(one) < this.rescale(best) ? one : best), rows[0]);
    const before = this.state('tile_row_max', row, true)?.[0] ?? -Infinity, after = this.state('tile_row_max', row)?.[0] ?? -Infinity, name = names.queries[row];
    if (after === -Infinity) said_of.push(phrase('Row %1 has read no open cell yet.', name));
    else if (before === -Infinity) said_of.push(phrase('Row %1 reads its first scores: its maximum is %2, and nothing was summed before.', name, n(after)));
    else if (after > before) said_of.push(phrase('The maximum of row %1 rises from %2 to %3, so what was summed before is multiplied by %4.', name, n(before), n(after), n(this.rescale(row))));
    else said_of.push(chosen ? phrase('The maximum of row %1 stays at %2, so what was summed before stays as it is.', name, n(after)) : phrase('No maximum rises, so what was summed before stays as it is.'));
    if (step + 1 === read.length || read[step + 1][0] !== now[0]) said_of.push(phrase('These rows are complete: divided by ℓ they are the output.'));
    this.text.textContent = said_of.join(' ');
    this.legend.textContent = [`■ ${phrase('done')}`, `▣ ${phrase('being read')}`, `▫ ${phrase('to come')}`, `☒ ${phrase('skipped: all blocked')}`].join('   ');
    this.writeRows();
  }
  /// The state of every row, as far as a table has room for it.
  writeRows() {
    const most = 24, {names, read} = this, now = read[this.player.step], n = value => numberText(value);
    const features = stageOf(this.shown, this.k, 'tile_output')?.shape[4] ?? 0;
    const first = Math.max(0, Math.min(now[0] * this.walk.block_q - 4, names.queries.length - most));
    const head = ['', 'm', 'ℓ', phrase('rescale'), ...(features ? [phrase('output, not yet divided by ℓ')] : [])];
    const body = element('tbody');
    names.queries.slice(first, first + most).forEach((name, i) => {
      const row = first + i, m = this.state('tile_row_max', row)?.[0], sum = this.state('tile_row_sum', row)?.[0], output = this.state('tile_output', row);
      const reading = Math.floor(row / this.walk.block_q) === now[0];
      const cells = [m === undefined ? '' : n(m), sum === undefined ? '' : n(sum), reading && m !== undefined && this.state('tile_row_max', row, true) ? `× ${n(this.rescale(row))}` : '',
        ...(features ? [output ? Array.from(output.slice(0, 4), value => n(value)).join(', ') + (features > 4 ? ', …' : '') : ''] : [])];
      body.append(element('tr', {className: reading ? 'present' : ''}, element('th', {scope: 'row'}, name), ...cells.map(text => element('td', {}, text))));
    });
    this.table.replaceChildren(element('table', {className: 'numeric'}, element('thead', {}, element('tr', {}, ...head.map(text => element(text ? 'th' : 'td', text ? {scope: 'col'} : {}, text)))), body));
  }
}

/// Which pages read each other, over the weights.
class PageReadsBoard {
  constructor() {
    this.view = new MatrixView((row, column) => { if (row !== null) this.write(row); });
    this.text = element('p', {'aria-live': 'polite'});
    this.box = element('div', {className: 'exhibit'}, element('div', {className: 'card'}, this.view.box), this.text);
  }
  show(shown, k, reads) {
    const weights = stageOf(shown, k, 'weights'), blocked = stageOf(shown, k, 'blocked'), place = placeOf(shown), {page_size: size} = reads;
    this.reads = reads;
    this.names = tokensOf(shown, k, weights.shape.at(-2));
    const matrix = matrixOf(weights, weights.axes, place), closed = blocked && matrixOf(blocked, blocked.axes, place);
    this.view.show({...matrix, range: rangeOf([matrix.values]), name: called('weights'), blocked: closed?.values ?? null, row_labels: this.names, column_labels: this.names,
      over: (pen, {left, top, size: cell}) => {
        pen.strokeStyle = MatrixView.theme.accent;
        pen.lineWidth = 1.5;
        for (let query = 0; query < reads.query_pages; ++query)
          for (let key = 0; key < reads.key_pages; ++key)
            if (Math.abs(query - key) <= reads.neighbors)
              pen.strokeRect(left + key * size * cell, top + query * size * cell, Math.min(size, matrix.columns - key * size) * cell, Math.min(size, matrix.rows - query * size) * cell);
      }}, Math.min(560, (this.box.clientWidth || 320) - 27));
    this.write(this.row ?? 0);
  }
  write(row) {
    const {page_size: size, neighbors, query_pages: queries, key_pages: keys} = this.reads, page = Math.min(Math.floor(row / size), queries - 1), {names} = this;
    const first = Math.max(0, page - neighbors), last = Math.min(keys - 1, page + neighbors);
    this.row = row;
    this.text.textContent = phrase('Queries %1 to %2 (page %3) read the key pages %4 to %5, each with a softmax of its own: their weights sum to %6.',
      names[page * size], names[Math.min((page + 1) * size, names.length) - 1], page, first, last, last - first + 1);
  }
}

/// The sequence in pages, its block table, and the pool in memory. A token is marked in both.
class PageTableBoard {
  constructor() {
    this.text = element('p', {'aria-live': 'polite'});
    this.use = element('p', {className: 'muted'});
    this.parts = element('div');
    this.box = element('div', {className: 'exhibit'}, this.parts, this.text, this.use);
  }
  show(shown, k, table) {
    Object.assign(this, {table, names: tokensOf(shown, k, table.length)});
    const {page_size: size, block_table: pages, pool_pages: pool, length} = table;
    const held = Math.min(length, pages.length * size), wasted = pages.length * size - held, free = pool - new Set(pages).size;
    this.use.textContent = phrase('%1 tokens take %2 pages of %3 slots; of these slots %4 are empty, which is %5% lost to fragmentation. Of the %6 pages of the pool %7 are free.',
      held, pages.length, size, wasted, Math.round(100 * wasted / Math.max(1, pages.length * size)), pool, free);
    this.marked = Math.min(this.marked ?? 0, held - 1);
    this.draw();
  }
  draw() {
    const {table, names, marked} = this, {page_size: size, block_table: pages} = table;
    const slot = token => {
      if (token === null || token >= table.length) return element('span', {className: 'slot empty'});
      const made = element('button', {type: 'button', className: `slot${token === marked ? ' marked' : ''}`}, names[token]);
      made.dataset.token = token;
      made.setAttribute('aria-pressed', String(token === marked));
      made.addEventListener('click', () => this.mark(token));
      made.addEventListener('pointerenter', event => { if (event.pointerType === 'mouse') this.mark(token); });
      return made;
    };
    const page = (name, first, note, used, is_copy) => {
      const slots = Array.from({length: size}, (_, i) => slot(first === null ? null : first + i));
      if (is_copy) for (const one of slots) one.tabIndex = -1;
      return element('li', {className: `page${used ? '' : ' free'}${first !== null && marked >= first && marked < first + size ? ' present' : ''}`},
        element('div', {className: 'muted'}, name), element('div', {className: 'slots'}, ...slots), ...(note ? [element('div', {className: 'entry'}, note)] : []));
    };
    this.parts.replaceChildren(element('h3', {className: 'name'}, phrase('The sequence in order, and its block table below')),
      element('ol', {className: 'pages'}, ...pages.map((at, i) => page(phrase('page %1', i), i * size, `→ ${at}`, true, false))),
      element('h3', {className: 'name'}, phrase('The pool of pages in memory')),
      element('ol', {className: 'pages'}, ...Array.from({length: table.pool_pages}, (_, at) => {
        const own = pages.indexOf(at);
        return page(own < 0 ? phrase('%1: free', at) : String(at), own < 0 ? null : own * size, '', own >= 0, true);
      })));
    this.write();
  }
  mark(token) {
    if (token === this.marked) return;
    const had_focus = this.parts.contains(document.activeElement);
    this.marked = token;
    for (const slot of this.parts.querySelectorAll('button')) {
      const is_marked = Number(slot.dataset.token) === token;
      slot.classList.toggle('marked', is_marked);
      slot.setAttribute('aria-pressed', String(is_marked));
      if (is_marked && had_focus && slot.tabIndex === 0) slot.focus();
    }
    for (const page of this.parts.querySelectorAll('.page')) page.classList.toggle('present', Boolean(page.querySelector('.marked')));
    this.write();
  }
  write() {
    const {table, names, marked} = this, page = Math.floor(marked / table.page_size);
    this.text.textContent = names[marked] === String(marked)
      ? phrase('Token %1: slot %2 of page %3, which lies in page %4 of the pool.', marked, marked % table.page_size, page, table.block_table[page])
      : phrase('Token %1, “%2”: slot %3 of page %4, which lies in page %5 of the pool.', marked, names[marked], marked % table.page_size, page, table.block_table[page]);
  }
}

/// Tokens in order and sorted by bucket, with a line for each; those that a token may read stay lit.
class BucketsBoard {
  constructor() {
    this.rounds = element('div', {className: 'own'});
    this.picture = element('div', {className: 'scroll', tabIndex: 0});
    this.text = element('p', {'aria-live': 'polite'});
    this.box = element('div', {className: 'exhibit'}, this.rounds, this.picture, this.text);
    this.round = 0;
    this.picture.addEventListener('keydown', event => {
      const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (!by) return;
      this.mark(((this.marked ?? -1) + by + this.tokens) % this.tokens);
      event.preventDefault();
    });
  }
  show(shown, k, sort) {
    const stage = stageOf(shown, k, 'buckets'), {batch, head} = placeOf(shown), [rounds, batches, heads, tokens] = stage.shape;
    Object.assign(this, {count: sort.n_buckets, tokens, names: tokensOf(shown, k, tokens)});
    this.buckets = Array.from({length: rounds}, (_, round) => {
      const from = ((round * batches + batch) * heads + Math.min(head, heads - 1)) * tokens;
      return Array.from(stage.values.subarray(from, from + tokens));
    });
    this.round = Math.min(this.round, rounds - 1);
    this.rounds.replaceChildren(...(rounds > 1 ? [picker(phrase('Round of hashing'), this.buckets.map((_, i) => [String(i), phrase('round %1', i + 1)]), String(this.round), round => {
      this.round = Number(round);
      this.draw();
    })] : []));
    this.picture.setAttribute('aria-label', phrase('sorted by bucket'));
    this.picture.setAttribute('role', 'group');
    this.draw();
  }
  readBy(token) {
    const others = this.names.map((_, other) => other).filter(other => other !== token && this.buckets.some(round => round[other] === round[token]));
    return others.length ? others : [token];
  }
  mark(token) {
    if (token === this.marked) return;
    this.marked = token;
    this.draw();
  }
  draw() {
    const {names, buckets, round, tokens, marked, count} = this, row = 22, label = Math.min(110, 10 + 7.5 * Math.max(...names.map(name => name.length)));
    const chip = 26, chips = buckets.length * (chip + 3), links = 170, right = label + 8 + chips + links, width = Math.max(right + chip + 8 + label, right + 8.5 * phrase('sorted by bucket').length);
    const order = names.map((_, i) => i).sort((a, b) => buckets[round][a] - buckets[round][b] || a - b);
    const splits = order.map((token, i) => (i && buckets[round][token] !== buckets[round][order[i - 1]] ? 1 : 0));
    let gaps = 0;
    const sorted = order.map((token, i) => 26 + i * row + (gaps += splits[i]) * 7), height = sorted.at(-1) + row + 6;
    const lit = token => marked === undefined || token === marked || this.readBy(marked).includes(token);
    const color = bucket => `hsl(${Math.round(360 * (bucket / count + 0.58)) % 360} 62% 36%)`;
    const chart = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, class: 'buckets', role: 'img', 'aria-label': phrase('sorted by bucket')});
    chart.append(svgText(label, 14, phrase('in order'), 'end'), svgText(right, 14, phrase('sorted by bucket'), 'start'));
    names.forEach((name, token) => {
      const y = 26 + token * row, place = order.indexOf(token), to = sorted[place] + row / 2, from = label + 8 + chips + 2;
      const group = svg('g', {class: `token${lit(token) ? '' : ' dim'}${token === marked ? ' marked' : ''}`});
      group.append(svg('rect', {x: 0, y, width, height: row, fill: 'transparent'}), svgText(label, y + 15, name, 'end'));
      buckets.forEach((of_round, r) => {
        group.append(svg('rect', {x: label + 8 + r * (chip + 3), y: y + 2, width: chip, height: row - 4, fill: color(of_round[token]), class: r === round ? 'now' : ''}));
        const number = svgText(label + 8 + r * (chip + 3) + chip / 2, y + 15, String(of_round[token]));
        number.setAttribute('class', 'on');
        group.append(number);
      });
      group.append(svg('path', {d: `M${from} ${y + row / 2} C${from + 70} ${y + row / 2} ${right - 75} ${to} ${right - 5} ${to}`, fill: 'none', stroke: color(buckets[round][token]), 'stroke-width': token === marked ? 3 : 1.5}),
        svg('rect', {x: right, y: sorted[place] + 1, width: chip, height: row - 2, fill: color(buckets[round][token])}), svgText(right + chip + 8, sorted[place] + 15, name, 'start'));
      if (!place || splits[place]) {
        const number = svgText(right + chip / 2, sorted[place] + 15, String(buckets[round][token]));
        number.setAttribute('class', 'on');
        group.append(number);
      }
      group.addEventListener('pointerenter', () => this.mark(token));
      group.addEventListener('click', () => this.mark(token));
      chart.append(group);
    });
    this.picture.replaceChildren(chart);
    this.text.textContent = marked === undefined ? '' : this.words(Math.min(marked, tokens - 1));
  }
  words(token) {
    const others = this.readBy(token), own = this.buckets.map(round => round[token]).join(', ');
    if (others.length === 1 && others[0] === token)
      return phrase('%1 is in bucket %2, where no other token ever is: it reads itself.', this.names[token], own);
    return phrase('%1 is in bucket %2 and may read the tokens that share one with it in any round: %3.', this.names[token], own,
      others.slice(0, 12).map(other => this.names[other]).join(', ') + (others.length > 12 ? ', …' : ''));
  }
}

/// A line through points, with the present setting marked.
class CurveBoard {
  constructor() { this.box = element('div', {className: 'exhibit'}); }
  show(shown, k, curve) {
    const points = curve.points.map(point => point.map(finite)), width = Math.min(620, this.box.clientWidth || 320);
    this.box.replaceChildren(linesChart({title: said(curve.title), over: said(curve.x_title), sizes: points.map(([x]) => x), lines: [{title: said(curve.y_title), values: points.map(([, y]) => y)}],
      present: finite(curve.present[0]), logarithmic_x: curve.logarithmic_x, logarithmic_y: curve.logarithmic_y}, width));
  }
}

const exhibit_boards = {tiles: TilesBoard, page_table: PageTableBoard, page_reads: PageReadsBoard, buckets: BucketsBoard, curve: CurveBoard};
