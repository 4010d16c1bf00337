'use strict';
// The two sources of a page's numbers, with the same functions: Engine computes them in WebAssembly, Exported has those
// that the program wrote into the page, for browsers without WebAssembly. Functions throw Error; its `words`, if
// it has any, are a text of the engine, which said() translates.

class Engine {
  /// `packed`: the module as base 64 of a zlib stream. Throws where the browser has no WebAssembly.
  static async start(packed) {
    const raw = atob(packed), bytes = Uint8Array.from(raw, letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    const engine = new Engine();
    const instance = await WebAssembly.instantiate(module, engine.imports(module));
    engine.exports = instance.exports;
    engine.exports._initialize();
    return engine;
  }

  /// What a module of Emscripten without JavaScript imports: a clock, and what ends a program or writes to a console.
  imports(module) {
    const memory = () => new DataView(this.exports.memory.buffer);
    const known = {
      clock_time_get: (clock, precision, result) => {
        const now = Math.round(performance.now() * 1e6);
        memory().setUint32(result, now % 2 ** 32, true);
        memory().setUint32(result + 4, now / 2 ** 32, true);
        return 0;
      },
      environ_sizes_get: (count, size) => {
        memory().setUint32(count, 0, true);
        memory().setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      proc_exit: code => { throw new Error(`The engine has ended (${code})`); },
      emscripten_notify_memory_growth: () => {},
    };
    const bad_file = () => 8;
    const all = {};
    for (const {module: from, name, kind} of WebAssembly.Module.imports(module))
      if (kind === 'function') (all[from] ??= {})[name] = known[name] ?? bad_file;
    return all;
  }

  /// Calls `work` with the address of `text`.
  withText(text, work) {
    const bytes = Engine.encoder.encode(text), address = this.exports.malloc(bytes.length + 1);
    const memory = new Uint8Array(this.exports.memory.buffer, address, bytes.length + 1);
    memory.set(bytes);
    memory[bytes.length] = 0;
    try {
      return work(address);
    } finally {
      this.exports.free(address);
    }
  }

  answer(address) {
    const memory = new Uint8Array(this.exports.memory.buffer), end = memory.indexOf(0, address);
    const found = JSON.parse(Engine.decoder.decode(memory.subarray(address, end)));
    if (found && found.failed) throw Object.assign(new Error(JSON.stringify(found.failed)), {words: found.failed});
    return found;
  }

  call(name, ...numbers) { return this.answer(this.exports[`attnlab_${name}`](...numbers)); }
  callWith(name, text) { return this.withText(text, address => this.answer(this.exports[`attnlab_${name}`](address))); }

  get computes() { return true; }
  choices() { return this.call('choices'); }
  open(files) { return this.callWith('open', JSON.stringify(files)); }
  /// The board of a step; `phase` is 'open', 'asking' or 'answered'.
  show(step, phase) {
    this.result = null;
    this.board = this.call('show', step, ['open', 'asking', 'answered'].indexOf(phase));
    return this.board;
  }
  texts(language) { return this.callWith('texts', language); }
  rightOption() { return this.call('right_option'); }
  curve() { return this.call('curve'); }
  mix(setting, stage, batch, head, query, feature) { return this.call('mix', setting, stage, batch, head, query, feature); }
  row(setting, batch, head, query) { return this.call('row', setting, batch, head, query); }
  cell(setting, batch, head, query, key) { return this.call('cell', setting, batch, head, query, key); }

  compute() {
    this.result = this.withNumbers(this.call('compute'), null);
    return this.result;
  }
  /// Changes the scene: {"board", "result"} after it. What is as it was before is the same object as before: a setting,
  /// a stage or an input with its numbers, and the numbers alone.
  change(request) {
    const {board, result} = this.callWith('update', JSON.stringify(request)), before = this.board;
    this.board = {...before, ...board, settings: board.settings.map((setting, k) => setting ?? before.settings[k])};
    this.result = this.withNumbers(result, this.result);
    return {board: this.board, result: this.result};
  }

  /// A result whose stages and inputs have their numbers as `values`; what it leaves out is in the result `before`.
  withNumbers(result, before) {
    const {attnlab_stage, attnlab_input} = this.exports;
    const settings = result.settings.map((setting, k) => {
      const earlier = before?.settings[k], inputs = setting.inputs ?? earlier?.inputs;
      return {...setting, notes: setting.notes ?? earlier.notes,
        stages: setting.stages.map((stage, index) => this.withValues(stage, earlier?.stages[index], attnlab_stage(k, index))),
        ...(inputs ? {inputs: inputs.map((input, index) => this.withValues(input, earlier?.inputs[index], attnlab_input(k, index)))} : {})};
    });
    return {...result, settings};
  }
  /// `described`: null where the description is that of `before`. The numbers are a copy: a view ends when memory grows.
  withValues(described, before, address) {
    const array = described ?? before, count = array.shape.reduce((a, b) => a * b, 1);
    const view = new Float64Array(this.exports.memory.buffer, address, count), is_same = sameNumbers(before?.values, view);
    if (is_same && (!described || described === before)) return before;
    return {...array, values: is_same ? before.values : view.slice()};
  }
}
Engine.encoder = new TextEncoder();
Engine.decoder = new TextDecoder();

/// NaN is the same as NaN.
function sameNumbers(some, others) {
  if (some === others) return true;
  if (!some || !others || some.length !== others.length) return false;
  for (let i = 0; i < some.length; ++i)
    if (some[i] !== others[i] && !(Number.isNaN(some[i]) && Number.isNaN(others[i]))) return false;
  return true;
}

class Exported {
  /// `written`: {"contents", "steps": [{"PHASE": {"board", "result", "texts"}, "right"}]}, numbers in base 64.
  constructor(written) { this.written = written; }

  get computes() { return false; }
  open() { return this.written.contents; }
  show(step, phase) {
    this.step = this.written.steps[step];
    this.shown = this.step[phase] ?? this.step.open;
    return this.shown.board;
  }
  change() { throw new Error(t().static_numbers); }
  texts(language) { return this.shown.texts[language] ?? Object.values(this.shown.texts)[0]; }
  rightOption() { return this.step.right; }
  curve() { return this.shown.curve; }
  row(setting, batch, head, query) { return this.shown.rows?.[query] ?? {}; }
  cell() { return {}; }
  mix() { return {}; }
  compute() {
    const numbers = packed => {
      const raw = atob(packed), bytes = Uint8Array.from(raw, letter => letter.charCodeAt(0));
      return new Float64Array(bytes.buffer);
    };
    const result = structuredClone(this.shown.result);
    for (const setting of result.settings) {
      setting.stages = setting.stages.filter(stage => stage.packed !== undefined);
      for (const array of [...setting.stages, ...(setting.inputs ?? [])]) array.values = numbers(array.packed ?? '');
    }
    return result;
  }
}
