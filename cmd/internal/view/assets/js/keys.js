// Keys. Those of one letter can be turned off, and none of them works where one
// types. Tab always leads on: the list and the tree are one stop each.

const isTyping = (target) => target.closest('input, textarea, select, dialog') !== null;

const letterKeys = {
  j: () => activate(neighbour(list.active, 1)),
  k: () => activate(neighbour(list.active, -1)),
  n: () => activate(nextSection(list.active, 1), true),
  b: () => activate(nextSection(list.active, -1), true),
  u: () => setSplit(false),
  s: () => setSplit(true),
  p: () => previewActive(),
  '/': () => { byId('path').focus(); byId('path').select(); },
  '?': () => byId('help').showModal(),
};

const listKeys = {
  ArrowDown: () => activate(neighbour(list.active, 1)),
  ArrowUp: () => activate(neighbour(list.active, -1)),
  Home: () => activate(neighbour(-1, 1)),
  End: () => activate(neighbour(list.rows.length, -1)),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target === byId('path') && event.key === 'Escape') return leaveSearch();
  if (isTyping(event.target)) return;
  const onLine = event.target === listNode() || event.target.matches('.line');
  const act = onLine && listKeys[event.key] || byId('keys-on').checked && letterKeys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

// leaveSearch clears the path, or where it is empty goes back to the list.
function leaveSearch() {
  if (byId('path').value === '') return activate(list.active);
  clearPath();
}

// previewActive opens the active line, if it is a page, and its preview, or closes
// that.
async function previewActive() {
  const row = list.active;
  if (list.rows.kind[row] !== rowKinds.entry || !hasPreview(list.rows.ref[row])) return;
  if (!isOpen(row)) openEntry(row);
  const panel = list.panels.get(rowKey(list.rows, row)).element;
  await panel.ready;
  panel.querySelector('.preview-button')?.click();
  // What was asked for is to be seen, wherever the page went meanwhile.
  if (list.active === row) activate(row);
}
