// The door for people whom a panel sends: it gives the server what the panel wrote in the address,
// and goes on to the person's own page.
import { html, render, useEffect, useState } from '/assets/vendor/preact.js';
import { sendUntilHeard } from './stream.js';
import { awaitTexts, say, tell } from './texts.js';

const Panel = ({ about }) => {
  const [problem, setProblem] = useState('');
  const enter = async () => {
    setProblem('');
    const sent = Object.fromEntries(new URLSearchParams(location.search));
    const { status, said } = await sendUntilHeard('/join', () => sent, () => true);
    // Not a page to come back to: the address names the person.
    if (status === 200) location.replace(said.go);
    else setProblem(said?.error ?? say('failed.again'));
  };
  useEffect(() => { enter(); }, []);
  return html`
    <header class="study"><p dir="auto">${about.title}</p></header>
    <main>
      <h1>${say(problem ? 'refused.title' : 'panel.title')}</h1>
      ${!problem && html`<p role="status">${say('panel.note')}</p>`}
      <div role="alert">${problem && html`<p class="alert" dir="auto">${problem}</p>`}</div>
      ${problem && html`<div class="buttons"><button type="button" class="main" onClick=${enter}>
        ${say('panel.again')}</button></div>`}
    </main>
    <footer>${about.contact && html`<p class="small">
      ${tell('contact', { contact: about.contact })}</p>`}</footer>`;
};

const answer = await fetch('/join/about');
const about = answer.ok ? await answer.json() : { title: '', contact: '', language: 'en' };
await awaitTexts([about.language, 'en']);
document.title = about.title || say('panel.title');
render(html`<${Panel} about=${about} />`, document.getElementById('page'));
