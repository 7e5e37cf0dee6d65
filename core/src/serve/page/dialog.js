// A question that has to be answered before anything else: focus stays in it, Escape is "no".
import { html, useLayoutEffect, useRef, useState } from '/assets/vendor/preact.js';
import { Paragraphs } from './words.js';

const settled = 500;  // milliseconds

export const Dialog = ({ title, note, yes, no, onYes, onNo, children }) => {
  const dialog = useRef();
  // The second tap of two may land here: it was not meant.
  const [fresh, setFresh] = useState(true);
  useLayoutEffect(() => {
    const element = dialog.current;
    element.showModal();
    const timer = setTimeout(() => setFresh(false), settled);
    return () => { clearTimeout(timer); element.close(); };  // gives the focus back to where it was
  }, []);
  const cancel = event => { event.preventDefault(); onNo(); };
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onCancel=${cancel}>
    <h2 id="dialog-title">${title}</h2>
    ${note && html`<${Paragraphs} text=${note} />`}
    ${children}
    <div class="buttons">
      <button type="button" onClick=${onNo}>${no}</button>
      ${yes && html`<button type="button" class="main" aria-disabled=${fresh ? 'true' : null}
        onClick=${() => fresh || onYes()}>${yes}</button>`}
    </div>
  </dialog>`;
};
