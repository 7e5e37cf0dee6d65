// A question that has to be answered before anything else: focus stays in it, Escape is "no".
import { html, useLayoutEffect, useRef } from '/assets/vendor/preact.js';
import { Paragraphs } from './words.js';

export const Dialog = ({ title, note, yes, no, onYes, onNo, children }) => {
  const dialog = useRef();
  useLayoutEffect(() => {
    const element = dialog.current;
    element.showModal();
    return () => element.close();  // gives the focus back to where it was
  }, []);
  const cancel = event => { event.preventDefault(); onNo(); };
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onCancel=${cancel}>
    <h2 id="dialog-title">${title}</h2>
    ${note && html`<${Paragraphs} text=${note} />`}
    ${children}
    <div class="buttons">
      <button type="button" onClick=${onNo}>${no}</button>
      ${yes && html`<button type="button" class="main" onClick=${onYes}>${yes}</button>`}
    </div>
  </dialog>`;
};
