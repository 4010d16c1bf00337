'use strict';
// The page: opens the lesson or the board that the program wrote into it, and connects controls, board and texts.

(async () => {
  const byId = id => document.getElementById(id), again = byId('again');
  const data = JSON.parse(byId('data').textContent);
  translations = data.words;
  setColormaps(data.colormaps);

  let source;
  try {
    source = await Engine.start(byId('module').textContent);
  } catch (error) {
    source = new Exported(data.exported);
  }
  const contents = source.open(data.files), whole = data.kind === 'workspace', has_texts = data.kind === 'lesson';
  const state = {step: 0, phase: 'open', stage: '', place: {batch: 0, head: 0, heads: 1}, theme: 'auto', tried: [], painting: null, restored: 0};
  let board, result, words = {}, width = document.documentElement.clientWidth;

  // The address keeps what a reader has chosen: #step=2&lang=zh&theme=dark.

  function remember() {
    const parts = [`step=${state.step}`, `lang=${language}`, `theme=${state.theme}`];
    history.replaceState(null, '', `#${parts.join('&')}`);
  }
  function recall() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const spoken = wanted.get('lang') ?? (data.language || navigator.language || 'en').slice(0, 2);
    language = Object.hasOwn(texts, spoken) ? spoken : 'en';
    state.step = Math.max(0, Math.min(contents.steps.length - 1, Math.trunc(Number(wanted.get('step'))) || 0));
    state.theme = ['light', 'dark'].includes(wanted.get('theme')) ? wanted.get('theme') : 'auto';
  }

  // Computing.

  const panel = new Board(byId('board'), request => send(request), request => attempt(request));
  const controls = new Controls(byId('controls'), data.choices, request => attempt(request), wanted => {
    if (wanted.stage) state.stage = wanted.stage;
    if (wanted.painting !== undefined) state.painting = panel.painting = wanted.painting;
    for (const axis of ['batch', 'head']) if (axis in wanted) state.place[axis] = wanted[axis];
    draw();
  }, error => fail(error));

  // What a control sends between two presses, as in a drag, is undone in one step.
  let press = 0;
  for (const type of ['pointerdown', 'change', 'keydown'])
    document.addEventListener(type, event => { if (type !== 'keydown' || event.target.localName !== 'input') ++press; }, true);

  /// The error of what is refused, else null.
  function attempt(request) {
    try {
      ({board, result} = source.change({...request, step: String(press)}));
      fail(null);
      placeHeads();
      draw();
      return null;
    } catch (error) {
      return error;
    }
  }
  function send(request) {
    const error = attempt(request);
    if (error) fail(error);
  }
  function undo() {
    ++state.restored;
    send({undo: true});
  }
  /// Null: nothing is wrong any more.
  function fail(error) {
    if (!error && byId('problem').hidden) return;
    state.problem = error;
    byId('problem').textContent = error ? reasonOf(error) : '';
    byId('problem').hidden = !error;
  }
  function compute() {
    result = source.compute();
    placeHeads();
    draw();
  }
  function placeHeads() {
    const heads = result.settings.flatMap(setting => setting.stages.map(stage => stage.shape[stage.axes.indexOf('head')] ?? 1));
    state.place.heads = Math.max(1, ...heads);
    state.place.head = Math.min(state.place.head, state.place.heads - 1);
  }

  const asking = () => state.phase === 'asking';
  function shown() {
    return {board, result, source, whole, words: words.cards, asking: asking() && contents.steps[state.step].covers, place: state.place, stage: state.stage,
      choices: data.choices, off: !source.computes || (asking() && contents.steps[state.step].covers), editable: source.computes && !asking(), step: state.step, phase: state.phase,
      painting: state.painting, restored: state.restored, narrow: width <= 520};
  }
  let waiting = false, curve_timer = 0;
  function draw() {
    const now = shown();
    panel.show(now);
    const cards = [...panel.cards.values()].filter(made => made.controls);
    controls.show(now, board.settings.map((setting, k) => cards.find(({card}) => card.setting === k)?.controls), board.cards.map((card, index) => cards.find(made => made.card.index === index)?.controls));
    put(again, {hidden: now.off || !(whole || board.live.length)});
    for (const button of again.children) put(button, {disabled: !board.undo});
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      write();
    });
  }

  // Words.

  /// Numbers of a model are those that the program computed: the model is not in the page.
  function textsOf() {
    const written = data.models?.[state.step] ? data.exported.steps[state.step][state.phase]?.texts : null;
    return written ? written[lesson_language()] ?? Object.values(written)[0] : source.texts(lesson_language());
  }
  function write() {
    if (has_texts) {
      words = textsOf();
      refill(byId('step_title'), words.title, () => inline(words.title));
      refill(byId('body'), words.body, () => markdown(words.body));
      refill(byId('notes'), words.notes ?? '', () => (words.notes ? [element('summary', {}, t().lecture_notes), ...markdown(words.notes)] : []));
      byId('notes').hidden = !words.notes;
      writeQuestion();
    }
    panel.shown.words = words.cards;
    panel.showWords();
    clearTimeout(curve_timer);
    if (board.show.includes('curve')) curve_timer = setTimeout(() => panel.showCurve(source.curve()), 60);
    else panel.curve.replaceChildren();
  }

  function writeQuestion() {
    const box = byId('question'), {question} = contents.steps[state.step];
    box.hidden = !question;
    if (!question) return;
    const right = state.right, answered = state.phase === 'answered';
    const key = JSON.stringify([state.step, state.phase, state.tried, language]);
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    const options = board.options.map(id => {
      const radio = element('input', {type: 'radio', name: 'option', value: id});
      radio.checked = answered ? id === right : state.tried.includes(id);
      radio.disabled = answered || state.tried.includes(id);
      radio.addEventListener('change', () => choose(id));
      const mark = answered && id === right ? ' ✓' : state.tried.includes(id) && id !== right ? ' ✗' : '';
      return element('label', {className: 'option'}, radio, element('span', {}, ...inline(words.options[id]), mark));
    });
    const outcome = [];
    const last = state.tried.at(-1);
    if (last) outcome.push(element('p', {}, element('strong', {}, last === right ? t().right : t().wrong), ' ', ...inline(words.whys?.[last] ?? '')));
    if (last && !answered && words.hint) outcome.push(element('p', {}, element('strong', {}, t().hint), ' ', ...inline(words.hint)));
    if (answered) outcome.push(element('h3', {}, t().answer), ...markdown(words.answer));
    box.replaceChildren(element('fieldset', {}, element('legend', {}, ...inline(words.question)), ...options),
      element('div', {role: 'status'}, ...outcome));
  }
  function choose(id) {
    state.tried.push(id);
    if (id === state.right || state.tried.length > 1) {
      if (state.tried.at(-1) !== state.right) state.tried.push(state.right);
      open('answered');
    } else {
      write();
    }
  }

  function frame() {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    const title = data.titles[lesson_language()] ?? Object.values(data.titles)[0];
    document.title = title;
    byId('title').textContent = title;
    const summary = data.summaries[lesson_language()] ?? Object.values(data.summaries)[0] ?? '';
    byId('summary').textContent = summary === title ? '' : summary;
    byId('skip').textContent = t().skip;
    byId('bench_title').textContent = t().board;
    byId('exact').textContent = source.computes ? t().offline : t().offline_static;
    byId('static').hidden = source.computes;
    byId('static').textContent = t().static_numbers;
    byId('other').textContent = t().other;
    byId('other').lang = language === 'zh' ? 'en' : 'zh-CN';
    const theme = byId('theme');
    theme.setAttribute('aria-label', t().theme);
    theme.replaceChildren(...['auto', 'light', 'dark'].map(id => element('option', {value: id}, t()[id])));
    theme.value = state.theme;
    byId('lesson').hidden = !has_texts;
    byId('lesson').parentElement.classList.toggle('with_lesson', has_texts);
    const steps = byId('steps');
    steps.hidden = contents.steps.length < 2;
    byId('undo').textContent = phrase('Undo');
    byId('reset').textContent = phrase('Reset');
    byId('back').textContent = t().back;
    byId('next').textContent = t().next;
    byId('back').disabled = state.step === 0;
    byId('next').disabled = state.step === contents.steps.length - 1;
    byId('where').textContent = t().step(state.step + 1, contents.steps.length);
    const model = data.models?.[state.step];
    byId('more').hidden = !model;
    byId('more').textContent = model ? t().of_model(model) : '';
    const formula = byId(`formula_${contents.steps[state.step].formula}`);
    byId('formula').replaceChildren(...(formula ? [formula.content.cloneNode(true)] : []));
  }
  function colors() {
    if (state.theme === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', state.theme);
    MatrixView.readTheme();
  }

  function open(phase) {
    controls.stopTraining();
    state.painting = panel.painting = null;
    state.phase = phase ?? (contents.steps[state.step].question && !whole ? 'asking' : 'open');
    board = source.show(state.step, state.phase);
    state.right = !contents.steps[state.step].question ? '' : data.models?.[state.step] ? data.exported.steps[state.step].right : source.rightOption();
    state.stage = board.stage;
    fail(null);
    frame();
    panel.chosen = null;
    compute();
    pin();
    remember();
  }
  /// The cell whose arithmetic a lesson begins with.
  function pin() {
    const [row, column] = board.pin ?? [], card = [...panel.cards].find(([, {card: own}]) => own.matrix?.row_axis === 'query' && own.matrix.column_axis === 'key' && own.kind === 'stage');
    if (row === undefined || whole || asking() || !card || row >= card[1].card.matrix.rows || column >= card[1].card.matrix.columns) return;
    card[1].view.choose(row, column);
  }
  function go(step) {
    state.step = step;
    state.tried = [];
    open();
    byId('step_title').focus?.();
    scrollTo(0, 0);
  }

  byId('undo').addEventListener('click', undo);
  byId('reset').addEventListener('click', () => {
    ++state.restored;
    open(state.phase);
  });
  document.addEventListener('keydown', event => { // a field that is typed into has an undo of its own
    if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || !board.undo || /^(number|text)$/.test(event.target.type)) return;
    event.preventDefault();
    undo();
  });
  // The keys of a presenter's remote control turn the pages of a lesson, at the end of what they scroll.
  document.addEventListener('keydown', event => {
    const by = {PageDown: 1, PageUp: -1}[event.key], {scrollTop, scrollHeight, clientHeight} = document.documentElement;
    if (!by || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.matches('input, select')) return;
    if (by > 0 ? scrollTop + clientHeight < scrollHeight - 2 : scrollTop > 0) return;
    if (!has_texts || !contents.steps[state.step + by]) return;
    event.preventDefault();
    go(state.step + by);
  });
  byId('back').addEventListener('click', () => go(state.step - 1));
  byId('next').addEventListener('click', () => go(state.step + 1));
  byId('other').addEventListener('click', () => {
    language = language === 'zh' ? 'en' : 'zh';
    frame();
    fail(state.problem);
    draw();
    remember();
  });
  byId('theme').addEventListener('change', event => {
    state.theme = event.target.value;
    colors();
    draw();
    remember();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { colors(); draw(); });
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    MatrixView.readTheme();
    panel.resized();
    draw();
  });

  recall();
  colors();
  open();
  // For tests and for the curious: the parts of the page.
  globalThis.attnlab_page = {source, state, contents, panel, controls, compute, send, open, result: () => result, board: () => board};
  document.documentElement.setAttribute('data-ready', source.computes ? 'live' : 'exported');
})().catch(error => {
  document.getElementById('problem').hidden = false;
  document.getElementById('problem').textContent = reasonOf(error);
  document.documentElement.setAttribute('data-ready', 'failed');
  console.error(error);
});
