// The pages of participants and researchers, each state of them, against a server that says what
// this test tells it to.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { accessible, fits, launch, open, phone, settled, until } from './browser.mjs';
import { startFake } from './pages_fake.mjs';
import { blockedNames, hostilePage } from './hostile_page.mjs';
import { hostile, match, states } from './pages_states.mjs';

const textsOf = language => JSON.parse(readFileSync(
  new URL(`../../core/src/serve/page/texts/${language}.json`, import.meta.url), 'utf8'));
const texts = textsOf('en');
const wide = { viewport: { width: 1000, height: 800 } };

// A fake, a page of it in a state, and what went wrong at the end.
const talk = [{ own: false, who: 'Bo ' + hostile.script, text: hostile.script },
              { own: true, who: 'Alex', text: 'No.' }, { own: false, who: 'Cy', text: hostile.backwards }];
const begin = async (t, state, options = phone) => {
  const fake = await startFake();
  fake.chat = talk;
  t.after(() => fake.stop());
  const browser = await launch(t);
  fake.state = structuredClone(state);
  const page = await open(browser, options);
  const where = state.participants ? '/session/' : '/p/1/';
  if (state.participants) fake.session = structuredClone(state);
  await page.goto(fake.url + where);
  await page.locator('h1').waitFor();
  return { fake, page, browser };
};
const heading = page => page.locator('h1').innerText();
const focused = page => page.evaluate(() => document.activeElement.innerText?.trim() ||
                                            document.activeElement.tagName);
const now = state => ({ ...structuredClone(state) });
// Another state than before, whole.
const turn = (fake, state) => {
  for (const name of Object.keys(fake.state)) delete fake.state[name];
  fake.tell(now(state));
};

test('every state, on a phone and a screen, light and dark, can be used by everybody', async t => {
  const fake = await startFake();
  fake.chat = talk;
  t.after(() => fake.stop());
  const browser = await launch(t);
  for (const options of [phone, wide])
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(browser, { ...options, colorScheme });
      for (const [name, state] of Object.entries(states)) {
        const words = `${name}, ${options.viewport.width} px, ${colorScheme}`;
        if (name === 'sessionFull' && (options === phone || colorScheme === 'dark')) continue;
        fake[state.participants ? 'session' : 'state'] = now(state);
        await page.goto(fake.url + (state.participants ? '/session/' : '/p/1/'));
        await page.locator('h1').first().waitFor();
        if (state.match?.chat) {
          const title = page.locator('.talk-title');
          if (await title.getAttribute('aria-expanded') === 'false') await title.click();
          await page.locator('.talk .step').first().waitFor();
        }
        for (const folded of await page.locator('details.about').all()) await folded.locator('summary').click();
        if (state.reading || state.readings?.length > 0) await page.locator('.reading').first().waitFor();
        assert.equal(await page.locator('h1').count(), 1, words);
        await accessible(page, words);
        await fits(page, words);
        assert.equal(await page.evaluate(() => window.hurt), undefined, words);
        const shown = await page.locator('body').innerText();
        for (const key of Object.keys(texts).filter(key => key.includes('.')))
          assert.ok(!shown.includes(key + '\n'), `${words}: ${key} is not filled in`);
        const small = await page.locator('button:visible, a.button:visible, summary:visible')
          .evaluateAll(all => all.filter(one => one.getBoundingClientRect().height < 43.5)
            .map(one => one.outerHTML));
        assert.deepEqual(small, [], `${words}: smaller than a finger`);
      }
      assert.deepEqual(page.log.problems, []);
      assert.deepEqual(page.log.requests.filter(url => !url.startsWith(fake.url)), []);
    }
});

test('a page speaks the language of the study', async t => {
  const { fake, page } = await begin(t, states.waiting);
  for (const language of ['de', 'zh', 'en']) {
    turn(fake, { ...states.waiting, language });
    await until(language, async () => await heading(page) === textsOf(language)['waiting.title']);
    assert.equal(await page.getAttribute('html', 'lang'), language);
    const own = textsOf(language);
    for (const name of ['welcome', 'consent', 'quiz', 'quizAgain', 'questionnaire', 'rules', 'offered', 'refused', 'probe', 'watching', 'result', 'end']) {
      turn(fake, { ...states[name], language });
      const title = { offered: 'instructions', quizAgain: 'quiz', refused: 'question', probe: 'question.probe' }[name] ?? name;
      await until(`${name}, ${language}`,
        async () => await heading(page) === (own[title + '.title'] ?? own[title]));
      await fits(page, `${name}, ${language}`);
    }
    turn(fake, states.waiting);
  }
});

test('a participant comes from the welcome to an answer by keyboard alone', async t => {
  const { fake, page } = await begin(t, states.welcome, wide);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const tabTo = async words => {
    for (let i = 0; i < 30 && await focused(page) !== words; ++i) await press('Tab');
    assert.equal(await focused(page), words);
  };
  // A button takes no press while the answer to the step before is on its way.
  const mayPress = name => page.getByRole('button', { name, exact: true, disabled: false }).waitFor();
  await tabTo(texts['welcome.go']);
  await press('Enter');
  await until('begun', () => fake.dos.length === 1);
  assert.equal(fake.dos[0].do, 'begin');

  turn(fake, states.consent);
  await until('consent', async () => await focused(page) === texts['consent.title']);
  // What one agrees to scrolls by keyboard.
  await press('Tab', 'End');
  await until('scrolled', () => page.locator('.document').evaluate(box => box.scrollTop > 100));
  await tabTo(texts['consent.decline']);
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  for (let i = 0; i < 5; ++i) {
    await press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement === document.body ||
      document.activeElement.closest('dialog') !== null), 'focus stays in the dialog');
  }
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await focused(page), texts['consent.decline']);
  await mayPress(texts['consent.agree']);
  await press('Shift+Tab', 'Enter');
  await until('agreed', () => fake.dos.length === 2);
  assert.equal(fake.dos[1].do, 'agree');

  turn(fake, states.instructions);
  await until('instructions', async () => await focused(page) === texts['instructions.title']);
  assert.equal(await page.locator('ol > li').count(), 2);
  await tabTo(texts['instructions.go']);
  await mayPress(texts['instructions.go']);
  await press('Space');
  await until('understood', () => fake.dos.length === 3);
  assert.equal(fake.dos[2].do, 'understood');

  turn(fake, states.waiting);
  await until('waiting', async () => await focused(page) === texts['waiting.title']);
  turn(fake, states.question);
  await until('asked', async () => await focused(page) === texts['question.title']);
  assert.ok((await page.title()).startsWith(texts['question.tab']));
  fake.onAnswer = what => ({ status: 200,
    body: what.confirmed ? { accepted: true } : { confirm: 'This ends the match for you. Send it?' } });
  await page.getByLabel('Price').focus();
  await page.keyboard.type('250.5');
  await tabTo(texts['question.send']);
  await page.locator('form.answer button.main:not([aria-disabled])').waitFor();
  await press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /This ends the match for you/);
  assert.equal(await focused(page), texts['confirm.no'], 'what is safe comes first');
  await press('Tab');
  // What is pressed as soon as it is there was not meant for it.
  await dialog.locator('button.main:not([aria-disabled])').waitFor();
  await press('Enter');
  await until('answered', () => fake.answers.length === 2);
  const { match: key, question, attempt, typed, confirmed, skip, shown, first_input } = fake.answers[1];
  assert.deepEqual({ key, question, attempt, price: typed.price, confirmed, skip },
    { key: 'm1', question: 3, attempt: 0, price: '250.5', confirmed: true, skip: false });
  assert.ok(shown >= first_input && first_input >= 0);
  await page.getByRole('button', { name: texts['question.sent'] }).waitFor();
  // What was sent is not sent once more by a second press.
  await press('Enter');
  turn(fake, states.watching);
  await until('watching', async () => await focused(page) === texts['watching.title']);
  assert.equal(fake.answers.length, 2);
  assert.deepEqual(page.log.problems, []);
});

test('a form is sent once, says what is wrong where it is, and loses nothing by a reload', async t => {
  const { fake, page } = await begin(t, states.questionnaire);
  const send = page.locator('button[type=submit]');
  fake.onForm = () => ({ status: 422, body: { problems: [
    { path: '/age', problem: 'Please enter a number.' }, { path: '/languages', problem: 'Please choose.' }] } });
  await page.locator('#entry\\%2Fage').fill('old');
  await page.locator('label.option', { hasText: 'German' }).click();
  await page.locator('.scale').first().locator('label').nth(7).click();
  await send.click();
  await page.locator('.problem').first().waitFor();
  assert.deepEqual(fake.forms[0].typed, { age: 'old', languages: ['German'], risk: '7', words: '' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'entry%2Fage');
  assert.equal(await page.locator('.problem').count(), 2);
  await accessible(page, 'a form with problems');
  await page.locator('label.option', { hasText: 'German' }).click();
  await page.locator('label.option', { hasText: 'No answer' }).first().click();
  assert.equal(await page.locator('.problem').count(), 1);
  await page.reload();
  await page.locator('.scale').first().waitFor();
  assert.equal(await page.locator('#entry\\%2Fage').inputValue(), 'old');
  assert.equal(await page.locator('.scale input').nth(7).isChecked(), true);
  fake.onForm = () => ({ status: 200, body: { accepted: true } });
  await page.locator('#entry\\%2Fage').fill('30');
  await send.dblclick();
  await until('sent', async () => (await send.innerText()) === texts['question.sent']);
  assert.equal(fake.forms.length, 2);
  assert.deepEqual(fake.forms[1].typed,
    { age: '30', field: null, languages: [], risk: '7', words: '' });
  // What comes next has nothing of it; what was wrong in a quiz has the focus.
  turn(fake, states.quiz);
  await until('the quiz', async () => await focused(page) === texts['quiz.title']);
  assert.equal(await page.locator('#entry\\%2Fgoods').inputValue(), '');
  turn(fake, states.quizAgain);
  await until('the wrong entry', () => page.evaluate(() => document.activeElement.id === 'entry%2Fgoods'));
  assert.match(await page.locator('main').innerText(), /There are three shelves[^]*You have one attempt|You have one attempt[^]*There are three shelves/);
  // What was read can be looked up meanwhile, and what was typed stays.
  await page.locator('#entry\\%2Fgoods').fill('3');
  await page.locator('summary', { hasText: 'The market' }).click();
  await page.locator('.reading img').waitFor();
  assert.equal(await page.locator('#entry\\%2Fgoods').inputValue(), '3');
  fake.onForm = () => ({ status: 409, body: { stale: true } });
  await send.click();
  await page.locator('[role=alert] .alert').waitFor();
  assert.deepEqual(page.log.problems, []);
});

test('a double tap answers one question and not the next', async t => {
  const { fake, page } = await begin(t, states.chat);
  const next = number => ({ ...states.chat, match: { ...states.chat.match,
    question: { ...states.chat.match.question, number } } });
  fake.onAnswer = what => {
    setTimeout(() => turn(fake, next(what.question + 1)), 20);
    return { status: 200, body: { accepted: true } };
  };
  const tap = () => page.locator('form.answer button[type=submit]').evaluate(button => button.click());
  // As soon as the next question is on the page, however busy the machine is.
  await page.evaluate(() => {
    window.tapped = new Promise(done => new MutationObserver((unused, observer) => {
      const button = document.querySelector('form.answer[data-question="m1 4 0"] button[type=submit]');
      if (button === null) return;
      observer.disconnect();
      for (let i = 0; i < 3; ++i) button.click();
      done();
    }).observe(document.body, { childList: true, subtree: true, attributes: true }));
  });
  await page.locator('form.answer textarea').first().fill('Hello');
  await page.locator('form.answer button[type=submit]:not([aria-disabled])').waitFor();
  await tap();
  await page.evaluate(() => window.tapped);
  assert.equal(await page.locator('form.answer textarea').first().inputValue(), '');
  await page.locator('form.answer button[type=submit]:not([aria-disabled])').waitFor();
  assert.deepEqual(fake.answers.map(a => a.question), [3]);
  await tap();
  await until('answered', () => fake.answers.length === 2);
  assert.equal(fake.answers[1].question, 4);
  assert.equal(fake.answers[1].first_input, null, 'the server hears that nobody touched it');
});

test('a page that hears nothing any more says so and comes back', async t => {
  const { fake, page } = await begin(t, states.waiting);
  const asked = () => fake.dos.filter(what => what.do === 'here').length;
  fake.say('here', {});
  await until('here', () => asked() === 1);
  fake.deaf = true;  // whoever is on the way takes connections and brings nothing
  await page.getByText(texts['lost.note']).waitFor();
  fake.deaf = false;
  fake.hangUp();
  await page.getByText(texts['lost.note']).waitFor({ state: 'detached' });
});

test('what is wrong is said beside its field and after a refusal the answer stands as it was', async t => {
  const { fake, page } = await begin(t, states.question);
  fake.onAnswer = () => ({ status: 422,
    body: { problems: [{ path: '/price', problem: 'A price is a number, as in 12.50.' }] } });
  await page.getByLabel('Talk').fill('Hello');
  await page.getByLabel('Price').fill('much');
  await page.getByRole('button', { name: texts['question.send'] }).click();
  await page.getByText('A price is a number').waitFor();
  await accessible(page, 'a problem');
  assert.equal(await page.getByLabel('Price').inputValue(), 'much');
  assert.equal(await page.getByLabel('Price').getAttribute('aria-invalid'), 'true');
  assert.equal(await page.evaluate(() => document.activeElement.labels?.[0].textContent), 'Price');
  await page.keyboard.type('.');
  await page.getByText('A price is a number').waitFor({ state: 'detached' });

  turn(fake, states.refused);
  const complaint = page.getByText('above 2 times the list price');
  await complaint.waitFor();
  await until('focus', async () => (await focused(page)).includes('above 2 times'));
  assert.equal(await page.getByLabel('Price').inputValue(), '900');
  assert.match(await page.locator('.alert').first().innerText(), /2 more tries/);
});

test('nothing typed is lost by a reload or a server that is gone for a while', async t => {
  const { fake, page } = await begin(t, states.question);
  await page.getByLabel('Talk').fill('A long thought.');
  fake.tell({});  // the same once more
  await page.reload();
  await page.locator('h1').waitFor();
  assert.equal(await page.getByLabel('Talk').inputValue(), 'A long thought.');

  fake.away(true);
  await page.getByText(texts['lost.note']).waitFor();
  await page.getByLabel('Talk').fill('A long thought, and more.');
  await page.getByRole('button', { name: texts['question.send'] }).click();
  await page.getByText(texts['question.again']).waitFor();
  fake.away(false);
  await until('answered', () => fake.answers.length === 1);
  assert.equal(fake.answers[0].typed.talk, 'A long thought, and more.');
  await page.getByRole('button', { name: texts['question.sent'] }).waitFor();
  await until('back', async () => await page.getByText(texts['lost.note']).count() === 0);
  assert.equal(fake.answers.length, 1);

  turn(fake, { ...states.question, match: { ...match, question: { ...match.question, number: 4 } } });
  await until('empty', async () => await page.getByLabel('Talk').inputValue() === '');
});

test('a proxy whose server is not there yet costs nothing but time', async t => {
  const fake = await startFake();
  t.after(() => fake.stop());
  fake.state = now(states.welcome);
  fake.refused = new Set(['/p/1/events', '/texts/en.json']);
  const page = await open(await launch(t), phone);
  await page.goto(fake.url + '/p/1/');
  await until('turned away', () => fake.turnedAway.has('/p/1/events'));
  fake.refused.delete('/p/1/events');
  await until('without words', () => fake.turnedAway.has('/texts/en.json'));
  fake.refused.clear();
  await until('shown', async () => await page.locator('h1').count() === 1 &&
    await heading(page) === texts['welcome.title']);
});

test('a server that comes back while its loss is put into words is back, in the language of the study', async t => {
  const fake = await startFake();
  t.after(() => fake.stop());
  fake.state = now({ ...states.welcome, language: 'de' });
  fake.refused = new Set(['/p/1/events']);
  let release;
  fake.held.set('/texts/en.json', new Promise(done => { release = done; }));
  const page = await open(await launch(t), phone);
  const asked = page.waitForRequest('**/texts/en.json');
  const came = page.waitForResponse('**/texts/en.json');
  await page.goto(fake.url + '/p/1/');
  await asked;
  fake.refused.clear();
  const german = textsOf('de');
  await until('shown', async () => await page.locator('h1').count() === 1 &&
    await heading(page) === german['welcome.title']);
  release();
  await (await came).finished();
  turn(fake, { ...states.waiting, language: 'de' });
  await until('German', async () => await heading(page) === german['waiting.title']);
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  for (const words of [texts, german]) assert.equal(await page.getByText(words['lost.note']).count(), 0);
});

test('an answer that came too late shows what is asked now', async t => {
  const { fake, page } = await begin(t, states.question);
  fake.onAnswer = () => { turn(fake, states.watching); return { status: 409, body: { stale: true } }; };
  await page.getByRole('button', { name: texts['question.send'] }).click();
  await until('watching', async () => await heading(page) === texts['watching.title']);
});

test('a page that cannot be shown says so and goes on with the next', async t => {
  const { fake, page } = await begin(t, states.waiting);
  const form = { kind: 'struct', fields: [null, null] };
  turn(fake, { ...states.question, match: { ...match, question: { ...match.question, form } } });
  await page.getByText(texts['broken.note']).waitFor();
  turn(fake, states.watching);
  await until('watching', async () => await heading(page) === texts['watching.title']);
});

test('a second tab takes over and the first can take it back', async t => {
  const { fake, page } = await begin(t, states.question);
  const second = await page.context().newPage();
  await second.goto(fake.url + '/p/1/');
  await second.locator('h1').waitFor();
  await until('elsewhere', async () => await heading(page) === texts['elsewhere.title']);
  await accessible(page, 'elsewhere');
  await page.getByRole('button', { name: texts['elsewhere.go'] }).click();
  await until('here again', async () => await heading(page) === texts['question.title']);
  await until('elsewhere too', async () => await heading(second) === texts['elsewhere.title']);
});

test('what others write stays text, in its place, however long it is', async t => {
  const { fake, page } = await begin(t, states.chat);
  const told = [...states.chat.match.told,
    { kind: 'event', private: false, name: 'sent', text: hostile.long, number: 9 },
    { kind: 'event', private: false, name: 'sent', text: hostile.script, number: 10 }];
  fake.tell({ match: { ...states.chat.match, told } });
  const last = page.locator('.step').last();
  await until('told', async () => await last.innerText() === hostile.script);
  assert.equal(await page.locator('.step').count(), told.length);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  await fits(page, 'a long message');
  const box = page.locator('.steps-box');
  assert.ok(await box.evaluate(b => b.scrollTop + b.clientHeight >= b.scrollHeight - 8),
    'the newest is seen');
  // Who reads further up is told that there is something new, and stays there.
  await box.evaluate(b => new Promise(done => {
    b.addEventListener('scroll', () => done(), { once: true });  // after the page's own listener
    b.scrollTop = 0;
  }));
  fake.tell({ match: { ...states.chat.match, told: [...told, told.at(-1)] } });
  const newest = page.getByRole('button', { name: texts['told.newest'] });
  await newest.waitFor();
  assert.equal(await box.evaluate(b => b.scrollTop), 0);
  await newest.click();
  await until('gone', async () => await newest.count() === 0);
  for (const isolated of await page.locator('.step .words').all())
    assert.equal(await isolated.evaluate(e => getComputedStyle(e).unicodeBidi.includes('isolate')), true);
  assert.deepEqual(page.log.problems, []);
});

test('in a chat Enter sends and who writes goes on writing', async t => {
  const { fake, page } = await begin(t, states.chat, wide);
  const field = page.getByRole('textbox', { name: 'Your message' });
  await field.fill('First line');
  await field.press('Shift+Enter');
  await page.keyboard.type('second line');
  await field.press('Enter');
  await until('sent', () => fake.answers.length === 1);
  assert.equal(fake.answers[0].typed.message, 'First line\nsecond line');
  turn(fake, states.watching);
  await until('watching', async () => await heading(page) === texts['watching.title']);
  turn(fake, { ...states.chat, match: { ...states.chat.match,
    question: { ...states.chat.match.question, number: 4 } } });
  await until('writing', () => page.evaluate(() => document.activeElement.tagName === 'TEXTAREA'));
  assert.equal(await field.inputValue(), '');
});

test('the time that is left is shown and said now and then', async t => {
  const fake = await startFake();
  t.after(() => fake.stop());
  const page = await open(await launch(t), phone);
  await page.clock.install({ time: new Date('2001-01-01T00:00:00Z') });  // a clock that is wrong
  await page.clock.pauseAt(new Date('2001-01-01T00:00:01Z'));            // and goes on when it is told to
  fake.state = now(states.timed);
  await page.goto(fake.url + '/p/1/');
  await page.clock.runFor(1000);
  await page.locator('.time').waitFor();
  assert.match(await page.locator('.time').innerText(), /1:3\d/);
  // While time passes, the server asks now and then whether the page is there.
  const pass = async seconds => {
    for (; seconds > 0; seconds -= 10) {
      await page.clock.runFor(10000);
      const before = fake.dos.length;
      fake.say('here', {});
      await until('here', () => fake.dos.length > before);
    }
  };
  await pass(40);
  await until('said', async () => await page.locator('#announcer').innerText() ===
    texts['time.announce'].replace('{n}', '60'));
  await pass(60);
  await until('over', async () => await page.locator('.time').innerText() === texts['time.over']);
  // A pause stops it, and what is typed then is not sent.
  turn(fake, { ...states.timed, paused: true });
  await page.getByText(texts['paused.note']).waitFor();
  assert.equal(await page.locator('.time').count(), 0);
  await page.getByRole('button', { name: texts['question.send'] }).click({ force: true });
  assert.equal(fake.answers.length, 0);
});

test('a question aside may be skipped and a note goes with an answer', async t => {
  const { fake, page } = await begin(t, states.probe);
  assert.equal(await heading(page), texts['question.probe']);
  await page.getByText(texts['question.thought'], { exact: true }).click();
  await page.getByLabel(texts['question.thought.note']).fill('I do not know.');
  await page.getByRole('button', { name: texts['question.skip'] }).click();
  await until('skipped', () => fake.answers.length === 1);
  assert.equal(fake.answers[0].skip, true);
  assert.equal(fake.answers[0].thought, 'I do not know.');
});

test('the trial is offered, leaving is asked about, the code is copied and the way back is a link', async t => {
  const { fake, page } = await begin(t, states.offered);
  await page.getByRole('button', { name: texts['instructions.trial'] }).click();
  await until('trial', () => fake.dos.length === 1);
  assert.equal(fake.dos[0].do, 'trial');
  await page.getByRole('button', { name: texts.leave }).click();
  await page.getByRole('button', { name: texts['leave.no'], exact: true }).click();
  await page.getByRole('button', { name: texts.leave }).click();
  await page.getByRole('button', { name: texts['leave.yes'], exact: true }).click();
  await until('left', () => fake.dos.length === 2);
  assert.equal(fake.dos[1].do, 'leave');

  turn(fake, states.end);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;
  });
  // What the button says it says for seconds: it is looked for from before it is pressed.
  const copies = (name, told) => Promise.all([page.getByRole('button', { name: told, exact: true }).waitFor(),
                                              page.getByRole('button', { name, exact: true }).click()]);
  await copies(texts['end.copy'], texts['copied.not']);
  await page.evaluate(() => {
    delete navigator.clipboard.writeText;
    delete document.execCommand;
  });
  await copies(texts['end.copy'], texts.copied);
  await page.evaluate(() => {
    const area = document.body.appendChild(document.createElement('textarea'));
    area.focus();
  });
  await page.keyboard.press('Control+V');
  await until('pasted', async () => await page.locator('body > textarea').inputValue() === 'C0DE-42');
  assert.equal(await page.getByRole('link').getAttribute('href'), states.end.end.return);
  turn(fake, { ...states.end, end: { ...states.end.end, return: 'javascript:window.hurt = 1' } });
  await until('no link', async () => await page.getByRole('link').count() === 0);
});

test('leaving is not lost while the answer to a step is on its way', async t => {
  const { fake, page } = await begin(t, states.welcome);
  let release;
  fake.held.set('/p/1/do', new Promise(done => { release = done; }));
  await page.getByRole('button', { name: texts['welcome.go'], exact: true }).click();
  await page.locator('main button.main[aria-disabled=true]').waitFor();
  await page.getByRole('button', { name: texts.leave }).click();
  await page.getByRole('button', { name: texts['leave.yes'], exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  fake.held.clear();
  release();
  await until('left', () => fake.dos.length === 2);
  assert.deepEqual(fake.dos.map(what => what.do), ['begin', 'leave']);
});

test('what the server says of a step that failed is shown', async t => {
  const { fake, page } = await begin(t, states.result);
  fake.onDo = () => ({ status: 500, body: { error: 'The disk is full.' } });
  await page.getByRole('button', { name: texts['result.go'] }).click();
  await page.getByText('The disk is full.').waitFor();
});

test('a room lets in by name and says who it does not know', async t => {
  const fake = await startFake();
  t.after(() => fake.stop());
  fake.state = now(states.welcome);
  const page = await open(await launch(t), phone);
  await page.goto(fake.url + '/room/lab');
  await page.locator('h1').waitFor();
  await accessible(page, 'a room');
  await fits(page, 'a room');
  await page.getByRole('button', { name: texts['room.go'] }).click();
  await page.getByText(texts['room.missing']).waitFor();
  fake.onDo = () => ({ status: 404, body: { error: texts['server.room_unknown'] } });
  await page.getByLabel(texts['room.name']).fill('Mallory');
  await page.keyboard.press('Enter');
  await page.getByText(texts['server.room_unknown']).waitFor();
  fake.onDo = () => ({ status: 200, body: { go: '/p/1/' } });
  await page.getByLabel(texts['room.name']).fill('Ada');
  await page.keyboard.press('Enter');
  await until('in', async () => await heading(page) === texts['welcome.title']);
  assert.deepEqual(fake.dos.map(what => what.name), ['Mallory', 'Ada']);
});

test('without JavaScript a page says so', async t => {
  const fake = await startFake();
  t.after(() => fake.stop());
  const page = await open(await launch(t), { ...phone, javaScriptEnabled: false });
  await page.goto(fake.url + '/p/1/');
  assert.match(await page.locator('noscript').innerText(), /needs JavaScript/);
});

test('a researcher sees who is here, and what cannot be taken back is asked first', async t => {
  const { fake, page } = await begin(t, states.session, wide);
  const rows = page.getByRole('table', { name: texts['participants.title'] }).locator('tbody tr');
  assert.equal(await rows.count(), 24);
  await page.getByLabel(texts['participants.find']).fill('ada');
  await until('found', async () => await rows.count() === 4);
  await page.getByLabel(texts['participants.find']).fill('');
  await page.getByLabel(texts['participants.which']).selectOption('dropped');
  await until('dropped', async () => await rows.count() === 1);
  assert.match(await rows.innerText(), /dropped out/);
  await page.getByLabel(texts['participants.which']).selectOption('all');

  const press = name => page.getByRole('button', { name, exact: true }).click();
  const tokens = new Set();
  // Each action has a token of its own, by which the server knows one that is sent twice.
  const done = async what => {
    await until(JSON.stringify(what), () => fake.dos.length > 0);
    const { token, ...sent } = fake.dos.shift();
    assert.deepEqual(sent, what);
    assert.ok(token.length > 10 && !tokens.has(token));
    tokens.add(token);
  };
  await press(texts['session.pause']);
  await done({ do: 'pause' });
  await press(texts['session.end']);
  await press(texts['session.end.no']);
  await press(texts['session.end']);
  await press(texts['session.end.yes']);
  await done({ do: 'end' });
  fake.onDo = () => ({ status: 200, body: { participants: ['p98', 'p99'] } });
  await page.getByLabel(texts['session.add.how']).fill('2');
  await press(texts['session.add']);
  await done({ do: 'add', n: 2 });
  fake.onDo = () => ({ status: 200, body: { link: '/login?key=abc' } });
  await press(texts['session.login']);
  await page.getByText('/login?key=abc').waitFor();
  await done({ do: 'login-link' });
  await press(texts.close);
  await page.getByRole('button', { name: 'More: Ada 1', exact: true }).click();
  await page.getByRole('img', { name: 'QR code: Ada 1' }).waitFor();
  await accessible(page, 'more about one');
  await press(texts['drop.do']);
  await press(texts['drop.yes']);
  await done({ do: 'drop', id: 'p0', seen: 'welcome' });
  fake.onDo = () => ({ status: 400, body: { error: 'There is nobody left.' } });
  await page.getByRole('button', { name: 'More: Ada 1', exact: true }).click();
  await press(texts['link.renew']);
  await press(texts['link.renew.yes']);
  await page.getByText('There is nobody left.').waitFor();
  await done({ do: 'renew', id: 'p0', link: states.session.participants[0].link });

  await Promise.all([page.getByRole('button', { name: texts.copied, exact: true }).waitFor(),
                     page.getByRole('button', { name: 'Copy link: Ada 1', exact: true }).click()]);
  await page.getByLabel(texts['participants.find']).focus();
  await page.keyboard.press('Control+V');
  await until('pasted', async () => await page.getByLabel(texts['participants.find']).inputValue() ===
    fake.url + states.session.participants[0].link);

  await press(texts['link.cards']);
  const withLink = states.session.participants.filter(one => one.link).length;
  assert.equal(await page.getByRole('img').count(), withLink);
  await accessible(page, 'cards');
  assert.equal(await page.evaluate(() => window.hurt), undefined);
});

test('five hundred participants are shown and kept up to date', async t => {
  const { fake, page } = await begin(t, states.sessionFull, wide);
  const rows = page.getByRole('table', { name: texts['participants.title'] }).locator('tbody tr');
  assert.equal(await rows.count(), 500);
  for (let i = 0; i < 50; ++i) {
    fake.session.participants[0].matches = i;
    fake.tell({});
  }
  const first = rows.filter({ hasText: 'Ada 1' }).first();
  await until('up to date', async () => (await first.innerText()).includes('49'));
  assert.deepEqual(page.log.problems, []);
});

test('the researcher writes, notes, advances, moves and replaces', async t => {
  const { fake, page } = await begin(t, states.session, wide);
  const press = name => page.getByRole('button', { name, exact: true }).click();
  const dialog = page.locator('dialog[open]');
  const done = async what => {
    await until(JSON.stringify(what), () => fake.dos.length > 0);
    const { token, ...sent } = fake.dos.shift();
    assert.deepEqual(sent, what);
  };
  const more = label => press(texts['more.of'].replace('{who}', label));
  await press(texts['session.message']);
  await settled(page);
  await dialog.locator('button.main').click();  // nothing is written yet: it stays
  await dialog.locator('textarea').fill('To all');
  await dialog.locator('button.main').click();
  await done({ do: 'message', text: 'To all' });
  await more('Chloe 3');  // reads the instructions
  await press(texts['advance.do']);
  await settled(page);
  await dialog.locator('button.main').click();
  await done({ do: 'advance', id: 'p2', seen: 'instructions' });
  await more('Chloe 9');
  await press(texts['note.do']);
  await dialog.locator('textarea').fill('came on time');
  await settled(page);
  await dialog.locator('button.main').click();
  await done({ do: 'annotate', id: 'p8', text: 'came on time', before: 'came late ' + hostile.script });
  await more('Chloe 3');
  await press(texts['move.do']);
  await dialog.locator('select').selectOption('stage 2');
  await settled(page);
  await dialog.locator('button.main').click();
  await done({ do: 'move', id: 'p2', seen: 'instructions', stage: 2 });
  await more('Finn 6');  // watches
  await press(texts['replace.do']);
  await dialog.locator('select').selectOption('p11');
  await settled(page);
  await dialog.locator('button.main').click();
  await done({ do: 'replace', id: 'p5', seen: 'watching', by: 'p11' });
  fake.session.participants[16].here = false;  // has not begun, and has no page open
  fake.tell({});
  await press(texts['session.renew']);
  await settled(page);
  fake.onDo = () => ({ status: 200, body: { renewed: 2 } });
  await dialog.locator('button.main').click();
  await done({ do: 'renew-unused' });
  // Who is slow: three times as long as others, at a page of their own; the slowest first.
  const rows = page.getByRole('table', { name: texts['participants.title'] }).locator('tbody tr');
  await page.getByLabel(texts['participants.order']).selectOption('slow');
  await until('slowest first', async () => /slow: /.test(await rows.first().innerText()));
  await page.getByLabel(texts['participants.which']).selectOption('slow');
  await until('only slow ones', async () =>
    (await rows.allInnerTexts()).every(text => /slow: /.test(text)));
  // An action whose answer was lost is sent once more, and no other.
  fake.onDo = () => ({ status: 409, body: { error: 'Ada 1 has gone on meanwhile; look again' } });
  await press(texts['session.pause']);
  await page.getByText('has gone on meanwhile').waitFor();
});

test('who writes to others goes on writing, and a message is sent once', async t => {
  const { fake, page } = await begin(t, states.talking, wide);
  const text = page.locator('#talk-text');
  assert.equal(await page.locator('.talk .step').count(), 3);
  await text.fill('Hello');
  fake.onAnswer = () => ({ status: 503, body: {} });
  await text.press('Enter');
  await until('sent', () => fake.chats.length > 0);
  fake.onAnswer = () => ({ status: 200, body: { accepted: true } });
  await until('taken', async () => await text.inputValue() === '');
  assert.equal(new Set(fake.chats.map(one => one.token)).size, 1);
  assert.ok(fake.chats.length > 1);
  // What is typed while a message is on its way is not taken away by its answer.
  let release;
  fake.held.set('/p/1/chat', new Promise(done => { release = done; }));
  await text.fill('On its way');
  await text.press('Enter');
  await page.locator('.talk-form button[aria-disabled=true]').waitFor();
  await text.fill('And more');
  fake.held.clear();
  release();
  await page.locator('.talk-form button:not([aria-disabled])').waitFor();
  assert.equal(await text.inputValue(), 'And more');
  await text.fill('Too fast');
  fake.onAnswer = () => ({ status: 422, body: { error: texts['server.chat_many'] } });
  await text.press('Enter');
  await page.getByText(texts['server.chat_many']).waitFor();
  assert.equal(await text.inputValue(), 'Too fast');
  fake.say('chat', { match: 'm1', from: 3, lines: [{ own: false, who: 'Cy', text: 'New' }] });
  await until('it is said', async () =>
    /Cy writes: New/.test(await page.locator('#announcer').innerText()));
  // The next question leaves the focus where it is.
  await text.focus();
  turn(fake, { ...states.talking, match: { ...states.talking.match,
    question: { ...states.talking.match.question, number: 9 } } });
  await until('the next question', async () =>
    await page.locator('form.answer[data-question="m1 9 0"]').count() === 1);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'talk-text');
  assert.equal(await text.inputValue(), 'Too fast');
});

// A state in which a stage of a classic game is answered in a page.
const staged = (view = {}) => ({ ...states.question, match: { ...match, title: 'A game of choices', question: {
  ...match.question, stage: 'choose', doc: 'choose your action', view: '', page: {
    path: 'stage?name=choose', game: 'classic', seat: 0, seats: ['Alice', 'Bob'], facts: null,
    view: { actions: [['Cooperate', 'Defect'], ['cooperate', 'defect']], options: ['Cooperate', 'Defect'],
            payoffs: [[3, 3], [0, 5.5], [5.5, 0], [1, 1]], ...view } },
  form: { kind: 'struct', fields: [{ name: 'action', label: 'Action', doc: '', node: { kind: 'choice', choices: [
    { name: 'Cooperate', label: 'Cooperate', doc: '' }, { name: 'Defect', label: 'Defect', doc: '' }] } }] } } } });
const shipped = readFileSync(new URL('../../games/classic/pages/choose.html', import.meta.url), 'utf8');
const frameOf = async page => (await page.locator('iframe.stage-page').elementHandle()).contentFrame();
const opened = async (t, state, stagePage, options = phone) => {
  const fake = await startFake();
  t.after(() => fake.stop());
  Object.assign(fake, { state: now(state), stagePage });
  const page = await open(await launch(t), options);
  await page.goto(fake.url + '/p/1/');
  await page.locator('h1').waitFor();
  return { fake, page };
};

test('the payoff table of a classic game is clicked', async t => {
  for (const [how, options] of [['phone', phone], ['wide', { ...wide, colorScheme: 'dark' }]]) {
    const { fake, page } = await opened(t, staged(), shipped, options);
    const frame = await frameOf(page);
    await frame.locator('table').waitFor();
    // Row by row: what I get, and what the other gets.
    assert.deepEqual(await frame.locator('td b').allInnerTexts(), ['you 3', 'you 0', 'you 5.5', 'you 1']);
    assert.deepEqual(await frame.locator('td span').allInnerTexts(), ['Bob 3', 'Bob 5.5', 'Bob 0', 'Bob 1']);
    await fits(page, how);
    await accessible(page, `the table, ${how}`);
    const [content, width] = await frame.evaluate(() =>
      [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(content <= width, `the table is ${content} px wide in ${width}`);
    if (process.env.AGON_SHOTS) await page.screenshot({ path: `${process.env.AGON_SHOTS}/table-${how}.png` });
    await settled(page);
    if (how === 'phone') {
      await frame.locator('tbody tr').nth(1).locator('td').last().click();
      await frame.locator('button').click();
    } else {
      await frame.locator('input').first().focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    }
    await until('answered', () => fake.answers.length === 1);
    assert.deepEqual(fake.answers[0].typed, { action: 'Defect' });
    assert.notEqual(fake.answers[0].first_input, null);
    assert.deepEqual(page.log.problems, []);
  }
});

test('the table is told from the other seat too, and leaves what it cannot show to the form', async t => {
  const other = staged();
  const { seat, view } = other.match.question.page;
  Object.assign(other.match.question.page, { seat: 1 - seat, view: { ...view, options: view.actions[1] } });
  const { fake, page } = await opened(t, other, shipped);
  const frame = await frameOf(page);
  await frame.locator('table').waitFor();
  assert.deepEqual(await frame.locator('td b').allInnerTexts(), ['you 3', 'you 0', 'you 5.5', 'you 1']);
  assert.deepEqual(await frame.locator('label').allInnerTexts(), ['cooperate', 'defect']);
  turn(fake, staged({ payoffs: [] }));
  fake.state.match.question.number = 7;
  fake.tell();
  await page.locator('form.answer input[type=radio]').first().waitFor();
  assert.equal(await page.getByText(texts['stage.silent']).count(), 0);
});

test('a page of a stage reaches nothing, and the form is one click away', async t => {
  const heard = [];
  const outside = createServer((request, response) => { heard.push(request.url); response.end(); });
  await new Promise(done => outside.listen(0, '127.0.0.1', done));
  t.after(() => outside.close());
  const out = `http://127.0.0.1:${outside.address().port}`;
  const { page } = await opened(t, staged(), hostilePage(out));
  const address = page.url(), frame = await frameOf(page);
  await frame.locator('#done', { hasText: 'done' }).waitFor({ state: 'attached' });
  const found = await frame.evaluate(() => window.found);
  for (const name of blockedNames) assert.equal(found[name], 'blocked', `${name}: ${JSON.stringify(found)}`);
  await frame.evaluate(to => { setTimeout(() => { location.href = to; }); }, `${out}/away`);
  await new Promise(done => setTimeout(done, 1500));
  assert.deepEqual(heard, []);
  assert.equal(page.url(), address);
  assert.equal(page.context().pages().length, 1);
  await page.getByRole('button', { name: texts['stage.form'] }).click();
  await page.locator('form.answer input[type=radio]').first().waitFor();
  await page.getByRole('button', { name: texts['stage.page'] }).click();
  await page.locator('iframe.stage-page').waitFor();
});

test('a page of a stage that says nothing is replaced by the form', async t => {
  const { page } = await opened(t, staged(), '<p>Loading</p>');
  await page.locator('form.answer input[type=radio]').first().waitFor();
  await page.getByText(texts['stage.silent']).waitFor();
  assert.equal(await page.locator('iframe').count(), 0);
});

test('a page of a stage that loads slowly is awaited', async t => {
  const fake = await startFake();
  t.after(() => fake.stop());
  Object.assign(fake, { state: now(staged()), stagePage: shipped });
  let release;
  fake.held.set('/p/1/stage', new Promise(done => { release = done; }));
  const page = await open(await launch(t), phone);
  await page.goto(fake.url + '/p/1/', { waitUntil: 'commit' });  // a page is loaded once its frames are
  await page.locator('iframe.stage-page').waitFor();
  await page.evaluate(() => new Promise(done => setTimeout(done, 6000)));
  release();
  await page.frameLocator('iframe.stage-page').locator('table').waitFor();
  assert.equal(await page.getByText(texts['stage.silent']).count(), 0);
});

test('what a page of a stage sends is no answer until it is one', async t => {
  const { fake, page } = await opened(t, staged(), `<script>
    window.refused = [];
    addEventListener('message', e => { if (e.data.agon === 'refused') window.refused.push(e.data.problems); });
    window.say = answer => parent.postMessage({ agon: 'answer', answer }, '*');
    for (const noise of [null, 3, {}, { agon: 'height', height: 'x' }]) parent.postMessage(noise, '*');
    parent.postMessage({ agon: 'ready' }, '*');</script>`);
  const frame = await frameOf(page);
  await settled(page);
  const refused = n => frame.waitForFunction(n => window.refused.length === n, n);
  await frame.evaluate(() => { const a = {}; a.a = a; say(a); });
  await refused(1);
  await page.getByText(texts['stage.unread']).waitFor();
  await frame.evaluate(() => { let deep = 'x'; for (let i = 0; i < 99; ++i) deep = [deep]; say(deep); });
  await refused(2);
  assert.equal(fake.answers.length, 0);
  fake.onAnswer = () => ({ status: 422, body: { problems: [{ path: '/action', problem: 'there is no such action' }] } });
  await frame.evaluate(() => say({ action: 'rubbish', n: 3 }));
  await refused(3);
  assert.deepEqual(fake.answers[0].typed, { action: 'rubbish', n: '3' });
  assert.deepEqual(await frame.evaluate(() => window.refused[2]), [{ path: '/action', problem: 'there is no such action' }]);
  await page.getByText('there is no such action').waitFor();
  await accessible(page, 'an answer that was refused');
  fake.onAnswer = () => ({ status: 200, body: { accepted: true } });
  await frame.evaluate(() => say({ action: 'Defect' }));
  await until('taken', () => fake.answers.length === 2);
});
