// One question: what is to be seen now, the form, and how its answer is sent.
import { html, useEffect, useRef, useState } from '/assets/vendor/preact.js';
import { announce } from '../announce.js';
import { Dialog } from '../dialog.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import { Form, blankTree } from '../form.js';
import { StagePage, asTyped, wantPage, wantsPage } from './stage_page.js';
import { showRefusal } from '../refused.js';
import { sendUntilHeard } from '../stream.js';
import { say } from '../texts.js';
import { Words } from '../words.js';

// A question whose whole answer is one text reads and is answered like a chat.
export const isMessage = form => form.kind === 'text' ||
  form.kind === 'struct' && form.fields.length === 1 && form.fields[0].node.kind === 'text';

const settled = 500;  // milliseconds: a tap so soon after a new question was meant for the one before

const announcedAt = [60, 30, 10];  // seconds before the end

// The time that is left. ends: by performance.now().
export const Countdown = ({ ends }) => {
  const secondsLeft = () => Math.max(0, Math.ceil((ends - performance.now()) / 1000));
  const [left, setLeft] = useState(secondsLeft());
  useEffect(() => {
    let last = secondsLeft();
    setLeft(last);
    const timer = setInterval(() => {
      const now = secondsLeft();
      const passed = announcedAt.filter(at => now <= at && at < last);
      if (passed.length > 0) announce(say('time.announce', { n: Math.min(...passed) }));
      if (now === 0 && last > 0) announce(say('time.over'));
      last = now;
      setLeft(now);
    }, 250);
    return () => clearInterval(timer);
  }, [ends]);
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return html`<p class=${left <= announcedAt[1] ? 'time soon' : 'time'}>
    ${left === 0 ? say('time.over') : say('time.left', { time })}</p>`;
};

const Complaint = ({ question }) => {
  const place = useRef();
  useEffect(() => place.current.focus(), []);
  const { complaint, tries } = question;
  return html`<div class="alert" ref=${place} tabindex="-1">
    <${Words} text=${say('question.refused', { problem: complaint })} />
    ${tries === 1 ? html`<p>${say('question.tries.one')}</p>`
      : tries > 1 && html`<p>${say('question.tries', { n: tries })}</p>`}
  </div>`;
};

// key: of match, question and attempt, so that each begins with nothing of the one before.
export const Question = ({ match, paused, ends, tab, askAgain }) => {
  const question = match.question;
  const id = JSON.stringify([match.key, question.number, question.attempt]);
  const draft = useRef();
  draft.current ??= readDraft(id) ??
    { id, shown: Date.now(), first: null, typed: question.typed, thought: '' };
  const [typed, setTyped] = useState(draft.current.typed);
  const [thought, setThought] = useState(draft.current.thought);
  const [problems, setProblems] = useState([]);
  const [confirm, setConfirm] = useState(null);
  const [notice, setNotice] = useState(null);  // {alert, text}
  const [busy, setBusy] = useState('');        // '', 'sending' or 'sent'
  const [fresh, setFresh] = useState(true);    // it has just come
  const [onPage, setOnPage] = useState(wantsPage(question.page));  // else the form
  const [toPage, setToPage] = useState(null);  // what its page is told
  const alive = useRef(true);
  useEffect(() => {
    const timer = setTimeout(() => setFresh(false), settled);
    return () => { alive.current = false; clearTimeout(timer); };
  }, []);

  const keep = change => {
    draft.current = { ...draft.current, first: draft.current.first ?? Date.now(), ...change };
    keepDraft(draft.current);
  };
  // Who types has seen the question.
  const type = tree => { setFresh(false); setTyped(tree); keep({ typed: tree }); };
  const note = event => { setThought(event.target.value); keep({ thought: event.target.value }); };
  useEffect(() => keepDraft(draft.current), []);

  const ready = busy === '' && !paused && !fresh;
  const refuse = (problems = []) => setToPage({ agon: 'refused', problems });
  const answer = async (confirmed, skip) => {
    if (!ready) { refuse(); return; }
    setConfirm(null);
    setNotice(null);
    setBusy('sending');
    const ago = time => time === null ? null : Math.max(0, Date.now() - time);
    const { status, said } = await sendUntilHeard('answer', () => ({
      match: match.key, question: question.number, attempt: question.attempt,
      typed: skip ? null : draft.current.typed ?? blankTree(question.form) ?? '', confirmed, skip,
      thought,
      shown: ago(draft.current.shown), first_input: ago(draft.current.first), tab,
    }), () => {
      if (alive.current) setNotice({ text: say('question.again') });
      return alive.current;
    });
    if (!alive.current) return;
    setNotice(null);
    if (status === 200 && said?.accepted) {
      setBusy('sent');
      announce(say('question.sent'));
      setProblems([]);
      setToPage({ agon: 'sent' });
      dropDraft();
      return;
    }
    setBusy('');
    refuse(said?.problems);
    if (status === 200 && said?.confirm !== undefined) {
      setProblems([]);
      setConfirm(said.confirm);
    } else {
      showRefusal({ status, said }, { setProblems, setNotice, askAgain });
    }
  };
  const fromPage = what => {
    let tree;
    try { tree = asTyped(what); } catch {
      setNotice({ alert: true, text: say('stage.unread') });
      refuse();
      return;
    }
    if (!ready) { refuse(); return; }
    type(tree);
    answer(false, false);
  };
  const usePage = wanted => { wantPage(question.page, wanted); setOnPage(wanted); setProblems([]); };
  const noPage = silent => {
    setOnPage(false);
    if (silent) setNotice({ text: say('stage.silent') });
  };
  const submit = event => { event.preventDefault(); answer(false, false); };

  const message = isMessage(question.form);
  // In a chat Enter sends, except while it only takes a proposal of an input method, and on
  // devices whose Enter key is the only way to begin a line.
  const enterSends = message && matchMedia('(pointer: fine)').matches;
  const key = event => {
    if (!enterSends || event.key !== 'Enter' || event.shiftKey || event.isComposing ||
        event.target.tagName !== 'TEXTAREA' || event.target.name === 'thought') return;
    event.preventDefault();
    answer(false, false);
  };
  return html`
    ${question.view && html`<section class="view" aria-labelledby="view-title">
      <h2 id="view-title">${say('question.view')}</h2>
      <${Words} text=${question.view} label=${say('question.view')} />
    </section>`}
    <form class="answer" data-question=${`${match.key} ${question.number} ${question.attempt}`}
      noValidate onSubmit=${submit} onKeyDown=${key}>
      <h2>${say('question.answer')}</h2>
      ${question.doc && html`<p dir="auto">${question.doc}</p>`}
      ${question.probe && html`<p class="small">${say('question.probe.note')}</p>`}
      ${question.complaint && html`<${Complaint} question=${question} />`}
      ${onPage ? html`<${StagePage} match=${match} told=${toPage} onAnswer=${fromPage}
            onForm=${noPage} />
          ${problems.map(one => html`<p class="problem" dir="auto">${one.problem}</p>`)}`
        : html`<${Form} form=${question.form} typed=${typed} problems=${problems}
            onChange=${type} />`}
      ${ends !== null && html`<${Countdown} ends=${ends} />`}
      <div role="alert">
        ${notice?.alert && html`<p class="alert" dir="auto">${notice.text}</p>`}</div>
      <div role="status">${notice && !notice.alert && html`<p class="notice">${notice.text}</p>`}</div>
      <div class="buttons">
        ${onPage ? busy !== '' && html`<p role="status">
            ${say(busy === 'sending' ? 'question.sending' : 'question.sent')}</p>`
          : html`<button type="submit" class="main" aria-disabled=${ready ? null : 'true'}>
            ${busy === 'sending' ? say('question.sending') : busy === 'sent' ? say('question.sent')
              : say('question.send')}</button>`}
        ${question.page && html`<button type="button" class="quiet"
          onClick=${() => usePage(!onPage)}>${say(onPage ? 'stage.form' : 'stage.page')}</button>`}
        ${question.probe && html`<button type="button" onClick=${() => answer(false, true)}
          aria-disabled=${ready ? null : 'true'}>${say('question.skip')}</button>`}
      </div>
      ${enterSends && html`<p class="small">${say('question.enter')}</p>`}
      <details class="thought">
        <summary>${say('question.thought')}</summary>
        <label for="thought">${say('question.thought.note')}</label>
        <textarea id="thought" name="thought" rows="3" dir="auto" value=${thought}
          onInput=${note}></textarea>
      </details>
    </form>
    ${confirm !== null && html`<${Dialog} title=${say('confirm.title')} note=${confirm}
      yes=${say('confirm.yes')} no=${say('confirm.no')} onNo=${() => setConfirm(null)}
      onYes=${() => answer(true, false)} />`}`;
};
