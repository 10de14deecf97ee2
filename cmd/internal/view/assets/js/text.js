// Text and elements. What comes from the plan becomes text nodes, never markup,
// and characters that would steer or deceive the eye are spelt out, as the
// terminal shows them.

// What doesn't show, or doesn't show as what it is: all but letters, marks,
// numbers, punctuation, symbols and the space; and of those the ones that are
// blank. A selector after a symbol that shows only makes an emoji of it, and stays.
const blank = '\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uFE00-\\uFE0D\\uFFA0' +
  '\\u{16FE4}\\u{1D159}\\u{E0100}-\\u{E01EF}';
const selector = `(?<!(?![${blank}])[\\p{S}#*0-9])[\\uFE0E\\uFE0F]`;
const hiddenInNames = new RegExp(`[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]|[${blank}]|${selector}`, 'gu');
const hiddenInLines = new RegExp(`[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}\\t]|[${blank}]|${selector}`, 'gu');

// Blanks at the ends of a path's segments, which nobody would see.
const blankEnds = /(?<=^|\/) +| +(?=\/|$)/g;

// spell writes a character as Go and JavaScript programs would.
function spell(char) {
  const short = {'\n': '\\n', '\r': '\\r', '\t': '\\t'}[char];
  if (short) return short;
  const code = char.codePointAt(0);
  const hex = (digits) => code.toString(16).padStart(digits, '0');
  if (code < 0x80) return '\\x' + hex(2);
  return code > 0xFFFF ? '\\U' + hex(8) : '\\u' + hex(4);
}

const escapeText = (text) => text.replace(hiddenInNames, spell);
const escapeLine = (text) => text.replace(hiddenInLines, spell);
const escapeName = (path) => escapeText(path).replace(blankEnds, (blanks) => '\\x20'.repeat(blanks.length));

// el makes an element. Attributes that are false, null or undefined are left
// out; those that begin with "on" are listeners. Children are nodes or text,
// which the caller has escaped.
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const byId = (id) => document.getElementById(id);

// lineNodes returns the text of a line, with what had to be spelt out marked as
// such.
function lineNodes(text) {
  if (text.search(hiddenInLines) < 0) return [text];
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(hiddenInLines)) {
    if (match.index > from) nodes.push(text.slice(from, match.index));
    nodes.push(el('span', {class: 'spelt'}, spell(match[0])));
    from = match.index + match[0].length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

// pathNode shows a path with its last segment, which is what differs most,
// stronger. Where there is no room, the folder is cut short.
function pathNode(path) {
  const name = escapeName(path);
  const cut = name.lastIndexOf('/');
  const folder = cut < 0 ? [] : [el('span', {class: 'folder'}, name.slice(0, cut)), el('span', {class: 'slash'}, '/')];
  return el('bdi', {class: 'path', dir: 'ltr'}, ...folder, el('span', {class: 'file'}, name.slice(cut + 1)));
}

const numbers = new Intl.NumberFormat('en');
const formatNumber = (n) => numbers.format(n);
const plural = (n, noun) => `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`;

// formatSize writes a number of bytes in powers of 1000.
function formatSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  let n = bytes;
  for (const unit of ['kB', 'MB', 'GB', 'TB']) {
    n /= 1000;
    if (n < 999.95) return `${n.toFixed(1)} ${unit}`;
  }
  return `${(n / 1000).toFixed(1)} PB`;
}
