// Shows the matches that are in the page: a list to choose from, one as a conversation, or two of
// the same luck side by side. All texts are data: nothing is ever read as markup.
(() => {
  'use strict';
  const { matches, texts } = JSON.parse(document.getElementById('matches-data').textContent);
  const room = document.getElementById('matches');
  const byId = new Map(matches.map(match => [match.id, match]));

  // An element with attributes (onX: listeners) and children; null ones are left out.
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined) continue;
      if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children.flat().filter(child => child !== null && child !== ''));
    return element;
  };
  const unique = list => [...new Set(list)];

  // What is looked at stands behind the address's #, so that links lead to it and Back goes back.
  const kinds = { game: m => [m.game], treatment: m => [m.treatment],
                  agent: m => m.seats.map(seat => seat.agent),
                  other: m => m.seats.map(seat => seat.agent) };
  const read = () => new URLSearchParams(location.hash.replace(/^#matches\??/, ''));
  const go = changes => {
    const asked = read();
    for (const [name, value] of Object.entries(changes))
      value === '' ? asked.delete(name) : asked.set(name, value);
    location.hash = 'matches?' + asked;
  };

  const chooser = (label, value, options, change) =>
    make('label', {}, label + ' ', make('select', { onchange: event => change(event.target.value) },
      options.map(([key, words]) =>
        make('option', { value: key, selected: key === value ? '' : null }, words))));

  const whoPlayed = match => match.seats.map(seat => `${seat.agent} ${seat.score}`).join(', ');
  const titleOf = match => `#${match.number} ${match.treatment}, block ${match.block}` +
    (match.repeat > 0 ? `, repeat ${match.repeat}` : '') +
    (match.position > 0 ? `, place ${match.position}` : '');

  const call = c => make('details', { class: 'call' },
    make('summary', {}, `${c.purpose}: ${c.model}` + (c.problem ? ` (${c.problem})` : '')),
    c.messages.map((text, i) => make('div', { class: 'message' },
      make('b', {}, texts[c.roles[i]]), make('pre', {}, texts[text] ?? ''))),
    c.thinking >= 0 ? make('div', { class: 'message' }, make('b', {}, 'thinking'),
                           make('pre', {}, texts[c.thinking])) : null,
    c.said >= 0 ? make('div', { class: 'message' }, make('b', {}, 'said'),
                       make('pre', {}, texts[c.said])) : null);

  const names = (match, seats) => seats.map(seat => match.seats[seat].name).join(', ');

  // Texts of several columns keep them, and move sideways where they are wide.
  const words = text => /\n.*\S  +\S/.test(text)
    ? make('div', { class: 'words aligned', role: 'group', 'aria-label': 'in columns', tabindex: '0' }, text)
    : make('div', { class: 'words' }, text);

  const step = (match, s) => {
    const whose = s.seat !== undefined ? match.seats[s.seat].name : null;
    const head = s.what === 'event' ? (s.heard.length ? 'to ' + names(match, s.heard) : 'to all')
      : whose !== null ? `${whose}, ${s.name}` + (s.what === 'probe' ? ' (asked aside)' : '') +
                         (s.what === 'carry' ? ' (carries on)' : '')
      : s.what === 'note' ? `noted: ${s.name}` : s.what === 'chance' ? `chance: ${s.name}` : s.what;
    const calls = s.question === undefined ? []
      : match.calls.filter(c => c.question === s.question && c.seat === s.seat);
    return make('li', { class: `step ${s.what}` + (s.seat !== undefined ? ` of${s.seat % 8}` : '') },
      make('span', { class: 'who' }, head),
      s.turned_down.map(words => make('div', { class: 'refused' }, 'turned down ' + words)),
      words(s.words + s.remark),
      s.thought ? make('details', {}, make('summary', {}, 'thought'),
                       words(s.thought)) : null,
      calls.length ? make('details', {}, make('summary', {}, calls.length === 1 ? '1 call'
                          : `${calls.length} calls`), calls.map(call)) : null);
  };

  // What one seat saw, or, with seat -1, everything.
  const seen = (s, seat) => seat < 0 ||
    (s.what === 'event' ? s.heard.length === 0 || s.heard.includes(seat)
                        : s.seat === seat || s.what === 'outcome');

  const conversation = (match, asked) => {
    const seat = Number(asked.get('seat') ?? -1);
    const behind = asked.get('behind') === '1';
    const steps = match.steps.filter(s => seen(s, seat) &&
      (behind || !['chance', 'note', 'probe'].includes(s.what)));
    return make('article', { class: 'match' },
      make('h3', {}, titleOf(match)),
      make('p', { class: 'small' }, match.id + (match.origin ? `, published: ${match.origin}` : '') +
           (match.ended === 'finished' ? '' : `, ${match.ended}`)),
      make('table', {}, make('thead', {}, make('tr', {},
        ['seat', 'role', 'agent', 'score', 'rank'].map(head => make('th', { scope: 'col' }, head)))),
        make('tbody', {}, match.seats.map((s, i) => make('tr', {},
          make('th', { scope: 'row', class: `of${i % 8}` }, s.name), make('td', {}, s.role),
          make('td', {}, s.agent), make('td', { class: 'figure' }, s.score),
          make('td', { class: 'figure' }, String(s.rank)))))),
      match.steps.length ? make('ol', { class: 'steps' }, steps.map(s => step(match, s)))
                         : make('p', {}, 'This match was not recorded.'));
  };

  const opened = (match, asked) => {
    const beside = byId.get(asked.get('beside'));
    const same = matches.filter(m => m !== match && m.luck === match.luck);
    return make('div', { class: 'opened' },
      make('div', { class: 'choices' },
        make('button', { type: 'button', onclick: () => go({ match: '', beside: '', seat: '' }) },
             'back to the list'),
        chooser('seen by', asked.get('seat') ?? '', [['', 'everybody'],
          ...match.seats.map((seat, i) => [String(i), seat.name])], seat => go({ seat })),
        chooser('chance, notes and questions aside', asked.get('behind') ?? '',
          [['', 'hidden'], ['1', 'shown']], behind => go({ behind })),
        same.length ? chooser('beside it, with the same luck', asked.get('beside') ?? '',
          [['', 'nothing'], ...same.map(m => [m.id, `#${m.number} ${whoPlayed(m)}`])],
          beside => go({ beside })) : null),
      make('div', { class: beside ? 'pair' : '' }, conversation(match, asked),
           beside ? conversation(beside, asked) : null));
  };

  const list = asked => {
    const wanted = Object.keys(kinds).filter(kind => asked.get(kind));
    const chosen = matches.filter(m => wanted.every(kind => kinds[kind](m).includes(asked.get(kind))));
    const shown = chosen.slice(0, Number(asked.get('most') ?? 100));
    return make('div', {},
      make('div', { class: 'choices' }, ['game', 'treatment', 'agent'].map(kind =>
        chooser(kind, asked.get(kind) ?? '', [['', 'any'],
          ...unique(matches.flatMap(kinds[kind])).sort().map(name => [name, name])],
          value => go({ [kind]: value, other: '' })))),
      make('p', {}, chosen.length === 0 ? 'None of the matches in this file.'
        : `${chosen.length} of the ${matches.length} matches in this file.`),
      make('ul', { class: 'list' }, shown.map(m => make('li', {},
        make('a', { href: '#matches?' + new URLSearchParams([...asked.entries(), ['match', m.id]]) },
             titleOf(m)), ' ', whoPlayed(m)))),
      shown.length < chosen.length ? make('button', { type: 'button',
        onclick: () => go({ most: String(shown.length + 400) }) }, 'more') : null);
  };

  const show = () => {
    const asked = read();
    const match = byId.get(asked.get('match'));
    room.replaceChildren(match ? opened(match, asked) : list(asked));
    if (location.hash.startsWith('#matches')) room.parentElement.scrollIntoView();
  };
  addEventListener('hashchange', show);
  show();
})();
