// The data of the page: blocks of base64, most of them deflated, which are
// unpacked when they are needed and kept for a while.

// unbase64 returns the bytes of a block's text.
function unbase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// blockBytes unpacks a block.
async function blockBytes(number) {
  const element = byId(`b${number}`);
  const bytes = unbase64(element.textContent);
  if ('plain' in element.dataset) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// kept holds the JSON of so many blocks: enough for what is on the screen.
const kept = new Map();
const keptBlocks = 24;

// blockJSON parses a block; of those used long ago nothing is kept.
function blockJSON(number) {
  let parsed = kept.get(number);
  kept.delete(number); // and set again: the map is in order of use
  parsed ??= blockBytes(number).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
  kept.set(number, parsed);
  if (kept.size > keptBlocks) kept.delete(kept.keys().next().value);
  return parsed;
}

// The index: one element of each column for each entry. See reviewIndex in the
// program, whose form this is.
let plan = null;

async function loadPlan() {
  plan = await blockJSON(Number(byId('index').value));
  plan.count = plan.path.length;
}

const likeOf = (entry) => plan.likes[plan.like[entry]];
const oldPath = (entry) => plan.from[entry] ?? '';

// detailOf returns what the plan says of a change by its number.
async function detailOf(number) {
  const chunk = await blockJSON(plan.details[Math.floor(number / plan.detail_chunk)]);
  return chunk[number % plan.detail_chunk];
}

// loadDiff returns the hunks of a diff with their lines and lengths. Those in which
// nothing but runs of others changes are shared, unless all are.
async function loadDiff(diff, othersRuns = new Set()) {
  const hunks = await Promise.all((diff.hunks ?? []).map(loadHunk));
  for (const hunk of hunks) hunk.shared = runsOf(hunk.lines).every((run) => othersRuns.has(run));
  if (hunks.every((hunk) => hunk.shared)) hunks.forEach((hunk) => { hunk.shared = false; });
  return {...diff, hunks};
}

async function loadHunk(ref) {
  const chunk = plan.hunks.findLast((c) => c.first <= ref.n);
  const lines = (await blockJSON(chunk.block))[ref.n - chunk.first];
  const count = (marks) => lines.reduce((n, line) => n + marks.includes(line[0]), 0);
  return {lines, old: ref.old, new: ref.new, oldLines: count(' -'), newLines: count(' +')};
}

// sharedRuns returns the runs of changed lines that an entry has in common with
// others.
const sharedRuns = (entry) => new Set((plan.shared_by[entry] ?? []).flatMap((i) => plan.shared[i].hunks.flatMap(runsOf)));

// runsOf returns the runs of changed lines in a hunk, each as one text.
function runsOf(lines) {
  const runs = [];
  let open = false;
  for (const line of lines) {
    if (line[0] === ' ') open = false;
    else if (open) runs[runs.length - 1] += `\n${line}`;
    else if (line[0] !== '\\') { runs.push(line); open = true; }
  }
  return runs;
}
