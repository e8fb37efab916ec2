// Filters and orders the submissions of a class report. Everything is in the page.
(function () {
  'use strict';
  const $ = id => document.getElementById(id);
  const list = $('list'), all = Array.from(list.children);
  const categories = Array.from($('status').options, o => o.value);
  // What a teacher has to look at comes first: what was not repaired, and last what is right.
  const needs = ['not judged', 'needs you', 'fits your tests only', 'does not end', 'does not compile', 'lacks the function', 'not checked', 'hardly begun', 'empty', 'nothing handed in', 'fixed', 'right'];
  const at = (order, x) => order.indexOf(x.dataset.status);
  const frequent = x => x.dataset.cluster === '' ? 1e9 : +x.dataset.cluster;
  const orders = {
    next: (a, b) => at(needs, a) - at(needs, b) || frequent(a) - frequent(b),
    cluster: (a, b) => frequent(a) - frequent(b),
    name: () => 0,
    status: (a, b) => at(categories, a) - at(categories, b),
    failed: (a, b) => b.dataset.failed - a.dataset.failed,
    seconds: (a, b) => b.dataset.seconds - a.dataset.seconds,
  };
  const shown = x => !x.hidden;
  function update() {
    const name = $('name').value.trim().toLowerCase(), status = $('status').value, cluster = $('cluster') ? $('cluster').value : '';
    let n = 0;
    for (const x of all) {
      x.hidden = !(x.dataset.name.toLowerCase().includes(name) && (!status || x.dataset.status === status) && (!cluster || x.dataset.cluster === cluster));
      if (!x.hidden) n++;
    }
    $('shown').textContent = n + ' shown';
    for (const b of document.querySelectorAll('button[data-cluster]')) b.setAttribute('aria-pressed', b.dataset.cluster === cluster);
    $('open').textContent = all.some(x => shown(x) && !x.open) ? 'Open all' : 'Close all';
  }
  function sort() {
    const by = orders[$('order').value];
    const sorted = all.slice().sort((a, b) => by(a, b) || a.dataset.name.localeCompare(b.dataset.name, undefined, { numeric: true }));
    list.append(...sorted);
  }
  for (const id of ['name', 'status', 'cluster']) if ($(id)) $(id).addEventListener('input', update);
  $('order').addEventListener('input', sort);
  $('open').addEventListener('click', () => {
    const open = all.some(x => shown(x) && !x.open);
    for (const x of all) if (shown(x)) x.open = open;
    update();
  });
  for (const b of document.querySelectorAll('button[data-cluster]')) b.addEventListener('click', () => {
    $('cluster').value = $('cluster').value === b.dataset.cluster ? '' : b.dataset.cluster;
    update();
    if ($('cluster').value) $('submissions').scrollIntoView();
  });
  // Links lead to submissions that a filter hides, too, and open them.
  function follow() {
    const x = $(decodeURIComponent(location.hash.slice(1)));
    if (!x || x.parentNode !== list) return;
    if (x.hidden) {
      $('name').value = $('status').value = '';
      if ($('cluster')) $('cluster').value = '';
      update();
    }
    x.open = true;
    x.scrollIntoView();
  }
  addEventListener('hashchange', follow);
  // / goes to the name, j and k to the next and the last submission that is shown.
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) {
      if (e.key === 'Escape' && e.target.id === 'name') { e.target.value = ''; update(); e.target.blur(); }
      return;
    }
    if (e.key === '/') {
      e.preventDefault();
      $('name').focus();
      return;
    }
    if (e.key !== 'j' && e.key !== 'k') return;
    const now = Array.from(list.children).filter(shown), i = now.indexOf(document.activeElement.closest('#list > details'));
    const to = now[e.key === 'j' ? i + 1 : Math.max(i, 1) - 1];
    if (to) to.querySelector('summary').focus();
  });
  all.forEach(x => x.addEventListener('toggle', () => { $('open').textContent = all.some(y => shown(y) && !y.open) ? 'Open all' : 'Close all'; }));
  sort();
  update();
  follow();
})();
