// Puts the page together.

const state = {shown: new Uint8Array(0), count: 0};

// refilter goes through all changes and shows what is picked.
function refilter() {
  const picked = pick();
  Object.assign(state, picked);
  countFolders(picked.shown);
  showFacets(picked.facets);
  showFolders();
  drawChart(picked.shown);
  listAgain();
  byId('shown').textContent = picked.count === plan.count
    ? plural(plan.count, 'path')
    : `${formatNumber(picked.count)} of ${plural(plan.count, 'path')}`;
}

// listAgain lists what is picked, after folds were opened or closed.
function listAgain() {
  setRows(buildRows(state.shown));
}

let searching = 0;

// searchSoon filters by the path once nobody has typed for a moment.
function searchSoon() {
  clearTimeout(searching);
  searching = setTimeout(() => {
    filter.text = byId('path').value.trim();
    refilter();
  }, 120);
}

// clearPath filters by no path any more.
function clearPath() {
  clearTimeout(searching);
  byId('path').value = '';
  filter.text = '';
  refilter();
}

const dark = matchMedia('(prefers-color-scheme: dark)');

// isDark follows what the reader prefers, until the theme is switched.
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';

function switchTheme() {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  showTheme();
}

const showTheme = () => byId('theme').setAttribute('aria-pressed', String(isDark()));

function listen() {
  byId('path').addEventListener('input', searchSoon);
  byId('unified').addEventListener('click', () => setSplit(false));
  byId('split').addEventListener('click', () => setSplit(true));
  byId('theme').addEventListener('click', switchTheme);
  dark.addEventListener('change', showTheme);
  byId('help-open').addEventListener('click', () => byId('help').showModal());
  byId('help-close').addEventListener('click', () => byId('help').close());
  byId('side-open').addEventListener('click', toggleSide);
  byId('close-all').addEventListener('click', closeAll);
  byId('tree').addEventListener('keydown', treeKey);
  for (const button of document.querySelectorAll('.count')) {
    button.addEventListener('click', () => choose('action', button.dataset.action, !filter.chosen.action.has(button.dataset.action)));
  }
  document.addEventListener('keydown', onKey);
  addEventListener('scroll', redraw, {passive: true});
  addEventListener('resize', measure);
  addEventListener('beforeprint', beforePrint);
  addEventListener('afterprint', afterPrint);
}

// toggleSide opens the filters where there is no room for them beside the list, and
// goes to them: they stand above it.
function toggleSide() {
  const open = byId('side-open').getAttribute('aria-expanded') !== 'true';
  byId('side-open').setAttribute('aria-expanded', String(open));
  byId('side').classList.toggle('open', open);
  if (open) byId('side').scrollIntoView({behavior: 'instant'});
}

// linesPrinted is how many lines of the list go to paper: more than anybody
// reads there.
const linesPrinted = 1000;

// beforePrint makes elements of the lines that are printed, seen or not.
function beforePrint() {
  const lines = Math.min(list.rows.length, linesPrinted);
  drawRows(0, lines);
  byId('unprinted').textContent = `${plural(list.rows.length - lines, 'more line')} not printed.`;
  byId('unprinted').hidden = lines === list.rows.length;
}

function afterPrint() {
  byId('unprinted').hidden = true;
  redraw();
}

// openedAtFirst is how many lines of changed text that outputs share are open from
// the beginning: they stand for most of a plan.
const openedAtFirst = 40;

function openGroups() {
  let lines = 0;
  for (let row = 0; row < list.rows.length; row++) {
    if (list.rows.kind[row] !== rowKinds.group) continue;
    const item = plan.items[list.rows.ref[row]];
    lines += item.shared.reduce((n, i) => n + plan.shared[i].hunks.flat().length, 0);
    if (lines > openedAtFirst) return;
    toggleGroup(row, item, list.rows.ref[row]);
  }
}

async function start() {
  await loadPlan();
  makeFolders();
  byId('review').hidden = false;
  countFolders(new Uint8Array(plan.count).fill(1));
  makeFacets(pick().facets);
  makeTree();
  showTheme();
  listen();
  refilter();
  measure();
  openGroups();
  document.documentElement.dataset.ready = '';
}

await start();
