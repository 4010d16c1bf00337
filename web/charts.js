'use strict';
// Charts of a board as SVG: the histogram of a card's scaled scores, and a measure of every setting over a size.

const line_colors = ['#0b62c4', '#d0440b', '#1f8a4c', '#8a4fc8', '#b07d00', '#0f8b8d', '#c2185b', '#6b7280'];

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
function svgText(x, y, text, anchor = 'middle') {
  return svg('text', {x, y, 'text-anchor': anchor}, text);
}
const values_of = list => list.map(value => (typeof value === 'number' ? value : Number(value.replace('inf', 'Infinity'))));

/// The finite numbers of `values` between `-reach` and `reach`, with the normal curve that the variance `theory` predicts.
function histogramChart(values, reach, theory, name) {
  const bins = 31, width = 260, height = 84, base = 66, counts = new Array(bins).fill(0);
  let finite = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    ++finite;
    ++counts[Math.max(0, Math.min(bins - 1, Math.floor((value + reach) / (2 * reach) * bins)))];
  }
  const predicted = Array.from({length: 101}, (_, i) => {
    const x = (i / 50 - 1) * reach;
    return theory > 0 ? finite * (2 * reach / bins) * Math.exp(-x * x / (2 * theory)) / Math.sqrt(2 * Math.PI * theory) : 0;
  });
  const most = Math.max(1, ...counts), up = count => base - Math.min(1, count / most) * (base - 4);
  const chart = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': `${t().histogram}: ${name}`});
  counts.forEach((count, bin) => {
    if (count > 0) chart.append(svg('rect', {x: bin * width / bins + 0.5, y: up(count), width: width / bins - 1, height: base - up(count), class: 'mark'}));
  });
  if (theory > 0) chart.append(svg('polyline', {points: predicted.map((count, i) => `${i * width / 100},${up(count)}`).join(' '), class: 'theory'}));
  chart.append(svg('line', {x1: 0, x2: width, y1: base, y2: base, class: 'axis'}), svgText(2, height - 4, numberText(-reach), 'start'),
    svgText(width / 2, height - 4, '0'), svgText(width - 2, height - 4, numberText(reach), 'end'));
  return chart;
}

/// `width` pixels wide, so that its letters have their size. A line for each setting over sizes in octaves (steps of a training: evenly), with the present size marked.
function curveChart(curve, titles, width) {
  const height = 240, left = 46, bottom = 200, right = width - 14, top = 12, {sizes, present} = curve;
  const all = curve.values.map(values_of), finite = all.flat().filter(Number.isFinite);
  const steps = curve.over === 'steps', place = size => (steps ? size : Math.log2(size));
  const from = place(sizes[0]), to = place(sizes.at(-1)) || 1, most = Math.max(...finite, 0) || 1;
  const x = size => left + (place(size) - from) / (to - from || 1) * (right - left), y = value => bottom - value / most * (bottom - top);
  const over = steps ? t().steps_of_training : curve.over === 'E' ? t().width : t().keys, measure = t()[curve.measure] ?? curve.measure;
  const chart = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'chart curve', role: 'img', 'aria-label': `${measure}, ${over}`});
  for (const share of [0, 0.5, 1]) {
    chart.append(svg('line', {x1: left, x2: right, y1: y(share * most), y2: y(share * most), class: 'grid'}),
      svgText(left - 6, y(share * most) + 4, numberText(share * most, 2), 'end'));
  }
  const shown = steps ? [sizes[0], sizes.at(-1)] : sizes.filter(size => Number.isInteger(Math.log2(size)) && (Math.log2(size) % 2 === 0 || sizes.length < 12));
  for (const size of shown) chart.append(svgText(x(size), bottom + 17, String(size)));
  chart.append(svgText((left + right) / 2, height - 5, over));
  if (present >= sizes[0] && present <= sizes.at(-1)) chart.append(svg('line', {x1: x(present), x2: x(present), y1: top, y2: bottom, class: 'present'}));
  all.forEach((values, k) => {
    const points = values.map((value, i) => [x(sizes[i]), y(value)]).filter(([, at]) => Number.isFinite(at));
    chart.append(svg('polyline', {points: points.map(point => point.join(',')).join(' '), class: 'line', stroke: line_colors[k % line_colors.length]}));
  });
  const legend = titles.map((title, k) => {
    const line = svg('line', {x1: 0, x2: 18, y1: 5, y2: 5, 'stroke-width': 3, stroke: line_colors[k % line_colors.length]});
    return element('span', {}, svg('svg', {viewBox: '0 0 18 10', width: 18, height: 10, 'aria-hidden': 'true'}, line), ' ', title);
  });
  return element('figure', {}, element('figcaption', {}, measure), chart, element('p', {className: 'legend'}, ...legend));
}
