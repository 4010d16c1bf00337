'use strict';
// One matrix as a picture of cells, which a pointer and a keyboard explore: a canvas of one pixel a cell, which the browser
// enlarges, another over it with labels, numbers and marks, and a grid with one active cell for screen readers.

/// 256 colours of three bytes.
const colormaps = {};
function setColormaps(packed) {
  for (const [name, text] of Object.entries(packed)) colormaps[name] = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

/// "0.125", "−3.2", "1.5e−7", "∞": at most `digits` digits; whole numbers below 100 000 have all of theirs.
function numberText(value, digits = 3) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const text = value === 0 ? '0' : size < 1e-4 || size >= 1e6 ? value.toExponential(Math.max(0, digits - 2)).replace(/\.?0*e/, 'e')
    : String(Number.isInteger(value) && size < 1e5 ? value : Number(value.toPrecision(digits)));
  return text.replaceAll('-', '−').replace('e+', 'e');
}

/// The lowest and highest finite numbers, from 0 if none is negative; symmetric about 0 if some are.
function rangeOf(arrays) {
  const ends = arrays.map(endsOf), low = Math.min(0, ...ends.map(([least]) => least)), high = Math.max(0, ...ends.map(([, most]) => most));
  return low < 0 ? [-Math.max(-low, high), Math.max(-low, high)] : [0, high];
}

/// Of one array, which does not change.
function endsOf(values) {
  if (ends_of.has(values)) return ends_of.get(values);
  let low = 0, high = 0;
  for (const value of values)
    if (value < low && value !== -Infinity) low = value;
    else if (value > high && value !== Infinity) high = value;
  ends_of.set(values, [low, high]);
  return [low, high];
}
const ends_of = new WeakMap();

class MatrixView {
  /// `pointed(row, column, chosen, pressed)` hears of the cell below the pointer, and of the chosen one; null where there is
  /// none. `pressed`: "pointer" or "key" for a click or Enter, undefined for a mere move.
  constructor(pointed) {
    this.pointed = pointed;
    this.row = this.column = 0;
    this.marked = null;
    this.box = document.createElement('div');
    this.box.className = 'matrix';
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'grid');
    this.id = `cell${++MatrixView.count}`;
    this.box.addEventListener('focus', () => { if (this.cells) this.tell(this.row, this.column); });
    this.canvas = document.createElement('canvas');
    this.small = document.createElement('canvas');
    this.small.className = 'cells';
    const row = document.createElement('div');
    row.setAttribute('role', 'row');
    row.className = 'unseen';
    this.cell = document.createElement('div');
    this.cell.id = this.id;
    this.box.setAttribute('aria-activedescendant', this.id);
    this.cell.setAttribute('role', 'gridcell');
    row.append(this.cell);
    this.frame = document.createElement('div');
    this.frame.className = 'mark';
    this.frame.hidden = true;
    this.box.append(this.small, this.canvas, this.frame, row);
    this.is_near = true;
    MatrixView.watch(this);
    this.box.addEventListener('keydown', event => this.keyed(event));
    this.canvas.addEventListener('pointermove', event => {
      if (event.pointerType === 'mouse') this.over(this.cellAt(event), false);
    });
    this.canvas.addEventListener('pointerleave', () => this.pointed(null, null, false));
    this.canvas.addEventListener('click', event => {
      const at = this.cellAt(event);
      if (!at) return;
      this.box.focus({preventScroll: true});
      this.choose(...at, 'pointer');
    });
  }

  /// `cells`: {"rows", "columns", "values" (row by row), "hidden" (draws NaN as a question mark), "row_labels",
  /// "column_labels", "range", "name", "blocked" (1 for each cell that a mask blocks, or null), "shares" (of 1: weights), "over"(pen, layout): draws
  /// on top}. Numbers that are on show already are not drawn again.
  show(cells, width) {
    this.cells = cells;
    this.width = width;
    this.row = Math.min(this.row, cells.rows - 1);
    this.column = Math.min(this.column, cells.columns - 1);
    const key = [cells.name, cells.rows, cells.columns].join();
    if (key !== this.named) {
      this.named = key;
      this.box.setAttribute('aria-label', cells.name);
      this.box.setAttribute('aria-rowcount', cells.rows);
      this.box.setAttribute('aria-colcount', cells.columns);
    }
    if (!this.isDrawn()) this.draw();
  }

  mark(row, column) {
    if (this.marked?.[0] === row && this.marked?.[1] === column || !this.marked && row === null && column === null) return;
    this.marked = row === null && column === null ? null : [row, column];
    this.placeMark();
  }
  /// A frame around the marked cell, row or column, over the canvases, which stay as they are.
  placeMark() {
    put(this.frame, {hidden: !this.marked || !this.layout});
    if (this.frame.hidden) return;
    const {left, top, size} = this.layout, {rows, columns} = this.cells, [row, column] = this.marked;
    const box = {left: left + (column ?? 0) * size - 1, top: top + (row ?? 0) * size - 1, width: (column === null ? columns * size : size) + 2, height: (row === null ? rows * size : size) + 2};
    for (const name in box) this.frame.style[name] = `${box[name]}px`;
  }

  /// What the frame is drawn of, to be compared part by part.
  frameKey() {
    const {rows, columns, row_labels, column_labels} = this.cells;
    return [this.width, devicePixelRatio || 1, rows, columns, row_labels, column_labels, MatrixView.themes];
  }
  /// Whether the canvas shows these numbers; false where something is drawn on top of them.
  isDrawn() {
    const {values, range, blocked, hidden, over, name} = this.cells, drawn = this.drawn;
    return Boolean(drawn) && !over && sameParts(drawn.key, this.frameKey()) && drawn.range[0] === range[0] && drawn.range[1] === range[1] &&
      drawn.hidden === hidden && drawn.name === name && sameNumbers(drawn.values, values) && sameNumbers(drawn.blocked, blocked);
  }

  choose(row, column, pressed) {
    this.row = Math.max(0, Math.min(this.cells.rows - 1, row));
    this.column = Math.max(0, Math.min(this.cells.columns - 1, column));
    this.over([this.row, this.column], true, pressed);
  }
  over(at, chosen, pressed) {
    if (!at) return;
    const [row, column] = at;
    this.tell(row, column);
    this.pointed(row, column, chosen, pressed);
  }
  /// Another id for each cell, so that a screen reader reads it.
  tell(row, column) {
    this.cell.id = `${this.id}_${row}_${column}`;
    this.box.setAttribute('aria-activedescendant', this.cell.id);
    this.cell.textContent = this.words(row, column);
    this.cell.setAttribute('aria-colindex', column + 1);
    this.cell.parentElement.setAttribute('aria-rowindex', row + 1);
  }
  words(row, column) {
    const {row_labels, column_labels, name} = this.cells;
    return `${name}: ${isolated(row_labels?.[row] ?? row)}, ${isolated(column_labels?.[column] ?? column)}: ${this.textOf(row, column, 6)}`;
  }
  textOf(row, column, digits) {
    if (this.isBlocked(row * this.cells.columns + column)) return t().blocked;
    const value = this.cells.values[row * this.cells.columns + column];
    return this.cells.hidden && Number.isNaN(value) ? '?' : numberText(value, digits);
  }

  /// With a finite fill, a row of blocked keys has weights nevertheless, which are shown.
  isBlocked(cell) { return Boolean(this.cells.blocked?.[cell]) && this.cells.values[cell] === 0; }
  /// In a cell, shares of 1 have two decimals and no exponent.
  cellText(value) {
    const {hidden, range, shares} = this.cells;
    if (hidden && Number.isNaN(value)) return '?';
    if (!shares || !Number.isFinite(value) || range[0] < 0 || range[1] > 1) return numberText(value, 2);
    return value < 0.005 ? '0' : value.toFixed(2);
  }

  keyed(event) {
    const moves = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    if (event.altKey || event.ctrlKey || event.metaKey || !this.cells) return;
    if (event.key in moves) this.choose(this.row + moves[event.key][0], this.column + moves[event.key][1]);
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.row, this.column, 'key');
    else if (event.key === 'Home') this.choose(this.row, 0);
    else if (event.key === 'End') this.choose(this.row, this.cells.columns - 1);
    else return;
    event.preventDefault();
  }

  cellAt(event) {
    if (!this.layout) return null;
    const box = this.canvas.getBoundingClientRect(), {left, top, size} = this.layout;
    const column = Math.floor((event.clientX - box.left - left) / size), row = Math.floor((event.clientY - box.top - top) / size);
    return row >= 0 && column >= 0 && row < this.cells.rows && column < this.cells.columns ? [row, column] : null;
  }

  /// The side of a cell in `width` pixels, at most as large as numbers need.
  arrange(pen) {
    const {rows, columns, row_labels, column_labels} = this.cells, {unit} = MatrixView;
    const longest = labels => Math.min(88 * unit, Math.max(0, ...(labels ?? []).map(label => pen.measureText(label).width)));
    const left = row_labels?.length ? longest(row_labels) + 6 : 0, top = column_labels?.length ? 16 * unit : 0;
    const size = Math.max(2, Math.min(44 * unit, (this.width - left) / columns, 640 * unit / rows));
    return {left, top, size, width: Math.ceil(left + size * columns) + 1, height: Math.ceil(top + size * rows) + 1};
  }

  draw() {
    if (!this.cells) return;
    const {rows, columns, values, range, hidden, over} = this.cells;
    const pen = this.canvas.getContext('2d'), key = this.frameKey();
    if (!sameParts(key, this.arranged)) {
      pen.font = MatrixView.font;
      this.layout = this.arrange(pen);
      this.sizeCanvas();
      this.placeMark();
      this.arranged = key;
      this.framed = null;
    }
    if (!this.is_near) { // drawn when it comes into sight
      this.drawn = null;
      return;
    }
    const is_fresh = !sameParts(key, this.framed) || hidden || over;
    if (is_fresh) {
      this.drawFrame(pen);
      this.written = [];
    }
    this.framed = key;
    this.drawn = {key, ...this.cells};
    const {left, top, size} = this.layout;
    this.paint();
    const {text} = MatrixView.theme;
    if (size >= 30 * MatrixView.unit) {
      pen.textAlign = 'center';
      const inks = MatrixView.inks(range[0] < 0), room = Math.floor((size - 3) / (6.8 * MatrixView.unit));
      for (let row = 0, cell = 0; row < rows; ++row)
        for (let column = 0; column < columns; ++column, ++cell) {
          const value = values[cell], shown = this.isBlocked(cell) ? '' : this.cellText(value), ink = Number.isFinite(value) ? inks[MatrixView.level(value, range)] : text;
          if (this.written[cell] === shown + ink) continue;
          if (this.written[cell]) pen.clearRect(left + column * size, top + row * size, size, size);
          this.written[cell] = shown + ink;
          pen.fillStyle = ink;
          const x = left + (column + 0.5) * size, y = top + (row + 0.5) * size;
          if (shown.length <= room) pen.fillText(shown, x, y);
          else pen.fillText(shown, x, y, size - 3);
        }
    }
    if (hidden && size >= 12 * MatrixView.unit && size < 30 * MatrixView.unit) {
      pen.textAlign = 'center';
      pen.fillStyle = text;
      for (let cell = 0; cell < values.length; ++cell)
        if (Number.isNaN(values[cell]))
          pen.fillText('?', left + (cell % columns + 0.5) * size, top + (Math.floor(cell / columns) + 0.5) * size);
    }
    over?.(pen, this.layout);
  }

  sizeCanvas() {
    const {left, top, size, width, height} = this.layout, {rows, columns} = this.cells, scale = devicePixelRatio || 1;
    for (const [name, value] of [['left', left], ['top', top], ['width', size * columns], ['height', size * rows]]) this.small.style[name] = `${value}px`;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
  }

  /// Labels and the frame around the cells stay as they are while only numbers change.
  drawFrame(pen) {
    const {rows, columns, row_labels, column_labels} = this.cells, {left, top, size, width, height} = this.layout;
    const scale = devicePixelRatio || 1;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = MatrixView.font;
    pen.textBaseline = 'middle';
    pen.fillStyle = MatrixView.theme.muted;
    if (left) {
      pen.textAlign = 'right';
      const step = Math.ceil(13 * MatrixView.unit / size);
      for (let row = 0; row < rows; row += step) pen.fillText(row_labels[row] ?? '', left - 5, top + (row + 0.5) * size, left - 6);
    }
    if (top) {
      pen.textAlign = 'center';
      const widest = Math.max(...column_labels.slice(0, columns).map(label => pen.measureText(label).width));
      const step = Math.max(1, Math.ceil(Math.min(widest + 4, 60 * MatrixView.unit) / size));
      for (let column = 0; column < columns; column += step)
        pen.fillText(column_labels[column] ?? '', left + (column + 0.5) * size, 7 * MatrixView.unit, step * size);
    }
  }

  /// The colours, one pixel a cell.
  paint() {
    const {rows, columns, values, range, blocked: closed} = this.cells, {small} = this, {blocked, diverging} = MatrixView.theme;
    const brush = small.getContext('2d');
    if (!this.image || small.width !== columns || small.height !== rows) {
      small.width = columns;
      small.height = rows;
      this.image = brush.createImageData(columns, rows);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const {image, pixels} = this, colors = MatrixView.pixels(range[0] < 0 ? diverging : 'sequential');
    const shut = (255 << 24 | blocked[2] << 16 | blocked[1] << 8 | blocked[0]) >>> 0;
    const [low, high] = range, steps = high > low ? 255 / (high - low) : 0, first = high > low ? 0.5 : low < 0 ? 128 : 0;
    for (let cell = 0; cell < rows * columns; ++cell) {
      const value = values[cell], level = (value - low) * steps + first;
      pixels[cell] = level >= 0 && level < 256 && !(closed && closed[cell] && value === 0) ? colors[level | 0] : shut;
    }
    brush.putImageData(image, 0, 0);
  }

  /// A map of colours as pixels of an image: little-endian, as all that browsers run on.
  static pixels(name) {
    return (MatrixView.maps ??= {})[name] ??= Uint32Array.from({length: 256}, (_, level) => {
      const [red, green, blue] = colormaps[name].subarray(3 * level, 3 * level + 3);
      return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
    });
  }
  /// The colour of one number.
  static swatch(value, range) {
    const {blocked, diverging} = MatrixView.theme, at = 3 * MatrixView.level(value, range), made = element('span', {className: 'swatch'});
    made.style.background = `rgb(${Number.isFinite(value) ? colormaps[range[0] < 0 ? diverging : 'sequential'].subarray(at, at + 3) : blocked})`;
    return made;
  }
  /// Of bold letters of the size of the page, in pixels, or a little more: the sum of the letters, each measured once.
  static widthOf(text) {
    const {unit} = MatrixView;
    if (MatrixView.ruler?.unit !== unit) {
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = `bold ${16 * unit}px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif`;
      MatrixView.ruler = {unit, pen, widths: {}};
    }
    const {pen, widths} = MatrixView.ruler;
    let width = 0;
    for (const letter of text) width += widths[letter] ??= pen.measureText(letter).width;
    return width;
  }
  static level(value, [low, high]) {
    return high > low ? Math.max(0, Math.min(255, Math.round((value - low) / (high - low) * 255))) : low < 0 ? 128 : 0;
  }
  /// The colour of letters on each of the 256 colours.
  static inks(diverging) {
    const name = diverging ? MatrixView.theme.diverging : 'sequential';
    return (MatrixView.letters ??= {})[name] ??= Array.from({length: 256}, (_, level) => {
      const [red, green, blue] = colormaps[name].subarray(3 * level, 3 * level + 3);
      return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#111' : '#fff';
    });
  }

  /// Matrices that are out of sight are not drawn until they come near.
  static watch(view) {
    MatrixView.watched ??= new WeakMap();
    MatrixView.observer ??= new IntersectionObserver(entries => {
      for (const {target, isIntersecting} of entries) {
        const seen = MatrixView.watched.get(target);
        seen.is_near = isIntersecting;
        if (isIntersecting && !seen.drawn) seen.draw();
      }
    }, {rootMargin: '400px'});
    MatrixView.watched.set(view.box, view);
    MatrixView.observer.observe(view.box);
  }
  /// Reads the colours of the page and the size of its letters again, after a change of the theme or of the window.
  static readTheme() {
    const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
    const dark = color('color-scheme') === 'dark' || style.colorScheme === 'dark';
    ++MatrixView.themes;
    MatrixView.unit = parseFloat(style.fontSize) / 16; // a wide screen, as of a projector, has larger letters
    MatrixView.font = `${12 * MatrixView.unit}px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif`;
    MatrixView.theme = {text: color('--text'), muted: color('--muted'), accent: color('--accent'), back: color('--back'), dark,
      blocked: dark ? [52, 58, 66] : [222, 226, 231], diverging: dark ? 'diverging_dark' : 'diverging'};
  }
}
MatrixView.count = MatrixView.themes = 0;

/// The colours of a matrix from the lowest number to the highest, with both numbers. Its pixels are copied together, since a
/// text that changes takes the browser ten times as long, as an element or in a canvas.
class ColorBar {
  constructor() {
    this.box = element('canvas', {className: 'bar', role: 'img'});
    this.brush = this.box.getContext('2d');
  }

  /// In `room` pixels at most.
  show(range, room) {
    const [low, high] = range, frame = [MatrixView.themes, devicePixelRatio || 1, Math.floor(Math.min(200 * MatrixView.unit, room))];
    if (low === this.low && high === this.high && sameParts(frame, this.frame)) return;
    if (!sameParts(frame, this.frame)) this.begin(frame);
    Object.assign(this, {frame, low, high});
    const {pixels, image} = this, {width} = image, ends = range.map(end => numberText(end)), map = MatrixView.pixels(low < 0 ? MatrixView.theme.diverging : 'sequential');
    const px = length => Math.round(length * MatrixView.unit * frame[1]), gap = px(7), top = Math.floor((image.height - px(9)) / 2);
    pixels.fill(0);
    const from = this.write(ends[0], 0) + gap, length = Math.max(px(10), Math.min(px(90), width - from - gap - this.widthOf(ends[1])));
    for (let x = 0; x < length; ++x) pixels[top * width + from + x] = map[Math.floor(x * 256 / length)];
    for (let y = top + 1; y < top + px(9); ++y) pixels.copyWithin(y * width + from, top * width + from, top * width + from + length);
    this.write(ends[1], from + length + gap);
    this.brush.putImageData(image, 0, 0);
    whenIdle(this, () => this.box.setAttribute('aria-label', ends.join(' … ')));
  }
  begin([, scale, room]) {
    const {box} = this, {unit} = MatrixView;
    box.width = Math.round(room * scale);
    box.height = Math.round(20 * unit * scale);
    box.style.width = `${room}px`;
    box.style.height = `${20 * unit}px`;
    this.image = this.brush.createImageData(box.width, box.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }
  widthOf(text) {
    let width = 0;
    for (const letter of text) width += ColorBar.letter(letter, this.image.height, this.frame).wide;
    return width;
  }
  /// Copies the letters of `text`; returns where it ends.
  write(text, at) {
    const {width, height} = this.image;
    for (const letter of text) {
      const {wide, pixels} = ColorBar.letter(letter, height, this.frame), fits = Math.min(wide, width - at);
      for (let y = 0; y < height; ++y)
        for (let x = 0; x < fits; ++x) this.pixels[y * width + at + x] = pixels[y * wide + x];
      at += wide;
    }
    return at;
  }

  /// A letter in a column of pixels of this height, drawn once for each theme and size.
  static letter(letter, height, [themes, scale]) {
    const drawn_for = [themes, scale, height];
    if (!sameParts(drawn_for, ColorBar.drawn_for)) Object.assign(ColorBar, {drawn_for, letters: {}});
    if (ColorBar.letters[letter]) return ColorBar.letters[letter];
    const pen = (ColorBar.pen ??= document.createElement('canvas').getContext('2d', {willReadFrequently: true}));
    pen.font = MatrixView.font;
    const wide = Math.max(1, Math.round(pen.measureText(letter).width * scale));
    pen.canvas.width = wide; // clears it, and its font
    pen.canvas.height = height;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.font = MatrixView.font;
    pen.textBaseline = 'middle';
    pen.fillStyle = MatrixView.theme.muted;
    pen.fillText(letter, 0, height / scale / 2);
    return ColorBar.letters[letter] = {wide, pixels: new Uint32Array(pen.getImageData(0, 0, wide, height).data.buffer)};
  }
}
