'use strict';
// What a page says: its own words in both languages, the engine's texts translated, and Markdown of lessons as elements.

const texts = {
  en: {
    step: (i, n) => `Step ${i} of ${n}`, back: 'Back', next: 'Next', other: '中文', theme: 'Theme', auto: 'as the system',
    light: 'light', dark: 'dark', mechanism: 'Mechanism', scale: 'Scale', masks: 'Masks', position: 'Position',
    normaliser: 'Weights by', none: 'none', default_scale: 'the mechanism’s own', width: 'Width d', keys: 'Keys', redraw: 'Other numbers',
    distribution: 'Distribution', stage: 'Show', head: 'Head', batch: 'Batch', mean_of_heads: 'mean of heads',
    normal: 'normal', uniform: 'uniform', sparse: 'sparse', correlated: 'correlated',
    inputs: 'Inputs', steps: 'From queries and keys to the output', value_of: (name, at) => `${name}[${at}]`,
    edit_help: 'Choose a cell and type a number.', point: 'Point at a cell to see its arithmetic.',
    numbers: 'Numbers', query: 'Query', cell: 'Arithmetic of a cell', notes: 'Notes',
    right: 'Right.', wrong: 'Not this one.', hint: 'Hint', answer: 'Answer',
    products: 'q · k', score: 'score', scale_op: 'scaled', position_op: 'with position', bias: 'with bias', modify: 'modified',
    mask: 'masked', shift: 'minus the largest', exponential: 'exp', divide: 'divided by the sum', weights: 'weight', dropout: 'after dropout',
    variance: 'variance of scaled scores', theory: 'theory', entropy: 'entropy', effective_keys: 'effective keys', max_weight: 'largest weight',
    jacobian_norm: 'gradient passed on', median_gradient: 'median gradient', loss: 'loss',
    static_numbers: 'This browser cannot run the engine: the page shows the numbers that were exported, and its controls are off.',
    offline: 'Every number is computed in this page by AttnLab’s own engine. The page uses no network.',
    offline_static: 'Every number was computed by AttnLab. The page uses no network.',
    histogram: 'histogram of scaled scores', steps_of_training: 'steps of the training', more: n => `… ${n} more`, blocked: 'blocked', draw_note: 'These four draw random numbers.',
    scaled_scores: 'scaled scores', in_nats: ', nats', more_controls: 'More controls',
    board: 'Board', play: 'Play', fill: 'fill', of_model: name => `The model “${name}” is not in this page. Its numbers in the text were computed by AttnLab when the page was written; the board computes from its queries, keys and values.`,
    grouped: n => `Grouped-query, ${n} groups`, multi_head: 'Multi-head', multi_query: 'Multi-query', latent: 'Latent (MLA)', groups: 'Groups of heads', context: 'Tokens in the cache', readers: 'Readers',
    lecture_notes: 'More about this slide', masked_score: 'blocked score', precision: 'Precision', paint: 'paint cells', paint_help: 'Click a cell, or press Enter on it, to block it or to keep it.', beyond: n => `${n} beyond`,
    not_exported: 'This matrix is too large for the exported numbers.', skip: 'To the board', float32: 'in float32', output_sum: 'weights × values',
  },
  zh: {
    step: (i, n) => `第 ${i} 步，共 ${n} 步`, back: '上一步', next: '下一步', other: 'English', theme: '主题', auto: '跟随系统',
    light: '浅色', dark: '深色', mechanism: '机制', scale: '缩放', masks: '掩码', position: '位置',
    normaliser: '权重由', none: '无', default_scale: '机制自带', width: '宽度 d', keys: '键的数量', redraw: '换一组数',
    distribution: '分布', stage: '显示', head: '头', batch: '批次', mean_of_heads: '各头的平均',
    normal: '正态', uniform: '均匀', sparse: '稀疏', correlated: '相关',
    inputs: '输入', steps: '从查询和键到输出', value_of: (name, at) => `${name}[${at}]`,
    edit_help: '选中一格，输入数字。', point: '指向一格，查看它的算式。',
    numbers: '数字', query: '查询', cell: '一格的算式', notes: '说明',
    right: '答对了。', wrong: '不是这个。', hint: '提示', answer: '答案',
    products: 'q · k', score: '得分', scale_op: '缩放后', position_op: '加位置', bias: '加偏置', modify: '修改后',
    mask: '掩码后', shift: '减去最大值', exponential: 'exp', divide: '除以总和', weights: '权重', dropout: 'dropout 之后',
    variance: '缩放后得分的方差', theory: '理论值', entropy: '熵', effective_keys: '有效键数', max_weight: '最大权重',
    jacobian_norm: '传递的梯度', median_gradient: '梯度中位数', loss: '损失',
    static_numbers: '此浏览器无法运行计算引擎：本页显示导出时的数字，控件不可用。',
    offline: '所有数字都由 AttnLab 自己的引擎在本页内计算。本页不使用网络。',
    offline_static: '所有数字都由 AttnLab 计算。本页不使用网络。',
    histogram: '缩放后得分的直方图', steps_of_training: '训练步数', more: n => `……另有 ${n} 项`, blocked: '被掩蔽', draw_note: '这四项会换成随机数。',
    scaled_scores: '缩放后的得分', in_nats: '（nat）', more_controls: '更多控件',
    board: '展示板', play: '播放', fill: '填充', of_model: name => `本页不含模型“${name}”。文中关于模型的数字由 AttnLab 在生成本页时算出；展示板则用模型的查询、键和值实时计算。`,
    grouped: n => `分组查询，${n} 组`, multi_head: '多头', multi_query: '多查询', latent: '潜在（MLA）', groups: '头的组数', context: '缓存中的词元数', readers: '用户数',
    lecture_notes: '关于本页幻灯片的更多内容', masked_score: '被屏蔽的得分', precision: '精度', paint: '涂改单元格', paint_help: '点击单元格，或选中后按回车键，即可屏蔽或恢复它。', beyond: n => `${n} 个超出范围`,
    not_exported: '这个矩阵太大，没有随页面导出。', skip: '跳到展示板', float32: '用 float32 计算', output_sum: '权重 × 值',
  },
};

/// Stages and inputs of most mechanisms; the others keep their names.
const names_zh = {scores: '得分', scaled: '缩放后', positioned: '加位置后', masked: '掩码后', weights: '权重', output: '输出', query: '查询', key: '键', value: '值',
  weights_dropped: 'dropout 后的权重'};
const called = name => (language === 'zh' && Object.hasOwn(names_zh, name) ? names_zh[name] : name);

let language = 'en';
/// The engine's texts in Chinese, by their English: filled from the page's data.
let translations = {};
const t = () => texts[language];
const lesson_language = () => (language === 'zh' ? 'zh_CN' : 'en');

/// A text of the engine: "literal", or ["literal %1", argument, ...].
function said(message) {
  const [literal, ...holes] = Array.isArray(message) ? message : [message];
  const pattern = (language === 'zh' && Object.hasOwn(translations, literal) && translations[literal]) || literal;
  return pattern.replace(/%([1-9])/g, (whole, n) => {
    const hole = holes[n - 1];
    return hole === undefined ? whole : Array.isArray(hole) ? said(hole) : hole;
  });
}

/// A text of the window in the page's language: words.py adds its translation.
const phrase = (literal, ...holes) => said([literal, ...holes.map(String)]);
/// What an Error says; engine.js gives `words` to those of the engine.
const reasonOf = error => (error.words ? said(error.words) : error.message);

/// A token inside a sentence: words from right to left do not turn what stands around them.
const isolated = token => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(token) ? `\u2068${token}\u2069` : String(token));

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name in made && typeof value !== 'string') made[name] = value;
    else if (value !== null) made.setAttribute(name === 'className' ? 'class' : name, value);
  made.append(...children);
  return made;
}

/// Whether two lists have the same parts, lists among them being the same object.
const sameParts = (some, others) => Boolean(some && others) && some.length === others.length && some.every((part, i) => part === others[i]);

/// Sets what differs: the browser has less to do where nothing changes. A text stays the same node, so that no style is
/// computed anew.
function put(target, properties) {
  for (const name in properties) {
    const value = properties[name];
    if (name !== 'textContent') {
      if (target[name] !== value) target[name] = value;
    } else if (target.firstChild?.nodeType === Node.TEXT_NODE && !target.firstChild.nextSibling && value !== '') {
      if (target.firstChild.data !== value) target.firstChild.data = value;
    } else if (target.firstChild || value !== '') {
      target.textContent = value;
    }
  }
}

/// Does `work` when the page has nothing else to do, only the latest of each `owner`: for what is read aloud, not seen.
function whenIdle(owner, work) {
  if (!idle_work.size) (globalThis.requestIdleCallback ?? setTimeout)(() => {
    const all = [...idle_work.values()];
    idle_work.clear();
    for (const one of all) one();
  });
  idle_work.set(owner, work);
}
const idle_work = new Map();

/// Replaces what an element contains, unless `key` says that it is the same: the browser lays out less.
function refill(host, key, children) {
  if (host.filled_with === key) return;
  host.filled_with = key;
  host.replaceChildren(...children());
}

/// **bold**, *italic* and `code` of one line. Everything else stays a text.
function inline(text) {
  const parts = [];
  for (const piece of text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/)) {
    if (/^\*\*.+\*\*$/.test(piece)) parts.push(element('strong', {}, ...inline(piece.slice(2, -2))));
    else if (/^\*.+\*$/.test(piece)) parts.push(element('em', {}, piece.slice(1, -1)));
    else if (/^`.+`$/.test(piece)) parts.push(element('code', {}, piece.slice(1, -1)));
    else if (piece) parts.push(piece.replace(/\\([*_`\\])/g, '$1'));
  }
  return parts;
}

/// Paragraphs, lists, quotes, tables and blocks of code.
function markdown(text) {
  const blocks = [];
  for (const block of text.trim().split(/\n\s*\n/)) {
    const lines = block.split('\n');
    if (!block.trim()) continue;
    if (lines[0].startsWith('```')) {
      blocks.push(element('pre', {}, lines.filter(line => !line.startsWith('```')).join('\n')));
    } else if (lines.every(line => /^\s*([-*]|\d+\.)\s|^\s+/.test(line))) {
      const list = element(/^\s*\d/.test(lines[0]) ? 'ol' : 'ul');
      for (const line of lines)
        if (/^\s*([-*]|\d+\.)\s/.test(line)) list.append(element('li', {}, ...inline(line.replace(/^\s*([-*]|\d+\.)\s+/, ''))));
        else list.lastChild?.append(' ', ...inline(line.trim()));
      blocks.push(list);
    } else if (lines.length > 1 && /^\|?[\s:|-]+\|?$/.test(lines[1]) && lines[0].includes('|')) {
      const cells = line => line.replace(/^\s*\||\|\s*$/g, '').split('|').map(cell => cell.trim());
      const table = element('table', {}, element('thead', {}, element('tr', {}, ...cells(lines[0]).map(cell => element('th', {}, ...inline(cell))))));
      const body = element('tbody');
      for (const line of lines.slice(2)) body.append(element('tr', {}, ...cells(line).map(cell => element('td', {}, ...inline(cell)))));
      table.append(body);
      blocks.push(table);
    } else if (/^#+\s/.test(lines[0])) {
      blocks.push(element('h3', {}, ...inline(lines.join(' ').replace(/^#+\s+/, ''))));
    } else {
      const quoted = lines.every(line => line.startsWith('>'));
      const words = inline(lines.map(line => (quoted ? line.replace(/^>\s?/, '') : line)).join(' '));
      blocks.push(element(quoted ? 'blockquote' : 'p', {}, ...words));
    }
  }
  return blocks;
}
