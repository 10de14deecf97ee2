// The list of lines. Only those in view, and a few around them, are elements; the
// list's padding stands for all others. Lines are of two heights, which the style
// gives, and under an opened one there is a panel of any height.

const list = {
  rows: {kind: [], ref: [], indent: [], places: [], length: 0},
  active: 0, // the line that has, or had last, the focus
  nodes: new Map(), // elements by the key of their line
  panels: new Map(), // {element, height, row} of opened lines, by key; row is -1 where the line isn't listed
  open: [], // those of panels that are listed, in order
  line: 36, // heights, in pixels
  section: 64,
};

const overscan = 400; // pixels above and below the screen
const unknownHeight = 200; // of a panel that was not drawn yet

const listNode = () => byId('list');

// offsetOf returns where a line begins, in pixels from the list's top.
function offsetOf(row) {
  let offset = row * list.line;
  for (const place of list.rows.places) {
    if (place >= row) break;
    offset += list.section - list.line;
  }
  for (const panel of list.open) {
    if (panel.row >= row) break;
    offset += panel.height;
  }
  return offset;
}

// rowAt returns the line at an offset, or the one nearest to it.
function rowAt(offset) {
  let low = 0;
  let high = list.rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsetOf(middle + 1) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

// setRows lists other lines. What is open stays open, and the line that was
// active stays so if it is still there.
function setRows(rows) {
  const was = list.rows.length ? rowKey(list.rows, list.active) : '';
  list.rows = rows;
  list.active = 0;
  for (const panel of list.panels.values()) panel.row = -1;
  for (let row = 0; row < rows.length; row++) {
    const key = rowKey(rows, row);
    if (key === was) list.active = row;
    const panel = list.panels.get(key);
    if (panel) panel.row = row;
  }
  if (rows.kind[list.active] === rowKinds.section) list.active = Math.min(list.active + 1, rows.length - 1);
  sortPanels();
  for (const node of list.nodes.values()) node.remove();
  list.nodes.clear();
  drawList();
}

function sortPanels() {
  byId('close-all').hidden = list.panels.size === 0;
  list.open = [...list.panels.values()].filter((panel) => panel.row >= 0).sort((a, b) => a.row - b.row);
}

// drawList makes the elements of the lines in view, and takes away the others.
function drawList() {
  const top = -listNode().getBoundingClientRect().top;
  drawRows(rowAt(top - overscan), Math.min(list.rows.length, rowAt(top + innerHeight + overscan) + 1));
}

function drawRows(from, to) {
  const container = listNode();
  const wanted = new Set();
  let next = container.firstChild;
  for (let row = from; row < to; row++) {
    const key = rowKey(list.rows, row);
    wanted.add(key);
    const node = list.nodes.get(key) ?? newRow(key, row);
    placeRow(node, row);
    if (node === next) next = next.nextSibling;
    else container.insertBefore(node, next);
  }
  for (const [key, node] of list.nodes) {
    if (!wanted.has(key)) removeRow(key, node);
  }
  container.style.paddingTop = `${offsetOf(from)}px`;
  container.style.paddingBottom = `${offsetOf(list.rows.length) - offsetOf(to)}px`;
}

function newRow(key, row) {
  const node = makeRow(list.rows, row);
  const panel = list.panels.get(key);
  if (panel) node.append(panel.element);
  list.nodes.set(key, node);
  return node;
}

// placeRow says where a line is in the list, and whether Tab leads to it.
function placeRow(node, row) {
  node.dataset.row = row;
  node.setAttribute('aria-posinset', row + 1);
  node.setAttribute('aria-setsize', list.rows.length);
  const button = node.querySelector(':scope > .line');
  if (button) button.tabIndex = row === list.active ? 0 : -1;
}

// removeRow takes a line away that went out of view. The focus, if it was there,
// goes to the list, so that the keys still work.
function removeRow(key, node) {
  const focused = node.contains(document.activeElement);
  node.remove();
  list.nodes.delete(key);
  if (focused) listNode().focus({preventScroll: true});
}

let drawing = 0;

// redraw draws the list once before the next frame.
function redraw() {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    drawList();
  });
}

// measure reads the heights from the style, which differ by the screen's width.
function measure() {
  const style = getComputedStyle(listNode());
  list.line = parseFloat(style.getPropertyValue('--line-height-px'));
  list.section = parseFloat(style.getPropertyValue('--section-height-px'));
  redraw();
}

// panelSizes keeps the heights of panels in step with what is in them.
const panelSizes = new ResizeObserver((changes) => {
  for (const {target} of changes) {
    const panel = list.panels.get(target.dataset.key);
    if (panel?.element === target && target.isConnected) resized(panel);
  }
  redraw();
});

// resized notes a panel's height. What is on the screen stays where it is, also if
// the panel grew above it; the browser, which would see to that too, is told not to,
// as it takes the list's padding for content.
function resized(panel) {
  const grown = panel.element.offsetHeight - panel.height;
  panel.height += grown;
  if (panel.element.getBoundingClientRect().bottom - grown < 0) scrollBy({top: grown, behavior: 'instant'});
}

// openRow puts a panel under a line.
function openRow(row, element) {
  const key = rowKey(list.rows, row);
  element.dataset.key = key;
  list.panels.set(key, {element, height: unknownHeight, row});
  sortPanels();
  panelSizes.observe(element);
  const node = list.nodes.get(key);
  node?.append(element);
  node?.querySelector(':scope > .line').setAttribute('aria-expanded', 'true');
  redraw();
}

function closeRow(row) {
  const key = rowKey(list.rows, row);
  const panel = list.panels.get(key);
  if (!panel) return;
  panelSizes.unobserve(panel.element);
  panel.element.remove();
  list.panels.delete(key);
  sortPanels();
  list.nodes.get(key)?.querySelector(':scope > .line').setAttribute('aria-expanded', 'false');
  redraw();
}

// closeAll closes what is open.
function closeAll() {
  for (const {element} of list.panels.values()) {
    panelSizes.unobserve(element);
    element.closest('.row')?.querySelector(':scope > .line').setAttribute('aria-expanded', 'false');
    element.remove();
  }
  list.panels.clear();
  sortPanels();
  redraw();
}

const isOpen = (row) => list.panels.has(rowKey(list.rows, row));

// activate moves the focus to a line and brings it into view, or to the top.
function activate(row, toTop = false) {
  if (row < 0 || row >= list.rows.length) return;
  list.active = row;
  if (toTop) scrollToTop(row);
  else scrollToRow(row);
  drawList();
  list.nodes.get(rowKey(list.rows, row))?.querySelector(':scope > .line')?.focus({preventScroll: true});
}

function scrollToRow(row) {
  const top = listNode().getBoundingClientRect().top + offsetOf(row);
  const covered = byId('bar').offsetHeight;
  const room = innerHeight - list.line;
  if (top < covered) scrollBy({top: top - covered - list.line, behavior: 'instant'});
  else if (top > room) scrollBy({top: top - room + list.line, behavior: 'instant'});
}

// scrollToTop brings a line, with the heading above it, right below what stays at
// the top of the screen.
function scrollToTop(row) {
  const headed = list.rows.kind[row - 1] === rowKinds.section ? list.section : 0;
  const top = listNode().getBoundingClientRect().top + offsetOf(row) - headed;
  scrollBy({top: top - byId('bar').offsetHeight, behavior: 'instant'});
}

// neighbour returns the next line in a direction that isn't a heading, or the
// same where there is none.
function neighbour(row, step) {
  let next = row + step;
  while (next >= 0 && next < list.rows.length && list.rows.kind[next] === rowKinds.section) next += step;
  return next >= 0 && next < list.rows.length ? next : row;
}

// nextSection returns the first line of the section after, or before.
function nextSection(row, step) {
  const places = list.rows.places;
  const now = places.findLastIndex((place) => place <= row);
  const place = places[Math.max(0, Math.min(places.length - 1, now + step))];
  return place === undefined ? row : place + 1;
}
