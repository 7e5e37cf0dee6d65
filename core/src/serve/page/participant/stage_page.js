// A page that a game or a suite has for a stage, in a frame that reaches nothing: it is sent the
// question and sends back an answer, which is checked like one of the form.
import { html, useEffect, useLayoutEffect, useRef, useState } from '/assets/vendor/preact.js';
import { say } from '../texts.js';

// Milliseconds after which a page that has not said that it is ready is given up: once it is loaded,
// and while it loads, which takes long on a slow connection.
const silent = 5000, slowest = 20000;

const deepest = 30, largest = 10_000;  // of an answer: levels and values

// An answer as it would be typed into the form; throws for what no form could hold.
export const asTyped = (answer, left = { n: largest }, depth = 0) => {
  if (--left.n < 0 || depth > deepest) throw new RangeError();
  if (answer === null || typeof answer === 'string' || typeof answer === 'boolean') return answer;
  if (typeof answer === 'number') return String(answer);
  if (Array.isArray(answer)) return answer.map(item => asTyped(item, left, depth + 1));
  if (typeof answer !== 'object' || Object.getPrototypeOf(answer) !== Object.prototype)
    throw new TypeError();
  return Object.fromEntries(Object.entries(answer).map(([name, value]) =>
    [name, asTyped(value, left, depth + 1)]));
};

// What the page is told of the question.
const questionFor = match => {
  const { page, form, number, attempt, stage, doc, complaint, tries } = match.question;
  return { agon: 'question', game: page.game, stage, number, attempt, doc, complaint, tries,
           seat: page.seat, seats: page.seats, view: page.view, facts: page.facts, limits: form, you: match.you, role: match.role,
           language: document.documentElement.lang,
           dark: matchMedia('(prefers-color-scheme: dark)').matches };
};

// Pages that somebody did not want: they have the form for the stage from then on, also after a
// reload if the browser keeps it.
const place = () => 'plain form ' + location.pathname;
const kept = () => { try { return JSON.parse(sessionStorage.getItem(place())) ?? []; } catch { return []; } };
const unwanted = new Set(kept());
export const wantsPage = page => page !== undefined && !unwanted.has(page.path);
export const wantPage = (page, wanted) => {
  if (wanted) unwanted.delete(page.path); else unwanted.add(page.path);
  try { sessionStorage.setItem(place(), JSON.stringify([...unwanted])); } catch { /* until a reload */ }
};

// told: {agon: 'refused', problems} or {agon: 'sent'}, a new object each time.
// onForm(silent): it leaves the question to the form, or has said nothing.
export const StagePage = ({ match, told, onAnswer, onForm }) => {
  const frame = useRef(), hears = useRef(onAnswer), timer = useRef(0), isReady = useRef(false);
  const [height, setHeight] = useState(300);
  hears.current = onAnswer;
  const post = what => frame.current?.contentWindow?.postMessage(what, '*');
  const giveUpAfter = pause => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onForm(true), pause);
  };
  useLayoutEffect(() => {
    giveUpAfter(slowest);
    const hear = event => {
      if (event.source !== frame.current?.contentWindow) return;
      const what = event.data;
      if (what === null || typeof what !== 'object') return;
      if (what.agon === 'ready') {
        isReady.current = true;
        clearTimeout(timer.current);
        post(questionFor(match));
      } else if (what.agon === 'height' && Number.isFinite(what.height)) {
        setHeight(Math.min(4000, Math.max(80, Math.ceil(what.height))));
      } else if (what.agon === 'form') {
        onForm(false);
      } else if (what.agon === 'answer') {
        hears.current(what.answer);
      }
    };
    addEventListener('message', hear);
    return () => { clearTimeout(timer.current); removeEventListener('message', hear); };
  }, []);
  useEffect(() => { if (told) post(told); }, [told]);
  return html`<iframe class="stage-page" ref=${frame} sandbox="allow-scripts" allow=""
    referrerpolicy="no-referrer" title=${say('stage.frame')} src=${match.question.page.path}
    onLoad=${() => { if (!isReady.current) giveUpAfter(silent); }}
    style=${{ height: `${height}px` }}></iframe>`;
};
