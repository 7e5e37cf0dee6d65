// Shows the matches that are in the page: a list to choose from, one as a conversation, or two of
// the same random draws side by side. It stands in one script behind conversation.js.
{
  const { matches, texts } = JSON.parse(document.getElementById('matches-data').textContent);
  const room = document.getElementById('matches');
  const byId = new Map(matches.map(match => [match.id, match]));
  const byNumber = new Map(matches.map(match => [match.number, match]));
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

  const open = (match, asked) => {
    const beside = byId.get(asked.get('beside'));
    const same = matches.filter(m => m !== match && m.draws === match.draws)
      .map(m => [m.id, `#${m.number} ${whoPlayed(m)}`]);
    return opened({ match, texts }, beside ? { match: beside, texts } : null, same, asked, go,
      number => byNumber.get(number)?.id);
  };

  // By what the list is sorted, most of it first; without it matches have the order of the run.
  const orders = { 'best score': m => Math.max(...m.seats.map(seat => parseFloat(seat.score)).filter(Number.isFinite)),
                   'lowest score': m => -Math.min(...m.seats.map(seat => parseFloat(seat.score)).filter(Number.isFinite)),
                   tokens: tokensOf, length: lengthOf };
  // All that was said and happened in a match, to be searched.
  const searched = new Map();
  const wordsOf = m => {
    if (!searched.has(m))
      searched.set(m, m.steps.map(s => `${s.words} ${s.thought}`).join('\n').toLowerCase());
    return searched.get(m);
  };

  const list = asked => {
    const wanted = Object.keys(kinds).filter(kind => asked.get(kind));
    const said = (asked.get('said') ?? '').toLowerCase();
    const chosen = matches.filter(m => wanted.every(kind => kinds[kind](m).includes(asked.get(kind))) &&
                                       (said === '' || wordsOf(m).includes(said)));
    const by = orders[asked.get('sort')];
    if (by) chosen.sort((a, b) => by(b) - by(a));
    const shown = chosen.slice(0, Number(asked.get('most') ?? 20));
    return make('div', {},
      make('div', { class: 'choices' }, ['game', 'treatment', 'agent'].map(kind =>
        chooser(kind, asked.get(kind) ?? '', [['', 'any'],
          ...unique(matches.flatMap(kinds[kind])).sort().map(name => [name, name])],
          value => go({ [kind]: value, other: '' }))),
        make('label', {}, 'words said ', make('input', { type: 'search', value: asked.get('said') ?? '',
             onchange: event => go({ said: event.target.value.trim() }) })),
        chooser('sorted by', asked.get('sort') ?? '', [['', 'number'],
          ...Object.keys(orders).filter(name => name !== 'tokens' || matches.some(tokensOf)).map(name => [name, name])],
          value => go({ sort: value }))),
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
    room.replaceChildren(match ? open(match, asked) : list(asked));
    if (location.hash.startsWith('#matches')) room.parentElement.scrollIntoView();
  };
  addEventListener('hashchange', show);
  show();
}
