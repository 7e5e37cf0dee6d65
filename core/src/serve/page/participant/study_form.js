// A questionnaire or a quiz of the study.
import { html, useEffect, useRef, useState } from '/assets/vendor/preact.js';
import { announce } from '../announce.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import { Form, blankTree } from '../form.js';
import { showRefusal } from '../refused.js';
import { sendUntilHeard } from '../stream.js';
import { say } from '../texts.js';

const settled = 500;  // milliseconds: a tap so soon was meant for the page before

const attemptsOf = ({ left }) => left === null ? ''
  : left === 1 ? say('quiz.left.one') : say('quiz.left', { n: left });

// key: of stage and attempt, so that each begins with nothing of the one before.
export const StudyForm = ({ state, tab, askAgain }) => {
  const asked = state.form;
  const id = JSON.stringify(['form', asked.stage, asked.attempt]);
  const draft = useRef();
  draft.current ??= readDraft(id) ?? { id, typed: asked.typed };
  const [typed, setTyped] = useState(draft.current.typed);
  const [problems, setProblems] = useState(asked.problems);
  const [notice, setNotice] = useState(null);  // {alert, text}
  const [busy, setBusy] = useState('');        // '', 'sending' or 'sent'
  const [fresh, setFresh] = useState(true);
  const alive = useRef(true);
  const again = asked.problems.length > 0 ? [say('quiz.not_all'), attemptsOf(asked)].join(' ') : '';
  useEffect(() => {
    if (again) announce(again);
    const timer = setTimeout(() => setFresh(false), settled);
    return () => { alive.current = false; clearTimeout(timer); };
  }, []);
  const type = tree => {
    setFresh(false);
    setTyped(tree);
    draft.current = { id, typed: tree };
    keepDraft(draft.current);
  };
  const ready = busy === '' && !state.paused && !fresh;
  const submit = async event => {
    event.preventDefault();
    if (!ready) return;
    setNotice(null);
    setBusy('sending');
    const { status, said } = await sendUntilHeard('form', () => ({
      stage: asked.stage, attempt: asked.attempt, typed: typed ?? blankTree(asked.form), tab,
    }), () => {
      if (alive.current) setNotice({ text: say('question.again') });
      return alive.current;
    });
    if (status === 200) dropDraft();
    if (!alive.current) return;
    setNotice(null);
    setBusy(status === 200 ? 'sent' : '');
    if (status === 200) {
      announce(say('question.sent'));
    } else {
      showRefusal({ status, said }, { setProblems, setNotice, askAgain });
    }
  };
  return html`<form class="answer" data-form=${`${asked.stage} ${asked.attempt}`} noValidate
      onSubmit=${submit}>
    ${asked.quiz && html`<p>${say('quiz.note')}
      ${state.readings?.length > 0 && ` ${say('quiz.look')}`} ${again ? '' : attemptsOf(asked)}</p>`}
    ${again && html`<p class="alert">${again}</p>`}
    <${Form} form=${asked.form} typed=${typed} problems=${problems} onChange=${type} />
    <div role="alert">
      ${notice?.alert && html`<p class="alert" dir="auto">${notice.text}</p>`}</div>
    <div role="status">${notice && !notice.alert && html`<p class="notice">${notice.text}</p>`}</div>
    <div class="buttons">
      <button type="submit" class="main" aria-disabled=${ready ? null : 'true'}>
        ${busy === 'sending' ? say('question.sending') : busy === 'sent' ? say('question.sent')
          : say('question.send')}</button>
    </div></form>`;
};
