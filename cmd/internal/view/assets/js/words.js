// What differs within two lines, word by word. The work is bounded: where lines
// are very long, or have nothing to do with each other, they are shown whole.

const maxCells = 40000; // of the table that compares the words of two lines
const maxPairs = 900; // lines removed times lines added that are compared
const leastAlike = 0.4; // of two lines, to be taken for one that was changed

const words = (text) => text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu) ?? [];

// markWords returns both lines as segments {text, changed}; null where too little
// of them is the same to be worth telling apart.
function markWords(oldText, newText) {
  const a = words(oldText);
  const b = words(newText);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [oldSame, newSame] = commonWords(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const around = (same, length) => [...Array(start).fill(true), ...same, ...Array(length - start - same.length).fill(true)];
  const oldFlags = around(oldSame, a.length);
  const newFlags = around(newSame, b.length);
  if (alikeness(a, oldFlags, b, newFlags) < leastAlike) return null;
  return {old: segments(a, oldFlags), new: segments(b, newFlags)};
}

// commonWords returns which words of each list belong to their longest common
// subsequence.
function commonWords(a, b) {
  const oldSame = Array(a.length).fill(false);
  const newSame = Array(b.length).fill(false);
  if (a.length * b.length > maxCells) return [oldSame, newSame];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) { oldSame[i++] = true; newSame[j++] = true; }
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
  return [oldSame, newSame];
}

const letters = (list, flags) => list.reduce((n, word, i) => n + (!flags || flags[i] ? word.trim().length : 0), 0);

// alikeness is how much of the longer line is the same, blanks aside.
function alikeness(a, oldFlags, b, newFlags) {
  const all = Math.max(letters(a), letters(b));
  return all === 0 ? 1 : Math.min(letters(a, oldFlags), letters(b, newFlags)) / all;
}

// segments joins words into runs. A blank between two changed words is changed
// too: one mark is read more easily than two.
function segments(list, same) {
  const runs = [];
  list.forEach((word, i) => {
    const changed = !same[i] || word.trim() === '' && i > 0 && i < list.length - 1 && !same[i - 1] && !same[i + 1];
    const last = runs.at(-1);
    if (last?.changed === changed) last.text += word;
    else runs.push({text: word, changed});
  });
  return runs;
}

// pairLines returns for each removed line the added one that it became, or -1;
// pairs don't cross.
function pairLines(removed, added) {
  if (removed.length === added.length) return removed.map((_, i) => i);
  if (removed.length * added.length > maxPairs) return removed.map(() => -1);
  const oldWords = removed.map(wordSet);
  const newWords = added.map(wordSet);
  const width = added.length + 1;
  const best = new Float64Array((removed.length + 1) * width);
  const gain = (i, j) => { // of taking two lines for one
    const same = overlap(oldWords[i], newWords[j]);
    return same < leastAlike ? -1 : same + best[(i + 1) * width + j + 1];
  };
  for (let i = removed.length - 1; i >= 0; i--) {
    for (let j = added.length - 1; j >= 0; j--) {
      best[i * width + j] = Math.max(best[(i + 1) * width + j], best[i * width + j + 1], gain(i, j));
    }
  }
  return followPairs(best, width, removed.length);
}

function followPairs(best, width, rows) {
  const pairs = Array(rows).fill(-1);
  for (let i = 0, j = 0; i < rows && j < width - 1;) {
    const here = best[i * width + j];
    if (here === best[(i + 1) * width + j]) i++;
    else if (here === best[i * width + j + 1]) j++;
    else { pairs[i++] = j++; }
  }
  return pairs;
}

const wordSet = (line) => new Set(words(line).filter((word) => word.trim() !== ''));

// overlap is Dice's coefficient of two sets of words.
function overlap(a, b) {
  if (a.size + b.size === 0) return 1;
  let common = 0;
  for (const word of a) common += b.has(word);
  return 2 * common / (a.size + b.size);
}
