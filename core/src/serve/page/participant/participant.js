// The page of a participant: shows the state that the server sends, one page after the other.
import { html, render, useEffect, useErrorBoundary, useLayoutEffect, useRef, useState }
  from '/assets/vendor/preact.js';
import { announce } from '../announce.js';
import { Conversation } from './conversation.js';
import { Copy } from '../copy.js';
import { Dialog } from '../dialog.js';
import { Countdown, Question, isMessage } from './question.js';
import { LookUp, Reading } from './reading.js';
import { ring, soundWanted, wantSound } from './sound.js';
import { follow, send } from '../stream.js';
import { TableChat, withLines } from './table_chat.js';
import { StudyForm } from './study_form.js';
import { awaitTexts, loadTexts, say, tell } from '../texts.js';
import { Paragraphs, Words } from '../words.js';

// One page in one tab: a copy of the tab is another.
const tab = [...crypto.getRandomValues(new Uint32Array(4))].map(n => n.toString(36)).join('');

// What the stream brings is what is new of a match; a gap means that something was missed.
const withAllTold = (before, state) => {
  if (!state.match) return state;
  const known = before?.match?.key === state.match.key ? before.match.told : [];
  const { from, told } = state.match;
  if (from > known.length) return null;
  return { ...state, match: { ...state.match, told: [...known.slice(0, from), ...told] } };
};

const ends = state => {
  const left = state.left_ms ?? state.match?.question?.left_ms ?? null;
  return left === null ? null : performance.now() + left;
};

const questionOf = state => state.page === 'question' ? state.match.question : null;

// What is another page to who looks at it: focus goes to its heading then.
const pageKey = state => {
  const question = questionOf(state);
  return [state.page, state.match?.key, question?.number, state.reading?.number, state.form?.stage]
    .join(' ');
};

const titleOf = state => ({
  question: () => say(state.match.question.probe ? 'question.probe' : 'question.title'),
  reading: () => state.reading.title || say('reading.title'),
  form: () => say(state.form.quiz ? 'quiz.title' : 'questionnaire.title'),
  result: () => say(state.trial ? 'result.trial' : 'result.title'),
}[state.page] ?? (() => say(`${state.page}.title`)))();

const Buttons = ({ children }) => html`<div class="buttons">${children}</div>`;
const Act = ({ main, onClick, busy, children }) =>
  html`<button type="button" class=${main ? 'main' : ''} onClick=${onClick}
    aria-disabled=${busy ? 'true' : null}>${children}</button>`;

const Welcome = ({ state, act, busy }) => html`
  <${Paragraphs} text=${state.welcome.text || say('welcome.text')} />
  <${Buttons}><${Act} main busy=${busy} onClick=${() => act('begin')}>${say('welcome.go')}<//><//>`;

const Consent = ({ state, act, busy }) => {
  const [asked, setAsked] = useState(false);
  return html`
    <div class="document" tabindex="0" role="group" aria-label=${say('consent.text')}>
      <${Paragraphs} text=${state.consent.text} /></div>
    <${Buttons}>
      <${Act} main busy=${busy} onClick=${() => act('agree')}>${say('consent.agree')}<//>
      <${Act} busy=${busy} onClick=${() => setAsked(true)}>${say('consent.decline')}<//>
    <//>
    ${asked && html`<${Dialog} title=${say('decline.title')} note=${say('decline.note')}
      yes=${say('decline.yes')} no=${say('decline.no')} onNo=${() => setAsked(false)}
      onYes=${() => { setAsked(false); act('decline'); }} />`}`;
};

const ReadingPage = ({ state, act, busy }) => html`
  <${Reading} number=${state.reading.number} />
  <${Buttons}><${Act} main busy=${busy} onClick=${() => act('understood')}>
    ${say('instructions.go')}<//><//>`;

const FormPage = ({ state, askAgain }) => html`
  <${StudyForm} key=${`${state.form.stage} ${state.form.attempt}`} state=${state} tab=${tab}
    askAgain=${askAgain} />`;

// Instructions above the rules.
const Above = ({ number }) => html`
  <${Reading} number=${number} titled /><h2>${say('match.rules')}</h2>`;

const Instructions = ({ state, act, busy }) => html`
  ${state.instructions.reading != null && html`<${Above} number=${state.instructions.reading} />`}
  <${Paragraphs} text=${state.instructions.rules || say('instructions.several')} />
  ${state.instructions.told && html`<h2>${say('instructions.others')}</h2>
    <${Paragraphs} text=${state.instructions.told} />`}
  <${Buttons}>
    ${state.trial && html`<${Act} main busy=${busy} onClick=${() => act('trial')}>
      ${say('instructions.trial')}<//>`}
    <${Act} main=${!state.trial} busy=${busy} onClick=${() => act('understood')}>
      ${say(state.trial ? 'instructions.skip' : 'instructions.go')}<//>
  <//>`;

const Sound = () => {
  const [wanted, setWanted] = useState(soundWanted());
  const change = event => { wantSound(event.target.checked); setWanted(event.target.checked); };
  return html`<label class="check"><input type="checkbox" checked=${wanted} onChange=${change} />
    ${say('waiting.sound')}</label>`;
};

const Waiting = ({ state }) => html`
  <p>${say('waiting.note')}</p>
  <p role="status" class="big">${say('waiting.here', state.waiting)}</p>
  <progress max=${state.waiting.needed} value=${state.waiting.here}
    aria-label=${say('waiting.here', state.waiting)}></progress>
  <${Sound} />
  ${state.rules && html`<${About} match=${state} />`}`;

// The rules of the match that begins, before anything is asked.
const Rules = ({ state, act, busy }) => html`
  <${Who} match=${state.match} />
  ${state.match.reading != null && html`<${Above} number=${state.match.reading} />`}
  <${Paragraphs} text=${state.match.rules} />
  ${state.ends !== null && !state.paused && html`<${Countdown} ends=${state.ends} />`}
  <${Buttons}><${Act} main busy=${busy} onClick=${() => act('understood')}>
    ${say('rules.go')}<//><//>`;

// Who one is in this match, and its rules for looking up.
const About = ({ match }) => html`<details class="about">
    <summary>${say('match.rules')}</summary>
    <${Paragraphs} text=${match.rules} />
  </details>`;

// A seat that is called by its role is "the buyer", but not "the A".
const whoText = ({ you, role }) => {
  if (!role) return 'match.you';
  if (role.toLowerCase() !== you.toLowerCase()) return 'match.role';
  return role === role.toLowerCase() ? 'match.only-role' : 'match.you';
};

const Who = ({ match }) => html`<div class="who-is-who">
    ${match.title && html`<p class="small"><bdi>${match.title}</bdi></p>`}
    <p>${tell(whoText(match), match)}
    ${match.others.length > 0 && html` ${tell('match.others', { others: match.others.join(say('comma')) })}`}
    </p>
    ${match.persona && html`<${Words} text=${match.persona} />`}
  </div>`;

const Asked = ({ state, askAgain }) => {
  const { match } = state;
  const { number, attempt } = match.question;
  return html`
    <${Who} match=${match} />
    <${Conversation} key=${match.key} told=${match.told} />
    <${Question} key=${`${match.key} ${number} ${attempt}`} match=${match} paused=${state.paused}
      ends=${state.paused ? null : state.ends} tab=${tab} askAgain=${askAgain} />
    <${About} match=${match} />`;
};

const Watching = ({ state }) => html`
  <${Who} match=${state.match} />
  <p role="status">${say('watching.note')}</p>
  <${Conversation} key=${state.match.key} told=${state.match.told} />
  <${Sound} />
  <${About} match=${state.match} />`;

const Result = ({ state, act, busy }) => html`
  ${state.result.lines.map(line => html`<${Words} text=${line} />`)}
  <dl class="figures">
    ${state.result.score && html`<dt>${say('result.score')}</dt>
      <dd class="told-score" dir="auto">${state.result.score}</dd>`}
    ${state.result.payment && html`<dt>
      ${say(state.result.if_drawn ? 'result.payment.drawn' : 'result.payment')}</dt>
      <dd>${state.result.payment}</dd>`}
  </dl>
  <${Buttons}><${Act} main busy=${busy} onClick=${() => act('next')}>${say('result.go')}<//><//>
  ${state.match && html`<${Conversation} key=${state.match.key} told=${state.match.told} />
    <${About} match=${state.match} />`}`;

const isLink = text => /^https?:\/\//i.test(text);

// How the payment adds up: what counts is the total.
const Account = ({ account, payment }) => html`<table class="account">
  <caption>${say('account.title')}</caption>
  <tbody>${account.lines.map(line => html`<tr class=${line.counts ? null : 'aside-line'}>
    <th scope="row">${say(`account.${line.part}`, { n: line.number, points: line.points,
      rate: account.rate })}</th>
    <td>${line.counts ? line.amount : say('account.not_drawn')}</td></tr>`)}</tbody>
  <tfoot><tr><th scope="row">${say('end.payment')}</th><td>${payment}</td></tr></tfoot>
</table>
${account.drawn !== null && html`<p class="small">${say('account.drawn', { n: account.drawn })}</p>`}`;

const End = ({ state }) => html`
  ${state.end.lines.map(line => html`<${Words} text=${line} />`)}
  <dl class="figures">
    ${state.end.payment && html`<dt>${say('end.payment')}</dt><dd>${state.end.payment}</dd>`}
    ${state.end.code && html`<dt>${say('end.code')}</dt>
      <dd><code>${state.end.code}</code>
        <${Copy} text=${state.end.code} label=${say('end.copy')} /></dd>`}
  </dl>
  ${state.end.return && isLink(state.end.return) && html`<p>
    <a class="button main" rel="noreferrer" href=${state.end.return}>${say('end.return')}</a></p>`}
  ${state.end.account && html`<${Account} ...${state.end} />`}`;

const Refused = ({ state }) => html`<${Paragraphs} text=${state.refused.text} />`;

const Elsewhere = ({ goOn }) => html`
  <p>${say('elsewhere.note')}</p>
  <${Buttons}><${Act} main onClick=${goOn}>${say('elsewhere.go')}<//><//>`;

// A page that cannot be shown, whatever the reason, says so instead of being empty.
const Unbroken = ({ children }) => {
  const [broken] = useErrorBoundary();
  return !broken ? children : html`<div class="alert" role="alert">
    <h2>${say('broken.title')}</h2>
    <p>${say('broken.note')}</p>
    <${Buttons}><${Act} main onClick=${() => location.reload()}>${say('broken.go')}<//><//></div>`;
};

// What the researcher wrote, until it is closed.
const Letters = ({ letters, close }) => html`<div class="letters" aria-live="assertive"
    aria-relevant="additions">
  ${letters.map(letter => html`<section class="notice letter" key=${letter.number}
      aria-label=${say('letter.title')}>
    <h2>${say('letter.title')}</h2>
    <${Paragraphs} text=${letter.text} />
    <button type="button" onClick=${() => close(letter.number)}>${say('letter.close')}</button>
  </section>`)}</div>`;

const pages = { welcome: Welcome, consent: Consent, reading: ReadingPage, form: FormPage,
  instructions: Instructions, waiting: Waiting,
  rules: Rules, question: Asked, watching: Watching, result: Result, end: End, refused: Refused };
const lastPages = ['end', 'refused', 'elsewhere'];
const talking = ['rules', 'question', 'watching'];
// What is not lost while the answer to an earlier step is on its way: its page may be over by then.
const anyTime = ['leave', 'decline', 'close'];

// Shows a page and moves the focus to its heading when it is another than before.
const Page = ({ state, chat, lost, act, busy, failed, askAgain, goOn }) => {
  const heading = useRef(), before = useRef(null), chatOf = useRef(null);
  const elsewhere = state.page === 'elsewhere';
  const question = questionOf(state);
  const message = question !== null && isMessage(question.form);
  const key = pageKey(state);
  const title = titleOf(state);
  useLayoutEffect(() => {
    const last = before.current, goesOn = message && chatOf.current === state.match.key;
    before.current = { key, page: state.page };
    if (message) chatOf.current = state.match.key;
    document.title = [question && !question.probe ? say('question.tab') : title, state.study?.title]
      .filter(Boolean).join(' – ');
    if (last === null || last.key === key) return;
    // Who is in the middle of a chat goes on writing.
    if (document.activeElement?.id === 'talk-text') announce(title);
    else (goesOn && document.querySelector('.answer textarea') || heading.current).focus();
    if (question && last.page !== 'question' || state.page === 'rules') ring();
  }, [key]);
  const [leaving, setLeaving] = useState(false);
  const Shown = pages[state.page];
  return html`
    <header class="study">
      ${state.study && html`<p dir="auto">${state.study.title}</p>`}
    </header>
    <main class=${message ? 'chat' : state.page}>
      <div role="status">
        ${lost && html`<p class="notice alert">${say('lost.note')}</p>`}
        ${state.paused && html`<p class="notice"><b>${say('paused.title')}</b> ${say('paused.note')}</p>`}
        ${state.trial && state.page !== 'instructions' && html`<p class="notice">${say('trial.note')}</p>`}
      </div>
      <${Letters} letters=${state.letters ?? []}
        close=${letter => act('close', { letter })} />
      <h1 ref=${heading} tabindex="-1">${title}</h1>
      ${elsewhere ? html`<${Elsewhere} goOn=${goOn} />`
        : html`<${Unbroken} key=${key}>
            <${Shown} state=${state} act=${act} busy=${busy} askAgain=${askAgain} /><//>
          <${LookUp} state=${state} />`}
      <div role="alert">${failed && html`<p class="alert">${failed}</p>`}</div>
      ${state.match?.chat && talking.includes(state.page) && html`<${TableChat}
        key=${state.match.key} match=${state.match} paused=${state.paused}
        lines=${chat?.match === state.match.key ? chat.lines : []} />`}
    </main>
    <footer>
      ${state.study?.contact && html`<p class="small">
        ${tell('contact', { contact: state.study.contact })}</p>`}
      ${!lastPages.includes(state.page) && html`<button type="button" class="quiet"
        onClick=${() => setLeaving(true)}>${say('leave')}</button>`}
    </footer>
    ${leaving && html`<${Dialog} title=${say('leave.title')} note=${say('leave.note')}
      yes=${say('leave.yes')} no=${say('leave.no')} onNo=${() => setLeaving(false)}
      onYes=${() => { setLeaving(false); act('leave'); }} />`}`;
};

const silence = 20000;   // milliseconds: the server asks more often whether the page is there
const lostAfter = 3000;  // milliseconds: a stream that is opened anew at once is not worth a word

const App = () => {
  const [state, setState] = useState(null);
  const [lost, setLost] = useState(false);
  const [onTheWay, setOnTheWay] = useState(0);
  const [failed, setFailed] = useState('');
  const [chat, setChat] = useState(null);
  const chatNow = useRef(null);
  const stream = useRef(), last = useRef(null), language = useRef(null), loading = useRef(false);

  const show = async next => {
    if (next === null) { stream.current.open(); return; }
    last.current = next;
    if (loading.current) return;  // what comes meanwhile is shown with the words of its language
    loading.current = true;
    while (last.current.language !== language.current) {
      const wanted = last.current.language;
      await awaitTexts([wanted, 'en']);
      language.current = wanted;
    }
    loading.current = false;
    setFailed('');
    setState(last.current);
  };
  useEffect(() => {
    let timer = 0, told = false;
    // Each try that fails says so: the time runs from the first.
    const connected = yes => {
      if (yes) {
        clearTimeout(timer);
        timer = 0;
        if (told) announce(say('back.note'));
        told = false;
        setLost(false);
      } else if (!told && timer === 0) {
        const mine = timer = setTimeout(async () => {
          const worded = last.current !== null || await loadTexts(['en']);
          if (timer !== mine) return;  // it came back meanwhile
          timer = 0;
          told = worded;
          setLost(worded);
        }, lostAfter);
      }
    };
    stream.current = follow(`events?tab=${tab}`, {
      state: state => show(withAllTold(last.current, { ...state, ends: ends(state) })),
      chat: lines => {
        const next = withLines(chatNow.current, lines);
        if (next === null) { stream.current.open(); return; }
        chatNow.current = next;
        setChat(next);
      },
      here: () => { send('do', { do: 'here', tab }); },
      elsewhere: () => {
        stream.current.stop();
        show({ page: 'elsewhere', study: last.current?.study,
               language: last.current?.language ?? 'en' });
      },
    }, connected, silence);
    addEventListener('visibilitychange', () => {
      if (!document.hidden && last.current?.page !== 'elsewhere') send('do', { do: 'here', tab });
    });
  }, []);

  const busy = onTheWay > 0;
  const act = async (what, more = {}) => {
    if (busy && !anyTime.includes(what)) return;
    setOnTheWay(n => n + 1);
    const { status, said } = await send('do', { do: what, tab, ...more });
    setOnTheWay(n => n - 1);
    if (status === 409) stream.current.open();
    else if (status < 200 || status >= 300)
      setFailed(said?.error ? say('failed', { problem: said.error }) : say('failed.again'));
  };
  if (state === null)
    return lost && html`<main><p class="notice alert" role="status">${say('lost.note')}</p></main>`;
  return html`<${Page} state=${state} chat=${chat} lost=${lost} act=${act} busy=${busy} failed=${failed}
    askAgain=${() => stream.current.open()} goOn=${() => stream.current.open()} />`;
};

render(html`<${App} />`, document.getElementById('page'));
