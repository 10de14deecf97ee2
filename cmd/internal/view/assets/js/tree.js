// The folders, as a tree of which only what is open is made. A folder that holds
// nothing but another folder is one line with it.

const folders = {
  name: [], parent: [], prefix: [], root: [], children: [],
  of: null, // of each entry
  counts: null, // entries that are shown, below each folder
};
const childrenAtOnce = 100;

// makeFolders finds the folders of all entries. A parent's number is less than
// those of its children.
function makeFolders() {
  const known = new Map();
  const add = (root, prefix) => {
    const key = `${root}:${prefix}`;
    const number = known.get(key);
    if (number !== undefined) return number;
    const cut = prefix.lastIndexOf('/', prefix.length - 2) + 1;
    const parent = prefix === '' ? -1 : add(root, prefix.slice(0, cut));
    return newFolder(known, key, {root, prefix, parent, name: prefix.slice(cut, -1)});
  };
  folders.of = Int32Array.from({length: plan.count}, (_, entry) => {
    const path = plan.path[entry];
    return add(likeOf(entry).root, path.slice(0, path.lastIndexOf('/') + 1));
  });
}

function newFolder(known, key, folder) {
  const number = folders.name.length;
  for (const [column, value] of Object.entries(folder)) folders[column].push(value);
  folders.children.push([]);
  if (folder.parent >= 0) folders.children[folder.parent].push(number);
  known.set(key, number);
  return number;
}

// countFolders counts what is shown below each folder.
function countFolders(shown) {
  const counts = new Uint32Array(folders.name.length);
  for (let entry = 0; entry < plan.count; entry++) counts[folders.of[entry]] += shown[entry];
  for (let folder = counts.length - 1; folder >= 0; folder--) {
    if (folders.parent[folder] >= 0) counts[folders.parent[folder]] += counts[folder];
  }
  folders.counts = counts;
  folders.totals ??= counts;
}

// tops are the roots where there are several, else what lies in the only one.
function topFolders() {
  const roots = folders.parent.flatMap((parent, folder) => (parent < 0 ? [folder] : []));
  return roots.length === 1 ? sortedChildren(roots[0]) : roots;
}

function sortedChildren(folder) {
  return folders.children[folder].sort((a, b) => (folders.name[a] < folders.name[b] ? -1 : 1));
}

// innermost follows folders that hold one folder and nothing else.
function innermost(folder) {
  let inner = folder;
  for (;;) {
    const children = folders.children[inner];
    if (children.length !== 1 || folders.totals[children[0]] !== folders.totals[inner]) return inner;
    inner = children[0];
  }
}

function makeTree() {
  byId('tree').replaceChildren(...folderNodes(topFolders(), 0));
  const first = byId('tree').querySelector('[role=treeitem]');
  if (first) first.tabIndex = 0;
  byId('tree').closest('nav').hidden = !first;
}

// folderNodes returns the nodes of folders from a number on, and one for the
// others.
function folderNodes(all, from) {
  const nodes = all.slice(from, from + childrenAtOnce).map(folderNode);
  const left = all.length - from - childrenAtOnce;
  if (left > 0) nodes.push(moreFolders(all, from + childrenAtOnce, left));
  return nodes;
}

function moreFolders(all, from, left) {
  const node = treeItem(el('span', {class: 'name'}, `${formatNumber(left)} more folders`), () => {
    const nodes = folderNodes(all, from);
    node.replaceWith(...nodes);
    focusItem(nodes[0]);
    showFolders();
  });
  return node;
}

function treeItem(label, act, folder) {
  const item = el('li', {role: 'treeitem', tabindex: -1, 'data-folder': folder ?? false}, label);
  item.act = act;
  label.addEventListener('click', () => { focusItem(item); act(); });
  return item;
}

function folderNode(folder) {
  const inner = innermost(folder);
  const name = folders.parent[folder] < 0
    ? escapeText(plan.roots[folders.root[folder]])
    : escapeName(folders.prefix[inner].slice(folders.prefix[folder].length - folders.name[folder].length - 1, -1));
  const twisty = el('span', {class: 'twisty', 'aria-hidden': 'true', onclick: (event) => { event.stopPropagation(); expand(node, node.ariaExpanded !== 'true'); }});
  const node = treeItem(el('div', {class: 'label'}, twisty, el('span', {class: 'name'}, el('bdi', {}, name)), el('span', {class: 'number'})), () => chooseFolder(inner), inner);
  if (folders.children[inner].length > 0) node.ariaExpanded = 'false';
  return node;
}

// expand opens or closes a folder of the tree.
function expand(item, open) {
  if (item.ariaExpanded === null || (item.ariaExpanded === 'true') === open) return;
  item.ariaExpanded = String(open);
  item.querySelector(':scope > ul')?.remove();
  if (!open) return;
  item.append(el('ul', {role: 'group'}, ...folderNodes(sortedChildren(Number(item.dataset.folder)), 0)));
  showFolders();
}

// showFolders brings the counts of what is made up to date.
function showFolders() {
  const chosen = filter.folder?.number;
  for (const item of byId('tree').querySelectorAll('[data-folder]')) {
    const folder = Number(item.dataset.folder);
    const count = folders.counts[folder];
    item.querySelector('.number').textContent = formatNumber(count);
    item.classList.toggle('none', count === 0);
    item.ariaSelected = String(folder === chosen);
  }
}

function chooseFolder(number) {
  const same = filter.folder?.number === number;
  filter.folder = number === null || same ? null : {number, root: folders.root[number], prefix: folders.prefix[number]};
  refilter();
}

function focusItem(item) {
  const before = byId('tree').querySelector('[tabindex="0"]');
  if (before) before.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}

// treeKey does what the keys of a tree do.
function treeKey(event) {
  const item = event.target.closest('[role=treeitem]');
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...byId('tree').querySelectorAll('[role=treeitem]')];
  const at = items.indexOf(item);
  const open = item.ariaExpanded === 'true';
  const moves = {
    ArrowDown: () => items[at + 1],
    ArrowUp: () => items[at - 1],
    Home: () => items[0],
    End: () => items.at(-1),
    ArrowRight: () => (open ? items[at + 1] : void expand(item, true)),
    ArrowLeft: () => (open ? void expand(item, false) : item.parentElement.closest('[role=treeitem]')),
    Enter: () => void item.act(),
    ' ': () => void item.act(),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  const to = moves[event.key]();
  if (to) focusItem(to);
}
