// What people at one table write to each other beside the decisions. It stays where it is while
// questions come and go.
import { html, useEffect, useLayoutEffect, useRef, useState } from '/assets/vendor/preact.js';
import { announce } from '../announce.js';
import { sendUntilHeard } from '../stream.js';
import { say, tell } from '../texts.js';
import { Words } from '../words.js';

const wide = () => matchMedia('(min-width: 48rem)').matches;
const newToken = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map(n => n.toString(36)).join('');
const place = key => `chat ${location.pathname} ${key}`;
const kept = key => { try { return sessionStorage.getItem(place(key)) ?? ''; } catch { return ''; } };
const keep = (key, text) => { try { sessionStorage.setItem(place(key), text); } catch { /* full */ } };

// What has come, put after what was there; null where something is missing between.
export const withLines = (before, { match, from, lines }) => {
  const known = before?.match === match ? before.lines : [];
  return from > known.length ? null : { match, lines: [...known.slice(0, from), ...lines] };
};

const Line = ({ line }) => html`<li class=${line.own ? 'step answer' : 'step'}>
  <span class="who">${line.own ? say('chat.you') : html`<bdi>${line.who}</bdi>`}</span>
  <${Words} text=${line.text} label=${say('chat.title')} /></li>`;

export const TableChat = ({ match, lines, paused }) => {
  const { people, longest } = match.chat;
  const [open, setOpen] = useState(wide());
  const [seen, setSeen] = useState(lines.length);
  const [text, setText] = useState(kept(match.key));
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const box = useRef(), heard = useRef(lines.length), alive = useRef(true), token = useRef(null);
  useEffect(() => () => { alive.current = false; }, []);
  useEffect(() => {
    for (const line of lines.slice(heard.current))
      if (!line.own) announce(say('chat.said', line));
    heard.current = lines.length;
    if (open) setSeen(lines.length);
  }, [lines.length, open]);
  useLayoutEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; },
                  [lines.length, open]);
  const type = event => {
    setText(event.target.value);
    keep(match.key, event.target.value);
    token.current = null;
  };
  const write = async event => {
    event?.preventDefault();
    if (sending || paused || text.trim() === '') return;
    setSending(true);
    setProblem('');
    // The same message keeps its token, so that it stands there once however often it is sent.
    const mine = token.current ??= newToken();
    const { status, said } = await sendUntilHeard('chat',
      () => ({ match: match.key, text, token: mine }), () => alive.current);
    if (!alive.current) return;
    setSending(false);
    if (status === 200) {
      if (token.current !== mine) return;  // what was typed meanwhile stays
      token.current = null;
      setText('');
      keep(match.key, '');
    } else {
      setProblem(said?.error ?? say('failed.again'));
    }
  };
  const enterSends = matchMedia('(pointer: fine)').matches;
  const key = event => {
    if (enterSends && event.key === 'Enter' && !event.shiftKey && !event.isComposing) write(event);
  };
  const unseen = lines.length - seen;
  return html`<section class=${open ? 'talk open' : 'talk'} aria-labelledby="talk-title">
    <h2 id="talk-title"><button type="button" class="talk-title" aria-expanded=${String(open)}
      aria-controls="talk-body" onClick=${() => setOpen(!open)}>
      <span>${say('chat.title')}</span>
      ${!open && unseen > 0 && html`<span class="new">${say('chat.new', { n: unseen })}</span>`}
    </button></h2>
    ${open && html`<div id="talk-body">
      <div class="steps-box" ref=${box} tabindex="0" role="group" aria-labelledby="talk-title">
        ${lines.length === 0 && html`<p class="small">${say('chat.none')}</p>`}
        <ol class="steps">${lines.map((line, i) => html`<${Line} key=${i} line=${line} />`)}</ol>
      </div>
      <p class="small" id="talk-people">
        ${people.length > 0 ? tell('chat.people', { people: people.join(say('comma')) })
          : say('chat.nobody')}${' '}${say('chat.kept')}${match.chat.withholds && ' ' + say('chat.withheld')}</p>
      ${people.length > 0 && html`<form class="talk-form" onSubmit=${write}>
        <label for="talk-text">${say('chat.label')}</label>
        <textarea id="talk-text" rows="2" dir="auto" maxlength=${longest} value=${text}
          aria-describedby="talk-people" onInput=${type} onKeyDown=${key}></textarea>
        <button type="submit" aria-disabled=${sending || paused ? 'true' : null}>
          ${say('chat.send')}</button>
        <div role="alert">${problem && html`<p class="alert">${problem}</p>`}</div>
      </form>`}
    </div>`}
  </section>`;
};
