// The researcher's actions and people's messages, in real pages.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { folder } from './agon.mjs';
import { accessible, fits, launch, open, phone, settled, until } from './browser.mjs';
import { ask } from './client.mjs';
import { anything, drawing } from './fill.mjs';
import { Participant, Session } from './people.mjs';

describe('the researcher and people', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser;
  before(async () => { browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  const start = (t, name, people, seats = ['person', 'person']) => Session.start(t, folder(t),
    { suite: name, seed: 4, agents: { person: 'human', rule: 'random' },
      design: { fixed: [seats], blocks: 2, seat_rotation: 'as-listed' },
      scenarios: [{ game: 'classic', set: { game: 'prisoners-dilemma', periods: 3 } }],
      people: { participants: 3, ...people } });
  const researcher = async (session, options) => {
    const page = await open(browser, options);
    const { link } = await session.do({ do: 'login-link' });
    await page.goto(session.url + link);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const more = async (page, label) => {
    await page.getByRole('button', { name: `More: ${label}`, exact: true }).click();
    return page.locator('dialog[open]');
  };

  it('messages, notes, advancing and replacing are done from the page, and outlast a kill', async t => {
    const session = await start(t, 'actions', {});
    const links = await session.links(3);
    const [one, two] = await Promise.all(links.slice(0, 2).map(link => Participant.open(browser, link)));
    const page = await researcher(session, { viewport: { width: 1280, height: 900 } });
    await Promise.all([one.arrive(), two.arrive()]);
    for (const who of [one, two])
      await who.until(s => ['question', 'watching', 'rules'].includes(s.page));

    // To all, and to one; text is text.
    await page.getByRole('button', { name: 'Message to all' }).click();
    await page.locator('dialog[open] textarea').fill('Five minutes <b>left</b>');
    await settled(page);
    await accessible(page, 'a message to all');
    await page.locator('dialog[open] button.main').click();
    for (const who of [one, two]) {
      await who.page.getByText('Five minutes <b>left</b>').waitFor();
      await accessible(who.page, 'a message of the researcher');
      await fits(who.page, 'a message of the researcher');
    }
    await one.page.getByRole('button', { name: 'Close the message' }).click();
    await until('the message is closed', async () => await one.page.locator('.letter').count() === 0);

    await more(page, '1');
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.locator('dialog[open] textarea').fill('came late');
    await settled(page);
    await page.locator('dialog[open] button.main').click();
    await page.getByText('came late').waitFor();

    // Past the question that is open.
    if (one.state.page === 'rules') await one.main().click();
    await one.until(s => s.page === 'question');
    const key = one.key();
    await until('the page shows it', async () =>
      /is asked/.test(await page.locator('tbody tr').first().innerText()));
    await more(page, '1');
    await accessible(page, 'what can be done with a participant');
    await page.getByRole('button', { name: 'Advance' }).click();
    await settled(page);
    await page.locator('dialog[open] button.main').click();
    await one.until(s => s.page !== 'question' || one.key() !== key);

    // Killed: what was written and noted is there, and the log.
    await session.killed();
    await two.page.getByText('Five minutes <b>left</b>').waitFor();
    assert.equal(await one.page.locator('.letter').count(), 0);
    const told = await session.told(s => s.log.some(line => /takes 1 past/.test(line.text)));
    assert.equal(told.participants[0].note, 'came late');
    const payments = await ask(session.url, 'GET', '/session/payments.csv', { cookie: session.cookie });
    assert.match(payments.text, /came late/);

    // A third takes the seat of the first.
    const again = await researcher(session, { ...phone });
    const third = await Participant.open(browser, (await session.do({ do: 'renew-unused' }),
      (await session.links(1))[0]));
    await third.arrive();
    await third.until(s => s.page === 'waiting');
    await until('the third waits there', async () =>
      /waiting/.test(await again.locator('tbody tr').nth(2).innerText()));
    await more(again, '1');
    await again.getByRole('button', { name: 'Replace' }).click();
    await settled(again);
    await accessible(again, 'who takes a seat');
    await again.locator('dialog[open] button.main').click();
    await one.until(s => s.page === 'end');
    await third.page.getByText('You take the seat').waitFor();
    await fits(again, 'the researcher on a phone');
    const draw = drawing(5);
    await Promise.all([two, third].map(who => who.play(anything(draw))));
    const [match] = await session.records();
    assert.equal(match.status, 'finished');
  });

  it('two at a table write to each other; listeners hear it, and words are withheld', async t => {
    const session = await start(t, 'chat', { participants: 2, chat: { withhold: ['Zoe'], longest: 60 } });
    const links = await session.links(2);
    const one = await Participant.open(browser, links[0], { context: { viewport: { width: 1200, height: 900 },
      isMobile: false, hasTouch: false } });
    const two = await Participant.open(browser, links[1]);
    await Promise.all([one.arrive(), two.arrive()]);
    for (const who of [one, two]) {
      await who.until(s => ['question', 'watching', 'rules'].includes(s.page));
      if (who.state.page === 'rules') await who.main().click();
      await who.until(s => s.page === 'question');
    }
    const text = one.page.locator('#talk-text');
    await text.fill('<i>Hi</i>, I am zoe');
    await text.press('Enter');
    await one.page.locator('.talk .step.answer', { hasText: '<i>Hi</i>, I am …' }).waitFor();
    // On a phone it is folded: how many are new is to be seen, and is said.
    await two.page.locator('.talk .new', { hasText: '1 new' }).waitFor();
    await until('it is said', async () =>
      /writes: <i>Hi<\/i>, I am …/.test(await two.page.locator('#announcer').innerText()));
    await two.page.locator('.talk-title').click();
    await two.page.locator('.talk .step', { hasText: '<i>Hi</i>, I am …' }).waitFor();
    assert.equal(await two.page.locator('.talk i').count(), 0);
    await accessible(two.page, 'messages on a phone');
    await fits(two.page, 'messages on a phone');
    await two.page.locator('#talk-text').fill('Hello back');
    await two.page.getByRole('button', { name: 'Send the message' }).click();
    await one.page.locator('.talk .step:not(.answer)', { hasText: 'Hello back' }).waitFor();
    await accessible(one.page, 'messages');
    // Who writes goes on writing when the next question comes.
    await text.fill('half a sent');
    await text.focus();
    const fill = anything(drawing(3));
    await two.answer(fill);
    const form = one.page.locator('form.answer');
    const number = one.question().number;
    const plain = one.page.getByRole('button', { name: 'Use the plain form' });
    if (await plain.count() > 0) await plain.click();
    await fill(one.page, one.question(), one);
    await form.locator('button[type=submit]').click();
    await text.focus();
    await one.until(s => s.page !== 'question' || s.match.question.number !== number);
    assert.equal(await one.page.evaluate(() => document.activeElement.id), 'talk-text');
    assert.equal(await text.inputValue(), 'half a sent');
    // A reload keeps what was written, and the half sentence.
    await one.page.reload();
    await one.page.locator('.talk .step', { hasText: 'Hello back' }).waitFor();
    assert.equal(await one.page.locator('#talk-text').inputValue(), 'half a sent');
    const csv = await ask(session.url, 'GET', '/session/chat.csv', { cookie: session.cookie });
    assert.match(csv.text, /I am …/);
    assert.doesNotMatch(csv.text, /zoe/i);
    assert.match(await one.page.locator('#talk-people').innerText(), /Language models and programs do not take part/);
  });

});
