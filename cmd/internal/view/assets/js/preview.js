// Pages as they would look, before and after. A page is shown in a frame that may
// do nothing: no script, no form, no window, no origin; and the policy of this
// page, which a frame inherits, lets it load nothing. What could still reach out
// without loading (hints to connect, frames in frames) is taken out of it first.

// hasPreview says whether an entry is a page that the plan writes or takes away.
const hasPreview = (entry) => /\.(html|htm|xhtml)$/i.test(plan.path[entry]) && ['create', 'update', 'restore', 'delete', 'move'].includes(likeOf(entry).action);

// Values of plan.preview where there is no block.
const notCarried = -1;
const leftOut = -2;

// previewOf returns the page's two states, {text, note}: text is null where there
// is none or it can't be told, and note says which.
async function previewOf(entry, detail) {
  const after = await textAfter(entry, detail);
  const before = await textBefore(entry, detail, after);
  return {before, after};
}

const absent = (note) => ({text: null, note});

async function textAfter(entry, detail) {
  const action = likeOf(entry).action;
  if (action === 'delete') return absent('The page is deleted.');
  const block = plan.preview[entry];
  if (block >= 0) return checked(await blockBytes(block), detail.after.sha256);
  if (action === 'create' && detail.diff?.kind === 'text') return fromHunks(detail, '+', detail.after.sha256);
  if (block === leftOut) return absent('Too many pages changed for all of them to be in this review; this one is left out.');
  if (block === notCarried && detail.after) return absent('The plan does not carry the bytes of this page. It would if it had been made with --embed.');
  return absent('The plan leaves nothing here.');
}

async function textBefore(entry, detail, after) {
  const action = likeOf(entry).action;
  if (action === 'move') return after;
  if (detail.found.kind !== 'file') return absent('Nothing was here.');
  if (detail.diff?.kind !== 'text') return absent('The plan does not carry what was here.');
  if (action === 'delete') return fromHunks(detail, '-', detail.found.sha256);
  if (after.text === null) return absent('What was here can only be told from the page that takes its place.');
  const diff = await loadDiff(detail.diff);
  const text = undo(after.text, diff.hunks);
  if (text === null) return absent('The diff does not fit the page, so what was here can not be told.');
  return checked(new TextEncoder().encode(text), detail.found.sha256);
}

// fromHunks returns a page that a diff holds wholly, as it does where there was or
// will be nothing.
async function fromHunks(detail, mark, digest) {
  const {hunks} = await loadDiff(detail.diff);
  return checked(new TextEncoder().encode(sideOf(hunks.flatMap((hunk) => hunk.lines), mark)), digest);
}

// sideOf joins the lines of one side of a diff.
function sideOf(lines, mark) {
  let text = '';
  lines.forEach((line, i) => {
    if (line[0] !== mark && line[0] !== ' ') return;
    text += line.slice(1) + (lines[i + 1]?.[0] === '\\' ? '' : '\n');
  });
  return text;
}

// undo applies hunks backwards; null where they don't fit.
function undo(text, hunks) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let before = '';
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.newLines === 0 ? hunk.new : hunk.new - 1;
    if (start < at || lines.slice(start, start + hunk.newLines).join('') !== sideOf(hunk.lines, '+')) return null;
    before += lines.slice(at, start).join('') + sideOf(hunk.lines, '-');
    at = start + hunk.newLines;
  }
  return before + lines.slice(at).join('');
}

// checked returns bytes as text if they are those of the digest. Where the browser
// offers no digests, as to pages of plain http, they are shown with a word of
// warning.
async function checked(bytes, digest) {
  const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes);
  if (!globalThis.crypto?.subtle) return {text, note: 'The bytes could not be compared with their digest here.'};
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `sha256:${hex}` === digest ? {text, note: ''} : absent('These are not the bytes of the digest that the plan names, so they are not shown.');
}

// Elements that a page loses in its preview: they run, load, connect or lead away.
// Templates never show without a script, but could hide others.
const dropped = 'script, link, meta, base, iframe, frame, object, embed, template, portal, fencedframe';

// harmless returns a page's HTML without what has no place in a preview, and what
// that was; null where it can't be had. What was taken out is looked for again in
// what is left, as markup can be made to read differently the second time.
function harmless(html) {
  const lost = {scripts: 0, styles: 0, images: 0};
  for (let round = 0; round < 8; round++) {
    const page = new DOMParser().parseFromString(html, 'text/html');
    if (round === 0) countLost(page, lost);
    const found = page.querySelectorAll(dropped);
    if (found.length === 0 && round > 0) return {html, lost};
    for (const element of found) element.remove();
    for (const link of page.querySelectorAll('a, area')) keepInside(link);
    html = (page.doctype ? '<!doctype html>' : '') + page.documentElement.outerHTML;
  }
  return null;
}

function countLost(page, lost) {
  lost.scripts = page.querySelectorAll('script').length;
  lost.styles = page.querySelectorAll('link[rel~=stylesheet i]').length;
  lost.images = [...page.images].filter((image) => !/^data:/i.test(image.getAttribute('src') ?? '')).length;
}

// keepInside lets links lead only to places of the same page. "about:srcdoc" is
// the frame's own address; a place that isn't there leads nowhere.
function keepInside(link) {
  for (const name of ['href', 'xlink:href']) {
    const to = link.getAttribute(name);
    if (to === null || to.startsWith('about:srcdoc#')) continue;
    link.setAttribute(name, to.startsWith('#') ? `about:srcdoc${to}` : 'about:srcdoc#(elsewhere)');
    if (!to.startsWith('#')) link.setAttribute('title', escapeText(to));
  }
  for (const name of ['ping', 'target', 'attributionsrc']) link.removeAttribute(name);
}

// pageFrame shows a page.
function pageFrame(title, page) {
  const clean = harmless(page.text);
  if (!clean) return el('p', {class: 'absent'}, 'This page can not be shown safely.');
  const frame = el('iframe', {sandbox: '', title, referrerpolicy: 'no-referrer'});
  frame.srcdoc = clean.html;
  const lost = Object.entries(clean.lost).filter(([, n]) => n > 0).map(([what, n]) => plural(n, what.slice(0, -1)));
  const notes = [page.note, lost.length > 0 ? `Not loaded: ${lost.join(', ')}.` : ''].filter(Boolean).join(' ');
  return el('div', {class: 'page'}, frame, notes ? el('p', {class: 'note'}, notes) : null);
}

const sides = {before: 'Before', after: 'After'};

// newPreview returns an element that shows a page before, after, or both.
async function newPreview(entry, detail) {
  const states = await previewOf(entry, detail);
  const body = el('div', {class: 'pages'});
  const buttons = new Map();
  const show = (which) => {
    for (const [name, button] of buttons) button.setAttribute('aria-pressed', String(name === which));
    body.replaceChildren(...(which === 'both' ? ['before', 'after'] : [which]).map((side) => pageSide(side, states[side])));
  };
  const button = (name, label) => {
    const made = el('button', {type: 'button', onclick: () => show(name)}, label);
    buttons.set(name, made);
    return made;
  };
  const bar = el('div', {class: 'switch', role: 'group', 'aria-label': 'Preview'}, button('before', 'Before'), button('after', 'After'), button('both', 'Both'));
  show(states.after.text !== null ? 'after' : 'before');
  return el('section', {class: 'preview', 'aria-label': 'Preview'}, bar, body);
}

function pageSide(side, state) {
  const content = state.text === null ? el('p', {class: 'absent'}, state.note) : pageFrame(`The page ${side}`, state);
  return el('figure', {class: 'side-by-side'}, el('figcaption', {}, sides[side]), content);
}
