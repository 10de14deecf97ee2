// Lines of the list, and the panels that open under them.

const actionWords = {
  create: 'create', update: 'update', restore: 'restore', delete: 'delete', move: 'move',
  record: 'record only', drop: 'drop', keep: 'keep', block: 'blocked',
};

// makeRow returns the element of a line.
function makeRow(rows, row) {
  const ref = rows.ref[row];
  switch (rows.kind[row]) {
    case rowKinds.section: return sectionRow(ref, rows.sections.get(ref));
    case rowKinds.entry: return entryRow(ref, row, rows.indent[row]);
    default: return itemRow(plan.items[ref], ref, row);
  }
}

function sectionRow(section, count) {
  return el('div', {class: 'row section', role: 'listitem'},
    el('h2', {}, plan.sections[section], ' ', el('span', {class: 'number'}, formatNumber(count))));
}

// lineButton is the part of a line that opens and closes it.
const lineButton = (row, toggle, ...children) => el('button', {
  type: 'button', class: 'line', tabindex: -1, 'aria-expanded': String(isOpen(row)),
  onclick: (event) => toggle(Number(event.currentTarget.closest('.row').dataset.row)),
}, ...children);

const signNode = (sign, word) => el('span', {class: 'sign'}, el('span', {'aria-hidden': 'true'}, sign), el('span', {class: 'away'}, word));

function entryRow(entry, row, indent) {
  const like = likeOf(entry);
  const from = oldPath(entry);
  const path = el('span', {class: 'paths'}, ...(from ? [pathNode(from), '→'] : []), pathNode(plan.path[entry]));
  const why = el('span', {class: whyClass(like)}, escapeText(plan.note[entry] ?? like.why));
  const root = plan.roots.length > 1 ? el('span', {class: 'root'}, escapeText(plan.roots[like.root])) : null;
  return el('div', {class: `row entry act-${like.action}${indent ? ' within' : ''}`, role: 'listitem'},
    lineButton(row, toggleEntry, signNode(like.sign, actionWords[like.action]), path, root, why, linesNode(plan.added[entry], plan.removed[entry])));
}

// whyClass marks outputs that storage doesn't hold as recorded.
const whyClass = (like) => (like.drift ? 'why drift' : 'why');

// linesNode counts the lines that come and go.
function linesNode(added, removed) {
  const plus = added > 0 ? el('span', {class: 'plus'}, `+${formatNumber(added)}`) : null;
  const minus = removed > 0 ? el('span', {class: 'minus'}, `−${formatNumber(removed)}`) : null;
  return el('span', {class: 'lines'}, plus, plus && minus ? ' ' : null, minus);
}

// itemRow is a line for several entries.
function itemRow(item, number, row) {
  const like = likeOf(item.first);
  const count = plural(shownIn(item, state.shown), 'output');
  const group = item.kind === 'group';
  const toggle = group ? (at) => toggleGroup(at, item, number) : () => toggleItem(number);
  const paths = el('span', {class: 'paths'}, ...(item.from ? [pathNode(item.from), '→'] : []), pathNode(item.glob), el('b', {}, count), group ? el('span', {class: 'alike'}, 'changed alike') : null);
  const button = lineButton(row, toggle, signNode(group ? '≡' : like.sign, actionWords[like.action]), paths,
    el('span', {class: whyClass(like)}, escapeText(item.why)), group ? sharedLines(item) : foldLines(item));
  if (!group) button.setAttribute('aria-expanded', String(opened.has(number)));
  return el('div', {class: `row ${item.kind} act-${like.action}`, role: 'listitem'}, button);
}

// sharedLines counts the lines that change in each output of a group.
function sharedLines(item) {
  const sum = (field) => item.shared.reduce((n, i) => n + plan.shared[i][field], 0);
  return linesNode(sum('added'), sum('removed'));
}

// foldLines sums up the lines of what a fold shows.
function foldLines(item) {
  let [added, removed] = [0, 0];
  for (let entry = item.first; entry < item.first + item.count; entry++) {
    if (!state.shown[entry]) continue;
    added += plan.added[entry];
    removed += plan.removed[entry];
  }
  return linesNode(added, removed);
}

// toggleItem lists the entries of a fold or group, or no longer.
function toggleItem(number) {
  if (!opened.delete(number)) opened.add(number);
  listAgain();
}

// toggleGroup opens the panel with what a group's outputs share.
function toggleGroup(row, item, number) {
  if (isOpen(row)) return closeRow(row);
  openRow(row, groupPanel(item, number));
}

function groupPanel(item, number) {
  const panel = el('div', {class: 'panel'});
  for (const i of item.shared) {
    const shared = plan.shared[i];
    const hunks = shared.hunks.map((lines, i) => ({lines, old: NaN, new: NaN, title: i === 0 ? '' : '⋯'}));
    panel.append(diffBlock('', shared, newDiffView(hunks, false)));
    const others = shared.count - item.count;
    if (others > 0) panel.append(el('p', {class: 'note'}, `${plural(others, 'other output')} that also change elsewhere have this too.`));
  }
  const label = () => (opened.has(number) ? 'Hide the outputs' : `List the ${plural(shownIn(item, state.shown), 'output')}`);
  const button = el('button', {type: 'button', 'aria-expanded': String(opened.has(number)), onclick: () => {
    toggleItem(number);
    button.textContent = label();
    button.setAttribute('aria-expanded', String(opened.has(number)));
  }}, label());
  panel.append(el('p', {class: 'actions'}, button));
  return panel;
}

function toggleEntry(row) {
  if (isOpen(row)) return closeRow(row);
  openEntry(row);
}

function openEntry(row) {
  const entry = list.rows.ref[row];
  const panel = el('div', {class: 'panel', 'aria-busy': 'true'});
  panel.ready = fillPanel(panel, entry).catch((problem) => {
    panel.append(el('p', {class: 'absent'}, `This can not be shown: ${problem.message}`));
  }).finally(() => panel.removeAttribute('aria-busy'));
  openRow(row, panel);
}

async function fillPanel(panel, entry) {
  const detail = await detailOf(plan.detail[entry]);
  const moved = plan.left[entry];
  const from = moved === undefined ? null : await detailOf(moved);
  panel.append(...noteNodes(entry, detail));
  if (hasPreview(entry)) panel.append(previewButton(entry, detail));
  if (detail.source_diff) {
    panel.append(await loadedDiff(`Source: ${escapeName(detail.source)}`, detail.source_diff));
  }
  panel.append(await loadedDiff(detail.source_diff ? 'Output' : '', detail.diff, {otherwise: noDiffWords(likeOf(entry)), runs: sharedRuns(entry)}));
  panel.append(recordNode(detail, from));
}

// noDiffWords says why there is nothing to compare.
function noDiffWords(like) {
  switch (like.action) {
    case 'move': return 'The same bytes, under another path.';
    case 'record': return 'The bytes stay; the catalog says something else of them.';
    case 'drop': return 'The catalog forgets the output; what is in storage is not touched.';
    case 'keep': case 'block': return 'Nothing is written here.';
    default: return 'The bytes stay the same.';
  }
}

function noteNodes(entry, detail) {
  const notes = [plan.note[entry] ?? '', likeOf(entry).why, ...(detail.marks ?? [])].filter(Boolean);
  const paths = [oldPath(entry), plan.path[entry]].filter(Boolean).map((path) => el('bdi', {dir: 'ltr'}, escapeName(path)));
  return [el('p', {class: 'where'}, el('code', {}, ...paths.flatMap((path, i) => (i ? [' → ', path] : [path])))), el('ul', {class: 'notes'}, ...notes.map((note) => el('li', {}, escapeText(note))))];
}

async function loadedDiff(title, diff, {otherwise = '', runs} = {}) {
  if (!diff) return el('p', {class: 'absent'}, otherwise);
  if (diff.kind !== 'text' || !diff.hunks?.length) return diffBlock(title, diff, el('p', {class: 'absent'}, escapeText(diff.summary)));
  const {hunks} = await loadDiff(diff, runs);
  return diffBlock(title, diff, newDiffView(hunks));
}

function diffBlock(title, diff, body) {
  const head = title ? el('h3', {}, title, ' ', linesNode(diff.added, diff.removed)) : null;
  return el('section', {class: 'block'}, head, body);
}

// previewButton opens the preview of a page, and closes it.
function previewButton(entry, detail) {
  const place = el('div', {class: 'preview-place'});
  const button = el('button', {type: 'button', class: 'preview-button', 'aria-expanded': 'false', 'aria-keyshortcuts': 'p', onclick: async () => {
    const open = button.getAttribute('aria-expanded') === 'true';
    button.setAttribute('aria-expanded', String(!open));
    if (open) place.replaceChildren();
    else place.replaceChildren(await newPreview(entry, detail));
  }}, 'Preview of the page');
  return el('div', {class: 'previewing'}, button, place);
}

// What a record says, in the order of a catalog.
const recordFields = [
  ['Publication', (r) => `${r.pipeline_id} at ${r.destination_id}`],
  ['Bundle', (r) => r.source.id],
  ['Bundle created', (r) => r.source.created],
  ['Bundle digest', (r) => r.source.digest],
  ['Kind', (r) => r.kind],
  ['Source file', (r) => r.source_path ?? ''],
  ['Transform', (r) => r.transform ?? ''],
  ['Size', (r) => formatSize(r.size)],
  ['Digest', (r) => r.sha256],
  ['URL', (r) => r.url ?? ''],
  ['Created', (r) => r.created_at ?? ''],
  ['Updated', (r) => r.updated_at ?? ''],
];

// recordNode compares what the catalog says with what it will say, and with what
// was found in storage.
function recordNode(detail, from) {
  const before = from?.before ?? detail.before;
  const after = detail.after;
  const rows = recordFields.map(([name, value]) => [name, before ? value(before) : '', after ? value(after) : '']).filter(([, a, b]) => a || b);
  const known = (name) => !['Created', 'Updated'].includes(name); // the apply says when
  const body = rows.map(([name, a, b]) => el('tr', {class: a !== b && before && after && known(name) ? 'differs' : false},
    el('th', {scope: 'row'}, name), el('td', {}, escapeText(a)), el('td', {}, escapeText(b || (after && !known(name) ? 'at apply' : '')))));
  const found = (from ?? detail).found;
  const foundText = [found.kind, found.sha256, found.size === undefined ? '' : formatSize(found.size)].filter(Boolean).join(' ');
  return el('details', {class: 'record'}, el('summary', {}, 'Record and storage'),
    el('div', {class: 'scroll'}, el('table', {},
      el('thead', {}, el('tr', {}, el('td'), el('th', {scope: 'col'}, 'Before'), el('th', {scope: 'col'}, 'After'))),
      el('tbody', {}, ...body, el('tr', {}, el('th', {scope: 'row'}, 'In storage'), el('td', {colspan: 2}, escapeText(foundText)))))));
}
