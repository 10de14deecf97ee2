// How much changes where: for each folder its outputs by action, and the bytes
// that are written. It is a table that draws bars, so that it can be read aloud.

const chartRows = 10;
const chartActions = ['block', 'delete', 'restore', 'update', 'move', 'create', 'drop', 'record', 'keep'];

// chartBase is the folder whose content is compared: the chosen one, or the
// innermost that holds everything; -1 stands for the roots.
function chartBase() {
  if (filter.folder) return filter.folder.number;
  const roots = folders.parent.flatMap((parent, folder) => (parent < 0 ? [folder] : []));
  return roots.length === 1 ? innermost(roots[0]) : -1;
}

// chartFolders returns what the chart compares: beginning with what lies in the
// base, the folder with the most that is shown is joined by its own folders as
// long as there is room.
function chartFolders(base) {
  const isShown = (folder) => folders.counts[folder] > 0;
  const inside = (folder) => folders.children[folder].filter(isShown).map(innermost);
  const all = base < 0 ? topFolders().filter(isShown) : inside(base);
  const open = new Set(all);
  while (open.size > 0) {
    const largest = [...open].reduce((a, b) => (folders.counts[b] > folders.counts[a] ? b : a));
    open.delete(largest);
    const parts = inside(largest);
    if (all.length + parts.length > chartRows) continue;
    all.push(...parts);
    for (const part of parts) open.add(part);
  }
  return all;
}

// sumUp adds up what is shown for each folder, without what other folders of the
// chart have of it.
function sumUp(chosen, base, shown) {
  const sums = new Map([base, ...chosen].map((folder) => [folder, newSum(folder)]));
  const places = new Int32Array(folders.name.length).fill(-1);
  for (let folder = 0; folder < places.length; folder++) {
    if (sums.has(folder)) places[folder] = folder;
    else if (folders.parent[folder] >= 0) places[folder] = places[folders.parent[folder]];
  }
  for (let entry = 0; entry < plan.count; entry++) {
    const place = places[folders.of[entry]];
    if (!shown[entry] || place < 0) continue;
    const action = likeOf(entry).action;
    addSum(sums.get(place), {files: 1, written: action === 'delete' ? 0 : plan.bytes[entry], actions: {[action]: 1}});
  }
  return [...sums.values()].filter((sum) => sum.files > 0);
}

const newSum = (folder) => ({folder, files: 0, written: 0, actions: {}, folders: 0});

function addSum(to, sum) {
  to.files += sum.files;
  to.written += sum.written;
  to.folders++;
  for (const [action, n] of Object.entries(sum.actions)) to.actions[action] = (to.actions[action] ?? 0) + n;
}

// othersFolder stands for all folders that have no row of their own.
const othersFolder = -2;

// fewest puts sums in order of path. Of too many, those with the least are joined.
function fewest(sums) {
  const byPath = (a, b) => folders.root[a.folder] - folders.root[b.folder] || (folders.prefix[a.folder] < folders.prefix[b.folder] ? -1 : 1);
  if (sums.length <= chartRows) return sums.sort(byPath);
  sums.sort((a, b) => b.files - a.files || b.written - a.written);
  const others = newSum(othersFolder);
  for (const sum of sums.splice(chartRows - 1)) addSum(others, sum);
  return [...sums.sort(byPath), others];
}

// drawChart shows the sums; there is no chart of a single folder.
function drawChart(shown) {
  const base = chartBase();
  const sums = fewest(sumUp(chartFolders(base), base, shown));
  const chart = byId('chart');
  chart.hidden = sums.length < 2 && !filter.folder;
  if (chart.hidden) return;
  const named = sums.filter((sum) => sum.folder !== othersFolder);
  const most = {files: Math.max(1, ...named.map((sum) => sum.files)), written: Math.max(1, ...named.map((sum) => sum.written))};
  chart.replaceChildren(el('h2', {id: 'chart-title'}, 'By folder'),
    el('table', {},
      el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'Folder'), el('th', {scope: 'col'}, 'Outputs'), el('th', {scope: 'col'}, 'To write'))),
      el('tbody', {}, ...sums.map((sum) => chartRow(sum, base, most)))));
}

function chartRow(sum, base, most) {
  const actions = chartActions.filter((action) => sum.actions[action]);
  const words = actions.map((action) => `${formatNumber(sum.actions[action])} ${actionWords[action]}`).join(', ');
  const segments = actions.map((action) => el('span', {class: `act-${action}`, style: `flex-grow: ${sum.actions[action]}`}));
  const drawn = sum.folder !== othersFolder; // their bar would dwarf all
  const bar = (part, ...inside) => el('span', {class: 'track', 'aria-hidden': 'true'}, part > 0 && drawn ? el('span', {class: 'length', style: `width: ${100 * part}%`}, ...inside) : null);
  return el('tr', {},
    el('th', {scope: 'row'}, chartName(sum, base)),
    el('td', {title: words}, bar(sum.files / most.files, ...segments), el('span', {class: 'number'}, formatNumber(sum.files)), el('span', {class: 'away'}, `: ${words}`)),
    el('td', {class: 'bytes'}, bar(sum.written / most.written), el('span', {class: 'number'}, sum.written ? formatSize(sum.written) : '')));
}

function chartName(sum, base) {
  if (sum.folder === othersFolder) return `${formatNumber(sum.folders)} others`;
  const prefix = folders.prefix[sum.folder].slice(base < 0 ? 0 : folders.prefix[base].length);
  const root = base < 0 ? `${escapeText(plan.roots[folders.root[sum.folder]])}${prefix ? '/' : ''}` : '';
  if (sum.folder === base) return 'directly here';
  return el('button', {type: 'button', class: 'quiet', title: prefix ? escapeName(prefix) : false, onclick: () => chooseFolder(sum.folder)}, el('bdi', {}, root + escapeName(prefix)));
}
