// Shows a match as a conversation, alone or beside another: for a report, which takes this file
// along, and for a server's page, which imports it. All texts are data: nothing is read as markup.

// An element with attributes (onX: listeners) and children; null ones are left out.
export const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== ''));
  return element;
};

export const chooser = (label, value, options, change) =>
  make('label', {}, label + ' ', make('select', { onchange: event => change(event.target.value) },
    options.map(([key, words]) =>
      make('option', { value: key, selected: key === value ? '' : null }, words))));

export const whoPlayed = match =>
  match.seats.map(seat => `${seat.agent} ${seat.score}`).join(', ');
export const titleOf = match => `#${match.number} ${match.treatment}, block ${match.block}` +
  (match.repeat > 0 ? `, repeat ${match.repeat}` : '') +
  (match.position > 0 ? `, place ${match.position}` : '');
export const tokensOf = match => match.calls.reduce((sum, c) => sum + c.tokens, 0);
export const lengthOf = match => match.steps.length + match.left_out;

// What happened, before it is told: how it ended for whom, how long it is, what it took.
const summaryOf = match => {
  const best = match.seats.filter(seat => seat.rank === 1).map(seat => seat.name);
  const answers = match.steps.filter(s => s.what === 'answer').length;
  const refused = match.steps.reduce((sum, s) => sum + s.turned_down.length, 0);
  const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  return [match.status === 'finished' ? '' : `The match is ${match.status}.`,
          best.length === 0 ? '' : best.length === match.seats.length ? 'All seats are equal.'
            : `Best: ${best.join(', ')}.`,
          counted(lengthOf(match), 'entry', 'entries') +
          (match.left_out ? '' : `, ${counted(answers, 'answer', 'answers')}`) +
          (refused ? `, ${refused} turned down` : '') +
          (match.calls.length ? `, ${counted(match.calls.length, 'call', 'calls')} of models with ` +
            `${tokensOf(match).toLocaleString('en')} tokens` : '') + '.'].filter(words => words).join(' ');
};

const call = (c, texts) => make('details', { class: 'call' },
  make('summary', {}, `${c.purpose}: ${c.model}` + (c.problem ? ` (${c.problem})` : '')),
  c.messages.map((text, i) => make('div', { class: 'message' },
    make('b', {}, texts[c.roles[i]]), make('pre', { dir: 'auto' }, texts[text] ?? ''))),
  c.thinking >= 0 ? make('div', { class: 'message' }, make('b', {}, 'thinking'),
                         make('pre', { dir: 'auto' }, texts[c.thinking])) : null,
  c.said >= 0 ? make('div', { class: 'message' }, make('b', {}, 'said'),
                     make('pre', { dir: 'auto' }, texts[c.said])) : null);

const names = (match, seats) => seats.map(seat => match.seats[seat].name).join(', ');

// Texts of several columns keep them, and move sideways where they are wide.
const words = text => /\n.*\S  +\S/.test(text)
  ? make('div', { class: 'words aligned', dir: 'auto', role: 'group', 'aria-label': 'in columns',
                  tabindex: '0' }, text)
  : make('div', { class: 'words', dir: 'auto' }, text);

const step = (match, texts, s, tag = 'li') => {
  const whose = s.seat !== undefined ? match.seats[s.seat].name : null;
  const head = s.what === 'event' ? (s.heard.length ? 'to ' + names(match, s.heard) : 'to all')
    : whose !== null ? `${whose}, ${s.name}` + (s.what === 'probe' ? ' (asked aside)' : '') +
                       (s.what === 'carry' ? ' (carries on)' : '')
    : s.what === 'note' ? `noted: ${s.name}` : s.what === 'chance' ? `chance: ${s.name}` : s.what;
  const calls = s.question === undefined ? []
    : match.calls.filter(c => c.question === s.question && c.seat === s.seat);
  return make(tag, { class: `step ${s.what}` + (s.seat !== undefined ? ` of${s.seat % 8}` : '') },
    make('span', { class: 'who' }, head),
    s.turned_down.map(why => make('div', { class: 'refused', dir: 'auto' }, 'turned down ' + why)),
    words(s.words + s.remark),
    s.thought ? make('details', {}, make('summary', {}, 'thought'), words(s.thought)) : null,
    calls.length ? make('details', {}, make('summary', {}, calls.length === 1 ? '1 call'
                        : `${calls.length} calls`), calls.map(c => call(c, texts))) : null);
};

// What one seat saw, or, with seat -1, everything.
const seen = (s, seat) => seat < 0 ||
  (s.what === 'event' ? s.heard.length === 0 || s.heard.includes(seat)
                      : s.seat === seat || s.what === 'outcome');

const isShown = (s, asked) => seen(s, Number(asked.get('seat') ?? -1)) &&
  (asked.get('behind') === '1' || !['chance', 'note', 'probe'].includes(s.what));

const listed = ({ match, texts }, steps, asked) => make('ol', { class: 'steps' },
  steps.filter(s => isShown(s, asked)).map(s => step(match, texts, s)));

// From where a branch leaves its parent, and what was changed; null: it is none.
const cutOf = match => {
  const own = match.tree.find(b => b.number === match.number);
  return own?.question === undefined ? null
    : make('p', {}, `branches from #${match.tree[0].number} ${own.words}`);
};

const heading = match => [
  make('h3', {}, titleOf(match)),
  make('p', { class: 'small' }, match.id + (match.origin ? `, published: ${match.origin}` : '') +
       (match.status === 'finished' || match.steps.length ? '' : `, ${match.status}`)),
  cutOf(match),
  make('div', { class: 'wide', role: 'group', 'aria-label': 'seats', tabindex: '0' }, make('table', {}, make('thead', {}, make('tr', {},
    ['seat', 'role', 'agent', 'score', 'rank'].map(head => make('th', { scope: 'col' }, head)))),
    make('tbody', {}, match.seats.map((s, i) => make('tr', {},
      make('th', { scope: 'row', class: `of${i % 8}` }, s.name), make('td', {}, s.role),
      make('td', {}, s.agent), make('td', { class: 'figure' }, s.score),
      make('td', { class: 'figure' }, String(s.rank)))))))];

const leftOut = match => match.left_out ? make('p', {},
  `The page shows the first ${match.steps.length} of ${match.steps.length + match.left_out} ` +
  `entries. All of them: agon show ARCHIVE ${match.number}`) : null;

const conversation = (told, asked) => make('article', { class: 'match' }, heading(told.match),
  told.match.steps.length
    ? [make('p', {}, summaryOf(told.match)), listed(told, told.match.steps, asked), leftOut(told.match)]
    : make('p', {}, 'This match was not recorded.'));

const side = (told, s) => make('div', {}, make('span', { class: 'small' }, `in #${told.match.number}`),
  s ? step(told.match, told.texts, s, 'div') : make('p', { class: 'small' }, 'nothing here'));

// Two futures of one match: what both have once, and below it from where they part on, answers to
// one question side by side. `sides`: { same, steps: [{ left, right, differs }] }.
const futures = (told, beside, sides, asked) => {
  const before = told.match.steps.slice(0, sides.same);
  const rows = sides.steps.map(({ left, right, differs }) => {
    const of = [told.match.steps[left], beside.match.steps[right]];
    if (!of.some(s => s && isShown(s, asked))) return null;
    return differs
      ? make('li', { class: 'two' }, side(told, of[0]), side(beside, of[1]))
      : step(told.match, told.texts, of[0]);
  });
  return [make('div', { class: 'pair' },
               [told, beside].map(({ match }) => make('article', {}, heading(match), leftOut(match)))),
    before.length ? make('details', {}, make('summary', {}, before.length === 1
      ? 'The first entry is the same' : `The first ${before.length} entries are the same`),
      listed(told, before, asked)) : null,
    make('h3', {}, sides.steps.length ? 'From where they part on' : 'They are the same'),
    sides.steps.length ? make('p', { class: 'small' },
      'What differs has a bar and stands side by side; the rest is the same in both.') : null,
    make('ol', { class: 'steps sides' }, rows)];
};

// The tree that a match is in; null: it is in none. `keyOf`: what the address calls a match of a
// number; undefined: it is not here.
const tree = (match, asked, keyOf) => {
  if (match.tree.length < 2) return null;
  const to = changes => {
    const next = new URLSearchParams(asked);
    for (const name of ['match', 'beside']) next.delete(name);
    return '#matches?' + new URLSearchParams([...next, ...Object.entries(changes)]);
  };
  const own = keyOf(match.number);
  return make('details', { class: 'tree', open: match.tree.length <= 30 ? '' : null },
    make('summary', {}, match.tree.length + match.more_branches === 2 ? '1 branch'
      : `${match.tree.length + match.more_branches - 1} branches`),
    make('ul', { class: 'list' }, match.tree.map(b => {
      const key = keyOf(b.number), isOwn = b.number === match.number;
      return make('li', { class: b.question === undefined ? null : 'branch', dir: 'auto' },
        isOwn ? make('b', { 'aria-current': 'true' }, `#${b.number}`)
          : key === undefined ? `#${b.number}` : make('a', { href: to({ match: key }) }, `#${b.number}`),
        ` ${b.words}; scores ${b.scores.join(', ')} `,
        isOwn || key === undefined ? null
          : make('a', { href: to({ match: own, beside: key }), 'aria-label': `#${b.number} side by side` },
                 'side by side'));
    })),
    match.more_branches ? make('p', {}, `${match.more_branches} more: agon show ARCHIVE`) : null);
};

// Changes what `room` shows; what has the focus there keeps it, if it is still there.
export const keepFocus = (room, change) => {
  const name = e => e.getAttribute('href') ?? e.closest('label')?.firstChild.textContent ?? e.localName;
  const focused = room.contains(document.activeElement) ? name(document.activeElement) : null;
  change();
  if (focused !== null)
    [...room.querySelectorAll('a, summary, select, input, button')].find(e => name(e) === focused)
      ?.focus({ preventScroll: true });
};

// The same tree with what a run has added: what is open stays open.
export const renewTree = (room, match, asked, keyOf) => {
  const old = room.querySelector('.tree'), next = tree(match, asked, keyOf);
  if (next === null || old?.textContent === next.textContent) return;
  if (old === null) return room.querySelector('.choices').after(next);
  keepFocus(old, () => old.replaceChildren(...next.childNodes));
};

// A match that is looked at. `told`, `beside` (or null): {match, texts}; `same`: [key, words] of
// those with the same random draws; `asked`: what the address says; `go`: changes that; `keyOf`: see
// tree(); `sides`: see futures(), null: the two stand beside each other as they are.
export const opened = (told, beside, same, asked, go, keyOf, sides = null) => make('div', { class: 'opened' },
  make('div', { class: 'choices' },
    make('button', { type: 'button', onclick: () => go({ match: '', beside: '', seat: '' }) },
         'back to the list'),
    chooser('seen by', asked.get('seat') ?? '', [['', 'everybody'],
      ...told.match.seats.map((seat, i) => [String(i), seat.name])], seat => go({ seat })),
    chooser('chance, notes and questions aside', asked.get('behind') ?? '',
      [['', 'hidden'], ['1', 'shown']], behind => go({ behind })),
    same.length ? chooser('beside it, with the same random draws', asked.get('beside') ?? '',
      [['', 'nothing'], ...same], key => go({ beside: key })) : null),
  tree(told.match, asked, keyOf),
  beside && sides ? futures(told, beside, sides, asked)
    : make('div', { class: beside ? 'pair' : '' }, conversation(told, asked),
           beside ? conversation(beside, asked) : null));
