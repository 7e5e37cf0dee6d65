// The door of a room: who enters a name of its list gets a place, or comes back to it.
import { html, render, useRef, useState } from '/assets/vendor/preact.js';
import { send } from './stream.js';
import { awaitTexts, say, tell } from './texts.js';

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
  return html`
    <header class="study"><p dir="auto">${about.title}</p></header>
    <main>
      <h1>${say('room.title')}</h1>
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
    </main>
    <footer>${about.contact && html`<p class="small">
      ${tell('contact', { contact: about.contact })}</p>`}</footer>`;
};

const answer = await fetch(location.pathname + '/about');
const about = answer.ok ? await answer.json() : { title: '', contact: '', language: 'en' };
await awaitTexts([about.language, 'en']);
document.title = about.title || say('room.title');
render(html`<${Room} about=${about} />`, document.getElementById('page'));
