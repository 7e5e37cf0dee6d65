// Texts of the study, drawn from the parts that the server read them into: nothing in them is markup.
import { html, useEffect, useState } from '/assets/vendor/preact.js';
import { say } from '../texts.js';
import { Paragraphs } from '../words.js';

const known = new Map();  // by address: what does not change
const pause = 1000;       // milliseconds

// What is at an address of this page; null until it is there.
const useText = address => {
  const [text, setText] = useState(known.get(address) ?? null);
  useEffect(() => {
    let wanted = true;
    const load = async () => {
      while (wanted && !known.has(address)) {
        try {
          const answer = await fetch(address);
          if (answer.ok) known.set(address, await answer.json());
        } catch { /* no connection */ }
        if (!known.has(address)) await new Promise(done => setTimeout(done, pause));
      }
      if (wanted) setText(known.get(address));
    };
    load();
    return () => { wanted = false; };
  }, [address]);
  return text;
};

const wrap = {
  code: shown => html`<code>${shown}</code>`,
  emphasis: shown => html`<em>${shown}</em>`,
  strong: shown => html`<strong>${shown}</strong>`,
};
const Span = ({ span }) => {
  let shown = span.picture ? html`<img src=${span.picture} alt=${span.text} />` : span.text;
  for (const [name, around] of Object.entries(wrap)) if (span[name]) shown = around(shown);
  return span.link ? html`<a href=${span.link} target="_blank" rel="noreferrer">${shown}</a>` : shown;
};
const Spans = ({ spans }) => spans.map(span => html`<${Span} span=${span} />`);
const wordsOf = line => line.cells.length > 0 && html`<${Spans} spans=${line.cells[0]} />`;

// Items that are deeper than one are a list in it.
const Items = ({ lines, level }) => {
  const items = [];
  for (const line of lines)
    if (line.level <= level || items.length === 0) items.push({ line, below: [] });
    else items.at(-1).below.push(line);
  return items.map(({ line, below }) => html`<li dir="auto">${wordsOf(line)}
    ${below.length > 0 && html`<ul><${Items} lines=${below} level=${level + 1} /></ul>`}</li>`);
};

const Table = ({ lines: [head, ...rows] }) => html`
  <div class="wide" tabindex="0" role="group" aria-label=${say('reading.table')}><table>
    <thead><tr>${head.cells.map(cell => html`<th scope="col"><${Spans} spans=${cell} /></th>`)}</tr></thead>
    <tbody>${rows.map(row => html`<tr>${row.cells.map(cell =>
      html`<td><${Spans} spans=${cell} /></td>`)}</tr>`)}</tbody></table></div>`;

const Block = ({ block, shift }) => {
  const first = block.lines[0];
  switch (block.kind) {
    case 'heading': {
      const Tag = `h${Math.min(6, block.level + shift)}`;
      return html`<${Tag} dir="auto">${wordsOf(first)}<//>`;
    }
    case 'quote': return html`<blockquote>${block.lines.map(line =>
      html`<p dir="auto">${wordsOf(line)}</p>`)}</blockquote>`;
    case 'list': {
      const items = html`<${Items} lines=${block.lines} level=${0} />`;
      return block.ordered ? html`<ol start=${block.level}>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'table': return html`<${Table} lines=${block.lines} />`;
    case 'code': return html`<pre class="words" tabindex="0" role="group"
      aria-label=${say('reading.code')}>${wordsOf(first)}</pre>`;
    case 'rule': return html`<hr />`;
    default: return html`<p dir="auto">${wordsOf(first)}</p>`;
  }
};

// A text; titled: with its title, where the page has another.
export const Reading = ({ number, titled = false }) => {
  const text = useText(`reading/${number}`);
  if (text === null) return html`<p role="status">${say('reading.loading')}</p>`;
  const levels = text.blocks.filter(block => block.kind === 'heading').map(block => block.level);
  const title = titled && text.title;
  const shift = levels.length > 0 ? (title ? 3 : 2) - Math.min(...levels) : 0;
  return html`<div class="reading">
    ${title && html`<h2 dir="auto">${title}</h2>`}
    ${text.blocks.map(block => html`<${Block} block=${block} shift=${shift} />`)}</div>`;
};

// The questions of a quiz that was passed, with their answers.
const Quiz = ({ stage }) => {
  const quiz = useText(`quiz/${stage}`);
  if (quiz === null) return html`<p role="status">${say('reading.loading')}</p>`;
  return html`<dl class="quiz">${quiz.questions.map(({ ask, right, explain }) => html`
    <dt><${Paragraphs} text=${ask} /></dt>
    <dd><p dir="auto"><b>${right}</b></p>${explain && html`<${Paragraphs} text=${explain} />`}</dd>`)}</dl>`;
};

const Folded = ({ title, children }) => {
  const [open, setOpen] = useState(false);
  return html`<details class="about" onToggle=${event => setOpen(event.target.open)}>
    <summary dir="auto">${title}</summary>${open && children}</details>`;
};

// What was read before, to be opened again at any time; not what the page shows anyway.
export const LookUp = ({ state }) => {
  const shown = state.page === 'rules' ? state.match.reading
    : state.page === 'instructions' ? state.instructions.reading : null;
  return html`
    ${(state.readings ?? []).filter(({ number }) => number !== shown).map(({ number, title }) =>
      html`<${Folded} key=${`reading ${number}`} title=${title || say('reading.title')}>
        <${Reading} number=${number} /><//>`)}
    ${(state.quizzes ?? []).map(stage => html`<${Folded} key=${`quiz ${stage}`}
      title=${say('quiz.again')}><${Quiz} stage=${stage} /><//>`)}`;
};
