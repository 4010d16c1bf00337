// Computes pages by their own module in node: prints the stages of each as JSON lines.
// Usage: node live_page_numbers.js ENGINE.js < REQUESTS, where each line of REQUESTS is {"page": FILE, "spec": {...}}:
// the first setting of the first step of that page, with this spec if there is one; or {"page": FILE, "all": true}: every
// step of a page compared with the numbers and texts that the program wrote into it.
'use strict';
const fs = require('fs');
const Engine = new Function(`${fs.readFileSync(process.argv[2], 'utf8')}\nreturn Engine;`)();
const between = (text, begin, end) => text.slice(text.indexOf(begin) + begin.length, text.indexOf(end, text.indexOf(begin)));
const Exported = new Function(`${fs.readFileSync(process.argv[2], 'utf8')}\nreturn Exported;`)();

/// {"numbers", "largest" difference relative to max(1, |x|), "texts" that differ}.
function compareAll(engine, data) {
  const exported = new Exported(data.exported), found = {numbers: 0, texts: [], largest: 0};
  const compare = (mine, wanted, place) => {
    if (mine.length !== wanted.length) found.texts.push(`${place}: ${mine.length} numbers, expected ${wanted.length}`);
    for (let i = 0; i < wanted.length; ++i) {
      ++found.numbers;
      if (mine[i] === wanted[i] || (Number.isNaN(mine[i]) && Number.isNaN(wanted[i]))) continue;
      const difference = Math.abs(mine[i] - wanted[i]) / Math.max(1, Math.abs(wanted[i]));
      found.largest = Number.isFinite(difference) ? Math.max(found.largest, difference) : Infinity;
    }
  };
  const numbers_in = part => (typeof part === 'number' ? [part] : part && typeof part === 'object' ? Object.values(part).flatMap(numbers_in) : []);
  data.exported.steps.forEach((step, index) => {
    for (const phase of ['open', 'asking', 'answered'].filter(one => one in step)) {
      const place = `step ${index}, ${phase}`, board = engine.show(index, phase), wanted_board = exported.show(index, phase);
      const mine = engine.compute(), wanted = exported.compute();
      wanted.settings.forEach((setting, k) => {
        for (const stage of setting.stages) compare(mine.settings[k].stages.find(one => one.name === stage.name)?.values ?? [], stage.values, `${place}: ${stage.name}`);
        compare(numbers_in([mine.settings[k].measures, mine.settings[k].numbers, mine.settings[k].leak ?? 0]), numbers_in([setting.measures, setting.numbers, setting.leak ?? 0]), `${place}: measures`);
      });
      compare(numbers_in([mine.cards, board.costs ?? 0, engine.curve()]), numbers_in([wanted.cards, wanted_board.costs ?? 0, exported.curve()]), `${place}: cards`);
      if (!data.models[index])
        for (const language of Object.keys(step[phase].texts))
          if (JSON.stringify(engine.texts(language)) !== JSON.stringify(exported.texts(language))) found.texts.push(`${place}: ${language}`);
    }
  });
  return found;
}

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
    const {page, spec, all} = JSON.parse(line), answer = {};
    try {
      const html = fs.readFileSync(page, 'utf8');
      engine ??= await Engine.start(between(html, 'id="module">', '</script>'));
      if (page !== opened) engine.open(JSON.parse(between(html, 'id="data">', '</script>')).files);
      opened = page;
      if (all) {
        console.log(JSON.stringify(compareAll(engine, JSON.parse(between(html, 'id="data">', '</script>')))));
        continue;
      }
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
