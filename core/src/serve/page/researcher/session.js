// The researcher's page of a session: who is here and where, links to hand out, what can be done.
import { html, render, useEffect, useMemo, useRef, useState } from '/assets/vendor/preact.js';
import { announce } from '../announce.js';
import { Copy } from '../copy.js';
import { Dialog } from '../dialog.js';
import { Actions, MessageDialog, MoveDialog, NoteDialog, ReplaceDialog, isOver, isSlow, newToken, slowness }
  from './session_actions.js';
import { follow, send } from '../stream.js';
import { awaitTexts, say, tell } from '../texts.js';

// Enough of a match's key to find it by.
const short = key => key.slice(0, 8);

const absolute = path => location.origin + path;
const codeOf = path => 'qr.svg?of=' + encodeURIComponent(path);

const ago = milliseconds => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 5 ? say('ago.now')
    : seconds < 60 ? say('ago.seconds', { n: seconds })
    : seconds < 3600 ? say('ago.minutes', { n: Math.floor(seconds / 60) })
    : say('ago.hours', { n: (seconds / 3600).toFixed(1) });
};

// A table that a narrow screen shows as cards: each cell says what it is. columns: [name, sentence].
const Table = ({ label, columns, children }) => html`<table role="table" aria-label=${label}>
  <thead role="rowgroup"><tr role="row">${columns.map(([name, words]) =>
    html`<th role="columnheader" scope="col" class=${name}>${words}</th>`)}</tr></thead>
  <tbody role="rowgroup">${children}</tbody></table>`;
const Cell = ({ label, name, children }) =>
  html`<td role="cell" class=${name} data-label=${label}>${children}</td>`;

const Counts = ({ counts }) => html`<dl class="counts" aria-label=${say('session.counts')}>
  ${['here', 'playing', 'waiting', 'done'].map(name => html`<div>
    <dt>${say(`counts.${name}`)}</dt><dd>${counts[name]}</dd></div>`)}
  <div><dt>${say('counts.matches')}</dt>
    <dd>${say('counts.of', { done: counts.matches_done, total: counts.matches_total })}</dd></div>
</dl>`;

const Code = ({ path, of }) =>
  html`<img class="code" src=${codeOf(path)} width="200" height="200"
    alt=${say('link.code.of', { who: of })} />`;

const playing = ['question', 'watching'];
// now: of the server.
const which = {
  all: () => true,
  away: one => !one.here,
  playing: one => playing.includes(one.page),
  waiting: one => one.page === 'waiting' || one.waits_for.length > 0,
  slow: isSlow,
  dropped: one => one.substituted,
  done: one => one.page === 'end',
};
const order = {
  name: (a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }),
  since: (a, b) => (a.page === 'end') - (b.page === 'end') || a.since - b.since,
  slow: (a, b, now) => slowness(b, now) - slowness(a, now) || order.since(a, b),
};

const Choice = ({ label, value, options, onChange }) => html`<label>${label}${' '}
  <select value=${value} onChange=${event => onChange(event.target.value)}>
    ${options.map(([name, words]) => html`<option value=${name}>${words}</option>`)}
  </select></label>`;

const Names = ({ ids, nameOf }) =>
  ids.map((id, i) => html`${i > 0 && say('comma')}<bdi>${nameOf(id)}</bdi>`);

const Participant = ({ one, nameOf, now, ask }) => html`<tr role="row">
  <th role="rowheader" scope="row"><bdi>${one.label}</bdi></th>
  <${Cell} label=${say('participant.here')}>
    <span class=${one.here ? 'dot here' : 'dot'}></span>
    ${one.here ? say('participant.yes') : say('participant.no')}<//>
  <${Cell} label=${say('participant.page')}>
    ${one.end ? say(`ended.${one.end}`) : say(one.trial ? 'page.trial' : `page.${one.page}`)}
    ${one.substituted && html`<div class="warn">${say('participant.substituted')}</div>`}
    ${isSlow(one, now) && html`<div class="warn">
      ${say('participant.slow', { times: slowness(one, now).toFixed(1) })}</div>`}
    ${one.letters > 0 && html`<div class="small">
      ${say('participant.letters', { n: one.letters })}</div>`}
    ${one.note && html`<div class="note-of"><bdi>${one.note}</bdi></div>`}<//>
  <${Cell} label=${say('participant.since')} name="number">${ago(now - one.since)}
    ${one.usual != null && one.page !== 'end' && html`<div class="small">
      ${say('participant.usual', { time: ago(one.usual) })}</div>`}<//>
  <${Cell} label=${say('participant.waits')}>
    <${Names} ids=${one.waits_for} nameOf=${nameOf} /><//>
  <${Cell} label=${say('participant.match')}>
    ${one.match && tell('participant.seat', { match: short(one.match), seat: one.seat })}<//>
  <${Cell} label=${say('participant.matches')} name="number">${one.matches}<//>
  <${Cell} label=${say('participant.payment')} name="number">${one.payment}<//>
  <${Cell} label=${say('participant.link')} name="actions">
    ${one.link && html`<${Copy} text=${absolute(one.link)} label=${say('link.copy')}
      title=${say('link.copy.of', { who: one.label })} />`}
    <button type="button" aria-label=${say('more.of', { who: one.label })}
      onClick=${() => ask({ show: 'more', one })}>${say('more.do')}</button><//>
</tr>`;

const Participants = ({ session, nameOf, now, ask, toCards }) => {
  const [shown, setShown] = useState('all');
  const [by, setBy] = useState('name');
  const [find, setFind] = useState('');
  const people = session.participants;
  const chosen = people.filter(one => which[shown](one, now) &&
    one.label.toLowerCase().includes(find.toLowerCase())).sort((a, b) => order[by](a, b, now));
  const links = people.filter(one => one.link);
  const unused = people.some(one => one.page === 'welcome' && !one.here && !one.room);
  return html`<section aria-labelledby="participants-title">
    <h2 id="participants-title">${say('participants.title')}</h2>
    <div class="choices">
      <label>${say('participants.find')}${' '}<input type="search" value=${find}
        onInput=${event => setFind(event.target.value)} /></label>
      <${Choice} label=${say('participants.which')} value=${shown} onChange=${setShown}
        options=${Object.keys(which).map(name => [name, say(`which.${name}`)])} />
      <${Choice} label=${say('participants.order')} value=${by} onChange=${setBy}
        options=${Object.keys(order).map(name => [name, say(`order.${name}`)])} />
      ${links.length > 0 && html`
        <${Copy} label=${say('link.all')}
          text=${links.map(one => `${one.label}\t${absolute(one.link)}\n`).join('')} />
        <button type="button" onClick=${toCards}>${say('link.cards')}</button>`}
      ${unused && session.state !== 'ended' && html`<button type="button"
        onClick=${() => ask({ show: 'renew-unused', what: { do: 'renew-unused' } })}>
        ${say('session.renew')}</button>`}
    </div>
    <p class="small" role="status">
      ${chosen.length === 0 ? say('participants.none')
        : say('participants.shown', { n: chosen.length, all: people.length })}</p>
    <${Table} label=${say('participants.title')} columns=${[
        ['', say('participant.who')], ['', say('participant.here')], ['', say('participant.page')],
        ['number', say('participant.since')], ['', say('participant.waits')],
        ['', say('participant.match')], ['number', say('participant.matches')],
        ['number', say('participant.payment')], ['', say('participant.link')]]}>
      ${chosen.map(one => html`<${Participant} key=${one.id} one=${one} nameOf=${nameOf} now=${now}
        ask=${ask} />`)}
    <//>
  </section>`;
};

const Panel = ({ panel }) => panel && html`<section aria-labelledby="panel-title">
  <h2 id="panel-title">${say('session.panel')}</h2>
  <p class="choices"><code>${absolute(panel.path)}</code>
    <${Copy} text=${absolute(panel.path)} label=${say('link.copy')}
      title=${say('link.copy.of', { who: say('session.panel') })} /></p>
  <p class="small">${say('session.places', panel)}</p></section>`;

const Rooms = ({ rooms, ask }) => rooms.length > 0 && html`
  <section aria-labelledby="rooms-title"><h2 id="rooms-title">${say('rooms.title')}</h2>
    ${rooms.map(room => html`<div class="room" key=${room.name}>
      <h3><bdi>${room.name}</bdi></h3>
      <p class="choices"><code>${absolute(room.path)}</code>
        <${Copy} text=${absolute(room.path)} label=${say('link.copy')}
          title=${say('link.copy.of', { who: room.name })} />
        <button type="button" aria-label=${say('link.code.of', { who: room.name })}
          onClick=${() => ask({ show: 'code', who: room.name, path: room.path })}>
          ${say('link.code')}</button></p>
      <ul class="names">${room.names.map(one => html`<li class=${one.taken ? 'taken' : ''}>
        <bdi>${one.name}</bdi> ${one.taken ? say('rooms.taken') : say('rooms.free')}</li>`)}</ul>
    </div>`)}</section>`;

const Matches = ({ matches, nameOf, now }) => html`
  <section aria-labelledby="matches-title"><h2 id="matches-title">${say('matches.title')}</h2>
    ${matches.length === 0 ? html`<p>${say('matches.none')}</p>` : html`
    <${Table} label=${say('matches.title')} columns=${[
        ['', say('match.key')], ['', say('match.scenario')], ['', say('match.state')],
        ['', say('match.seats')], ['', say('match.asked')], ['number', say('match.since')]]}>
      ${matches.map(one => html`<tr role="row" key=${one.key}>
        <th role="rowheader" scope="row">${short(one.key)}</th>
        <${Cell} label=${say('match.scenario')}>${one.scenario}<//>
        <${Cell} label=${say('match.state')}>${say(`state.${one.state}`)}<//>
        <${Cell} label=${say('match.seats')}>
          ${one.seats.map(seat => html`<div>${seat.seat}${seat.who !== null &&
            html`: <bdi>${nameOf(seat.who)}</bdi>`}</div>`)}<//>
        <${Cell} label=${say('match.asked')}>
          <${Names} ids=${one.asked} nameOf=${nameOf} /><//>
        <${Cell} label=${say('match.since')} name="number">${ago(now - one.since)}<//>
      </tr>`)}
    <//>`}</section>`;

const mostOfLog = 200;

const Log = ({ log }) => {
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium' });
  return html`<section aria-labelledby="log-title"><h2 id="log-title">${say('log.title')}</h2>
    ${log.length > 0 && html`<ol class="log" tabindex="0" aria-labelledby="log-title">
      ${log.slice(-mostOfLog).reverse().map(line => html`<li key=${line.at + line.text}>
        <time>${clock.format(line.at)}</time> <span dir="auto">${line.text}</span></li>`)}</ol>`}
  </section>`;
};

const Cards = ({ people, back }) => html`<main class="cards-page">
  <div class="choices no-print">
    <button type="button" class="main" onClick=${() => print()}>${say('link.print')}</button>
    <button type="button" onClick=${back}>${say('link.back')}</button>
  </div>
  <h1 class="no-print">${say('link.cards')}</h1>
  <ul class="cards">${people.filter(one => one.link).map(one => html`<li key=${one.id}>
    <h2><bdi>${one.label}</bdi></h2>
    <${Code} path=${one.link} of=${one.label} />
    <p><code>${absolute(one.link)}</code></p>
    <p class="small">${say('link.cards.note')}</p></li>`)}</ul></main>`;

// What can be done for one participant.
const More = ({ one, session, close, ask }) => {
  const to = (show, what) => () => ask({ show, one, who: one.label,
    what: { do: what, id: one.id,
            ...(['advance', 'move', 'replace', 'drop'].includes(what) ? { seen: one.place } : {}),
            ...(what === 'renew' ? { link: one.link ?? '' } : {}) } });
  return html`<${Dialog} title=${one.label} no=${say('close')} onNo=${close}>
    ${one.link ? html`<${Code} path=${one.link} of=${one.label} />
        <p><code>${absolute(one.link)}</code></p>`
      : html`<p>${say(one.room ? 'link.room' : 'link.unknown', { room: one.room })}</p>`}
    <${Actions} one=${one} session=${session} to=${to} />
    <div class="buttons">
      <button type="button" onClick=${to('renew', 'renew')}>${say('link.renew')}</button>
      ${one.room && html`<button type="button" onClick=${to('release', 'release')}>
        ${say('release.do')}</button>`}
      ${!isOver(one) && html`<button type="button" onClick=${to('drop', 'drop')}>
        ${say('drop.do')}</button>`}
    </div><//>`;
};

// What is asked before it is done, or shown by itself.
const Asked = ({ asked, session, close, ask, act }) => {
  const { show, who } = asked;
  if (show === 'more')
    return html`<${More} one=${asked.one} session=${session} close=${close} ask=${ask} />`;
  const Own = { message: MessageDialog, move: MoveDialog, note: NoteDialog,
    replace: ReplaceDialog }[show];
  if (Own) return html`<${Own} asked=${asked} session=${session} close=${close} act=${act} />`;
  if (show === 'code')
    return html`<${Dialog} title=${who} no=${say('close')} onNo=${close}>
      <${Code} path=${asked.path} of=${who} /><p><code>${absolute(asked.path)}</code></p><//>`;
  if (show === 'login')
    return html`<${Dialog} title=${say('session.login')} note=${say('session.login.note')}
        no=${say('close')} onNo=${close}>
      <p><code>${absolute(asked.path)}</code></p>
      <${Copy} text=${absolute(asked.path)} label=${say('link.copy')} /><//>`;
  const key = { end: 'session.end', renew: 'link.renew', 'renew-unused': 'session.renew' }[show]
    ?? show;
  return html`<${Dialog} key=${show} title=${say(`${key}.title`, { who })} note=${say(`${key}.note`)}
    yes=${say(`${key}.yes`)} no=${say(`${key}.no`)} onNo=${close}
    onYes=${() => { close(); act(asked.what); }} />`;
};

const Add = ({ act }) => {
  const [n, setN] = useState('1');
  const add = event => { event.preventDefault(); act({ do: 'add', n: Number(n) }); };
  return html`<form class="choices" onSubmit=${add}>
    <label>${say('session.add.how')}${' '}<input type="number" min="1" max="1000" required value=${n}
      onInput=${event => setN(event.target.value)} /></label>
    <button type="submit">${say('session.add')}</button></form>`;
};

const Session = ({ session, now, lost, failed, act, ask, toCards }) => {
  const names = useMemo(() => new Map(session.participants.map(one => [one.id, one.label])),
                        [session]);
  const nameOf = id => names.get(id) ?? id;
  const { state } = session;
  return html`<main>
    <div role="status">${lost && html`<p class="notice alert">${say('session.lost')}</p>`}</div>
    <div role="alert">${failed && html`<p class="alert">${failed}</p>`}</div>
    <h1><bdi>${session.title || say('session.title')}</bdi>${' '}
      <span class=${`badge ${state}`}>${say(`session.${state}`)}</span></h1>
    <${Counts} counts=${session.counts} />
    <div class="choices">
      ${state === 'open' && html`<button type="button" onClick=${() => act({ do: 'pause' })}>
        ${say('session.pause')}</button>`}
      ${state === 'paused' && html`<button type="button" class="main"
        onClick=${() => act({ do: 'go-on' })}>${say('session.go')}</button>`}
      ${state !== 'ended' && html`<button type="button"
        onClick=${() => ask({ show: 'end', what: { do: 'end' } })}>${say('session.end')}</button>`}
      <a class="button" href="payments.csv" download>${say('session.payments')}</a>
      <a class="button" href="answers.csv" download>${say('session.answers')}</a>
      ${session.chat && html`<a class="button" href="chat.csv" download>${say('session.chat')}</a>`}
      <a class="button" href="people.csv" download>${say('session.people')}</a>
      <a class="button" href="codebook.csv" download>${say('session.codebook')}</a>
      <a class="button" href="/archive">${say('session.archive')}</a>
      ${state !== 'ended' && html`<button type="button"
        onClick=${() => ask({ show: 'message', what: { do: 'message' } })}>
        ${say('session.message')}</button>`}
      <button type="button" onClick=${() => act({ do: 'login-link' })}>
        ${say('session.login')}</button>
    </div>
    ${state !== 'ended' && html`<${Add} act=${act} />`}
    <${Panel} panel=${session.panel} />
    <${Rooms} rooms=${session.rooms} ask=${ask} />
    <${Participants} session=${session} nameOf=${nameOf} now=${now} ask=${ask} toCards=${toCards} />
    <${Matches} matches=${session.matches} nameOf=${nameOf} now=${now} />
    <${Log} log=${session.log} />
  </main>`;
};

const pace = 500;   // milliseconds between two looks at what has changed: many may come at once
const tick = 5000;  // milliseconds after which "2 min" may read "3 min"

const App = () => {
  const [session, setSession] = useState(null);
  const [lost, setLost] = useState(false);
  const [failed, setFailed] = useState('');
  const [asked, setAsked] = useState(null);
  const [cards, setCards] = useState(false);
  const [, setTick] = useState(0);
  const latest = useRef(null), behind = useRef(0);  // behind: the server's clock less this one
  useEffect(() => {
    let timer = 0;
    const show = () => { timer = 0; setSession(latest.current); };
    const words = awaitTexts([...navigator.languages.map(name => name.split('-')[0]), 'en']);
    const stream = follow('events', { session: async next => {
      behind.current = next.now - Date.now();
      const first = latest.current === null;
      latest.current = next;
      await words;
      document.title = next.title || say('session.title');
      if (first) show();
      else if (timer === 0) timer = setTimeout(show, pace);
    } }, yes => setLost(!yes));
    // A browser has few connections for one server, and each tab's stream takes one.
    addEventListener('visibilitychange', () => document.hidden ? stream.stop() : stream.open());
    setInterval(() => setTick(n => n + 1), tick);
  }, []);
  const act = async what => {
    setFailed('');
    // The same action once more where its answer was lost, and no other.
    const again = { ...what, token: newToken() };
    let { status, said } = await send('do', again);
    if (status === 0) ({ status, said } = await send('do', again));
    if (status < 200 || status >= 300)
      setFailed(said?.error ? say('failed', { problem: said.error }) : say('failed.again'));
    else if (what.do === 'add')
      announce(say('session.added', { n: said.participants.length }));
    else if (what.do === 'renew-unused')
      announce(say('session.renewed', { n: said.renewed }));
    else if (what.do === 'message') announce(say('message.sent'));
    else if (what.do === 'login-link') setAsked({ show: 'login', path: said.link });
  };
  if (session === null) return null;
  const now = Date.now() + behind.current;
  return html`
    ${cards ? html`<${Cards} people=${session.participants} back=${() => setCards(false)} />`
      : html`<${Session} session=${session} now=${now} lost=${lost} failed=${failed} act=${act}
          ask=${setAsked} toCards=${() => setCards(true)} />`}
    ${asked && html`<${Asked} asked=${asked} session=${session} close=${() => setAsked(null)}
      ask=${setAsked} act=${act} />`}`;
};

render(html`<${App} />`, document.getElementById('page'));
