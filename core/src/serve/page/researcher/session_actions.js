// What the researcher does with one participant, or writes to all: each is asked before it is done,
// and says what was seen, so that nothing is done to who has gone on meanwhile.
import { html, useState } from '/assets/vendor/preact.js';
import { Dialog } from '../dialog.js';
import { say } from '../texts.js';

// By which the server knows an action that is sent twice.
export const newToken = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map(n => n.toString(36)).join('');

export const isOver = one =>
  one.page === 'end' || one.page === 'refused' || one.substituted;

// Pages on which somebody is to do something themselves.
const own = ['instructions', 'reading', 'form', 'rules', 'question', 'result', 'welcome', 'consent'];
const slowFrom = 2;         // times as long as the others
const slowAfter = 10_000;   // milliseconds: who is quick to compare is not slow yet

// How many times as long as others somebody is at their page; 0: not known, or it is not theirs.
export const slowness = (one, now) => {
  const here = now - one.since;
  return !own.includes(one.page) || one.usual == null || here < slowAfter ? 0
    : here / Math.max(1000, one.usual);
};
export const isSlow = (one, now) => slowness(one, now) > slowFrom;

const canAdvance = one =>
  ['instructions', 'reading', 'form', 'waiting', 'rules', 'question', 'result'].includes(one.page);
const canMove = one =>
  ['instructions', 'reading', 'form', 'waiting', 'result'].includes(one.page) && !one.trial;
const hasSeat = one => !isOver(one) && !one.trial && one.match != null &&
  ['rules', 'question', 'watching'].includes(one.page);

// What can be done with one participant. to(show, action) asks for it.
export const Actions = ({ one, session, to }) => html`<div class="buttons">
  ${canAdvance(one) && html`<button type="button" onClick=${to('advance', 'advance')}>
    ${say('advance.do')}</button>`}
  ${canMove(one) && html`<button type="button" onClick=${to('move', 'move')}>
    ${say('move.do')}</button>`}
  ${one.end !== 'declined' && html`
    <button type="button" onClick=${to('message', 'message')}>${say('message.do')}</button>
    <button type="button" onClick=${to('note', 'annotate')}>${say('note.do')}</button>`}
  ${hasSeat(one) && session.state !== 'ended' && html`
    <button type="button" onClick=${to('replace', 'replace')}>${say('replace.do')}</button>`}
</div>`;

const Text = ({ label, value, onInput }) => html`<label class="long">${label}
  <textarea rows="5" maxlength="5000" dir="auto" value=${value}
    onInput=${event => onInput(event.target.value)}></textarea></label>`;

export const MessageDialog = ({ asked, close, act }) => {
  const [text, setText] = useState('');
  const who = asked.who ?? say('message.everybody');
  return html`<${Dialog} title=${say('message.title', { who })} note=${say('message.note')}
      yes=${say('message.yes')} no=${say('message.no')} onNo=${close}
      onYes=${() => { if (text.trim() === '') return; close(); act({ ...asked.what, text }); }}>
    <${Text} label=${say('message.label')} value=${text} onInput=${setText} /><//>`;
};

export const NoteDialog = ({ asked, close, act }) => {
  const { note } = asked.one;
  const [text, setText] = useState(note);
  return html`<${Dialog} title=${say('note.title', { who: asked.who })} note=${say('note.note')}
      yes=${say('note.yes')} no=${say('note.no')} onNo=${close}
      onYes=${() => { close(); act({ ...asked.what, text, before: note }); }}>
    <${Text} label=${say('participant.note')} value=${text} onInput=${setText} /><//>`;
};

export const MoveDialog = ({ asked, session, close, act }) => {
  const { one } = asked;
  const choices = [
    ...session.stages.map((name, i) => [`stage ${i + 1}`, say('move.stage', { n: i + 1, name })])
      .filter((unused, i) => i + 1 !== one.stage),
    ...(one.page !== 'waiting' ? [] : session.scenarios.map(name =>
      [`scenario ${name}`, say('move.scenario', { name })]))];
  const [where, setWhere] = useState(choices[0]?.[0] ?? '');
  const to = () => where.startsWith('stage ') ? { stage: Number(where.slice(6)) }
    : { scenario: where.slice(9) };
  return html`<${Dialog} title=${say('move.title', { who: asked.who })} note=${say('move.note')}
      yes=${choices.length > 0 && say('move.yes')} no=${say('move.no')} onNo=${close}
      onYes=${() => { close(); act({ ...asked.what, ...to() }); }}>
    <label>${say('move.label')}${' '}<select value=${where}
        onChange=${event => setWhere(event.target.value)}>
      ${choices.map(([value, label]) => html`<option value=${value}>${label}</option>`)}
    </select></label><//>`;
};

export const ReplaceDialog = ({ asked, session, close, act }) => {
  const ready = session.participants.filter(one => one.page === 'waiting' && one.here &&
    one.id !== asked.what.id);
  const choices = [...ready.map(one => [one.id, one.label]),
                   ...(session.substitute ? [['', say('replace.substitute')]] : [])];
  const [by, setBy] = useState(choices[0]?.[0]);
  if (choices.length === 0)
    return html`<${Dialog} title=${say('replace.title', { who: asked.who })}
      note=${say('replace.nobody')} no=${say('close')} onNo=${close} />`;
  return html`<${Dialog} title=${say('replace.title', { who: asked.who })}
      note=${say('replace.note', { who: asked.who })} yes=${say('replace.yes')}
      no=${say('replace.no')} onNo=${close}
      onYes=${() => { close(); act({ ...asked.what, by }); }}>
    <label>${say('replace.label')}${' '}<select value=${by}
        onChange=${event => setBy(event.target.value)}>
      ${choices.map(([id, label]) => html`<option value=${id}>${label}</option>`)}
    </select></label><//>`;
};
