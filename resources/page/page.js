'use strict';
// Shows the matrices of a page: reads the cells, draws them, and lets a reader pick a head and a cell. Everything that a
// file named is written as text (textContent, fillText), never as markup.
(() => {
  const byId = id => document.getElementById(id);
  const data = JSON.parse(byId('data').textContent);

  // Texts.

  const texts = {
    en: {
      layer: 'Layer', part: 'Part', head: 'Head', heads: 'Heads', head_n: n => `Head ${n}`, layer_n: n => `Layer ${n}`, mean: 'Mean of heads',
      view: 'View', map: 'Heatmap', arcs: 'Lines', table: 'Numbers', log: 'Logarithmic colours', range: 'Colours',
      range_all: 'same for all heads', range_one: 'this head', theme: 'Theme', auto: 'follow system', light: 'light',
      dark: 'dark', other: '中文', closer: 'Zoom in', away: 'Zoom out', whole: 'Whole map',
      query: 'query token', key: 'key token', reads: (q, k) => `${q} reads ${k}`, of: (r, c) => `${r}, ${c}`,
      blocked: 'blocked', about: x => `about ${x}`, below: x => `below ${x}`, in_full: (x, all) => `${x} (in full ${all})`, none: 'no number',
      size: (r, c) => `${r} × ${c}`, groups: (n, h) => `${n} layers, ${h} heads`, only_heads: h => `${h} heads`,
      bins: (r, c, br, bc) => `${r} × ${c} weights, the finest bin is ${br} × ${bc}`,
      all64: 'All numbers are exact (float64).', all32: 'All numbers are exact (float32).',
      rounded: 'All numbers are rounded to float32: 7 digits.',
      some: (m, n, e) => `Of ${n} numbers other than 0, the largest ${m} are ${e}; “about” marks the others, which are within `,
      exact_word: 'exact', rounded_word: 'rounded to float32', percent: p => `${p} %.`,
      none_exact: (n, p) => `The ${n} numbers are within ${p} %, which “about” marks.`,
      help: 'Arrow keys move to another cell; Page Up and Page Down change the head. Nothing in this page uses the network.',
      help_map: 'Arrow keys move; + and − zoom, 0 shows the whole map. Nothing in this page uses the network.',
      too_many: (n, m) => `Lines have room for ${m} tokens a side, and here are ${n}.`,
      part_of: (n) => `The table shows ${n} cells around the chosen one.`,
      small: 'Lines below 2 % of the largest number are left out.',
      best: (t, list) => `${t} reads ${list}`, wall: 'All heads: click one to show it.', grid: 'Matrix of numbers',
    },
    zh: {
      layer: '层', part: '部分', head: '头', heads: '头', head_n: n => `头 ${n}`, layer_n: n => `第 ${n} 层`, mean: '各头的平均', view: '视图',
      map: '热图', arcs: '连线', table: '数字', log: '对数颜色', range: '颜色范围', range_all: '所有头相同', range_one: '仅此头',
      theme: '主题', auto: '跟随系统', light: '浅色', dark: '深色', other: 'English', closer: '放大', away: '缩小',
      whole: '整张图', query: '查询词元', key: '键词元', reads: (q, k) => `${q} 读取 ${k}`, of: (r, c) => `${r}，${c}`,
      blocked: '被掩蔽', about: x => `约 ${x}`, below: x => `小于 ${x}`, in_full: (x, all) => `${x}（完整值 ${all}）`, none: '不是数字', size: (r, c) => `${r} × ${c}`,
      groups: (n, h) => `${n} 层，共 ${h} 个头`, only_heads: h => `${h} 个头`,
      bins: (r, c, br, bc) => `${r} × ${c} 个权重，最细的格为 ${br} × ${bc}`,
      all64: '所有数字都精确（float64）。', all32: '所有数字都精确（float32）。', rounded: '所有数字都舍入到 float32：7 位有效数字。',
      some: (m, n, e) => `${n} 个非零数字中，最大的 ${m} 个${e}；其余标有“约”，误差不超过 `,
      exact_word: '是精确的', rounded_word: '舍入到 float32', percent: p => `${p} %。`,
      none_exact: (n, p) => `这 ${n} 个数字标有“约”，误差不超过 ${p} %。`,
      help: '方向键移到其他格；Page Up 和 Page Down 切换头。本页不使用网络。',
      help_map: '方向键移动；+ 和 − 缩放，0 显示整张图。本页不使用网络。',
      too_many: (n, m) => `连线视图每侧最多 ${m} 个词元，这里有 ${n} 个。`, part_of: n => `表格显示所选格周围的 ${n} 个格。`,
      small: '小于最大值 2 % 的连线不画。', best: (t, list) => `${t} 读取 ${list}`, wall: '所有的头：单击一个即可显示。',
      grid: '数字矩阵',
    },
  };
  const words = {zh: {weights: '权重', scores: '得分', 'query token': '查询词元', 'key token': '键词元', output: '输出'}};
  let language = data.language ? data.language.slice(0, 2) : (navigator.language || 'en').slice(0, 2);
  if (!(language in texts)) language = 'en';
  const t = () => texts[language];
  const word = text => (words[language] && Object.hasOwn(words[language], text) ? words[language][text] : text);

  // Cells: base 64 of a zlib stream (RFC 1950, 1951). Inflated here, because a browser's own way is asynchronous.

  function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
    return bytes;
  }

  /// A table from the next bits, the first bit lowest, to a symbol (times 16) and the length of its code. It has as many bits
  /// as the longest code.
  function codeTable(lengths) {
    const counts = new Uint16Array(16), next = new Uint16Array(16);
    let longest = 1;
    for (const length of lengths) { ++counts[length]; if (length > longest) longest = length; }
    counts[0] = 0;
    for (let bits = 1; bits < 16; ++bits) next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
    const table = new Uint16Array(1 << longest);
    for (let symbol = 0; symbol < lengths.length; ++symbol) {
      const length = lengths[symbol];
      if (length === 0) continue;
      let code = next[length]++, reversed = 0;
      for (let bit = 0; bit < length; ++bit, code >>= 1) reversed = reversed << 1 | (code & 1);
      for (let at = reversed; at < table.length; at += 1 << length) table[at] = symbol << 4 | length;
    }
    return table;
  }

  function inflated(bytes, size) {
    const out = new Uint8Array(size);
    let at = 2, held = 0, count = 0, filled = 0;
    const take = n => {
      while (count < n) { held |= bytes[at++] << count; count += 8; }  // beyond the end: zeros
      const value = held & ((1 << n) - 1);
      held >>>= n; count -= n;
      return value;
    };
    const symbol = table => {
      while (count < 15) { held |= bytes[at++] << count; count += 8; }
      const found = table[held & (table.length - 1)];
      held >>>= found & 15; count -= found & 15;
      return found >> 4;
    };
    const bases = (first, extra) => extra.map((bits, i) => [first += i ? 1 << extra[i - 1] : 0, bits]);
    const steps = (n, per) => Array.from({length: n}, (_, i) => Math.max(0, Math.floor(i / per) - 1));
    const copies = bases(3, steps(28, 4)).concat([[258, 0]]), backs = bases(1, steps(30, 2));
    const fixed = () => [codeTable(Array.from({length: 288}, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
                         codeTable(new Array(30).fill(5))];
    const written = () => {
      const literals = take(5) + 257, distances = take(5) + 1, order = take(4) + 4, short = new Array(19).fill(0);
      [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].slice(0, order).forEach(i => { short[i] = take(3); });
      const table = codeTable(short), lengths = [];
      while (lengths.length < literals + distances) {
        const found = symbol(table);
        if (found < 16) { lengths.push(found); continue; }
        const value = found === 16 ? lengths[lengths.length - 1] : 0;
        const times = found === 16 ? 3 + take(2) : found === 17 ? 3 + take(3) : 11 + take(7);
        for (let i = 0; i < times; ++i) lengths.push(value);
      }
      return [codeTable(lengths.slice(0, literals)), codeTable(lengths.slice(literals))];
    };
    /// In variables of its own, which is several times faster than those that functions share.
    const copyBlock = (literal, distance) => {
      const literal_mask = literal.length - 1, distance_mask = distance.length - 1;
      let a = at, bits = held, n = count, f = filled;
      for (;;) {
        while (n < 15) { bits |= bytes[a++] << n; n += 8; }
        let code = literal[bits & literal_mask];
        bits >>>= code & 15; n -= code & 15;
        code >>= 4;
        if (code < 256) { out[f++] = code; continue; }
        if (code === 256) break;
        const [length, length_bits] = copies[code - 257];
        while (n < 20) { bits |= bytes[a++] << n; n += 8; }
        const end = f + length + (bits & (1 << length_bits) - 1);
        bits >>>= length_bits; n -= length_bits;
        const step = distance[bits & distance_mask];
        bits >>>= step & 15; n -= step & 15;
        const [back, back_bits] = backs[step >> 4];
        while (n < back_bits) { bits |= bytes[a++] << n; n += 8; }
        let from = f - back - (bits & (1 << back_bits) - 1);
        bits >>>= back_bits; n -= back_bits;
        while (f < end) out[f++] = out[from++];
      }
      at = a; held = bits; count = n; filled = f;
    };
    for (let last = false; !last;) {
      last = take(1) === 1;
      const kind = take(2);
      if (kind === 0) {
        at -= count >> 3; held = count = 0;
        const length = bytes[at] | bytes[at + 1] << 8;
        out.set(bytes.subarray(at + 4, at + 4 + length), filled);
        at += 4 + length; filled += length;
        continue;
      }
      const [literal, distance] = kind === 1 ? fixed() : written();
      copyBlock(literal, distance);
    }
    return out;
  }

  // Numbers.

  const LEVELS = 250, MINUS = 252, PLUS = 253, NAN = 254, BLOCKED = 255;
  let cell_count = 0;
  for (const group of data.groups) {
    group.cells = group.rows * group.columns;
    group.start = cell_count;
    cell_count += group.cells * group.heads.length;
  }
  const packed = inflated(bytesOf(data.cells), cell_count + data.numbers * data.width);
  const view64 = new DataView(new ArrayBuffer(8));

  const levelOf = (group, code) => group.signs && code > LEVELS / 2 ? code - LEVELS / 2 : code;
  const rankOf = (group, code) => group.signs ? 2 * levelOf(group, code) : code;
  /// The number of some leading bits: all of float32, the high word of float64.
  function numberOfBits(leading, rest) {
    view64.setUint32(0, leading);
    if (data.width === 4) return view64.getFloat32(0);
    view64.setUint32(4, rest);
    return view64.getFloat64(0);
  }
  const mantissaOf = group => (data.width === 4 ? 23 : 20) - (group.signs ? 3 : 4);  // in these leading bits
  const leadingOf = (group, level) => level <= 1 ? 0 : Math.max(0, level + group.top - (group.signs ? LEVELS / 2 : LEVELS));

  /// Values of a group (NaN: not a number or blocked), and which of them are exact.
  const values = new Float64Array(cell_count), exact = new Uint8Array(cell_count);
  {
    const count = data.numbers, is_wide = data.width === 8;
    const word = at => packed[at] + packed[at + count] * 256 + packed[at + 2 * count] * 65536 + packed[at + 3 * count] * 16777216;
    let next = cell_count;
    for (const group of data.groups) {
      // Of each code: a number within its range, the leading bits of its numbers, and whether the number itself follows.
      const middles = new Float64Array(256), leading = new Float64Array(256), follows = new Uint8Array(256);
      const unit = 2 ** mantissaOf(group);
      for (let code = 1; code <= LEVELS; ++code) {
        const level = levelOf(group, code), sign = group.signs && code <= LEVELS / 2 ? -1 : 1;
        middles[code] = sign * numberOfBits(level <= 1 ? leadingOf(group, level + 1) * unit : (leadingOf(group, level) + 0.5) * unit, 0);
        leading[code] = leadingOf(group, level) * unit;
        follows[code] = rankOf(group, code) < data.threshold ? 0 : sign < 0 ? 2 : 1;
      }
      middles[MINUS] = -Infinity; middles[PLUS] = Infinity; middles[NAN] = middles[BLOCKED] = NaN;
      const end = group.start + group.cells * group.heads.length;
      for (let cell = group.start; cell < end; ++cell) {
        const code = packed[cell], sign = follows[code];
        if (sign === 0) {
          values[cell] = middles[code];
          exact[cell] = code > 0 && code <= LEVELS ? 0 : 1;
          continue;
        }
        const low = word(next), number = is_wide ? numberOfBits(leading[code] + word(next + 4 * count), low) : numberOfBits(leading[code] + low, 0);
        ++next;
        values[cell] = sign === 2 ? -number : number;
        exact[cell] = 1;
      }
    }
  }

  /// The shortest text that reads back as the same float32 or float64.
  function exactText(value) {
    if (data.width === 8 || !Number.isFinite(value)) return String(value);
    for (let digits = 6; digits < 9; ++digits)
      if (Math.fround(Number(value.toPrecision(digits))) === value) return String(Number(value.toPrecision(digits)));
    return String(Number(value.toPrecision(9)));
  }
  const shortText = value => String(Number(value.toPrecision(3)));
  /// `brief`: four digits, as the window has them beside a picture; else, of an exact number, all.
  function textOf(group, cell, brief = false) {
    const code = packed[cell], value = values[cell];
    if (code === BLOCKED) return t().blocked;
    if (code === NAN) return t().none;
    if (code === PLUS) return '∞';
    if (code === MINUS) return '−∞';
    const written = text => text.replace(/-/g, '−');
    if (exact[cell]) return written(brief ? String(Number(value.toPrecision(4))) : exactText(value));
    return levelOf(group, code) <= 1 ? t().below(shortText(Math.abs(value))) : t().about(written(shortText(value)));
  }

  // What is shown.

  const state = {group: data.group, head: data.head, view: 'map', log: data.log, range: 'all', theme: 'auto', row: 0, column: 0,
                 area: {x: 0, y: 0, w: 1, h: 1}};
  const initial = new URLSearchParams(location.hash.slice(1));
  const number = (name, most) => {
    const given = Number(initial.get(name));
    return initial.has(name) && Number.isInteger(given) && given >= 0 && given <= most ? given : null;
  };
  state.group = data.map ? 0 : number('group', data.groups.length - 1) ?? state.group;
  state.head = number('head', data.groups[state.group].heads.length - 1) ?? state.head;
  if (['map', 'arcs', 'table'].includes(initial.get('view'))) state.view = initial.get('view');
  if (['en', 'zh'].includes(initial.get('lang'))) language = initial.get('lang');
  if (['light', 'dark'].includes(initial.get('theme'))) state.theme = initial.get('theme');
  if (initial.get('log') === '1') state.log = true;
  state.row = number('row', data.groups[state.group].rows - 1);
  state.column = number('column', data.groups[state.group].columns - 1);
  function remember() {
    const kept = new URLSearchParams();
    if (!data.map) kept.set('group', state.group);
    kept.set('head', state.head);
    kept.set('view', state.view);
    kept.set('row', state.row);
    kept.set('column', state.column);
    try { history.replaceState(null, '', `#${kept}`); } catch { /* in a frame without an address */ }
  }

  /// The level of a map for the chosen area; otherwise the chosen group.
  let level = 0;
  const group = () => data.groups[data.map ? level : state.group];
  const compares = data.groups[0].name === 'A';  // A, B and their difference instead of layers
  /// The numbers of the layers where the groups are those of one stack; else null.
  const layers = (parts => parts.every(one => one && one[1] === parts[0][1]) ? parts.map(one => one[2]) : null)(
    data.groups.map(g => /^(\w+)\.(\d+)\.self$/.exec(g.name)));
  const finest = () => data.groups[data.map ? 0 : state.group];
  const factor = () => 1 << level;
  const first = (of = group(), head = state.head) => of.start + head * of.cells;
  /// Of the last query, the key with the largest number, or the largest change: the first of a causal head have nothing to
  /// choose from.
  if (state.row === null) state.row = data.map ? 0 : group().rows - 1;
  if (state.column === null) {
    const from = data.map ? 0 : first() + state.row * group().columns;
    const size_of = value => compares && state.group === 2 ? Math.abs(value) : value;
    let found = 0, most = -Infinity;
    for (let column = 0; !data.map && column < group().columns; ++column)
      if (size_of(values[from + column]) > most) { most = size_of(values[from + column]); found = column; }
    state.column = found;
  }
  const headName = n => n < 0 ? t().mean : t().head_n(n);
  function label(axis, index) {
    const list = axis.labels < 0 ? null : data.labels[axis.labels];
    if (list && index < list.length && list[index] !== '') return shown(list[index]);
    const from = axis.first + index * axis.step, to = Math.min(axis.end ?? Infinity, from + axis.step) - 1;
    return axis.step > 1 && to > from ? `${from}–${to}` : String(from);
  }
  /// Spaces and what cannot be seen are made visible; changes of writing direction stay inside the label.
  const shown = text => text.replace(/\n/g, '↵').replace(/\t/g, '⇥').replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '·')
    .replace(/^ | $/g, '␣');

  const limits = new Map();
  /// Smallest, largest and smallest positive finite number of a group, or of one head of it.
  function limitsOf(of, head) {
    const key = `${of.start}:${head}`;
    if (limits.has(key)) return limits.get(key);
    const found = {low: Infinity, high: -Infinity, positive: Infinity};
    const begin = head === null ? of.start : first(of, head), end = begin + of.cells * (head === null ? of.heads.length : 1);
    for (let cell = begin; cell < end; ++cell) {
      const value = values[cell];
      if (!Number.isFinite(value)) continue;
      if (value < found.low) found.low = value;
      if (value > found.high) found.high = value;
      if (value > 0 && value < found.positive) found.positive = value;
    }
    if (found.low > found.high) found.low = found.high = 0;
    limits.set(key, found);
    return found;
  }

  const tables = {sequential: bytesOf(data.sequential), diverging: bytesOf(data.diverging), diverging_dark: bytesOf(data.diverging_dark)};
  let printing = false;
  const isDark = () => !printing && (state.theme === 'dark' ||
    (state.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches));
  function scaleOf(of, head) {
    const range = limitsOf(of, state.range === 'one' ? head : null);
    const diverging = of.diverging;
    const table = diverging ? tables[isDark() ? 'diverging_dark' : 'diverging'] : tables.sequential;
    const log = state.log && range.positive < Infinity && !diverging;
    const most = Math.max(Math.abs(range.low), Math.abs(range.high)) || 1;
    let low = diverging ? -most : log ? Math.max(range.positive, range.high * 1e-6) : Math.min(0, range.low);
    let high = diverging ? most : range.high;
    if (!diverging && !log && range.low > range.high / 2) low = range.low;
    if (state.range === 'all') {  // as in the window
      if (Number.isFinite(data.low) && !(log && data.low <= 0)) low = data.low;
      if (Number.isFinite(data.high)) high = data.high;
    }
    if (!(high > low)) high = low + 1;
    const from = log ? Math.log(low) : low, unit = 255 / ((log ? Math.log(high) : high) - from);
    /// The place of a number in the table, 0 to 255.
    const place = value => {
      const at = Math.round(((log ? Math.log(value) : value) - from) * unit);
      return at > 0 ? at < 255 ? at : 255 : 0;
    };
    return {table, low, high, place};
  }

  const reaches = new Map();
  /// Where a causal mask is among the blocked cells of a head: row i reads no column behind i + reach; null elsewhere.
  function reachOf(of, head) {
    const key = first(of, head);
    if (data.map) return null;
    if (reaches.has(key)) return reaches.get(key);
    let reach = 0, edge = -1, moves = false;
    for (let row = 0; row < of.rows && reach !== null; ++row) {
      let last = of.columns - 1;
      while (last >= 0 && packed[key + row * of.columns + last] === BLOCKED) --last;
      if (last >= 0) { moves = moves || (edge >= 0 && edge !== last); edge = last; }
      reach = last - row > Math.max(0, of.columns - of.rows) ? null : Math.max(reach, last - row);
    }
    if (!moves) reach = null;  // as that of padding does not
    reaches.set(key, reach);
    return reach;
  }
  /// Whether a cell is blocked as by a causal mask, which is drawn as a plain surface, as in the window.
  const isAhead = (of, head, row, column) => {
    const reach = reachOf(of, head);
    return reach !== null && column > row + reach && packed[first(of, head) + row * of.columns + column] === BLOCKED;
  };

  // Drawing on canvases.

  const named_colors = new Map();  // of the theme on show
  function color(name) {
    if (!named_colors.has(name)) named_colors.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    return named_colors.get(name);
  }
  const rgb = name => { const hex = color(name); return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)); };
  const ratio = () => Math.max(1, Math.min(3, (window.devicePixelRatio || 1) * (printing ? 2 : 1)));

  /// Some cells of a matrix as an image of at most `width` x `height` pixels: where cells are smaller than pixels, a pixel
  /// shows the largest magnitude of its cells.
  function imageOf(of, head, scale, rows, columns, width, height) {
    const row_count = rows[1] - rows[0], column_count = columns[1] - columns[0];
    const h = Math.max(1, Math.min(row_count, Math.floor(height))), w = Math.max(1, Math.min(column_count, Math.floor(width)));
    const image = new ImageData(w, h), pixels = image.data, {table, place} = scale, begin = first(of, head) + columns[0];
    const cells = new Int32Array(w * h).fill(-1), across = new Int32Array(column_count);
    for (let column = 0; column < column_count; ++column) across[column] = Math.floor(column * w / column_count);
    const size_of = cell => { const value = values[cell]; return value !== value ? -1 : Math.abs(value); };
    for (let row = 0; row < row_count; ++row) {
      const line = Math.floor(row * h / row_count) * w, from = begin + (rows[0] + row) * of.columns;
      for (let column = 0; column < column_count; ++column) {
        const at = line + across[column], cell = from + column;
        if (cells[at] < 0 || size_of(cell) > size_of(cells[at])) cells[at] = cell;
      }
    }
    const blocked = rgb('--hatch'), none = rgb('--hatch-line'), ahead = rgb('--ahead');
    const start = first(of, head), reach = reachOf(of, head) ?? Infinity;
    const surface = cell => {
      const at = cell - start, column = at % of.columns;
      return packed[cell] === NAN ? none : column > (at - column) / of.columns + reach ? ahead : blocked;
    };
    for (let at = 0; at < cells.length; ++at) {
      const value = values[cells[at]], is_number = value === value;
      const from = is_number ? 3 * place(value) : 0, colors = is_number ? table : surface(cells[at]);
      pixels[4 * at] = colors[from]; pixels[4 * at + 1] = colors[from + 1]; pixels[4 * at + 2] = colors[from + 2];
      pixels[4 * at + 3] = 255;
    }
    return image;
  }
  /// Copies an image into another one, scaled without smoothing. One copy of a whole wall is faster than many small canvases.
  function copyInto(whole, image, left, top, width, height) {
    const from = new Uint32Array(image.data.buffer), to = new Uint32Array(whole.data.buffer);
    for (let y = 0; y < height; ++y) {
      const source = Math.floor(y * image.height / height) * image.width, target = (top + y) * whole.width + left;
      for (let x = 0; x < width; ++x) to[target + x] = from[source + Math.floor(x * image.width / width)];
    }
  }

  function sized(canvas, width, height) {
    const r = ratio();
    canvas.width = Math.round(width * r); canvas.height = Math.round(height * r);
    canvas.style.width = `${width}px`; canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d');
    context.scale(r, r);
    context.imageSmoothingEnabled = false;
    return context;
  }

  const caption = document.querySelector('#shown figcaption');
  let layout = {left: 0, top: 0, cell: 1, cell_y: 1, rows: [0, 0], columns: [0, 0]};

  function fitted(context, text, room) {
    if (context.measureText(text).width <= room) return text;
    const letters = Array.from(text);
    while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > room) letters.pop();
    return `${letters.join('')}…`;
  }

  /// Two decimals at most, without the 0 in front.
  function numberIn(value) {
    const size = Math.abs(value), decimals = size < 10 ? 2 : size < 100 ? 1 : 0;
    if (size >= 1e4) return value.toExponential(0).replace('e+', 'e').replace('-', '−');
    const text = Number(size.toFixed(decimals)) === 0 ? '0' : size === 1 ? '1' : size.toFixed(decimals).replace(/^0/, '');
    return value < 0 && text !== '0' ? `−${text}` : text;
  }
  /// Whether the text of a cell is right although its number is not known to all digits: within 7 % (mantissaOf).
  const isSure = cell => exact[cell] === 1 || numberIn(values[cell] * 0.93) === numberIn(values[cell] * 1.07);
  /// In the cells of `layout`, in black or white: whichever is easier to read there.
  function writeNumbers(context, of, scale) {
    const {left, top, cell, cell_y, rows, columns} = layout;
    const light = part => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    context.font = '12px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let row = rows[0]; row < rows[1]; ++row)
      for (let column = columns[0]; column < columns[1]; ++column) {
        const value = values[first(of) + row * of.columns + column];
        if (!Number.isFinite(value)) continue;
        if (!isSure(first(of) + row * of.columns + column)) continue;
        const text = numberIn(value), at = 3 * scale.place(value), [r, g, b] = scale.table.slice(at, at + 3);
        if (context.measureText(text).width > cell - 4) continue;
        const luminance = 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
        context.fillStyle = luminance > 0.179 ? '#000000' : '#ffffff';
        context.globalAlpha = text === '0' ? 0.6 : 1;
        context.fillText(text, left + (column - columns[0] + 0.5) * cell, top + (row - rows[0] + 0.5) * cell_y);
      }
    context.globalAlpha = 1;
  }

  function drawMap() {
    const box = byId('map'), width = Math.max(200, box.clientWidth), canvas = byId('cells');
    const fine = finest(), area = state.area, r = ratio();
    level = 0;
    if (data.map)
      while (level + 1 < data.groups.length && fine.columns * area.w / factor() > (width - 60) * r) ++level;
    const of = group(), f = factor();
    const span = (from, size, count) => [Math.max(0, Math.floor(from * count)), Math.min(count, Math.max(1, Math.ceil((from + size) * count - 1e-9)))];
    const rows = span(area.y, area.h, of.rows), columns = span(area.x, area.w, of.columns);
    if (rows[1] <= rows[0]) rows[1] = rows[0] + 1;
    const row_count = rows[1] - rows[0], column_count = columns[1] - columns[0];
    const probe = canvas.getContext('2d'), font = '12px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif';
    probe.font = font;
    const widest = (axis, range) => {
      let most = 0;
      const step = Math.max(1, Math.floor((range[1] - range[0]) / 400));
      for (let i = range[0]; i < range[1]; i += step) most = Math.max(most, probe.measureText(label(axis, i)).width);
      return Math.min(most, width < 500 ? 70 : 120) + 10;
    };
    const left = Math.ceil(widest(of.row_axis, rows)) + 18, top = Math.ceil(widest(of.column_axis, columns)) + 18;
    // As large as leaves all rows in sight, and legible; on paper there is no window.
    const least = data.map ? 560 / row_count : 24;
    const roomy = printing ? 44 : Math.max(least, Math.min(72, (window.innerHeight - 320) / row_count));
    const cell = Math.min(roomy, (width - left - 2) / column_count);
    const cell_y = Math.min(cell, Math.max(cell / 8, 1600 / row_count));
    const high = top + cell_y * row_count + 2, wide = left + cell * column_count + 2;
    layout = {left, top, cell, cell_y, rows, columns};
    caption.style.maxWidth = `${Math.max(wide, 380)}px`; // the colours end where the cells do
    const context = sized(canvas, Math.max(width, wide), high);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const scale = scaleOf(of, state.head);
    const image = imageOf(of, state.head, scale, rows, columns, cell * column_count * r, cell_y * row_count * r);
    const picture = document.createElement('canvas');
    picture.width = image.width; picture.height = image.height;
    picture.getContext('2d').putImageData(image, 0, 0);
    context.drawImage(picture, left, top, cell * column_count, cell_y * row_count);
    // Blocked cells are hatched where that can be seen.
    if (cell >= 5 && cell_y >= 5) {
      context.strokeStyle = color('--hatch-line');
      context.lineWidth = 1;
      context.beginPath();
      for (let row = rows[0]; row < rows[1]; ++row)
        for (let column = columns[0]; column < columns[1]; ++column) {
          const code = packed[first() + row * of.columns + column];
          if ((code !== BLOCKED && code !== NAN) || isAhead(of, state.head, row, column)) continue;
          const x = left + (column - columns[0]) * cell, y = top + (row - rows[0]) * cell_y;
          context.moveTo(x, y + cell_y); context.lineTo(x + cell, y);
        }
      context.stroke();
    }
    if (cell >= 26 && cell_y >= 18) writeNumbers(context, of, scale);
    context.font = font;
    context.textBaseline = 'middle';
    const every = (size, least) => Math.max(1, Math.ceil(least / size));
    const row_step = every(cell_y, 14), column_step = every(cell, 14);
    context.textAlign = 'right';
    const mark = color('--pin'), text = color('--text'), cursor = {row: Math.floor(state.row / f), column: Math.floor(state.column / f)};
    for (let row = rows[0]; row < rows[1]; row += row_step) {
      context.fillStyle = row === cursor.row ? mark : text;
      context.fillText(fitted(context, label(of.row_axis, row), left - 26), left - 6, top + (row - rows[0] + 0.5) * cell_y);
    }
    for (let column = columns[0]; column < columns[1]; column += column_step) {
      context.save();
      context.translate(left + (column - columns[0] + 0.5) * cell, top - 6);
      context.rotate(-Math.PI / 2);
      context.textAlign = 'left';
      context.fillStyle = column === cursor.column ? mark : text;
      context.fillText(fitted(context, label(of.column_axis, column), top - 26), 0, 0);
      context.restore();
    }
    context.fillStyle = color('--muted');
    const note = step => step > 1 ? ` (1/${step})` : '';
    context.textAlign = 'left';
    context.fillText(fitted(context, word(of.column_axis.title) + note(column_step), width - left), left, 8);
    context.save();
    context.translate(8, top + cell_y * row_count);
    context.rotate(-Math.PI / 2);
    context.fillText(fitted(context, word(of.row_axis.title) + note(row_step), high - 4), 0, 0);
    context.restore();
    const x = left + (cursor.column - columns[0]) * cell, y = top + (cursor.row - rows[0]) * cell_y;
    if (cursor.row >= rows[0] && cursor.row < rows[1] && cursor.column >= columns[0] && cursor.column < columns[1]) {
      context.strokeStyle = mark;
      context.lineWidth = 2;
      context.strokeRect(x, y, Math.max(cell, 3), Math.max(cell_y, 3));
    }
    box.classList.toggle('zoomed', area.w < 1 || area.h < 1);
    drawBar(scale);
  }

  function drawBar(scale) {
    const canvas = byId('colors'), context = canvas.getContext('2d');
    canvas.width = 256; canvas.height = 1;
    const image = new ImageData(256, 1);
    for (let i = 0; i < 256; ++i) {
      for (let j = 0; j < 3; ++j) image.data[4 * i + j] = scale.table[3 * i + j];
      image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    byId('low').textContent = String(Number(scale.low.toPrecision(3))).replace('-', '−');
    byId('high').textContent = String(Number(scale.high.toPrecision(3))).replace('-', '−');
  }

  // All heads of all layers, small.

  let wall = null;
  const wallHeads = () => data.map ? 0 : data.groups.reduce((n, g) => n + g.heads.length, 0);
  function drawWall() {
    const figure = byId('wall');
    if (figure.hidden) return;
    const width = Math.max(200, figure.clientWidth), most = Math.max(...data.groups.map(g => g.heads.length));
    const left = data.groups.length > 1 ? compares ? 32 : 26 : 0;
    const per_line = Math.min(most, Math.max(1, Math.floor((width - left) / 20)));
    const size = Math.max(16, Math.min(96, Math.floor((width - left) / per_line) - 3)), pitch = size + 3;
    const lines = data.groups.map(g => Math.ceil(g.heads.length / per_line));
    const total = lines.reduce((a, b) => a + b, 0);
    const canvas = byId('all'), context = sized(canvas, left + per_line * pitch, total * pitch);
    wall = {left, pitch, size, per_line, places: []};
    let line = 0;
    data.groups.forEach((of, index) => {
      of.heads.forEach((_, head) =>
        wall.places.push({x: left + (head % per_line) * pitch, y: (line + Math.floor(head / per_line)) * pitch, index, head}));
      line += lines[index];
    });
    const r = ratio(), whole = new ImageData(canvas.width, canvas.height), device = at => Math.round(at * r);
    for (const {x, y, index, head} of wall.places) {
      const of = data.groups[index];
      const image = imageOf(of, head, scaleOf(of, head), [0, of.rows], [0, of.columns], size * r, size * r);
      copyInto(whole, image, device(x + 1), device(y + 1), device(size - 2), device(size - 2));
    }
    context.putImageData(whole, 0, 0);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.fillStyle = color('--muted');
    for (const {y, index, head} of wall.places) {
      const name = data.groups[index].name;
      if (left && head === 0) context.fillText(fitted(context, compares ? name.replace(/ /g, '') : layers ? layers[index] : String(index), left - 4), 0, y + size / 2);
    }
    for (const {x, y, index, head} of wall.places) {
      const is_shown = index === state.group && head === state.head;
      context.strokeStyle = is_shown ? color('--pin') : color('--border');
      context.lineWidth = is_shown ? 3 : 1;
      context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
    }
    byId('all_text').textContent = t().wall;
  }
  byId('all').addEventListener('click', event => {
    const found = wall && wall.places.find(p => event.offsetX >= p.x && event.offsetX < p.x + wall.pitch && event.offsetY >= p.y && event.offsetY < p.y + wall.pitch);
    if (found) choose(found.index, found.head);
  });

  // Lines from queries to the keys that they read.

  const most_lines = 96, svg_space = 'http://www.w3.org/2000/svg';
  const svg = (name, attributes) => {
    const element = document.createElementNS(svg_space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  let isolated = null;
  function drawArcs() {
    const box = byId('arcs'), of = group();
    box.replaceChildren();
    const count = Math.max(of.rows, of.columns);
    if (count > most_lines) {
      box.textContent = t().too_many(count, most_lines);
      return;
    }
    const width = Math.max(260, Math.min(640, box.clientWidth)), line = 20, side = Math.min(150, width * 0.3);
    const picture = svg('svg', {width, height: count * line + 26, viewBox: `0 0 ${width} ${count * line + 26}`, 'aria-hidden': 'true'});
    const largest = Math.max(Math.abs(limitsOf(of, state.head).low), Math.abs(limitsOf(of, state.head).high)) || 1;
    const y = index => 30 + index * line;
    const one = isolated ?? {side: 'row', index: state.row};
    for (let row = 0; row < of.rows; ++row)
      for (let column = 0; column < of.columns; ++column) {
        const value = Math.abs(values[first() + row * of.columns + column]) / largest;
        if (!(value >= 0.02)) continue;
        const is_chosen = one.side === 'row' ? row === one.index : column === one.index;
        const middle = width / 2;
        picture.append(svg('path', {d: `M${side} ${y(row) - 4}C${middle} ${y(row) - 4} ${middle} ${y(column) - 4} ${width - side} ${y(column) - 4}`,
                                    'stroke-width': (0.5 + 3.5 * Math.min(1, value)).toFixed(2),
                                    'stroke-opacity': (is_chosen ? 0.1 + 0.9 * Math.min(1, value) : 0.08 + 0.22 * Math.min(1, value)).toFixed(3)}));
      }
    const probe = byId('cells').getContext('2d');
    probe.font = '13px system-ui, "Noto Sans", sans-serif';
    const token = (which, axis, index) => {
      const name = svg('text', which === 'row' ? {x: side - 6, y: y(index), 'text-anchor': 'end'} : {x: width - side + 6, y: y(index)});
      name.textContent = fitted(probe, label(axis, index), side - 10);
      if (one.side === which && one.index === index) name.setAttribute('class', 'chosen');
      name.addEventListener('pointerenter', event => { if (event.pointerType === 'mouse') isolate({side: which, index}); });
      name.addEventListener('click', () => { state[which] = index; isolate({side: which, index}); });
      picture.append(name);
    };
    for (let row = 0; row < of.rows; ++row) token('row', of.row_axis, row);
    for (let column = 0; column < of.columns; ++column) token('column', of.column_axis, column);
    for (const [axis, x, anchor] of [[of.row_axis, side - 6, 'end'], [of.column_axis, width - side + 6, 'start']]) {
      const title = svg('text', {x, y: 12, 'text-anchor': anchor, class: 'muted'});
      title.textContent = fitted(probe, word(axis.title), side - 10);
      picture.append(title);
    }
    box.append(picture);
    const text = largestOf(one);
    byId('readout').textContent = `${text}\n${t().small}`;
    box.setAttribute('aria-label', text);
  }
  function isolate(one) {
    if (isolated && one && isolated.side === one.side && isolated.index === one.index) return;
    isolated = one;
    drawArcs();
  }
  /// "the: cat 0.5, sat 0.3": the largest numbers of a row or a column.
  function largestOf(one) {
    const of = group(), by_row = one.side === 'row', count = by_row ? of.columns : of.rows, cells = [];
    for (let i = 0; i < count; ++i) {
      const cell = first() + (by_row ? one.index * of.columns + i : i * of.columns + one.index);
      if (packed[cell] !== BLOCKED) cells.push([i, cell]);
    }
    cells.sort((a, b) => values[b[1]] - values[a[1]]);
    const read = cells.filter(([, cell]) => values[cell] !== 0); // zeros say little beside other numbers
    const list = (read.length ? read : cells).slice(0, 5).map(([i, cell]) => `${label(by_row ? of.column_axis : of.row_axis, i)} ${textOf(of, cell, true)}`);
    return `${label(by_row ? of.row_axis : of.column_axis, one.index)}: ${list.join(', ')}`;
  }
  byId('arcs').addEventListener('pointerleave', () => isolate(null));

  // The numbers as a table.

  const most_cells = 64;
  function drawTable() {
    const of = group(), box = byId('table'), f = factor();
    const around = (at, count) => {
      const begin = Math.max(0, Math.min(count - most_cells, at - most_cells / 2));
      return [begin, Math.min(count, begin + most_cells)];
    };
    const rows = around(Math.floor(state.row / f), of.rows), columns = around(Math.floor(state.column / f), of.columns);
    const table = document.createElement('table'), head = table.createTHead().insertRow(), body = table.createTBody();
    const header = (row, text, scope) => {
      const cell = document.createElement('th');
      cell.textContent = text;
      if (scope) cell.scope = scope;
      row.append(cell);
    };
    header(head, '', '');
    for (let column = columns[0]; column < columns[1]; ++column) header(head, label(of.column_axis, column), 'col');
    for (let row = rows[0]; row < rows[1]; ++row) {
      const line = body.insertRow();
      header(line, label(of.row_axis, row), 'row');
      for (let column = columns[0]; column < columns[1]; ++column)
        line.insertCell().textContent = textOf(of, first() + row * of.columns + column);
    }
    box.replaceChildren(table);
    box.setAttribute('aria-label', headingText());
    const cells = (rows[1] - rows[0]) * (columns[1] - columns[0]);
    byId('readout').textContent = cells < of.cells ? t().part_of(cells) : '';
  }

  // Words.

  function headingText() {
    const of = group(), parts = [];
    if (of.name && !data.map) parts.push(layers ? t().layer_n(layers[data.groups.indexOf(of)]) : of.name);
    if (of.names_heads && !data.map) parts.push(headName(of.heads[state.head]));
    if (of.quantity) parts.push(word(of.quantity));
    return parts.join(' · ');
  }
  function cellText(row, column) {
    const of = group(), query = label(of.row_axis, row), key = label(of.column_axis, column);
    const is_reading = of.row_axis.title === 'query token' || of.row_axis.title === '查询词元';
    const both = is_reading && !data.map ? t().reads(query, key) : t().of(query, key);
    const at = first() + row * of.columns + column, brief = textOf(of, at, true), all = textOf(of, at);
    return `${both}: ${brief === all ? all : t().in_full(brief, all)}`;
  }
  function describe() {
    const of = finest(), heads = wallHeads();
    byId('title').textContent = data.title;
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    const lines = [];
    if (data.map) {
      const last = (axis, count) => (axis.end ?? axis.first + count * axis.step) - axis.first;
      lines.push(t().bins(last(of.row_axis, of.rows), last(of.column_axis, of.columns), of.row_axis.step, of.column_axis.step));
    } else {
      if (compares && of.heads.length > 1) lines.push(t().only_heads(of.heads.length));
      else if (!compares && heads > 1) lines.push(data.groups.length > 1 ? t().groups(data.groups.length, heads) : t().only_heads(heads));
      lines.push(`${word(of.row_axis.title)} × ${word(of.column_axis.title)}: ${t().size(of.rows, of.columns)}`);
    }
    byId('summary').textContent = lines.join(' · ');
    const percent = data.groups.some(g => g.signs) ? '7' : '4';
    byId('exact').textContent = data.numbers === data.levels ? (data.rounded ? t().rounded : data.width === 8 ? t().all64 : t().all32)
      : data.numbers === 0 ? t().none_exact(data.levels, percent)
      : t().some(data.numbers, data.levels, data.rounded ? t().rounded_word : t().exact_word) + t().percent(percent);
    byId('help').textContent = data.map ? t().help_map : t().help;
  }

  // Controls.

  function build() {
    const tools = byId('tools'), settings = byId('settings'); // of what is shown, and of how
    tools.replaceChildren();
    settings.replaceChildren();
    const named = (text, control, form = settings) => {
      const box = document.createElement('label');
      const name = document.createElement('span');
      name.textContent = text;
      box.append(name, control);
      form.append(box);
      return control;
    };
    const picker = (text, options, value, chosen, form = settings) => {
      const select = document.createElement('select');
      options.forEach(([key, title]) => {
        const option = document.createElement('option');
        option.value = key; option.textContent = title;
        select.append(option);
      });
      select.value = value;
      select.addEventListener('change', () => chosen(select.value));
      return named(text, select, form);
    };
    if (!data.map && data.groups.length > 1)
      picker(compares ? t().part : t().layer, data.groups.map((g, i) => [String(i), layers ? layers[i] : g.name || String(i)]), String(state.group),
             value => choose(Number(value), state.head), tools).id = 'pick_group';
    if (!data.map && finest().heads.length > 1)
      picker(t().head, finest().heads.map((h, i) => [String(i), headName(h)]), String(state.head), value => choose(state.group, Number(value)), tools).id = 'pick_head';
    const views = document.createElement('fieldset'), legend = document.createElement('legend');
    legend.textContent = t().view;
    views.append(legend);
    for (const view of data.map ? ['map', 'table'] : ['map', 'arcs', 'table']) {
      const box = document.createElement('label'), radio = document.createElement('input'), name = document.createElement('span');
      radio.type = 'radio'; radio.name = 'view'; radio.value = view; radio.checked = state.view === view;
      radio.addEventListener('change', () => { state.view = view; draw(); });
      name.textContent = t()[view];
      box.append(radio, name);
      views.append(box);
    }
    tools.append(views);
    if (!data.groups.every(g => g.diverging)) {
      const log = document.createElement('input');
      log.type = 'checkbox'; log.checked = state.log; log.id = 'log';
      log.addEventListener('change', () => { state.log = log.checked; draw(true); });
      named(t().log, log);
    }
    if (!data.map && finest().heads.length > 1)
      picker(t().range, [['all', t().range_all], ['one', t().range_one]], state.range, value => { state.range = value; draw(true); });
    const button = (text, press, form = tools) => {
      const made = document.createElement('button');
      made.type = 'button'; made.textContent = text;
      made.addEventListener('click', press);
      form.append(made);
      return made;
    };
    if (data.map || finest().cells > 4096) {
      button('+', () => zoom(0.5)).setAttribute('aria-label', t().closer);
      button('−', () => zoom(2)).setAttribute('aria-label', t().away);
      button(t().whole, () => zoom(0));
    }
    picker(t().theme, ['auto', 'light', 'dark'].map(key => [key, t()[key]]), state.theme, value => { state.theme = value; draw(true); });
    button(t().other, () => { language = language === 'zh' ? 'en' : 'zh'; build(); draw(true); }, settings).lang = language === 'zh' ? 'en' : 'zh-CN';
  }
  for (const form of ['tools', 'settings']) byId(form).addEventListener('submit', event => event.preventDefault());

  function choose(index, head) {
    const changes = index !== state.group;
    state.group = index;
    const of = finest();
    state.head = Math.max(0, Math.min(of.heads.length - 1, head));
    state.row = Math.min(state.row, of.rows - 1);
    state.column = Math.min(state.column, of.columns - 1);
    if (changes) { build(); state.area = {x: 0, y: 0, w: 1, h: 1}; }
    const group_picker = byId('pick_group'), head_picker = byId('pick_head');
    if (group_picker) group_picker.value = String(index);
    if (head_picker) head_picker.value = String(state.head);
    isolated = null;
    draw(true);
    byId('status').textContent = headingText();
  }

  /// Draws everything; the wall only if asked for, since it has all cells.
  function draw(with_wall = false) {
    const theme = printing ? 'light' : state.theme;
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', theme);
    named_colors.clear();
    for (const view of ['map', 'arcs', 'table']) byId(view).hidden = state.view !== view;
    byId('heading').textContent = headingText();
    byId('bar').hidden = state.view !== 'map';
    caption.style.maxWidth = '';
    describe();
    byId('wall').hidden = wallHeads() < 2;
    const main = document.querySelector('main'), most = data.map ? 0 : Math.max(...data.groups.map(g => g.heads.length));
    main.classList.toggle('wide', wallHeads() >= 2);
    main.style.setProperty('--wall', `min(33%, ${32 + 99 * most}px)`); // a wall of few heads leaves the rest to the matrix
    if (with_wall) drawWall();
    if (state.view === 'map') drawMap();
    if (state.view === 'arcs') drawArcs();
    if (state.view === 'table') drawTable();
    const of = group(), map = byId('map');
    map.setAttribute('aria-label', `${t().grid}: ${headingText()}`);
    map.setAttribute('aria-rowcount', of.rows);
    map.setAttribute('aria-colcount', of.columns);
    point(state.row, state.column, false);
  }

  /// Chooses a cell in units of the finest level.
  function point(row, column, redraw = true) {
    const fine = finest(), f = factor();
    state.row = Math.max(0, Math.min(fine.rows - 1, row));
    state.column = Math.max(0, Math.min(fine.columns - 1, column));
    const r = Math.floor(state.row / f), c = Math.floor(state.column / f), text = cellText(r, c);
    byId('row').setAttribute('aria-rowindex', r + 1);
    byId('cell').setAttribute('aria-colindex', c + 1);
    byId('cell').textContent = text;
    byId('map').setAttribute('aria-activedescendant', 'cell');
    if (state.view === 'map') byId('readout').textContent = text;
    if (redraw) {
      if (state.view === 'map') drawMap();
      if (state.view === 'arcs') { isolated = null; drawArcs(); byId('status').textContent = largestOf({side: 'row', index: state.row}); }
    }
    remember();
  }

  function cellAt(event) {
    const box = byId('cells').getBoundingClientRect(), {left, top, cell, cell_y, rows, columns} = layout;
    const column = columns[0] + Math.floor((event.clientX - box.left - left) / cell), row = rows[0] + Math.floor((event.clientY - box.top - top) / cell_y);
    return row >= rows[0] && row < rows[1] && column >= columns[0] && column < columns[1] ? {row, column} : null;
  }
  let drag = null;
  const canvas = byId('cells');
  canvas.addEventListener('pointermove', event => {
    if (drag) {
      const {cell, cell_y} = layout, of = group();
      moveArea(drag.area.x - (event.clientX - drag.x) / (cell * of.columns), drag.area.y - (event.clientY - drag.y) / (cell_y * of.rows));
      drawMap();
      return;
    }
    const at = cellAt(event);
    if (at && event.pointerType === 'mouse') byId('readout').textContent = cellText(at.row, at.column);
  });
  canvas.addEventListener('pointerleave', () => { if (state.view === 'map') byId('readout').textContent = byId('cell').textContent; });
  canvas.addEventListener('pointerdown', event => {
    if (state.area.w < 1 || state.area.h < 1) drag = {x: event.clientX, y: event.clientY, area: {...state.area}};
  });
  addEventListener('pointerup', () => { drag = null; });
  addEventListener('pointercancel', () => { drag = null; });
  canvas.addEventListener('click', event => {
    const at = cellAt(event);
    if (at) point(at.row * factor(), at.column * factor());
    byId('map').focus({preventScroll: true});
  });
  canvas.addEventListener('wheel', event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const at = cellAt(event);
    if (at) point(at.row * factor(), at.column * factor(), false);
    zoom(event.deltaY < 0 ? 0.8 : 1.25);
  }, {passive: false});

  function moveArea(x, y) {
    state.area.x = Math.max(0, Math.min(1 - state.area.w, x));
    state.area.y = Math.max(0, Math.min(1 - state.area.h, y));
  }
  /// Around the chosen cell; 0 shows everything.
  function zoom(by) {
    const fine = finest(), area = state.area;
    const size = (now, count) => by === 0 ? 1 : Math.max(Math.min(1, 8 / count), Math.min(1, now * by));
    const middle = {x: (state.column + 0.5) / fine.columns, y: (state.row + 0.5) / fine.rows};
    area.w = size(area.w, fine.columns);
    area.h = size(area.h, fine.rows);
    moveArea(middle.x - area.w / 2, middle.y - area.h / 2);
    draw();
  }
  function keepInSight() {
    const fine = finest(), area = state.area, x = (state.column + 0.5) / fine.columns, y = (state.row + 0.5) / fine.rows;
    moveArea(x < area.x || x > area.x + area.w ? x - area.w / 2 : area.x, y < area.y || y > area.y + area.h ? y - area.h / 2 : area.y);
  }

  function keyed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const f = factor(), fine = finest();
    const moves = {ArrowLeft: [0, -f], ArrowRight: [0, f], ArrowUp: [-f, 0], ArrowDown: [f, 0]};
    if (event.key in moves) {
      point(state.row + moves[event.key][0], state.column + moves[event.key][1], false);
    } else if (event.key === 'Home') {
      point(state.row, 0, false);
    } else if (event.key === 'End') {
      point(state.row, fine.columns - 1, false);
    } else if ((event.key === 'PageUp' || event.key === 'PageDown') && !data.map) {
      choose(state.group, state.head + (event.key === 'PageDown' ? 1 : -1));
      event.preventDefault();
      return;
    } else if (event.key === '+' || event.key === '=') {
      zoom(0.5);
    } else if (event.key === '-') {
      zoom(2);
    } else if (event.key === '0') {
      zoom(0);
    } else {
      return;
    }
    event.preventDefault();
    keepInSight();
    point(state.row, state.column);
  }
  byId('map').addEventListener('keydown', keyed);
  byId('arcs').addEventListener('keydown', event => { if (['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].includes(event.key)) keyed(event); });

  let width = 0;
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    draw(true);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(true));
  addEventListener('beforeprint', () => { printing = true; draw(true); });
  addEventListener('afterprint', () => { printing = false; draw(true); });

  build();
  draw();
  // Many heads take longer than a frame, and need not be in the first one.
  const finish = () => {
    drawWall();
    document.documentElement.setAttribute('data-ready', 'true');
  };
  if (wallHeads() > 24) requestAnimationFrame(() => setTimeout(finish));
  else finish();
})();
