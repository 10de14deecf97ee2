// The facets as lists of boxes to tick, with how many changes each would show,
// and what is chosen in words.

const facetLabels = {
  action: (value) => actionWords[value] ?? value,
  reason: (value) => value,
  cause: (value) => plan.causes[value] || value,
  drift: (value) => ({missing: 'output gone', changed: 'other bytes'})[value] ?? value,
  owner: (value) => value,
  root: (value) => value,
};

// makeFacets lists the facets that tell any changes apart.
function makeFacets(counts) {
  byId('facets').replaceChildren(...facets.filter((facet) => counts[facet.id].size > 1).map((facet) => facetNode(facet, counts[facet.id])));
}

function facetNode(facet, values) {
  const sorted = [...values.keys()].sort((a, b) => values.get(b) - values.get(a) || (a < b ? -1 : 1));
  return el('fieldset', {class: 'facet', 'data-facet': facet.id}, el('legend', {}, facet.title),
    el('div', {class: 'values'}, ...sorted.map((value) => valueNode(facet, value))));
}

function valueNode(facet, value) {
  const box = el('input', {type: 'checkbox', value, onchange: () => choose(facet.id, value, box.checked)});
  const meaning = facet.id === 'reason' ? plan.reasons[value] : '';
  return el('label', {title: meaning || false}, box, el('span', {class: 'name'}, escapeText(facetLabels[facet.id](value))), el('span', {class: 'number'}));
}

function choose(facet, value, on) {
  if (on) filter.chosen[facet].add(value);
  else filter.chosen[facet].delete(value);
  refilter();
}

// showFacets brings boxes and counts up to date.
function showFacets(counts) {
  for (const node of document.querySelectorAll('.facet')) {
    const id = node.dataset.facet;
    for (const box of node.querySelectorAll('input')) {
      const n = counts[id].get(box.value) ?? 0;
      box.checked = filter.chosen[id].has(box.value);
      const label = box.closest('label');
      label.classList.toggle('none', n === 0 && !box.checked);
      label.querySelector('.number').textContent = formatNumber(n);
    }
  }
  for (const button of document.querySelectorAll('.count')) {
    button.setAttribute('aria-pressed', String(filter.chosen.action.has(button.dataset.action)));
  }
  showChosen();
}

// showChosen lists what is chosen, each with a way out.
function showChosen() {
  const chips = [];
  for (const facet of facets) {
    for (const value of filter.chosen[facet.id]) {
      chips.push(chip(`${facet.title}: ${escapeText(facetLabels[facet.id](value))}`, () => choose(facet.id, value, false)));
    }
  }
  if (filter.folder) chips.push(chip(`Folder: ${escapeName(filter.folder.prefix) || escapeText(plan.roots[filter.folder.root])}`, () => chooseFolder(null)));
  if (filter.text) chips.push(chip(`Path: ${escapeText(filter.text)}`, clearPath));
  const place = byId('active-filters');
  place.hidden = chips.length === 0;
  place.replaceChildren(...chips, chips.length > 1 ? el('button', {type: 'button', class: 'quiet', onclick: clearAll}, 'Clear all') : '');
}

const chip = (label, remove) => el('button', {type: 'button', class: 'chip', onclick: remove}, label, el('span', {'aria-hidden': 'true'}, ' ×'), el('span', {class: 'away'}, ', remove'));

function clearAll() {
  clearFilter();
  clearPath();
}
