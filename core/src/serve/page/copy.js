// A button that copies a text, also where the page came over plain HTTP and browsers have no
// clipboard for it.
import { html, useState } from '/assets/vendor/preact.js';
import { announce } from './announce.js';
import { say } from './texts.js';

// Whether the clipboard has the text now.
const copy = async (text, button) => {
  if (navigator.clipboard) {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* not allowed: as below */ }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'aside';
  button.after(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  button.focus();
  return copied;
};

export const Copy = ({ text, label, title }) => {
  const [outcome, setOutcome] = useState(null);
  const act = async event => {
    const told = say(await copy(text, event.currentTarget) ? 'copied' : 'copied.not');
    announce(told);
    setOutcome(told);
    setTimeout(() => setOutcome(null), 3000);
  };
  return html`<button type="button" aria-label=${outcome ? null : title} onClick=${act}>
    ${outcome ?? label}</button>`;
};
