// Pages of stages: what a game or a suite has for people to answer in, in a frame that reaches nothing.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { folder } from './agon.mjs';
import { accessible, fits, launch, settled } from './browser.mjs';
import { blockedNames, hostilePage } from './hostile_page.mjs';
import { Participant, Session, answersOf } from './people.mjs';

const dilemma = (set, pages) => [{ game: 'classic', set: { game: 'prisoners-dilemma', ...set },
                                   ...(pages ? { pages } : {}) }];

describe('pages of stages', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser, outside, asked;
  before(async () => {
    browser = await launch(suite);
    outside = createServer((request, response) => { asked.push(request.url); response.end(); });
    await new Promise(done => outside.listen(0, '127.0.0.1', done));
  });
  after(async () => {
    outside.close();
    for (const f of ending.reverse()) await f();
  });

  const start = (t, name, { set = {}, page, seats = ['person', 'rule'], people = {} } = {}) => {
    const here = folder(t);
    if (page) here.write('choose.html', page);
    return Session.start(t, here, { suite: name, seed: 2, agents: { person: 'human', rule: 'random' },
      design: { fixed: [seats], blocks: 1, seat_rotation: 'as-listed' },
      scenarios: dilemma(set, page ? { choose: 'choose.html' } : undefined),
      people: { participants: seats.filter(s => s === 'person').length, ...people } });
  };
  const atQuestion = async (session, options = {}) => {
    const [link] = await session.links(1);
    const one = await Participant.open(browser, link, options);
    await one.arrive();
    if (one.state.page === 'rules') await one.main().click();
    await one.until(s => s.page === 'question');
    return one;
  };
  const frameOf = async one => {
    const element = await one.page.locator('iframe.stage-page').elementHandle();
    return element.contentFrame();
  };
  const chosen = async session => [...answersOf(await session.records()).values()]
    .filter(a => a.agent === 'person').map(a => a.value.action);
  const option = (one, i) => one.question().form.fields[0].node.choices[i].name;

  it('the payoff table of a classic game is clicked, on a phone too, and by keyboard', async t => {
    for (const [how, options] of [['phone', {}], ['keyboard', { context: { viewport: { width: 1100, height: 800 } } }]]) {
      const session = await start(t, `table-${how}`);
      const one = await atQuestion(session, options);
      const frame = await frameOf(one);
      await frame.locator('table').waitFor();
      await fits(one.page, how);
      await accessible(one.page, `the table, ${how}`);
      const [content, width] = await frame.evaluate(() =>
        [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(content <= width, `the table is ${content} px wide in ${width}`);
      const wanted = option(one, 1);
      await settled(one.page);
      if (how === 'phone') await frame.locator('tbody tr').nth(1).locator('td').last().click();
      else {
        await frame.locator('input').first().focus();
        await one.page.keyboard.press('ArrowDown');
      }
      assert.equal(await frame.locator('tr.chosen label').innerText(), wanted);
      if (how === 'phone') await frame.locator('button').click();
      else {
        await one.page.keyboard.press('Tab');
        await one.page.keyboard.press('Enter');
      }
      // The answer ends the match: the page around asks whether it is meant.
      const dialog = one.page.locator('dialog[open] button.main');
      await Promise.race([dialog.waitFor(), one.until(s => s.page !== 'question')]);
      if (one.state.page === 'question') await dialog.click();
      await one.until(s => ['result', 'end'].includes(s.page));
      assert.deepEqual(await chosen(session), [wanted]);
    }
  });

  it('the plain form is one click away, and back', async t => {
    const session = await start(t, 'plain');
    const one = await atQuestion(session);
    await (await frameOf(one)).locator('table').waitFor();
    await one.page.getByRole('button', { name: 'Use the plain form' }).click();
    await one.page.locator('form.answer input[type=radio]').first().waitFor();
    assert.equal(await one.page.locator('iframe').count(), 0);
    await one.page.getByRole('button', { name: 'Back to the page' }).click();
    await (await frameOf(one)).locator('table').waitFor();
  });

  it('a page of more than it can show leaves the question to the form at once', async t => {
    const page = `<script>addEventListener('message', e => e.data.agon === 'question' &&
      parent.postMessage({ agon: 'form' }, '*')); parent.postMessage({ agon: 'ready' }, '*');</script>`;
    const session = await start(t, 'leaves', { page });
    const one = await atQuestion(session);
    await one.page.locator('form.answer input[type=radio]').first().waitFor();
    assert.equal(await one.page.getByText('did not open').count(), 0);
  });

  it('a page reaches no network, no cookie, no storage, and nothing around it', async t => {
    asked = [];
    const out = `http://127.0.0.1:${outside.address().port}`;
    const page = hostilePage(out);
    const session = await start(t, 'hostile', { page });
    const one = await atQuestion(session);
    const address = one.page.url();
    const frame = await frameOf(one);
    await frame.locator('#done', { hasText: 'done' }).waitFor({ state: 'attached' });
    const found = await frame.evaluate(() => window.found);
    for (const name of blockedNames)
      assert.equal(found[name], 'blocked', `${name}: ${JSON.stringify(found)}`);
    await new Promise(done => setTimeout(done, 1000));
    assert.deepEqual(asked, []);
    assert.equal(one.page.url(), address);
    assert.equal(one.page.context().pages().length, 1);
    // Nor does the frame itself go anywhere else.
    await frame.evaluate(to => { setTimeout(() => { location.href = to; }); }, `${out}/away`);
    await new Promise(done => setTimeout(done, 1500));
    assert.deepEqual(asked, []);
    assert.equal(one.page.url(), address);
    // Nor is it anybody's origin where it is opened by itself.
    const alone = await one.page.context().request.get(address + one.question().page.path);
    assert.match(alone.headers()['content-security-policy'], /^sandbox allow-scripts;/);
    // The person goes on with the form.
    await one.page.getByRole('button', { name: 'Use the plain form' }).click();
    await one.page.locator('form.answer label.option').first().click();
    await one.page.locator('form.answer button[type=submit]').click();
    const dialog = one.page.locator('dialog[open] button.main');
    await Promise.race([dialog.waitFor(), one.until(s => s.page !== 'question')]);
    if (one.state.page === 'question') await dialog.click();
    await one.until(s => s.page !== 'question');
  });

  it('a page that says nothing is replaced by the form', async t => {
    const session = await start(t, 'silent', { page: '<p>Loading …</p>' });
    const one = await atQuestion(session);
    await one.page.locator('iframe.stage-page').waitFor();
    await one.page.locator('form.answer input[type=radio]').first().waitFor();
    assert.equal(await one.page.locator('iframe').count(), 0);
    assert.match(await one.page.locator('form.answer').innerText(), /did not open/);
    await accessible(one.page, 'the form in place of a page');
  });

  it('rubbish is refused and said to page and person, and then a right answer is taken', async t => {
    const page = `<button id="send" type="button">Send</button><script>
      const circle = {}; circle.circle = circle;
      let deep = 'x'; for (let i = 0; i < 100; ++i) deep = [deep];
      const all = [{ action: 'nonsense' }, 7, null, [], circle, deep, new Date(), { action: { a: 1 } }];
      window.refused = 0;
      window.asked = null;
      addEventListener('message', e => {
        if (e.data.agon === 'question') window.asked = e.data;
        if (e.data.agon === 'refused') ++window.refused;
      });
      window.say = what => parent.postMessage({ agon: 'answer', answer: what === undefined ? all.shift() : what }, '*');
      document.getElementById('send').onclick = () => say();
      for (const noise of [null, 3, 'x', { agon: 'height', height: 'tall' }, { agon: 'height', height: 1e9 }, {}])
        parent.postMessage(noise, '*');
      parent.postMessage({ agon: 'ready' }, '*');
    </script>`;
    const session = await start(t, 'rubbish', { page });
    const one = await atQuestion(session);
    const frame = await frameOf(one);
    await frame.waitForFunction(() => window.asked !== null);
    const question = await frame.evaluate(() => window.asked);
    assert.equal(question.stage, 'choose');
    assert.equal(question.limits.fields[0].name, 'action');
    assert.equal(question.view.options.length, 2);
    assert.deepEqual(question.seats.length, 2);
    await settled(one.page);
    for (let i = 1; i <= 8; ++i) {
      await frame.locator('#send').click();
      await frame.waitForFunction(n => window.refused >= n, i);
      await one.page.locator('form.answer .alert').first().waitFor();
      assert.equal(one.state.page, 'question');
    }
    assert.equal(one.accepted().length, 0);
    await accessible(one.page, 'a page whose answer was refused');
    const wanted = option(one, 0);
    await frame.evaluate(action => window.say({ action }), wanted);
    const dialog = one.page.locator('dialog[open] button.main');
    await Promise.race([dialog.waitFor(), one.until(s => s.page !== 'question')]);
    if (one.state.page === 'question') await dialog.click();
    await one.until(s => s.page !== 'question');
    assert.deepEqual(await chosen(session), [wanted]);
  });
});
