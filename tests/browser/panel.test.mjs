// People whom a panel sends: a stand-in of it redirects to the study, and back comes what each way
// to end says. In between the server is killed, and the panel's link is opened in another browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { agon, folder, freePort } from './agon.mjs';
import { accessible, fits, launch, open, phone } from './browser.mjs';
import { ask } from './client.mjs';
import { anything, drawing } from './fill.mjs';
import { Participant, Session } from './people.mjs';

// A panel: it sends people to the study with who they are, and knows with which code they came back.
class StandIn {
  static async start(t) {
    const panel = new StandIn();
    panel.back = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url, 'http://panel');
      if (url.pathname === '/start') {
        response.writeHead(302, { Location: panel.study + '/join' + url.search, 'Cache-Control': 'no-store' });
        return response.end();
      }
      if (url.pathname !== '/favicon.ico') panel.back.push({ path: url.pathname, ...Object.fromEntries(url.searchParams) });
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>Panel</title><h1>Thank you</h1>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    panel.url = `http://127.0.0.1:${server.address().port}`;
    return panel;
  }
  link(id, parameters = { STUDY_ID: 'study1', SESSION_ID: `session-of-${id}` }) {
    return `${this.url}/start?${new URLSearchParams({ PROLIFIC_PID: id, ...parameters })}`;
  }
}

const desktop = { viewport: { width: 1280, height: 900 }, isMobile: false, hasTouch: false };
const cents = text => Math.round(Number(text.replace(/[^\d.-]/g, '')) * 100);
const shots = process.env.AGON_SHOTS;

describe('people from a panel', { timeout: 3_000_000 }, () => {
  const ending = [];
  let browser;
  before(async () => { browser = await launch({ after: f => ending.push(f) }); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  const goesBack = async one => {
    await one.page.locator('main.end a.button').click();
    await one.page.waitForURL(/127\.0\.0\.1:\d+\/back/);
  };

  it('come by one address and go back with the code of how it ended', async t => {
    const here = folder(t);
    const panel = await StandIn.start(t);
    here.write('consent.txt', 'We keep what you answer.');
    const study = await Session.start(t, here, {
      suite: 'panel', seed: 7, agents: { person: 'human' }, design: { fixed: [['person', 'person']], blocks: 2 },
      scenarios: [{ game: 'classic', set: { game: 'prisoners-dilemma', periods: 2 } }],
      people: { title: 'A study of a dilemma', participants: 2, matches: 2, panel: 'prolific',
        consent: 'consent.txt', code: { complete: 'C0MPLETE', no_consent: 'N0' },
        payment: { currency: 'EUR', pay: 'one-match', per_point: 0.37, show_up_fee: 2, round: 0.1, maximum: 50 },
        return_to: `${panel.url}/back?cc={code}&who={PROLIFIC_PID}` },
    }, { port: await freePort() });
    panel.study = study.url;

    // Without an id, or in a preview of it, nobody is entered, and the page says what is true.
    const lost = await open(browser, phone);
    await lost.goto(`${study.url}/join?STUDY_ID=study1`);
    await lost.getByText('PROLIFIC_PID').waitFor();
    await accessible(lost, 'an address without an id');
    await fits(lost, 'an address without an id');

    // Who does not agree goes back as such, and their place is free.
    const declines = await Participant.open(browser, panel.link('declines <b>'));
    await declines.until(s => s.page === 'welcome');
    await declines.main().click();
    await declines.until(s => s.page === 'consent');
    await declines.page.locator('main.consent .buttons button').last().click();
    await declines.page.locator('dialog[open] button.main').click();
    await declines.until(s => s.page === 'end');
    await goesBack(declines);
    assert.deepEqual(panel.back.pop(), { path: '/back', cc: 'N0', who: 'declines <b>' });

    const first = await Participant.open(browser, panel.link('id-one'));
    const second = await Participant.open(browser, panel.link('id-two'), { context: desktop });
    await Promise.all([first, second].map(one => one.arrive()));
    await first.until(s => s.page === 'question');
    const place = first.page.url();

    const third = await open(browser, phone);
    await third.goto(panel.link('id-three'));
    await third.getByText('All places').waitFor();

    // Somebody who knows the id alone is not let in; the panel's own link goes on elsewhere.
    const thief = await open(browser, phone);
    await thief.goto(`${study.url}/join?PROLIFIC_PID=id-one&SESSION_ID=guessed`);
    await thief.getByText('another browser').waitFor();
    const moved = await Participant.open(browser, panel.link('id-one'));
    await moved.until(s => s.page === 'question');
    assert.equal(moved.page.url(), place);
    await first.page.getByText('it goes on there').waitFor();

    // The same link after a crash: the same place.
    await study.killed();
    await moved.page.goto(panel.link('id-one'));
    await moved.page.waitForURL(place);
    const ends = await Promise.all([moved, second].map((one, i) => one.play(anything(drawing(i)))));
    for (const [i, one] of [moved, second].entries()) {
      await one.page.locator('main.end .account').waitFor();
      await fits(one.page, 'the end');
      await accessible(one.page, 'the end');
      if (shots) await one.page.screenshot({ path: `${shots}/end-${i}.png`, fullPage: true });
      // What a person reads adds up.
      const { account, payment } = ends[i].end;
      const read = await one.page.locator('.account tbody td').allInnerTexts();
      const sum = read.filter(text => /\d/.test(text)).map(cents).reduce((a, b) => a + b, 0);
      assert.equal(sum, cents(payment), JSON.stringify(account));
      assert.equal(cents(await one.page.locator('.account tfoot td').innerText()), cents(payment));
      assert.equal(read.filter(text => !/\d/.test(text)).length, 1, 'one of two matches was not drawn');
      await goesBack(one);
      assert.deepEqual(panel.back.pop(), { path: '/back', cc: 'C0MPLETE', who: ['id-one', 'id-two'][i] });
    }

    // Panel ids are with the payments alone; the table of people works without the server too.
    const get = async name => (await ask(study.url, 'GET', `/session/${name}`, { cookie: study.cookie })).text;
    const payments = await get('payments.csv');
    assert.ok(payments.includes('id-one') && payments.includes('id-two') && !payments.includes('declines'));
    const people = await get('people.csv'), answers = await get('answers.csv');
    await study.server.kill('SIGINT');
    const { out } = await agon(['export', study.archive, '--rows', 'people', '--format', 'spreadsheet']);
    assert.equal(out, people);
    const { out: seats } = await agon(['export', study.archive]);
    for (const line of people.trim().split('\r\n').slice(1)) {
      const [, pseudonym] = line.split(',');
      assert.match(pseudonym, /^p-/);
      assert.equal(seats.split(pseudonym).length - 1, 2, 'the pseudonym joins people and seats');
    }
    const { out: book } = await agon(['export', study.archive, '--rows', 'codebook']);
    for (const column of people.split('\r\n')[0].split(',')) assert.ok(book.includes(`\n${column},`), column);
    for (const text of [people, answers, seats, book, study.server.err()])
      assert.ok(!/id-one|id-two|declines/.test(text));
  });
});
