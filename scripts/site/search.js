// Search in the sections of search-index.js, which is loaded when somebody begins. "/" leads to the field, Escape out of it.
'use strict';
(function () {
  const self = document.currentScript.src;
  const at = (name) => new URL(name, self).href;
  const form = document.querySelector('form[role=search]');
  const field = form.querySelector('input');
  const found = document.getElementById('found');
  const nav = document.querySelector('nav details');
  const most = 12, around = 60;

  // On a narrow screen the navigation is closed until it is asked for.
  if (matchMedia('(max-width: 55rem)').matches) nav.removeAttribute('open');
  form.hidden = false;

  let loading;
  function load() {
    loading = loading || new Promise((done, failed) => {
      const s = document.createElement('script');
      s.src = at('search-index.js');
      s.onload = () => done(window.sections.map((x) => ({ ...x, low: (x.p + '\n' + x.t + '\n' + x.x).toLowerCase() })));
      s.onerror = failed;
      document.head.append(s);
    });
    return loading;
  }

  function score(s, words) {
    let n = 0;
    for (const w of words) {
      const i = s.low.indexOf(w);
      if (i < 0) return 0;
      n += 1 + (s.t.toLowerCase().includes(w) ? 10 : 0) + (s.p.toLowerCase().includes(w) ? 4 : 0);
    }
    return n + 1 / (2 + s.x.length / 500);
  }

  // marked puts a text into an element, with the words marked.
  function marked(element, text, words) {
    const low = text.toLowerCase();
    let i = 0;
    while (i < text.length) {
      let next = -1, long = 0;
      for (const w of words) {
        const j = low.indexOf(w, i);
        if (j >= 0 && (next < 0 || j < next || j === next && w.length > long)) { next = j; long = w.length; }
      }
      if (next < 0) break;
      element.append(text.slice(i, next));
      const m = document.createElement('mark');
      m.textContent = text.slice(next, next + long);
      element.append(m);
      i = next + long;
    }
    element.append(text.slice(i));
  }

  function row(s, words) {
    const a = document.createElement('a'), text = document.createElement('p');
    a.href = at(s.u);
    marked(a, s.t === s.p ? s.t : s.t + ' · ' + s.p, words);
    const i = Math.max(0, Math.min(...words.map((w) => s.x.toLowerCase().indexOf(w)).filter((j) => j >= 0).concat(s.x.length)) - around);
    marked(text, (i > 0 ? '…' : '') + s.x.slice(i, i + 3 * around) + (i + 3 * around < s.x.length ? '…' : ''), words);
    const div = document.createElement('div');
    div.append(a, text);
    return div;
  }

  async function search() {
    const asked = field.value;
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) { found.hidden = true; return; }
    const all = await load();
    if (asked !== field.value) return;
    const list = all.map((s) => [score(s, words), s]).filter((x) => x[0] > 0).sort((a, b) => b[0] - a[0]);
    const said = document.createElement('p');
    said.textContent = list.length === 0 ? 'Nothing has all of these words.' : list.length === 1 ? '1 section' : list.length > most ? most + ' of ' + list.length + ' sections' : list.length + ' sections';
    found.replaceChildren(said, ...list.slice(0, most).map((x) => row(x[1], words)));
    found.hidden = false;
  }

  field.addEventListener('focus', () => load().catch(() => {}));
  field.addEventListener('input', search);
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    const a = found.querySelector('a');
    if (a && !found.hidden) a.click();
  });
  found.addEventListener('click', (e) => { if (e.target.closest('a')) found.hidden = true; });
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); field.focus(); field.select(); }
    if (e.key === 'Escape') { found.hidden = true; field.blur(); }
  });
})();
