// Texts of others as they were written: nothing in them is ever read as markup.
import { html } from '/assets/vendor/preact.js';

// Texts of several columns keep them, and scroll sideways by themselves.
const hasColumns = text => /\n.*\S {2,}\S/.test(text);

export const Words = ({ text, label }) => hasColumns(text)
  ? html`<pre class="words" dir="auto" tabindex="0" role="group" aria-label=${label}>${text}</pre>`
  : html`<p class="words" dir="auto">${text}</p>`;

const item = /^(?:[-*•]|(\d+)[.)])\s+/;

// Lines of a paragraph as parts: {list, start, items} or {text}.
const partsOf = lines => {
  const parts = [];
  for (const line of lines) {
    const last = parts[parts.length - 1];
    const mark = item.exec(line);
    if (mark) {
      const list = mark[1] === undefined ? 'ul' : 'ol';
      const one = line.slice(mark[0].length);
      if (last?.list === list) last.items.push(one);
      else parts.push({ list, start: mark[1], items: [one] });
    } else if (last?.list && /^\s/.test(line)) {
      last.items[last.items.length - 1] += '\n' + line.trim();
    } else if (last?.text !== undefined) {
      last.text += '\n' + line;
    } else {
      parts.push({ text: line });
    }
  }
  return parts;
};

const Part = ({ list, start, items, text }) =>
  list === 'ul' ? html`<ul>${items.map(one => html`<li class="words" dir="auto">${one}</li>`)}</ul>`
  : list === 'ol' ? html`<ol start=${start}>
      ${items.map(one => html`<li class="words" dir="auto">${one}</li>`)}</ol>`
  : html`<p class="words" dir="auto">${text}</p>`;

// A longer text: paragraphs between empty lines, and lists of lines that begin with a dash or a
// number.
export const Paragraphs = ({ text }) =>
  text.split(/\n\s*\n/).filter(block => block.trim() !== '').map(block =>
    hasColumns(block) ? html`<${Words} text=${block} />`
                      : partsOf(block.split('\n')).map(part => html`<${Part} ...${part} />`));
