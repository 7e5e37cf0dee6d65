// An archive in the browser: how its run stands, its matches, each of them as a conversation. What
// is looked at stands behind the address's #, as in a report. Texts of others are data.
import { html, render, useEffect, useMemo, useRef, useState } from '/assets/vendor/preact.js';
import { keepFocus, opened, renewTree, titleOf, whoPlayed } from '/assets/report/conversation.js';

const kFilters = ['suite', 'game', 'treatment', 'agent', 'other', 'status', 'faults', 'block',
  'order'];

const read = () => new URLSearchParams(location.hash.replace(/^#(matches)?\??/, ''));
const addressOf = asked => '#matches?' + asked;
const changed = (asked, changes) => {
  const next = new URLSearchParams(asked);
  for (const [name, value] of Object.entries(changes))
    value === '' ? next.delete(name) : next.set(name, value);
  return next;
};
const go = changes => { location.hash = addressOf(changed(read(), changes)); };
const only = (asked, names) =>
  new URLSearchParams([...asked.entries()].filter(([name]) => names.includes(name)));

// Which page the address leads to; what else it says is how that is looked at.
const pageOf = () => location.hash.startsWith('#matches')
  ? 'matches' + (read().get('match') ?? '') : '';

const refusalOf = status => status === 401 || status === 403
  ? 'The server does not know this browser: it was started again, or never let it in. Open the ' +
    'link that it printed.'
  : `The server answered ${status}.`;

// What the server says, or throws what is wrong.
const ask = async (path, what) => {
  const response = await fetch(path, what);
  const said = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(said.error ? [said.error.problem, said.error.hint].filter(Boolean).join('; ')
                               : refusalOf(response.status));
  return said;
};

// Milliseconds after which an archive that could not be read is asked for again.
const kRetry = 5000;

// What `path` gives, asked again when it or `again` changes: { data, problem }. With `retry`, a
// problem is asked again after as many milliseconds: the archive may be back.
const useAnswer = (path, again, retry = 0) => {
  const [answer, setAnswer] = useState({});
  useEffect(() => {
    if (path === null) return setAnswer({});
    let wanted = true, timer = null;
    const look = () => ask(path).then(data => wanted && setAnswer({ path, data }), error => {
      if (!wanted) return;
      setAnswer({ path, problem: error.message });
      if (retry > 0) timer = setTimeout(look, retry);
    });
    look();
    return () => { wanted = false; clearTimeout(timer); };
  }, [path, again]);
  return answer.path === path ? answer : {};
};

// A value that is taken over at most every so many milliseconds.
const useSlowly = (value, pause) => {
  const [taken, setTaken] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + pause - Date.now());
    const timer = setTimeout(() => { last.current = Date.now(); setTaken(value); }, wait);
    return () => clearTimeout(timer);
  }, [value]);
  return taken;
};

const number = n => n.toLocaleString('en');
const time = ms => new Date(ms).toLocaleString();

const Problem = ({ text }) => text ? html`<p class="alert" role="alert">${text}</p>` : null;

const Table = ({ title, heads, rows }) => rows.length === 0 ? null : html`
  <div class="wide" role="group" aria-label=${title} tabindex="0"><table><caption>${title}</caption>
  <thead><tr>${heads.map(([head, figure]) =>
    html`<th scope="col" class=${figure ? 'figure' : ''}>${head}</th>`)}</tr></thead>
  <tbody>${rows.map(row => html`<tr>${row.map((cell, i) => i === 0
    ? html`<th scope="row" dir="auto">${cell}</th>`
    : html`<td class=${heads[i][1] ? 'figure' : ''} dir=${heads[i][1] ? null : 'auto'}>${cell}</td>`)}
  </tr>`)}</tbody></table></div>`;

const Facts = ({ facts }) => html`<dl class="facts">${facts.filter(([, value]) => value !== '')
  .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

const kStates = { none: 'No run is recorded here.', playing: 'The run goes on.',
                  stopping: 'The run is stopping.', done: 'The run came to its end.',
                  stopped: 'The run stopped.' };

const RunControl = ({ run }) => {
  const [problem, setProblem] = useState('');
  const tell = what => {
    setProblem('');
    ask('/api/run', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                      body: JSON.stringify({ do: what }) })
      .catch(error => setProblem(error.message));
  };
  return html`<div class="run">
    <strong role="status">${kStates[run.state]}</strong>
    ${run.total > 0 ? html`<progress value=${run.done} max=${Math.max(1, run.total)}
      aria-label="matches of the run"></progress>
      <span>${number(run.done)} of ${number(run.total)} matches</span>` : null}
    ${run.may_stop ? html`<button type="button" onClick=${() => tell('stop')}>Stop</button>` : null}
    ${run.may_go_on ? html`<button type="button" onClick=${() => tell('go-on')}>Go on</button>` : null}
  </div><${Problem} text=${problem} />`;
};

const matchesOf = filters => addressOf(new URLSearchParams(filters));

const Overview = ({ run }) => {
  const suite = read().get('suite') ?? '';
  const again = useSlowly(`${run.read} ${run.state}`, 3000);
  const { data: head, problem } = useAnswer('/api/archive?' + new URLSearchParams(
    suite ? { suite } : {}), again, kRetry);
  const by = suite ? { suite } : {};
  return html`<h1 dir="auto">${run.suite || 'Archive'}</h1>
    <${RunControl} run=${run} />
    ${run.words ? html`<p dir="auto">${run.words}.</p>` : null}
    ${run.command ? html`<p><code dir="auto">${run.command}</code></p>` : null}
    ${run.stop_rule ? html`<p dir="auto">${run.stop_rule}</p>` : null}
    <${Facts} facts=${[['matches', head ? number(head.matches) : ''],
      ['unfinished', run.unfinished ? number(run.unfinished) : ''],
      ['model calls', run.calls ? number(run.calls) : ''],
      ['tokens', run.calls ? number(run.tokens) : ''], ['cost', run.cost]]} />
    <p>${run.state === 'playing' || run.state === 'stopping'
      ? html`While the run goes on, the <a href="/api/report">report</a> has only what holds
             however often one looks.`
      : html`Scores, differences and plots are in the <a href="/api/report">report</a>.`}</p>
    <${Problem} text=${problem} />
    <${Table} title="Scenarios of the run" heads=${[['scenario'], ['game'], ['matches', 1], [''],
      ['broken', 1]]} rows=${run.scenarios.map(s => [s.scenario, s.game,
        `${number(s.done)} of ${number(s.total)}`,
        html`<progress value=${s.done} max=${Math.max(1, s.total)}
          aria-label=${'matches of ' + s.scenario}></progress>`, s.broken || ''])} />
    <${Table} title=${run.unfinished > run.open.length
        ? `Unfinished matches: ${run.open.length} of ${number(run.unfinished)}`
        : 'Unfinished matches'}
      heads=${[['scenario'], ['block', 1], ['who plays'], ['saved'], ['why it stopped']]}
      rows=${run.open.map(m => [m.scenario, m.block, m.agents.join(', '), time(m.saved),
                                m.reason])} />
    ${head ? html`
    <${Table} title="Agents" heads=${[['agent'], ['seats', 1], ['faulty attempts', 1],
      ['fallback answers', 1], ['calls', 1], ['tokens', 1], ['cost', 1]]}
      rows=${head.agents.map(a => [html`<a href=${matchesOf({ ...by, agent: a.name })}>${a.name}</a>`,
        number(a.seats), number(a.faults), a.fallbacks
          ? html`<a href=${matchesOf({ ...by, agent: a.name, faults: 'fallback' })}>${number(a.fallbacks)}</a>`
          : '0', a.calls ? number(a.calls) : '', a.calls ? number(a.tokens) : '', a.cost])} />
    <${Table} title="Games and treatments" heads=${[['treatment'], ['game'], ['matches', 1],
      ['broken', 1]]} rows=${head.treatments.map(t => [
        html`<a href=${matchesOf({ ...by, game: t.game, treatment: t.treatment })}>${t.treatment}</a>`,
        t.game, number(t.matches), t.broken || ''])} />
    ${head.suites.length > 1 ? html`<${Table} title="Suites in this archive" heads=${[['suite'],
      ['seed', 1], ['matches', 1]]} rows=${head.suites.map(s => [
        html`<a href=${matchesOf({ suite: s.number })}>${s.name}</a>`, s.seed, number(s.matches)])} />`
      : null}
    <${Table} title="Runs" heads=${[['run'], ['suite'], ['began'], ['ended'], ['how'], ['command']]}
      rows=${head.runs.map(r => [r.number, r.suite, time(r.started), r.ended ? time(r.ended) : '',
                                 r.status, html`<code>${r.command}</code>`])} />` : null}`;
};

const Chooser = ({ label, name, asked, options, any = 'any', also = {} }) => html`<label>${label} <select
  value=${asked.get(name) ?? ''} onChange=${event =>
    go({ [name]: event.target.value, from: '', most: '', match: '', beside: '', ...also })}>
  <option value="">${any}</option>
  ${asked.get(name) && !options.some(([key]) => key === asked.get(name))
    ? html`<option value=${asked.get(name)}>${asked.get(name)}</option>` : null}
  ${options.map(([key, words]) => html`<option value=${key}>${words}</option>`)}
  </select></label>`;

// A page that is drawn again keeps what is being typed.
const BlockEntry = ({ asked }) => {
  const block = asked.get('block') ?? '';
  const [typed, setTyped] = useState(block);
  useEffect(() => setTyped(block), [block]);
  return html`<label>block <input type="text" inputmode="numeric" value=${typed}
    onInput=${event => setTyped(event.target.value)}
    onChange=${event => go({ block: event.target.value.trim(), most: '' })} /></label>`;
};

const unique = list => [...new Set(list)].sort();

let lastOpened = null;  // the match that was looked at before the list

const List = ({ run, asked }) => {
  const again = useSlowly(run.read, 3000);
  const most = Number(asked.get('most') ?? 100);
  const suite = asked.get('suite') ?? '';
  const { data: head } = useAnswer('/api/archive?' + new URLSearchParams(suite ? { suite } : {}),
                                   again, kRetry);
  const query = only(asked, kFilters);
  query.set('most', String(most));
  const { data: list, problem } = useAnswer('/api/matches?' + query, again, kRetry);
  const last = useRef(null);
  if (list) last.current = list;
  const shown = list ?? last.current;
  const room = useRef(null);
  useEffect(() => {
    const onKey = event => {
      if (event.ctrlKey || event.altKey || event.metaKey ||
          ['INPUT', 'SELECT'].includes(event.target.tagName)) return;
      const links = [...(room.current?.querySelectorAll('.list a') ?? [])];
      const at = links.indexOf(document.activeElement);
      if (event.key === 'j' || (event.key === 'ArrowDown' && at >= 0)) links[Math.min(at + 1, links.length - 1)]?.focus();
      else if (event.key === 'k' || (event.key === 'ArrowUp' && at >= 0)) links[Math.max(at - 1, 0)]?.focus();
      else if (event.key === '/') room.current?.querySelector('select')?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (!shown || lastOpened === null) return;
    // The focus stays where it was moved meanwhile.
    if (document.activeElement === document.body)
      room.current.querySelector(`a[data-number="${Number(lastOpened)}"]`)?.focus();
    lastOpened = null;
  }, [shown]);
  const names = head?.agents.map(a => [a.name, a.name]) ?? [];
  const games = unique(head?.treatments.map(t => t.game) ?? []).map(name => [name, name]);
  const treatments = unique((head?.treatments ?? [])
    .filter(t => !asked.get('game') || t.game === asked.get('game'))
    .map(t => t.treatment)).map(name => [name, name]);
  return html`<div ref=${room}><h1>Matches</h1>
    <div class="choices">
      ${head && head.suites.length > 1 ? html`<${Chooser} label="suite" name="suite" asked=${asked}
        any="the last one" options=${[...head.suites.map(s => [String(s.number),
          `${s.name} (${number(s.matches)})`]), ['all', 'all']]}
        also=${{ game: '', treatment: '', agent: '', other: '' }} />` : null}
      <${Chooser} label="game" name="game" asked=${asked} options=${games} also=${{ treatment: '' }} />
      <${Chooser} label="treatment" name="treatment" asked=${asked} options=${treatments} />
      <${Chooser} label="agent" name="agent" asked=${asked} options=${names} />
      <${Chooser} label="against" name="other" asked=${asked} options=${names} />
      <${Chooser} label="status" name="status" asked=${asked} options=${[['finished', 'finished'],
        ['game-error', 'game error'], ['quarantined', 'quarantined']]} />
      <${Chooser} label="faults" name="faults" asked=${asked} options=${[['any', 'some attempt'],
        ['fallback', 'a fallback answer']]} />
      <${BlockEntry} asked=${asked} />
      <${Chooser} label="order" name="order" asked=${asked} any="first to last"
        options=${[['last', 'last to first']]} />
    </div>
    <${Problem} text=${problem} />
    ${shown ? html`<p role="status">${shown.total === 0 ? 'No match is so.'
        : `${number(shown.total)} ${shown.total === 1 ? 'match' : 'matches'}.`}
        ${run.matches > run.read ? ` ${number(run.read)} of ${number(run.matches)} were looked through yet.` : ''}
        ${' '}<span class="small"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens${', '}
        <kbd>/</kbd> filters</span></p>
      <ul class="list">${shown.matches.map(m => html`<li key=${m.number}>
        <a href=${addressOf(changed(asked, { match: String(m.number) }))}
          data-number=${m.number} dir="auto">${titleOf(m)}</a>
        ${' '}<span dir="auto">${whoPlayed(m)}</span>
        ${m.status !== 'finished' ? html` <span class="marked">${m.status}</span>` : null}
        ${m.fallback ? html` <span class="marked">fallback answer</span>`
          : m.faulty ? html` <span class="small">faulty attempt</span>` : null}</li>`)}</ul>
      ${shown.matches.length < shown.total && most < 1000 ? html`<button type="button"
        onClick=${() => go({ most: String(Math.min(1000, most + 300)) })}>more</button>` : null}`
      : html`<p>Looking.</p>`}</div>`;
};

const Match = ({ run, asked }) => {
  const key = asked.get('match');
  const room = useRef(null);
  const { data: first, problem } = useAnswer('/api/match/' + encodeURIComponent(key));
  // While a run adds branches the tree grows, and nothing else of the match.
  const again = useSlowly(run.read, 3000);
  const { data: branches } = useAnswer(first ? '/api/tree/' + encodeURIComponent(key) : null, again);
  const told = useMemo(() => first && { ...first, match: { ...first.match, ...branches } },
                       [first, branches]);
  const besideKey = asked.get('beside');
  const { data: beside, problem: other } = useAnswer(
    besideKey ? '/api/match/' + encodeURIComponent(besideKey) : null);
  // Futures of one match are told side by side.
  const isFuture = told && beside && told.match.tree.some(b => b.number === beside.match.number);
  const { data: sides, problem: apart } = useAnswer(isFuture
    ? `/api/beside/${encodeURIComponent(key)}/${encodeURIComponent(besideKey)}` : null);
  const query = only(asked, ['suite']);
  query.set('rng_key', told?.match.number ?? '');
  query.set('most', '200');
  const { data: same, problem: alike } = useAnswer(told ? '/api/matches?' + query : null);
  useEffect(() => {
    const onKey = event => {
      if (event.key === 'Escape') go({ match: '', beside: '', seat: '' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const heading = useRef(null);
  useEffect(() => {
    heading.current.focus();
    lastOpened = key;
  }, [key]);
  useEffect(() => {
    if (branches && room.current.firstChild) renewTree(room.current, told.match, asked, String);
  }, [branches]);
  // What is being read is not made again when the next answer comes: all of them are awaited.
  const isToBeTold = told && (same || alike);
  const waits = !isToBeTold || (besideKey && !(beside || other)) || (isFuture && !(sides || apart));
  useEffect(() => {
    if (!told) return room.current?.replaceChildren();
    if (waits) return;
    keepFocus(room.current, () => room.current.replaceChildren(opened(told, beside ?? null,
      (same?.matches ?? []).filter(m => m.number !== told.match.number)
        .map(m => [String(m.number), `#${m.number} ${whoPlayed(m)}`]), asked, go, String,
      sides ?? null)));
  }, [first, waits, beside, same, sides, asked.toString()]);
  return html`<h1 ref=${heading} tabindex="-1">Match</h1><${Problem} text=${problem ?? other ?? apart} />
    ${isToBeTold || problem ? null : html`<p>It is being told.</p>`}<div ref=${room}></div>`;
};

const App = () => {
  const [, setHash] = useState(location.hash);
  const [run, setRun] = useState(null);
  const [lost, setLost] = useState('');
  useEffect(() => {
    let page = pageOf();
    const onHash = () => {
      if (pageOf() !== page) scrollTo(0, 0);
      page = pageOf();
      setHash(location.hash);
    };
    addEventListener('hashchange', onHash);
    // Nobody looks at a hidden page, and a browser has few connections to one server.
    let events = null, timer = null;
    const close = () => { events?.close(); events = null; clearTimeout(timer); };
    const open = () => {
      close();
      if (document.hidden) return;
      events = new EventSource('/events');
      events.addEventListener('run', event => { setRun(JSON.parse(event.data)); setLost(''); });
      events.onerror = () => {
        setLost('The server does not answer; this page tries again.');
        if (events?.readyState !== EventSource.CLOSED) return;
        ask('/api/run').catch(error => setLost(error.message));
        timer = setTimeout(open, 5000);
      };
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      removeEventListener('hashchange', onHash);
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, []);
  const asked = read();
  useEffect(() => {
    const what = asked.get('match') ? `match ${asked.get('match')}`
      : pageOf() ? 'matches' : run?.suite || 'archive';
    document.title = `Agon: ${what}`;
  });
  const matches = location.hash.startsWith('#matches');
  return html`<nav aria-label="pages">
      <a href="#" aria-current=${matches ? null : 'page'}>Overview</a>
      <a href="#matches" aria-current=${matches ? 'page' : null}>Matches</a>
      <a href="/api/report">Report</a>
      <span class="file small" dir="auto" title=${run?.file}>${run?.file.split("/").pop()}</span></nav>
    <main>
    <${Problem} text=${lost} />
    ${run === null ? html`<p>Looking at the archive.</p>` : html`
      <${Problem} text=${run.problem} />
      ${matches && asked.get('match') ? html`<${Match} run=${run} asked=${asked} />`
        : matches ? html`<${List} run=${run} asked=${asked} />`
        : run.problem ? null : html`<${Overview} run=${run} />`}`}
    </main>`;
};

const room = document.getElementById('viewer');
room.replaceChildren();
render(html`<${App} />`, room);
