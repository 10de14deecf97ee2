// Diffs as tables, unified or side by side. Lines are made as they are asked for,
// so that a long diff costs what is shown of it.

const diffs = {split: false, views: new Set()};
const linesAtOnce = 400;

// newDiffView returns an element that shows hunks in the mode of the page, and
// follows it while it is on the page. Hunks that stand at different places in
// different outputs have no numbers.
function newDiffView(hunks, numbered = true) {
  const element = el('div', {class: numbered ? 'diff' : 'diff unnumbered'});
  const view = {element, draw: () => drawDiff(element, hunks)};
  diffs.views.add(view);
  view.draw();
  return element;
}

// setSplit changes the mode of all diffs; those that are gone are forgotten.
function setSplit(split) {
  diffs.split = split;
  byId('unified').setAttribute('aria-pressed', String(!split));
  byId('split').setAttribute('aria-pressed', String(split));
  const held = new Set([...list.panels.values()].map((panel) => panel.element));
  for (const view of diffs.views) {
    if (held.has(view.element.closest('.panel'))) view.draw();
    else diffs.views.delete(view);
  }
}

function drawDiff(element, hunks) {
  const focused = [...element.querySelectorAll('.hunk button')].indexOf(document.activeElement);
  const body = el('tbody');
  const columns = diffs.split ? ['number', 'text', 'number', 'text'] : ['number', 'number', 'mark', 'text'];
  const table = el('table', {class: diffs.split ? 'split' : 'unified'}, el('colgroup', {}, ...columns.map((name) => el('col', {class: name}))), body);
  const lines = diffs.split ? splitLines(hunks) : unifiedLines(hunks);
  const total = hunks.reduce((n, hunk) => n + hunk.lines.length, 0);
  element.replaceChildren(table);
  moreLines(element, body, lines, total);
  if (focused >= 0) element.querySelectorAll('.hunk button')[focused]?.focus();
}

// moreLines adds the next lines, and a button for those after them.
function moreLines(element, body, lines, total) {
  for (let n = 0; n < linesAtOnce; n++) {
    const {value, done} = lines.next();
    if (done) return;
    body.append(value);
  }
  const more = el('button', {type: 'button', class: 'more', onclick: () => {
    more.remove();
    moreLines(element, body, lines, total);
  }}, `More lines (the diff has ${formatNumber(total)})`);
  element.append(more);
}

// unifiedLines yields the rows of a unified diff.
function* unifiedLines(hunks) {
  for (const hunk of hunks) {
    if (hunk.title !== '') yield hunkRow(hunk);
    if (hunk.folded) continue;
    for (const part of partsOf(hunk)) {
      for (const line of part.context ?? [...part.removed, ...part.added]) yield unifiedRow(line);
    }
  }
}

// splitLines yields the rows of a diff side by side: what a line became stands
// beside it.
function* splitLines(hunks) {
  for (const hunk of hunks) {
    if (hunk.title !== '') yield hunkRow(hunk);
    if (hunk.folded) continue;
    for (const part of partsOf(hunk)) {
      if (part.context) for (const line of part.context) yield splitRow(line, line);
      else yield* splitPart(part);
    }
  }
}

function* splitPart({removed, added, pairs}) {
  let [left, right] = [0, 0];
  for (;;) {
    let next = left;
    while (next < removed.length && pairs[next] < 0) next++;
    const paired = next < removed.length ? pairs[next] : added.length;
    for (; left < next || right < paired; left++, right++) {
      yield splitRow(left < next ? removed[left] : null, right < paired ? added[right] : null);
    }
    if (next === removed.length) return;
    yield splitRow(removed[next], added[paired]);
    [left, right] = [next + 1, paired + 1];
  }
}

// partsOf yields what a hunk is made of: context, and runs of removed and added
// lines with what became of which. A line is {mark, old, new, runs, unended}.
function* partsOf(hunk) {
  let [old, now] = [hunk.old, hunk.new];
  let part = {};
  for (const text of hunk.lines) {
    const mark = text[0];
    if (mark === '\\') {
      if (part.last) part.last.unended = true;
      continue;
    }
    const line = {mark, old: mark === '+' ? 0 : old++, new: mark === '-' ? 0 : now++, text: text.slice(1), runs: null};
    if (part.last && (mark === ' ') !== Boolean(part.context) || part.added?.length && mark === '-') {
      yield finishPart(part);
      part = {};
    }
    if (mark === ' ') (part.context ??= []).push(line);
    else {
      part.removed ??= [];
      part.added ??= [];
      part[mark === '-' ? 'removed' : 'added'].push(line);
    }
    part.last = line;
  }
  if (part.last) yield finishPart(part);
}

// finishPart marks the words that differ in lines that became others.
function finishPart(part) {
  if (part.context) return part;
  part.pairs = pairLines(part.removed.map((line) => line.text), part.added.map((line) => line.text));
  part.removed.forEach((line, i) => {
    const became = part.added[part.pairs[i]];
    const marked = became && markWords(line.text, became.text);
    if (marked) [line.runs, became.runs] = [marked.old, marked.new];
  });
  return part;
}

const ranges = (start, lines) => (lines === 1 ? `${start}` : `${start},${lines}`);

// hunkRow heads a hunk. One that many outputs have is folded to its head.
function hunkRow(hunk) {
  const title = hunk.title ?? `@@ -${ranges(hunk.old, hunk.oldLines)} +${ranges(hunk.new, hunk.newLines)} @@`;
  const cell = el('td', {colspan: 4}, title);
  if (hunk.shared) {
    hunk.folded ??= true;
    cell.append(' ', el('button', {type: 'button', class: 'quiet', 'aria-expanded': String(!hunk.folded), onclick: (event) => {
      hunk.folded = !hunk.folded;
      const element = event.target.closest('.diff');
      for (const view of diffs.views) if (view.element === element) view.draw();
    }}, hunk.folded ? 'the same in other outputs: show' : 'the same in other outputs: hide'));
  }
  return el('tr', {class: 'hunk'}, cell);
}

const lineClasses = {'-': 'removed', '+': 'added', ' ': 'same'};
const numberCell = (n) => el('td', {class: 'number', 'data-n': n || ''});

function unifiedRow(line) {
  const mark = el('td', {class: 'mark'}, {'-': '−', '+': '+', ' ': ' '}[line.mark]);
  return el('tr', {class: lineClasses[line.mark]}, numberCell(line.old), numberCell(line.new), mark, textCell(line));
}

function splitRow(left, right) {
  const side = (line, number) => {
    if (!line) return [el('td', {class: 'number none'}), el('td', {class: 'text none'})];
    const cells = [numberCell(number), textCell(line)];
    for (const cell of cells) cell.classList.add(lineClasses[line.mark]);
    return cells;
  };
  return el('tr', {}, ...side(left, left?.old), ...side(right, right?.new));
}

// textCell shows a line, with what changed in it marked.
function textCell(line) {
  const cell = el('td', {class: 'text', dir: 'ltr'});
  const tag = line.mark === '-' ? 'del' : 'ins';
  for (const run of line.runs ?? [{text: line.text, changed: false}]) {
    const nodes = lineNodes(run.text);
    if (run.changed) cell.append(el(tag, {}, ...nodes));
    else cell.append(...nodes);
  }
  if (line.unended) cell.append(el('span', {class: 'spelt'}, ' no newline at the end'));
  return cell;
}
