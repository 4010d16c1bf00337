'use strict';
// The controls of a board: pickers, sliders and fields of a setting's spec and of the draw. Each change is a request to
// the engine (LiveLesson::change).

/// Half octaves, as the program's own sweeps.
const draw_sizes = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024];

function labelled(title, control, output) {
  return element('label', {className: output ? 'control moving' : 'control'}, ...(title ? [element('span', {}, title), ' '] : []), control, ...(output ? [output] : []));
}
function picker(title, options, value, chosen, name = title) {
  const select = element('select', {'aria-label': name});
  const groups = new Map();
  for (const [id, text, group] of options) {
    const option = element('option', {value: id}, text);
    if (!group) { select.append(option); continue; }
    if (!groups.has(group)) { groups.set(group, element('optgroup', {label: group})); select.append(groups.get(group)); }
    groups.get(group).append(option);
  }
  select.value = value;
  select.addEventListener('change', () => chosen(select.value));
  return labelled(title, select);
}

/// A slider over `steps` (numbers in order), which shows the chosen one as `text`.
function slider(title, steps, value, chosen, text = numberText) {
  const nearest = steps.reduce((best, step, i) => (Math.abs(step - value) < Math.abs(steps[best] - value) ? i : best), 0);
  const range = element('input', {type: 'range', min: '0', max: String(steps.length - 1), step: '1'});
  range.value = String(nearest);
  const output = element('output', {}, text(value));
  range.setAttribute('aria-valuetext', text(value));
  range.addEventListener('input', () => {
    const now = steps[range.valueAsNumber];
    put(output, {textContent: text(now)});
    whenIdle(range, () => range.setAttribute('aria-valuetext', text(now)));
    chosen(now);
  });
  return labelled(title, range, output);
}

/// Controls that belong together, after their heading.
function group(title, ...controls) {
  if (!title) return controls;
  return controls.length ? [element('fieldset', {className: 'group'}, element('legend', {}, title), ...controls)] : [];
}

class Controls {
  /// `attempt(request)` changes the scene, or returns the error; `look({"stage" | "head" | "batch" | "painting"})` changes
  /// what is shown; `fail(error)` shows an error that belongs to no field.
  constructor(host, choices, attempt, look, fail) {
    Object.assign(this, {host, choices, attempt, look, fail, places: [], refused: new Map(), reasons: 0, chosen: new WeakMap()});
    host.addEventListener('submit', event => event.preventDefault());
    for (const type of ['input', 'change', 'click'])
      document.addEventListener(type, event => { this.used = event.target.closest?.('[data-control]'); }, true);
    document.addEventListener('keydown', event => { // a value that was refused may fit now
      if (event.key === 'Enter' && event.target.matches?.('[data-control][aria-invalid]')) event.target.dispatchEvent(new Event('change', {bubbles: true}));
    });
  }

  send(request) {
    const {used} = this, name = used?.dataset.control, is_field = used && used.localName !== 'button';
    this.refused.delete(name);
    const error = this.attempt(request);
    if (error && !is_field) this.fail(error);
    else if (error) this.refuse(error);
    else this.markRefused();
  }
  /// The field in use keeps its entry, with the reason beside it, until it has another one.
  refuse(error) {
    const {value, checked, dataset} = this.used, output = this.used.closest('label')?.querySelector('output');
    this.refused.set(dataset.control, {value, checked, error, output: output?.textContent});
    this.markRefused();
  }
  markRefused() {
    if (!this.refused.size && !this.is_marked) return;
    this.is_marked = this.refused.size > 0;
    for (const control of this.places.flatMap(place => [...place.querySelectorAll('[data-control]')])) {
      const entry = this.refused.get(control.dataset.control), label = control.closest('label') ?? control;
      if (!entry && !control.hasAttribute('aria-invalid')) continue;
      control.reason?.remove();
      control.reason = null;
      for (const name of ['aria-invalid', 'aria-describedby']) control.removeAttribute(name);
      if (!entry) continue;
      const output = label.querySelector('output');
      if (control.type === 'checkbox') control.checked = entry.checked;
      else control.value = entry.value;
      if (output) output.textContent = entry.output;
      control.reason = element('span', {className: 'error reason', role: 'alert', id: `reason${++this.reasons}`}, reasonOf(entry.error));
      control.setAttribute('aria-invalid', 'true');
      control.setAttribute('aria-describedby', control.reason.id);
      label.after(control.reason);
    }
  }

  /// `shown`: {"board", "result", "whole", "off", "stage", "place"}; places are elements for the controls of each setting
  /// and of each card, some are the same. Built again only if its choices differ, so that the control in use keeps the focus.
  show(shown, own_places, card_places) {
    this.shown = shown;
    const {board, whole, off} = shown;
    // While a setting is in error, its stages are taken as before: a slider that is dragged through an error stays.
    const {settings} = shown.result, in_error = settings.some(({error}) => error);
    this.stages = settings.map(({error, stages}, k) => (error ? this.stages?.[k] ?? [] : stages.map(stage => stage.name)));
    const parts = [board.live, board.show, board.cards, board.token, Boolean(board.training), Boolean(this.drawOf()), off, whole, language, shown.stage, shown.step, shown.phase, shown.restored, shown.narrow,
      shown.painting, ...board.settings.map(setting => this.chosenIn(setting)), ...this.stages.map(names => names.join())];
    if (sameParts(parts, this.parts) && (in_error || !this.built_in_error)) return;
    this.parts = parts;
    this.built_in_error = in_error;
    const asked = [shown.step, shown.phase, shown.restored].join();
    if (asked !== this.asked) this.refused.clear();
    this.asked = asked;
    const focused = document.activeElement?.dataset?.control;
    const common = this.common();
    this.host.replaceChildren(...(whole ? group(t().numbers, ...common) : board.board.endsWith('_lab') ? this.folded(common) : common));
    for (const place of card_places) place?.replaceChildren();
    own_places.forEach((place, k) => place?.append(...(whole ? [] : this.ofSetting(k))));
    if (board.own_heads) board.cards.forEach((card, index) => card_places[index]?.append(...this.ofHead(card, {card: index})));
    if (whole)
      board.settings.forEach((setting, k) => {
        if (board.settings.length > 1) this.host.append(element('h3', {}, setting.id));
        this.host.append(...this.ofSetting(k));
      });
    const taken = new Map(), all = [this.host, ...new Set([...own_places, ...card_places].filter(Boolean))];
    all.forEach((place, k) => place.querySelectorAll('input, select, button').forEach(control => {
      const words = control.getAttribute('aria-label') ?? control.closest('label')?.querySelector('span')?.textContent ?? control.parentElement.textContent;
      const name = `${k} ${words}`, before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      control.dataset.control = `${name} ${before}`;
      if (off) control.disabled = true;
    }));
    const named = all.flatMap(place => [...place.querySelectorAll('[data-control]')]), names = new Set(named.map(control => control.dataset.control));
    if (focused) named.find(control => control.dataset.control === focused)?.focus();
    for (const name of this.refused.keys()) if (!names.has(name)) this.refused.delete(name);
    this.places = all;
    this.markRefused();
  }

  /// The choices of a setting that its controls depend on, as a text.
  chosenIn(setting) {
    const {spec, float32} = setting;
    if (!this.chosen.has(setting))
      this.chosen.set(setting, JSON.stringify([spec.variant, spec.scale.id, spec.masks.map(mask => mask.id), spec.position.id, spec.normaliser?.id, this.fieldsOf(spec), spec.mask_fill, spec.rounding, float32]));
    return this.chosen.get(setting);
  }
  /// The parameters that apply to what a spec chooses: another set needs other fields.
  fieldsOf(spec) {
    const {mechanisms, scales, masks, positions, normalisers} = this.choices;
    const chosen = [[mechanisms, {id: spec.variant, parameters: spec.parameters}], [scales, spec.scale], ...spec.masks.map(mask => [masks, mask]),
      [positions, spec.position], [normalisers, spec.normaliser]];
    return chosen.map(([rows, one]) => {
      const row = rows.find(({id}) => id === one?.id);
      return row?.parameters.filter(({when}) => !when || this.applies(when, row, one)).map(({name}) => name);
    });
  }

  /// On a phone, a lab shows its first control, and the others on demand.
  folded(controls) {
    const [first, ...others] = controls;
    if (!this.shown.narrow || others.length < 2) return controls;
    const menu = element('details', {className: 'menu', open: Boolean(this.others_open)}, element('summary', {}, t().more_controls), element('div', {}, ...others));
    menu.addEventListener('toggle', () => { this.others_open = menu.open; });
    return [first, menu];
  }

  live(name) { return this.shown.whole || this.shown.board.live.includes(name); }

  common() {
    const {board, whole, result, stage, place} = this.shown, made = [];
    const draw = this.drawOf();
    const change = request => this.send({draw: {...(this.shown.board.draw ? {} : this.drawLike()), ...request}});
    if (draw && this.live('E')) made.push(slider(t().width, draw_sizes, draw.E, E => change({E})));
    if (draw && this.live('S'))
      made.push(slider(t().keys, draw_sizes.filter(size => size <= 512), draw.S, S => change(draw.L === draw.S ? {S, L: S} : {S})));
    if (draw && this.live('draw')) {
      const button = element('button', {type: 'button'}, t().redraw);
      button.addEventListener('click', () => change({seed: (this.drawOf().seed ?? 0) + 1}));
      made.push(button);
    }
    if (draw && this.live('distribution'))
      made.push(picker(t().distribution, ['normal', 'uniform', 'sparse', 'correlated'].map(id => [id, t()[id]]), draw.distribution ?? 'normal',
        distribution => change({distribution})));
    if (draw && whole) made.push(element('span', {className: 'muted'}, t().draw_note));
    if (!whole && this.live('stage')) {
      const names = result.settings[0].stages.filter(one => one.role === 'step' && one.axes.includes('query')).map(one => one.name);
      made.push(picker(t().stage, names.map(name => [name, called(name)]), stage, name => this.look({stage: name})));
    }
    if (board.training && this.live('steps')) made.push(...this.ofTraining(board.training));
    for (const name of ['groups', 'context', 'readers'])
      if (board.cache && board.live.includes(name))
        made.push(slider(t()[name], board.cache.choices[name], board.cache[name], value => this.send({cache: {[name]: value}}), sizeText));
    if (board.show.includes('leak') && board.live.includes('token')) {
      const {leak} = result.settings.find(setting => setting.leak && !setting.leak.error) ?? {};
      const names = board.key_tokens.length ? board.key_tokens : board.query_tokens;
      if (leak)
        made.push(picker(phrase('edited token'), Array.from({length: leak.count}, (_, i) => [String(i), names[i] || String(i)]), String(leak.token), token => this.send({token: Number(token)})));
    }
    if (!board.own_heads) made.push(...this.ofHead(board.cards[0], {}));
    if (!whole && this.live('stage') && board.board.endsWith('_lab')) made.push(this.partsMenu(board));
    if (board.board.endsWith('_lab') && (this.live('scale') || this.live('masks'))) {
      const button = element('button', {type: 'button'}, phrase('Add a card'));
      button.disabled = board.settings.length >= (board.board === 'scale_lab' ? 4 : 8);
      button.addEventListener('click', () => this.send({add: true}));
      made.push(button);
    }
    for (const axis of whole ? ['batch', 'head'] : []) {
      const most = Math.max(1, ...result.settings.flatMap(setting => setting.stages.map(one => one.shape[one.axes.indexOf(axis)] ?? 1)));
      if (most > 1)
        made.push(picker(t()[axis], Array.from({length: most}, (_, i) => [String(i), String(i)]), String(place[axis]), value => this.look({[axis]: Number(value)})));
    }
    return made;
  }

  /// The picker of the head that a card shows; `of`: {"card"} for this card alone.
  ofHead(card, of) {
    const {board, whole, place: {heads}} = this.shown;
    if (whole || !this.live('head') || heads < 2) return [];
    const mean = board.board === 'matrices' || board.board.endsWith('_lab') ? [['-1', t().mean_of_heads]] : [];
    return [picker(t().head, [...Array.from({length: heads}, (_, i) => [String(i), String(i)]), ...mean], String(card?.head ?? -1), head => this.send({...of, head: Number(head)}))];
  }

  /// A slider over the steps of a training, and a button that runs through them.
  ofTraining({steps, at}) {
    const control = slider(phrase('step'), Array.from({length: steps + 1}, (_, i) => i), at, step => {
      this.stopTraining();
      this.send({training: step});
    });
    const range = control.querySelector('input'), output = control.querySelector('output'), button = element('button', {type: 'button'}, this.training ? phrase('Stop') : phrase('Train'));
    const show = step => {
      range.value = String(step);
      range.setAttribute('aria-valuetext', String(step));
      put(output, {textContent: String(step)});
    };
    button.addEventListener('click', () => {
      if (this.training) {
        this.stopTraining();
        button.textContent = phrase('Train');
        return;
      }
      let step = 0;
      button.textContent = phrase('Stop');
      this.training = setInterval(() => {
        if (!button.isConnected || step > steps) {
          this.stopTraining();
          button.textContent = phrase('Train');
          return;
        }
        show(step);
        this.send({training: step});
        step = step === steps ? steps + 1 : Math.min(steps, step + (step < 10 ? 1 : Math.max(1, Math.floor(steps / 60))));
      }, 80);
    });
    return [button, control];
  }
  stopTraining() {
    clearInterval(this.training);
    this.training = 0;
  }

  /// What the cards of a lab show beside their matrices.
  partsMenu(board) {
    const all = [['scores', phrase('Scores before the mask')], ['histogram', phrase('Histogram of the scaled scores')], ['numbers', phrase('Numbers')], ['additive', phrase('The mask as the matrix M')],
      ['rows', phrase('Entropy of each row')], ['output', phrase('Output')], ['leak', phrase('Outputs that move when a token is edited')], ['curve', phrase('Curve against the size')]];
    const boxes = all.filter(([part]) => part !== 'curve' || board.draw).map(([part, title]) => {
      const check = element('input', {type: 'checkbox'});
      check.checked = board.show.includes(part);
      check.addEventListener('change', () => this.send({part, shown: check.checked}));
      return element('label', {className: 'check'}, check, title);
    });
    const menu = element('details', {className: 'menu', open: Boolean(this.parts_open)}, element('summary', {}, phrase('Show')), element('div', {}, ...boxes));
    menu.addEventListener('toggle', () => { this.parts_open = menu.open; });
    return menu;
  }

  /// How blocked scores are filled, and the precision of the numbers.
  ofNumbers(k, changed) {
    const {spec, float32} = this.shown.board.settings[k], {whole} = this.shown, made = [];
    if (this.live('fill') && spec.masks.length) {
      const mode = picker('', [['replace', phrase('becomes')], ['add', phrase('plus')]], spec.mask_fill.mode, chosen => changed(now => { now.mask_fill.mode = chosen; }), phrase('How the fill enters blocked scores'));
      const fills = ['-inf', '-1e9', '-1e6', '0'], value = String(spec.mask_fill.value), shown_fill = numberText(finite(spec.mask_fill.value), 6);
      const field = element('input', {type: 'text', 'aria-label': phrase('Fill of blocked cells'), list: `fills${k}`, size: 7});
      field.value = value === '-inf' ? '−∞' : shown_fill;
      field.addEventListener('change', () => {
        const text = field.value.trim().replaceAll('−', '-'), number = ['-inf', '-∞', '-Infinity'].includes(text) ? '-inf' : text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
        if (number === null) this.refuse(new Error(phrase('“%1” cannot fill blocked cells: expected a finite number or −∞.', field.value)));
        else changed(now => { now.mask_fill.value = number; });
      });
      const list = element('datalist', {id: `fills${k}`}, ...fills.map(fill => element('option', {value: fill === '-inf' ? '−∞' : fill.replace('-', '−')})));
      made.push(...group(whole ? phrase('Fill of blocked cells') : '', element('span', {className: 'control'}, ...(whole ? [] : [t().masked_score]), mode, field, list)));
    }
    if (this.live('precision')) {
      const now = spec.rounding ? spec.rounding.split(':')[0] : float32 ? 'float32' : 'float64';
      const chosen = picker(whole ? '' : t().precision, ['float64', 'float32', 'float16', 'bfloat16'].map(id => [id, id]), now, id => changed(next => {
        delete next.rounding;
        if (id.endsWith('16')) next.rounding = `${id}:all`;
      }, {float32: id === 'float32'}), phrase('Precision of the numbers'));
      made.push(...(whole ? group(t().precision, chosen) : [chosen]));
    }
    return made;
  }

  /// The draw; where a reader's own numbers are shown, one of their sizes. Null where the inputs are no such matrices.
  drawOf() { return this.shown.board.draw ?? this.drawLike(); }
  drawLike() {
    const shape = name => this.shown.result.settings[0].inputs?.find(input => input.name === name)?.shape;
    const [query, key, value] = ['query', 'key', 'value'].map(shape);
    if (![query, key, value].every(one => one?.length === 2)) return null;
    return {L: query[0], S: key[0], E: query[1], Ev: value[1]};
  }

  ofSetting(k) {
    const {spec} = this.shown.board.settings[k], {choices} = this;
    const mechanism = choices.mechanisms.find(one => one.id === spec.variant), {refuses} = mechanism, made = [];
    const changed = (change, more = {}) => {
      const now = structuredClone(this.shown.board.settings[k].spec);
      change(now);
      this.send({setting: k, spec: now, ...more});
    };
    const add = (name, ...controls) => made.push(...(this.shown.whole ? group(t()[name], ...controls) : controls));
    const title = name => (this.shown.whole ? '' : t()[name]);
    const selection = (name, rows, first, get, set) => {
      const chosen = get(spec);
      const row = rows.find(one => one.id === chosen.id);
      add(name, picker(title(name), [...(first ? [['', first]] : []), ...rows.map(row => [row.id, said(row.title)])], chosen.id,
        id => changed(now => set(now, {id, parameters: {}})), t()[name]),
        ...(row ? this.parameters(row, chosen, change => changed(now => change(get(now).parameters))) : []));
    };
    if (this.shown.whole) {
      add('mechanism', picker('', choices.mechanisms.map(one => [one.id, said(one.title), said(one.family)]), spec.variant, id => changed(now => {
        now.variant = id;
        now.parameters = {};
      }), t().mechanism), ...this.parameters(mechanism, {parameters: spec.parameters}, change => changed(now => change(now.parameters))));
    }
    if (this.live('scale') && !refuses.scale)
      selection('scale', choices.scales, said(choices.scales.find(one => one.id === mechanism.default_scale)?.title ?? t().default_scale), now => now.scale, (now, chosen) => { now.scale = chosen; });
    if (this.live('masks')) {
      const {whole} = this.shown, names = spec.masks.map(({id}) => said(choices.masks.find(mask => mask.id === id)?.title ?? id)).join(' + ') || t().none;
      const box = whole ? element('fieldset', {className: 'group'}, element('legend', {}, t().masks)) : element('div', {role: 'group', 'aria-label': t().masks});
      for (const mask of choices.masks) {
        const on = spec.masks.find(one => one.id === mask.id), check = element('input', {type: 'checkbox'});
        if (mask.id === 'painted' && !on || !this.shown.whole && mask.parameters.length === 0 && !['causal'].includes(mask.id) && !on) continue;
        check.checked = Boolean(on);
        if (refuses.masks?.[mask.id]) check.disabled = true;
        check.addEventListener('change', () => changed(now => {
          now.masks = check.checked ? [...now.masks, {id: mask.id, parameters: {}}] : now.masks.filter(one => one.id !== mask.id);
        }));
        box.append(element('label', {className: 'check', title: said(refuses.masks?.[mask.id] ?? mask.help)}, check, said(mask.title)));
        if (on) box.append(...this.parameters(mask, on, change => changed(now => change(now.masks.find(one => one.id === mask.id).parameters))));
      }
      if (!refuses.masks?.painted) {
        const check = element('input', {type: 'checkbox'});
        check.checked = this.shown.painting === k;
        check.addEventListener('change', () => this.look({painting: check.checked ? k : null}));
        box.append(element('label', {className: 'check', title: t().paint_help}, check, t().paint));
      }
      if (whole) {
        made.push(box);
      } else {
        const menu = element('details', {className: 'menu', open: Boolean(this.masks_open?.[k])}, element('summary', {}, `${t().masks}: ${names}`), box);
        menu.addEventListener('toggle', () => { (this.masks_open ??= {})[k] = menu.open; });
        made.push(menu);
      }
    }
    made.push(...this.ofNumbers(k, changed));
    if (!this.shown.whole && this.shown.board.board.endsWith('_lab') && this.shown.board.settings.length > 1 && (this.live('scale') || this.live('masks'))) {
      const button = element('button', {type: 'button', className: 'remove', 'aria-label': phrase('Remove this card'), title: phrase('Remove this card')}, '×');
      button.addEventListener('click', () => this.send({remove: k}));
      made.push(button);
    }
    if (this.shown.whole && !refuses.position) selection('position', choices.positions, t().none, now => now.position, (now, chosen) => { now.position = chosen; });
    if (this.shown.whole && !refuses.normaliser)
      selection('normaliser', choices.normalisers, '', now => now.normaliser ?? {id: 'softmax', parameters: {}}, (now, chosen) => { now.normaliser = chosen; });
    return made;
  }

  /// Fields of the parameters of a row; a number above 0 without an upper end also has a slider.
  parameters(row, chosen, changed) {
    const made = [];
    for (const parameter of row.parameters) {
      const {name, type} = parameter, title = said(parameter.title || name);
      const value = chosen.parameters[name] ?? this.read(type, parameter.default);
      const applies = !parameter.when || this.applies(parameter.when, row, chosen);
      if (!applies) continue;
      const set = now => changed(parameters => { parameters[name] = now; });
      if (type === 'boolean') {
        const check = element('input', {type: 'checkbox'});
        check.checked = value === true;
        check.addEventListener('change', () => set(check.checked));
        made.push(element('label', {className: 'check'}, check, title));
      } else if (type === 'choice') {
        made.push(picker(title, parameter.choices.map(choice => [choice, said(choice).replaceAll('_', ' ')]), value, set));
      } else if (type === 'real' && parameter.minimum === 0 && parameter.maximum === 'inf') {
        const middle = Number(parameter.default) || 1;
        const steps = Array.from({length: 49}, (_, i) => Number((middle * 2 ** ((i - 24) / 4)).toPrecision(3)));
        made.push(slider(title, steps, value ?? middle, set));
      } else {
        const numeric = type === 'real' || type === 'integer';
        const field = element('input', numeric ? {type: 'number', step: type === 'integer' ? '1' : 'any'} : {type: 'text'});
        if (numeric && Number.isFinite(parameter.minimum)) field.min = parameter.minimum;
        if (numeric && Number.isFinite(parameter.maximum)) field.max = parameter.maximum;
        field.value = Array.isArray(value) ? value.join(',') : value ?? '';
        field.addEventListener('change', () => {
          const wrong = field.validity.badInput ? phrase('This is not a number') : type === 'list' ? this.notNumber(field.value) : '';
          if (wrong) this.refuse(new Error(wrong));
          else set(this.read(type, field.value));
          if (field.value === '' && parameter.default !== '') field.value = parameter.default; // an empty field is the default
        });
        made.push(labelled(title, field));
      }
    }
    return made;
  }
  read(type, text) {
    if (type === 'boolean') return text === 'true';
    if (type === 'integer' || type === 'real') return text === '' ? undefined : Number(text);
    if (type === 'list') return text.trim() === '' ? [] : text.split(',').map(Number);
    return text;
  }
  /// Why a list has a part that is not a number; empty for numbers.
  notNumber(text) {
    const wrong = text.trim() === '' ? undefined : text.split(',').find(part => part.trim() === '' || !Number.isFinite(Number(part)));
    return wrong === undefined ? '' : phrase('“%1” is not a number', wrong.trim());
  }
  /// "mode=local" or "dropout!=0".
  applies(condition, row, chosen) {
    const [, name, sign, wanted] = /^(\w+)(!?=)(.*)$/.exec(condition) ?? [];
    if (!name) return true;
    const value = chosen.parameters[name] ?? row.parameters.find(one => one.name === name)?.default;
    return (String(value) === wanted) === (sign === '=');
  }
}
