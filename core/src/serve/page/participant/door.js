// The doors of a study: of a room, where somebody enters a name of its list, and of a panel, whose
// address says who comes. Who is let in goes on to their own page, or comes back to it.
import { html, render, useEffect, useRef, useState } from '/assets/vendor/preact.js';
import { send, sendUntilHeard } from '../stream.js';
import { awaitTexts, say, tell } from '../texts.js';

const Door = ({ about, title, children }) => html`
  <header class="study"><p dir="auto">${about.title}</p></header>
  <main>
    <h1>${title}</h1>
    ${children}
  </main>
  <footer>${about.contact && html`<p class="small">
    ${tell('contact', { contact: about.contact })}</p>`}</footer>`;

const Room = ({ about }) => {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const field = useRef();
  const enter = async event => {
    event.preventDefault();
    const { status, said } = name.trim() === '' ? { status: 0, said: { error: say('room.missing') } }
      : await send(location.pathname, { name });
    if (status === 200) return location.assign(said.go);
    setProblem(said?.error ?? say('failed.again'));
    field.current.focus();
  };
  return html`<${Door} about=${about} title=${say('room.title')}>
    <form noValidate onSubmit=${enter}>
      <label for="name">${say('room.name')}</label>
      <input id="name" ref=${field} class="name" dir="auto" autocomplete="name" value=${name}
        aria-describedby="note problem" aria-invalid=${problem ? 'true' : null}
        onInput=${event => setName(event.target.value)} />
      <p id="note" class="small">${say('room.note')}</p>
      <div id="problem" role="alert">${problem && html`<p class="alert" dir="auto">${problem}</p>`}
      </div>
      <div class="buttons"><button type="submit" class="main">${say('room.go')}</button></div>
    </form>
  <//>`;
};

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
  return html`<${Door} about=${about} title=${say(problem ? 'refused.title' : 'panel.title')}>
    ${!problem && html`<p role="status">${say('panel.note')}</p>`}
    <div role="alert">${problem && html`<p class="alert" dir="auto">${problem}</p>`}</div>
    ${problem && html`<div class="buttons"><button type="button" class="main" onClick=${enter}>
      ${say('panel.again')}</button></div>`}
  <//>`;
};

const isRoom = location.pathname.startsWith('/room/');
const answer = await fetch(isRoom ? location.pathname + '/about' : '/join/about');
const about = answer.ok ? await answer.json() : { title: '', contact: '', language: 'en' };
await awaitTexts([about.language, 'en']);
document.title = about.title || say(isRoom ? 'room.title' : 'panel.title');
render(html`<${isRoom ? Room : Panel} about=${about} />`, document.getElementById('page'));
