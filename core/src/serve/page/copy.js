// A button that copies a text, also where the page came over plain HTTP and browsers have no
// clipboard for it.
import { html, useState } from '/assets/vendor/preact.js';
import { announce } from './announce.js';
import { say } from './texts.js';

const copy = async (text, button) => {
  if (navigator.clipboard) {
    try { await navigator.clipboard.writeText(text); return; } catch { /* not allowed: as below */ }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'aside';
  button.after(area);
  area.select();
  document.execCommand('copy');
  area.remove();
  button.focus();
};

export const Copy = ({ text, label, title }) => {
  const [copied, setCopied] = useState(false);
  const act = async event => {
    await copy(text, event.currentTarget);
    announce(say('copied'));
    setCopied(true);
    setTimeout(() => setCopied(false), 3000);
  };
  return html`<button type="button" aria-label=${copied ? null : title} onClick=${act}>
    ${copied ? say('copied') : label}</button>`;
};
