// The lines of the list: what the layout says, of what the filter shows. A fold
// of which little is left, or a group, is shown entry by entry.

const rowKinds = {section: 0, entry: 1, fold: 2, group: 3};
const foldFrom = 4; // entries

// opened are the folds and groups whose entries are listed, by their number
// among the items.
const opened = new Set();

// buildRows returns the lines as two columns: what each is, and of what.
function buildRows(shown) {
  const rows = {kind: [], ref: [], indent: [], places: []};
  const sections = sectionCounts(shown);
  let section = -1;
  plan.items.forEach((item, number) => {
    const count = shownIn(item, shown);
    if (count === 0) return;
    if (item.section !== section) {
      section = item.section;
      rows.places.push(rows.kind.length);
      addRow(rows, rowKinds.section, section, 0);
    }
    addItem(rows, item, number, count, shown);
  });
  rows.sections = sections;
  rows.length = rows.kind.length;
  return rows;
}

function addItem(rows, item, number, count, shown) {
  const folded = item.kind !== 'entries' && (count >= foldFrom || item.kind === 'group' && count === item.count);
  if (folded) addRow(rows, rowKinds[item.kind], number, 0);
  if (folded && !opened.has(number)) return;
  for (let entry = item.first; entry < item.first + item.count; entry++) {
    if (shown[entry]) addRow(rows, rowKinds.entry, entry, folded ? 1 : 0);
  }
}

function addRow(rows, kind, ref, indent) {
  rows.kind.push(kind);
  rows.ref.push(ref);
  rows.indent.push(indent);
}

function shownIn(item, shown) {
  let count = 0;
  for (let entry = item.first; entry < item.first + item.count; entry++) count += shown[entry];
  return count;
}

function sectionCounts(shown) {
  const counts = new Map();
  for (const item of plan.items) counts.set(item.section, (counts.get(item.section) ?? 0) + shownIn(item, shown));
  return counts;
}

// rowKey names a line, however the list is filtered.
const rowKey = (rows, row) => `${rows.kind[row]}-${rows.ref[row]}`;
