// Computes pages by their own module in node: prints the stages of each as JSON lines.
// Usage: node live_page_numbers.js ENGINE.js < REQUESTS, where each line of REQUESTS is {"page": FILE, "spec": {...}}:
// the first setting of the first step of that page, with this spec if there is one.
'use strict';
const fs = require('fs');
const Engine = new Function(`${fs.readFileSync(process.argv[2], 'utf8')}\nreturn Engine;`)();
const between = (text, begin, end) => text.slice(text.indexOf(begin) + begin.length, text.indexOf(end, text.indexOf(begin)));
const written = value => (Number.isFinite(value) ? value : String(value));

/// Checks the numbers of every output whose sums the engine gives.
function mixesOf(engine, stages) {
  const wrong = [];
  let count = 0;
  stages.forEach(({name, shape, axes, values}, index) => {
    if (shape.length !== 4 || axes.at(-2) !== 'query' || axes.at(-1) !== 'feature') return;
    for (let cell = 0; cell < shape[2] * shape[3]; ++cell) {
      const {parts} = engine.mix(0, index, 0, 0, Math.floor(cell / shape[3]), cell % shape[3]);
      if (!parts) continue;
      ++count;
      const sum = parts.reduce((all, [, , product]) => all + product, 0), size = parts.reduce((all, [, , product]) => all + Math.abs(product), 1);
      if (!(Math.abs(sum - values[cell]) <= 1e-12 * size)) wrong.push(`${name}[${cell}]`);
    }
  });
  return {count, wrong};
}

(async () => {
  let engine, opened = '';
  for (const line of fs.readFileSync(0, 'utf8').trim().split('\n')) {
    const {page, spec} = JSON.parse(line), answer = {};
    try {
      const html = fs.readFileSync(page, 'utf8');
      engine ??= await Engine.start(between(html, 'id="module">', '</script>'));
      if (page !== opened) engine.open(JSON.parse(between(html, 'id="data">', '</script>')).files);
      opened = page;
      engine.show(0, 'open');
      if (spec) engine.change({setting: 0, spec});
      const setting = engine.compute().settings[0];
      engine.exports.memory.grow(1); // as any later call may: the numbers stay
      if (setting.error) answer.error = setting.error;
      answer.mixes = mixesOf(engine, setting.stages);
      for (const stage of setting.stages) answer[stage.name] = {shape: stage.shape, values: Array.from(stage.values, written)};
    } catch (error) {
      answer.failed = error.message;
    }
    console.log(JSON.stringify(answer));
  }
})();
