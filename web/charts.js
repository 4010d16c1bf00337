'use strict';
// Charts of a board as SVG: the histogram of a card's scaled scores, and a measure of every setting over a size.

const line_colors = ['#0b62c4', '#d0440b', '#1f8a4c', '#8a4fc8', '#b07d00', '#0f8b8d', '#c2185b', '#6b7280'];
const line_colors_dark = ['#6fb3ff', '#ff8a5c', '#5fd08a', '#c3a3ff', '#f0c36a', '#5ccfd1', '#ff8ab5', '#a3adb8'];
const lineColor = k => (MatrixView.theme.dark ? line_colors_dark : line_colors)[k % line_colors.length];

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
function svgText(x, y, text, anchor = 'middle') {
  return svg('text', {x, y, 'text-anchor': anchor}, text);
}
const values_of = list => list.map(finite);

/// The finite numbers of `values` between `low` and `high`, with the normal curve that the variance `theory` predicts;
/// `width` pixels wide.
function histogramChart(values, [low, high], theory, name, width) {
  const bins = 31, height = 98, base = 66, counts = new Array(bins).fill(0);
  let finite_count = 0, beyond = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    ++finite_count;
    const bin = value === high ? bins - 1 : Math.floor((value - low) / (high - low) * bins);
    if (bin >= 0 && bin < bins) ++counts[bin];
    else ++beyond;
  }
  const predicted = Array.from({length: 101}, (_, i) => {
    const x = low + i / 100 * (high - low);
    return theory > 0 ? finite_count * ((high - low) / bins) * Math.exp(-x * x / (2 * theory)) / Math.sqrt(2 * Math.PI * theory) : 0;
  });
  const most = Math.max(1, ...counts), up = count => base - Math.min(1, count / most) * (base - 4);
  const chart = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, class: 'chart', role: 'img', 'aria-label': `${t().histogram}: ${name}`});
  counts.forEach((count, bin) => {
    if (count > 0) chart.append(svg('rect', {x: bin * width / bins + 0.5, y: up(count), width: width / bins - 1, height: base - up(count), class: 'mark'}));
  });
  if (theory > 0) chart.append(svg('polyline', {points: predicted.map((count, i) => `${i * width / 100},${up(count)}`).join(' '), class: 'theory'}));
  chart.append(svg('line', {x1: 0, x2: width, y1: base, y2: base, class: 'axis'}), svgText(2, base + 14, numberText(low), 'start'),
    svgText(width * -low / (high - low), base + 14, '0'), svgText(width - 2, base + 14, numberText(high), 'end'), svgText(width / 2, base + 28, t().scaled_scores));
  if (beyond) chart.append(svg('text', {x: width - 2, y: 12, 'text-anchor': 'end', class: 'beyond'}, t().beyond(beyond)));
  return chart;
}

/// The curve of a board: a line for each setting over sizes in octaves, over steps of a training evenly.
function curveChart(curve, titles, width) {
  const steps = curve.over === 'steps', measure = (t()[curve.measure] ?? curve.measure) + (curve.measure === 'entropy' ? t().in_nats : '');
  return linesChart({title: measure, over: steps ? t().steps_of_training : curve.over === 'E' ? t().width : t().keys, sizes: curve.sizes,
    lines: curve.values.map((values, k) => ({title: titles[k], values: values_of(values)})), present: curve.present, logarithmic_x: !steps}, width);
}

const logarithm = value => (value > 0 ? Math.log2(value) : NaN);
/// "4k", "1M": sizes that are powers of two.
const sizeText = size => (size >= 2 ** 20 && size % 2 ** 20 === 0 ? `${size / 2 ** 20}M` : size >= 8192 && size % 1024 === 0 ? `${size / 1024}k` : numberText(size, 6));

/// Round numbers from `low` to `high`, three to six of them.
function ticksBetween(low, high) {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough)), step = power * [1, 2, 5, 10].find(factor => factor * power >= rough);
  return Array.from({length: Math.floor(high / step) - Math.ceil(low / step) + 1}, (_, i) => (Math.ceil(low / step) + i) * step);
}

/// `chart`: {"title", "over", "sizes", "lines": [{"title", "values"}], "present", "reference": {"level", "title"},
/// "logarithmic_x", "logarithmic_y"}. `width` pixels wide, so that its letters have their size.
function linesChart(chart, width) {
  const height = 240, left = 56, bottom = 200, right = width - 14, top = 12, {sizes, lines, present, reference} = chart;
  const place = chart.logarithmic_x ? logarithm : size => size, level = chart.logarithmic_y ? logarithm : value => value;
  const finite_values = [...lines.flatMap(line => line.values), ...(reference ? [reference.level] : [])].filter(value => Number.isFinite(level(value)));
  const from = place(sizes[0]), to = place(sizes.at(-1)), high = level(Math.max(...finite_values)) || (chart.logarithmic_y ? 0 : 1);
  const low = chart.logarithmic_y ? level(Math.min(...finite_values)) : Math.min(0, ...finite_values);
  const x = size => left + (place(size) - from) / (to - from || 1) * (right - left), y = value => bottom - (level(value) - low) / (high - low || 1) * (bottom - top);
  const made = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, class: 'chart curve', role: 'img', 'aria-label': `${chart.title}, ${chart.over}. ${atPresent(chart)}`});
  const ticks = chart.logarithmic_y || !(high > low) ? [0, 0.5, 1].map(share => (chart.logarithmic_y ? 2 ** (low + share * (high - low)) : low + share * (high - low))) : ticksBetween(low, high);
  for (const value of ticks)
    made.append(svg('line', {x1: left, x2: right, y1: y(value), y2: y(value), class: 'grid'}), svgText(left - 6, y(value) + 4, numberText(value, chart.logarithmic_y ? 2 : 3), 'end'));
  const is_octave = size => Number.isInteger(Math.log2(size)), octaves = sizes.filter(is_octave), each = Math.ceil(octaves.length / Math.max(2, Math.floor(width / 70)));
  const shown = chart.logarithmic_x ? octaves.filter((size, i) => i % each === 0) : [sizes[0], sizes.at(-1)];
  for (const size of shown) made.append(svgText(x(size), bottom + 17, sizeText(size)));
  made.append(svgText((left + right) / 2, height - 5, chart.over));
  if (present >= sizes[0] && present <= sizes.at(-1)) made.append(svg('line', {x1: x(present), x2: x(present), y1: top, y2: bottom, class: 'present'}));
  if (reference) made.append(svg('line', {x1: left, x2: right, y1: y(reference.level), y2: y(reference.level), class: 'theory'}));
  lines.forEach(({values}, k) => {
    const points = values.map((value, i) => [x(sizes[i]), y(value)]).filter(([, at]) => Number.isFinite(at));
    made.append(svg('polyline', {points: points.map(point => point.join(',')).join(' '), class: 'line', stroke: lineColor(k)}));
  });
  const key = (title, attributes) => element('span', {}, svg('svg', {viewBox: '0 0 18 10', width: 18, height: 10, 'aria-hidden': 'true'}, svg('line', {x1: 0, x2: 18, y1: 5, y2: 5, ...attributes})), ' ', title);
  const legend = lines.map(({title}, k) => key(title, {'stroke-width': 3, stroke: lineColor(k)}));
  if (reference) legend.push(key(reference.title, {class: 'theory'}));
  return element('figure', {}, element('figcaption', {}, chart.title), made, element('p', {className: 'legend'}, ...legend));
}

/// What a screen reader hears of a chart: the values at the present size.
function atPresent({sizes, lines, present}) {
  const at = sizes.reduce((best, size, i) => (Math.abs(size - present) < Math.abs(sizes[best] - present) ? i : best), 0);
  return lines.map(({title, values}) => `${title}: ${numberText(values[at])}`).join('; ');
}

/// A table of bars: `rows` have "name", "value" (its length; of `high`), "numbers" (texts beside it), and may have "wrong",
/// "frame" (a length around the bar) and "chosen"(). `headings`: of the name and of each number.
function barsTable(rows, high, headings, caption = '') {
  const body = element('tbody');
  for (const row of rows) {
    const share = value => `${Math.max(0, Math.min(100, 100 * value / (high || 1)))}%`;
    const bar = svg('svg', {class: 'bar_of_row', width: '100%', height: 14, 'aria-hidden': 'true'}, svg('rect', {x: 0, y: 1, width: share(row.value), height: 12, class: row.wrong ? 'wrong' : 'mark'}));
    if (row.color) bar.firstChild.style.fill = row.color;
    if (row.frame !== undefined) bar.append(svg('rect', {x: 0.5, y: 1.5, width: share(row.frame), height: 11, class: 'frame'}));
    const name = row.chosen ? element('button', {type: 'button', className: 'plain'}, row.name) : row.name;
    if (row.chosen) name.addEventListener('click', row.chosen);
    body.append(element('tr', {className: row.marked ? 'present' : ''}, element('th', {scope: 'row'}, name), element('td', {className: 'room'}, bar), ...row.numbers.map(text => element('td', {}, text))));
  }
  const head = element('thead', {}, element('tr', {}, ...headings.map((text, i) => element(text ? 'th' : 'td', text ? {scope: 'col', ...(i === 0 ? {colSpan: 2} : {})} : i === 0 ? {colSpan: 2} : {}, text))));
  return element('table', {className: 'bars'}, ...(caption ? [element('caption', {}, caption)] : []), ...(headings.some(Boolean) ? [head] : []), body);
}

/// "3.2 GB", "1.5 G": an amount in the unit of a measure.
function amountText(value, unit) {
  if (Number.isNaN(value)) return '?';
  if (unit === 'number') return numberText(value, 4);
  let power = 0;
  for (; Number.isFinite(value) && Math.abs(value) >= 999.5 && power < 6; ++power) value /= 1000;
  return `${power === 0 && Number.isInteger(value) ? value : numberText(value)} ${['', 'k', 'M', 'G', 'T', 'P', 'E'][power]}${unit === 'bytes' ? 'B' : ''}`.trim();
}

/// Costs of a cache as bars, or as curves over the tokens or the readers.
class CostsBoard {
  constructor() { this.box = element('div', {className: 'exhibit'}); }
  show(shown) {
    const {board, words} = shown, titles = board.settings.map(({sharing}) => (sharing === 'grouped' ? t().grouped(board.cache.groups) : t()[sharing]));
    const width = Math.min(680, this.box.clientWidth || 320);
    refill(this.box, JSON.stringify([board.costs, words, width, language, MatrixView.themes]), () => board.costs.map(cost => {
      const title = said(cost.title), giga = cost.unit === 'number' ? 1 : 1e9;
      if (cost.sizes) {
        const unit = cost.unit === 'bytes' ? 'GB' : cost.unit === 'operations' ? phrase('10⁹ operations') : '';
        const reference = cost.reference && {level: cost.reference.level / giga, title: cost.reference.of === 'weights' ? phrase('weights of the model') : phrase('what the device could do meanwhile')};
        const lines = cost.curves.map((values, k) => ({title: titles[k], values: values_of(values).map(value => value / giga)}));
        return linesChart({title: unit ? `${title}, ${unit}` : title, over: cost.over === 'context' ? phrase('tokens') : phrase('readers'), sizes: cost.sizes, lines, reference, present: cost.present,
          logarithmic_x: true, logarithmic_y: true}, width);
      }
      const values = values_of(cost.values);
      const rows = values.map((value, k) => {
        const said_of = words?.[board.settings[k].id];
        const name = said_of ? [titles[k], element('span', {className: 'muted'}, ' ', ...inline(said_of))] : [titles[k]];
        return {name: element('span', {}, ...name), value: Number.isNaN(value) ? 0 : value, numbers: [amountText(value, cost.unit)], color: lineColor(k)};
      });
      return barsTable(rows, finite(cost.high), [], title);
    }));
  }
}
