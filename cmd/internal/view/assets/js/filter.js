// Which entries are shown: what is chosen of each facet, below a folder, with a
// path. All of it combines; of one facet any of the chosen values will do.

// facets are what changes can be picked by. values returns those of a likeness,
// which all entries of it have.
const facets = [
  {id: 'action', title: 'Action', values: (like) => [like.action]},
  {id: 'reason', title: 'Reason', values: (like) => [like.reason]},
  {id: 'cause', title: 'Cause', values: (like) => like.causes ?? []},
  {id: 'drift', title: 'Drift', values: (like) => [like.drift ?? 'none']},
  {id: 'owner', title: 'Publication', values: (like) => (like.owner ? [like.owner] : [])},
  {id: 'root', title: 'Root', values: (like) => [plan.roots[like.root]]},
];

const filter = {
  text: '',
  folder: null, // {root, prefix}; root is -1 for any
  chosen: Object.fromEntries(facets.map((facet) => [facet.id, new Set()])),
};

const isFiltered = () => filter.text !== '' || filter.folder !== null || facets.some((facet) => filter.chosen[facet.id].size > 0);

function clearFilter() {
  filter.text = '';
  filter.folder = null;
  for (const facet of facets) filter.chosen[facet.id].clear();
}

// misses returns the facets that a likeness isn't chosen by.
const misses = (like) => facets.filter((facet) => {
  const chosen = filter.chosen[facet.id];
  return chosen.size > 0 && !facet.values(like).some((value) => chosen.has(value));
});

// inFolder says whether an entry, or the old path of a move, lies in the chosen
// folder.
function inFolder(entry) {
  const folder = filter.folder;
  if (folder === null) return true;
  if (folder.root >= 0 && likeOf(entry).root !== folder.root) return false;
  return plan.path[entry].startsWith(folder.prefix) || oldPath(entry).startsWith(folder.prefix) && oldPath(entry) !== '';
}

// pick goes through all entries once. It returns which are shown, how many those
// are, and for each facet how many each value would have, were only the other
// facets chosen.
function pick() {
  const matches = pathMatcher(filter.text);
  const missed = plan.likes.map(misses);
  const placed = new Uint32Array(plan.likes.length); // entries of each likeness that path and folder pick
  const shown = new Uint8Array(plan.count);
  let count = 0;
  for (let entry = 0; entry < plan.count; entry++) {
    if (!inFolder(entry)) continue;
    if (matches && !matches(plan.path[entry]) && !(plan.from[entry] && matches(plan.from[entry]))) continue;
    const like = plan.like[entry];
    placed[like]++;
    if (missed[like].length > 0) continue;
    shown[entry] = 1;
    count++;
  }
  return {shown, count, facets: countFacets(placed, missed)};
}

function countFacets(placed, missed) {
  const counts = {};
  for (const facet of facets) {
    const values = new Map();
    plan.likes.forEach((like, i) => {
      const others = missed[i].some((other) => other !== facet);
      for (const value of facet.values(like)) {
        values.set(value, (values.get(value) ?? 0) + (others ? 0 : placed[i]));
      }
    });
    counts[facet.id] = values;
  }
  return counts;
}
