// What a seat was told, was asked and answered, oldest first, as a conversation.
import { html, useLayoutEffect, useRef, useState } from '/assets/vendor/preact.js';
import { say } from '../texts.js';
import { Words } from '../words.js';

// What was to be seen with an earlier question is there for who looks it up.
const Step = ({ step }) => step.kind === 'question'
  ? html`<li class="step asked"><details><summary>${say('told.asked')}</summary>
      <${Words} text=${step.text} label=${say('told.asked')} /></details></li>`
  : html`<li class="step ${step.kind}">
      ${step.kind === 'answer' && html`<span class="who">${say('told.you')}</span>`}
      ${step.private && html`<span class="who">${say('told.private')}</span>`}
      <${Words} text=${step.text} label=${say('told.title')} /></li>`;

export const Conversation = ({ told }) => {
  const box = useRef(), atEnd = useRef(true);
  const [behind, setBehind] = useState(false);
  const toEnd = () => { box.current.scrollTop = box.current.scrollHeight; };
  // Who reads further up is not torn away; all others see the newest.
  useLayoutEffect(() => {
    if (atEnd.current) toEnd(); else setBehind(true);
  }, [told.length]);
  const look = event => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
    atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
    if (atEnd.current) setBehind(false);
  };
  const steps = told.map((step, i) => ({ ...step, i })).filter(step => step.text !== '');
  return html`<section class="told" aria-labelledby="told-title">
    <h2 id="told-title">${say('told.title')}</h2>
    <div class="steps-box" ref=${box} onScroll=${look} tabindex="0" role="log"
        aria-labelledby="told-title">
      ${steps.length === 0 && html`<p class="small">${say('told.none')}</p>`}
      <ol class="steps">${steps.map(step => html`<${Step} key=${step.i} step=${step} />`)}</ol>
    </div>
    ${behind && html`<button type="button" class="newest" onClick=${toEnd}>
      ${say('told.newest')}</button>`}
  </section>`;
};
