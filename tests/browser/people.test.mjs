// Sessions with people at pages: a game that nobody wrote a page for, a crowd whose server is killed,
// second tabs, people who go, clocks that are wrong, and texts that want to be more than texts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { connect, createServer as createProxy } from 'node:net';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { agon, atEnd, build, folder, freePort, source } from './agon.mjs';
import { accessible, fits, launch, open, until } from './browser.mjs';
import { ask, enter as letIn } from './client.mjs';
import { anything, drawing, enter } from './fill.mjs';
import { Participant, Session, answersOf } from './people.mjs';

const call = promisify(execFile);
const two = { fixed: [['person', 'person']], blocks: 1 };
const dilemma = periods => [{ game: 'classic', set: { game: 'prisoners-dilemma', periods } }];

describe('people in the browser', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser;
  before(async () => { browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  const quiet = (one, session) => {
    assert.deepEqual(one.page.log.problems, []);
    assert.deepEqual([...new Set(one.page.log.requests.map(url => new URL(url).origin))], [session.url]);
  };
  const session = (t, here, name, change = {}, people = {}, options = {}) => Session.start(t, here,
    { suite: name, seed: 7, agents: { person: 'human' }, design: two, scenarios: dilemma(3),
      people: { title: `A study of ${name}`, contact: 'lab@example.org', participants: 2, ...people }, ...change },
    options);

  it('the game of tutorial 2, which the server has never met, is played by two pages', async t => {
    const here = folder(t);
    cpSync(join(source, 'plugins/templates/game-cpp'), here.at('ultimatum'), { recursive: true });
    await call('cmake', ['-G', 'Ninja', '-S', here.at('ultimatum'), '-B', here.at('built'),
                         `-DAgon_DIR=${join(build, 'cmake')}`]);
    await call('cmake', ['--build', here.at('built'), '--target', 'ultimatum_game']);
    const env = { AGON_PLUGIN_PATH: here.at('built') };
    here.write('consent.txt', 'We keep what you answer, and when.\n\nNobody learns your name.');
    const study = await session(t, here, 'coins', { scenarios: [{ game: 'ultimatum' }] },
      { consent: 'consent.txt', payment: { currency: 'EUR', per_point: 0.5, show_up_fee: 2, round: 0.1 } }, { env });
    const [first, second] = await Promise.all((await study.links(2)).map(link => Participant.open(browser, link)));
    // Every page on the way reads well, on a phone too, and has one heading.
    const look = async one => {
      const seen = new Set();
      for (;;) {
        const state = await one.until(s => s.page !== undefined);
        if (seen.has(state.page)) break;
        seen.add(state.page);
        await until(`the page of ${state.page}`, () => one.page.locator(`main.${one.state.page} h1`).isVisible());
        assert.equal(await one.page.locator('h1').count(), 1);
        await fits(one.page, state.page);
        await accessible(one.page, state.page);
        if (!['welcome', 'consent', 'instructions'].includes(state.page)) break;
        if (state.page === 'consent')
          assert.match(await one.page.locator('main').innerText(), /Nobody learns your name/);
        if (state.page === 'instructions')
          assert.match(await one.page.locator('main').innerText(), /hands seat 1 some of 10 coins|10 coins/);
        await one.main().click();
        await one.until(s => s.page !== state.page);
      }
    };
    await look(first);
    assert.equal(first.state.page, 'waiting');
    await look(second);
    const give = async (page, question) => {
      if (question.stage === 'offer') {
        // More than there is: refused beside the field, without an attempt being lost.
        await enter(page.locator('form.answer'), question.form, { give: '11' });
        await page.locator('form.answer button[type=submit]').click();
        await page.locator('.problem').first().waitFor();
        assert.match(await page.locator('.problem').first().innerText(), /10/);
        await accessible(page, 'an entry that was refused');
        await enter(page.locator('form.answer'), question.form, { give: '4' });
      } else {
        assert.match(await page.locator('main').innerText(), /4/);
        await enter(page.locator('form.answer'), question.form, { accept: true });
      }
    };
    const ends = await Promise.all([first, second].map(one => one.play(give, { onState: async who => {
      if (who.state.page === 'result') {
        await who.page.locator('main.result').waitFor();
        await accessible(who.page, 'result');
      } } })));
    for (const [i, one] of [first, second].entries()) {
      assert.equal(ends[i].page, 'end');
      await one.page.locator('main.end').waitFor();
      await accessible(one.page, 'end');
      const words = await one.page.locator('main').innerText();
      assert.ok(words.includes(ends[i].end.code));
      quiet(one, study);
    }
    // 2 to come and half a euro a coin: 6 coins and 4 coins.
    assert.deepEqual(ends.map(s => s.end.payment.replace(/[^\d.]/g, '')).sort(), ['4.00', '5.00']);
    const payments = await ask(study.url, 'GET', '/session/payments.csv', { cookie: study.cookie });
    const answers = await ask(study.url, 'GET', '/session/answers.csv', { cookie: study.cookie });
    assert.ok(payments.text.includes(ends[0].end.code) && !/give|accept/.test(payments.text));
    assert.ok(!answers.text.includes(ends[0].end.code) && answers.text.includes('4'));
    const [match] = await study.records();
    assert.equal(match.status, 'finished');
    assert.deepEqual(match.record.filter(e => e.entry === 'question').map(e => e.value), [{ give: 4 }, { accept: true }]);
  });

  it('twenty phones in ten matches beside models lose nothing when the server is killed', async t => {
    const here = folder(t);
    const study = await session(t, here, 'crowd', {
      models: { m: { provider: 'mock', model: 'tiny', mock: { latency_ms: 100, in_real_time: true } } },
      agents: { person: 'human', model: { llm: 'm' } },
      design: { fixed: [['person', 'model', 'person']], blocks: 10 },
      scenarios: [{ game: 'guess-average', set: { players: ['Ann', 'Bo', 'Cy'], rounds: 6, start_hp: 20 } }],
    }, { participants: 20, drop_out: { seconds: 3600 } }, { port: await freePort() });
    const links = await study.links(20);
    const pages = [];
    for (const link of links) pages.push(await Participant.open(browser, link));
    let kills = 0, over = false;
    const accepted = () => pages.reduce((n, one) => n + one.accepted().length, 0);
    const play = Promise.all(pages.map(async (one, i) => {
      await one.arrive();
      const fill = anything(drawing(i));
      return one.play(async (page, question, who) => {
        await fill(page, question, who);
        await new Promise(done => setTimeout(done, 200 * ((i * 7) % 5)));
      });
    }));
    const killing = (async () => {
      for (const at of [6, 40, 80]) {
        while (accepted() < at && !over) await new Promise(done => setTimeout(done, 50));
        if (over) return;
        await study.killed();
        ++kills;
      }
    })();
    const ends = await Promise.all([play, killing]).then(([all]) => all, async error => {
      over = true;
      const { matches } = await study.told();
      throw new Error(`${error.message}\n${JSON.stringify(matches.filter(m => m.state !== 'done'))}\n` + pages.map((one, i) =>
        `${i}: ${one.state?.page} ${one.state?.match?.key.slice(0, 4)} ${one.question()?.number} ` +
        `${JSON.stringify(one.sent.at(-1))}`).join('\n'));
    });
    assert.equal(kills, 3);
    assert.deepEqual(ends.map(state => state.page), Array(20).fill('end'));
    const records = await study.records();
    assert.equal(records.filter(r => r.status === 'finished').length, 10);
    assert.equal(new Set(records.map(r => r.match)).size, records.length, 'a match is there twice');
    const kept = answersOf(records);
    // Nothing lost: what a page was told is taken, is on record as it was typed.
    const given = new Map();
    for (const one of pages)
      for (const sent of one.accepted()) {
        const where = `${sent.match} ${sent.question}`;
        assert.ok(!given.has(where) || given.get(where).typed.number === sent.typed.number, `${where} was taken twice`);
        given.set(where, sent);
        assert.equal(kept.get(where)?.value.number, Number(sent.typed.number), where);
      }
    // Nothing twice and nothing made up: every answer of a person was sent by a page.
    const sent = new Map(pages.flatMap(one => one.sent).map(s => [`${s.match} ${s.question}`, s]));
    for (const [where, entry] of kept)
      if (entry.agent === 'person') {
        assert.equal(entry.forced, false, where);
        assert.equal(Number(sent.get(where)?.typed.number), entry.value.number, where);
      }
    assert.equal([...kept.values()].filter(e => e.agent === 'person').length, 10 * 2 * 6);
    const { out } = await agon(['replay', study.archive]);
    assert.doesNotMatch(out, /differ/);
    await Promise.all(pages.map(one => one.page.context().close()));
  });

  it('a second tab takes over and the first is told; a reload keeps what was typed', async t => {
    const here = folder(t);
    const study = await session(t, here, 'tabs');
    const [first, other] = await Promise.all((await study.links(2)).map(link => Participant.open(browser, link)));
    await Promise.all([first.arrive(), other.arrive()]);
    await first.until(s => s.page === 'question');
    await first.page.getByRole('button', { name: 'Use the plain form' }).click();
    await first.page.locator('form.answer label.option').nth(1).click();
    await first.page.locator('details.thought summary').click();
    await first.page.locator('#thought').fill('I am not sure yet');
    await first.page.reload();
    await first.page.locator('form.answer').waitFor();
    assert.equal(await first.page.locator('form.answer input[type=radio]').nth(1).isChecked(), true);
    assert.equal(await first.page.locator('#thought').inputValue(), 'I am not sure yet');
    // The same person opens the link again.
    const tab = await first.page.context().newPage();
    await tab.goto(first.link);
    await first.page.locator('main.elsewhere').waitFor();
    await accessible(first.page, 'elsewhere');
    await tab.locator('form.answer').waitFor();
    await first.page.locator('main.elsewhere button.main').click();
    await first.page.locator('form.answer').waitFor();
    await tab.locator('main.elsewhere').waitFor();
    await study.told(s => s.participants.filter(p => p.here).length === 2);
    await tab.close();
    await Promise.all([first.play(anything(drawing(1))), other.play(anything(drawing(2)))]);
    const [match] = await study.records();
    assert.equal(match.status, 'finished');
    quiet(other, study);
  });

  it('somebody who goes is substituted as declared, and is told on coming back', async t => {
    const here = folder(t);
    const study = await session(t, here, 'gone', { scenarios: dilemma(4) },
      { drop_out: { seconds: 5, substitute: 'tit-for-tat' }, payment: { currency: 'EUR', per_point: 1 } });
    const [stays, goes] = await Promise.all((await study.links(2)).map(link => Participant.open(browser, link)));
    await Promise.all([stays.arrive(), goes.arrive()]);
    await goes.until(s => s.page === 'question');
    await goes.answer(anything(drawing(3)));
    await goes.page.context().close();
    const end = await stays.play(anything(drawing(4)));
    assert.equal(end.page, 'end');
    const told = await study.told();
    assert.ok(told.participants.some(p => p.substituted));
    const back = await Participant.open(browser, goes.link);
    await back.until(s => ['end', 'result', 'refused'].includes(s.page));
    await back.page.locator('main h1').waitFor();
    assert.match(await back.page.locator('main').innerText(), /away|place/);
    await accessible(back.page, 'who was away');
    const [match] = await study.records();
    assert.equal(match.status, 'finished');
    const { out } = await agon(['show', study.archive, '1']);
    assert.match(out, /substitut/);
    await agon(['replay', study.archive]);
  });

  it('an end is what is declared instead where there is no substitute', async t => {
    const here = folder(t);
    const study = await session(t, here, 'ended', { scenarios: dilemma(4) },
      { drop_out: { seconds: 5, substitute: 'end' }, payment: { currency: 'EUR', per_point: 1, show_up_fee: 1, unfinished: 3 } });
    const [stays, goes] = await Promise.all((await study.links(2)).map(link => Participant.open(browser, link)));
    await Promise.all([stays.arrive(), goes.arrive()]);
    await goes.until(s => s.page === 'question');
    await goes.page.context().close();
    const end = await stays.play(anything(drawing(4)));
    assert.equal(end.page, 'end');
    assert.match(end.end.payment, /4\.00/);
    const records = await study.records();
    assert.ok(records.every(r => r.status !== 'finished'));
  });

  it("a suite's questions are asked beside the game, with labels and bounds, and can be skipped", async t => {
    const here = folder(t);
    const after = { after: 'period', most: 1 };
    const study = await session(t, here, 'beliefs', {
      agents: { person: 'human:probes=true', rule: 'tit-for-tat' },
      design: { fixed: [['person', 'rule']], seat_rotation: 'as-listed', blocks: 1 },
      probes: [
        { ...after, name: 'again', ask: 'Will the other player cooperate in the next period?',
          answer: { probability: 'the other player cooperates' } },
        { ...after, name: 'best', ask: 'Who will be ahead in the end?', answer: { choice: 'seats' } },
        { ...after, name: 'shares', ask: 'How likely is each to be ahead in the end?',
          answer: { distribution: 'seats' } },
        { ...after, name: 'points', ask: 'How many points will you have in the end?',
          answer: { number: { min: 0, max: 20, unit: 'points' } }, truth: { score: 'asked' } },
        { ...after, name: 'range', ask: 'Between which numbers of points will you have?',
          answer: { interval: { min: 0, max: 20, unit: 'points', level: 0.8 } } },
        { ...after, name: 'why', ask: 'Why did you do that?', answer: { text: 200 } }] }, { participants: 1 });
    const one = await Participant.open(browser, (await study.links(1))[0]);
    await one.arrive();
    await one.until(s => s.page === 'question');
    await one.answer(anything(drawing(1)));
    const said = { again: { probability: '0.7' }, best: { choice: 'Bob' }, shares: { probabilities: { Alice: '0.33', Bob: '0.67' } },
      points: { number: '9' }, range: { low: '5', high: '12' } };
    const asked = {};
    const form = one.page.locator('form.answer');
    const next = () => one.until(s => s.page === 'question' && s.match.question.number > 0);
    while ((await next()).match.question.probe) {
      const { stage, doc, number } = one.question();
      await one.page.locator(`form.answer[data-question="${one.key()}"]`).waitFor();
      assert.equal(await one.page.locator('h1').innerText(), 'A question aside');
      asked[stage] = await form.innerText();
      assert.ok(asked[stage].includes(doc), stage);
      // What the question is for, and what it is compared with, is the researcher's.
      assert.doesNotMatch(await one.page.locator('main').innerText(), /probe|truth|100000\d|tit-for-tat/i);
      await fits(one.page, stage);
      await accessible(one.page, stage);
      if (process.env.AGON_SHOTS)
        await one.page.screenshot({ path: join(process.env.AGON_SHOTS, `${stage}.png`), fullPage: true });
      // Nothing was entered: that is no answer, and is said.
      await form.locator('button[type=submit]').click();
      await Promise.race([form.locator('.problem').first().waitFor(), one.page.locator('dialog[open]').waitFor()]);
      if (await one.page.locator('dialog[open]').count()) await one.page.locator('dialog[open] button').last().click();
      assert.equal(one.question().number, number, stage);
      await one.answer((page, question) => stage === 'why' ? 'skip'
        : enter(page.locator('form.answer'), question.form, said[stage]));
    }
    assert.deepEqual(Object.keys(asked), ['again', 'best', 'shares', 'points', 'range', 'why']);
    // What is said of an entry: its statement, its bounds and unit, what adds up to what.
    assert.match(asked.again, /The other player cooperates[^]*how likely, from 0 \(no\) to 1 \(yes\)[^]*0 to 1/);
    assert.match(asked.shares, /exactly 1 in total[^]*Alice[^]*0 to 1; 1 left/i);
    assert.match(asked.points, /Your estimate[^]*0 to 20 points/);
    assert.match(asked.range, /Lower end[^]*Upper end[^]*not below the lower one/);
    await one.play(anything(drawing(3)));
    quiet(one, study);
    const [record] = await study.records();
    const answers = record.record.filter(e => e.entry === 'question' && e.probe);
    assert.deepEqual(answers.map(e => [e.name, e.declined === true]),
      ['again', 'best', 'shares', 'points', 'range', 'why'].map(name => [name, name === 'why']));
  });

  it('an answer that may be left out is chosen, in German too', async t => {
    const here = folder(t);
    const study = await session(t, here, 'wasser', { agents: { person: 'human', rule: 'default' },
      design: { fixed: [['person', 'rule', 'rule', 'rule', 'rule']], seats: 'as-listed', blocks: 1 },
      scenarios: [{ game: 'water-allocation', set: { days: 2 } }] }, { participants: 1, language: 'de' });
    const one = await Participant.open(browser, (await study.links(1))[0]);
    await one.arrive();
    await one.until(s => s.page === 'question');
    const first = one.question().number;
    const form = one.page.locator('form.answer');
    const send = form.locator('button[type=submit]');
    const options = form.locator('label.option');
    const refused = async what => {
      await send.click();
      await form.locator('.problem').first().waitFor();
      assert.equal(one.question().number, first, what);
      assert.deepEqual(one.accepted(), [], what);
      await accessible(one.page, what);
    };
    await refused('nobody touched it');
    await options.nth(0).click();  // to enter one
    await refused('chosen, and left empty');
    await options.nth(1).click();  // none
    await send.click();
    await one.until(s => s.page !== 'question' || s.match.question.number !== first);
    await until('accepted', () => one.accepted().length > 0);
    assert.deepEqual(one.accepted().map(s => s.typed), [{ bid: null }]);
    // What one said is told in the language of the page.
    const words = one.states.filter(s => s.match).flatMap(s => s.match.told)
      .filter(step => step.kind === 'answer').map(step => step.text);
    assert.ok(words.length > 0);
    for (const text of words) assert.match(text, /Nichts/);
    assert.doesNotMatch(await one.page.locator('main').innerText(), /no bid/);
    quiet(one, study);
  });

  it('rules come before each new game, and scenarios in their order', async t => {
    const here = folder(t);
    const alone = { fixed: [['person', 'rule']], seats: 'as-listed' };
    const study = await session(t, here, 'several', { agents: { person: 'human', rule: 'random' },
      scenarios: [{ ...dilemma(1)[0], name: 'together' },
                  { game: 'sealed-bid', name: 'alone', set: { bidders: 2, rounds: 1 }, blocks: 2, design: alone }] },
      { matches: 2 });
    const links = await study.links(2);
    const early = await Participant.open(browser, links[0]);
    await early.arrive();
    // The second scenario has a place for one; the first is waited for.
    await early.until(s => s.page === 'waiting' && s.waiting.needed === 2);
    await study.told(s => s.participants[0].waits_for.includes('together'));
    const late = await Participant.open(browser, links[1]);
    await late.arrive();
    const read = new Map([[early, []], [late, []]]);
    await Promise.all([...read].map(async ([one, rules]) => one.play(anything(drawing(1)), { onState: async who => {
      if (who.state.page !== 'rules') return;
      await who.page.locator('main.rules').waitFor();
      await fits(who.page, 'rules');
      await accessible(who.page, 'rules');
      rules.push(who.state.match.rules);
    } })));
    for (const [one, rules] of read) {
      assert.equal(rules.length, 2);
      assert.notEqual(rules[0], rules[1]);
      const pages = one.states.map(s => s.page);
      assert.ok(pages.indexOf('rules') < pages.indexOf('question'));
      quiet(one, study);
    }
    const records = await study.records();
    assert.equal(records.filter(r => r.status === 'finished').length, 3);
  });

  it('a connection that is kept up by others on the way is nobody here', async t => {
    const here = folder(t);
    const port = await freePort();
    const study = await session(t, here, 'hole', {}, { drop_out: { seconds: 3600 } },
                                { port: await freePort(), more: ['--public-host', `http://127.0.0.1:${port}`] });
    // It goes on taking what comes, and brings nothing.
    let dead = false;
    const proxy = createProxy(browserSide => {
      const server = connect(Number(new URL(study.url).port), '127.0.0.1');
      browserSide.on('data', bytes => { if (!dead) server.write(bytes); });
      server.on('data', bytes => { if (!dead) browserSide.write(bytes); });
      for (const [from, to] of [[browserSide, server], [server, browserSide]]) {
        from.on('error', () => to.destroy());
        from.on('close', () => { if (!dead || from === server) to.destroy(); });
      }
    }).listen(port, '127.0.0.1');
    atEnd(t, () => proxy.close());
    const link = `http://127.0.0.1:${port}${new URL((await study.links(1))[0]).pathname}`;
    const one = await Participant.open(browser, link);
    await one.until(s => s.page === 'welcome');
    await study.told(s => s.participants[0].here);
    await one.page.waitForResponse(answer => answer.url().endsWith('/do'));
    dead = true;
    await study.told(s => !s.participants[0].here);
    await one.page.locator('.notice.alert').waitFor();
    await one.page.context().close();
  });

  it('a clock that is wrong changes nothing', async t => {
    const here = folder(t);
    const study = await session(t, here, 'clocks', { limits: { answer_seconds: 3600 } });
    const links = await study.links(2);
    const [early, late] = await Promise.all([
      Participant.open(browser, links[0], { before: page => page.clock.install({ time: new Date('1999-12-31T23:59:00') }).then(() => page.clock.resume()) }),
      Participant.open(browser, links[1], { before: page => page.clock.install({ time: new Date('2099-01-01') }).then(() => page.clock.resume()) })]);
    await Promise.all([early.arrive(), late.arrive()]);
    for (const one of [early, late]) {
      await one.until(s => s.page === 'question');
      await one.page.locator('.time').waitFor();
      const [, minutes, seconds] = (await one.page.locator('.time').innerText()).match(/(\d+):(\d\d)/);
      const left = 60 * Number(minutes) + Number(seconds);
      assert.ok(left > 3000 && left <= 3600, `${left} s`);
    }
    await Promise.all([early.play(anything(drawing(5))), late.play(anything(drawing(6)))]);
    const records = await study.records();
    assert.equal(records[0].status, 'finished');
    assert.ok([...answersOf(records).values()].every(e => !e.forced));
  });

  it('names and messages that want to be more than that are words', async t => {
    const here = folder(t);
    const script = '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">';
    const wild = [script, 'abc\u202egnp.exe\u2066', '\u001b[2J\u0007\u0000 bell', '"},{"page":"end"}', 'é水👩‍👩‍👧‍👦'.repeat(200),
                  '</textarea><b>x', '{{constructor}} ${1+1} %s'];
    const study = await session(t, here, 'wild', { scenarios: [{ game: 'classic',
      set: { game: 'prisoners-dilemma', rounds: wild.length } }] }, { title: script, contact: script, welcome: script,
      rooms: { lab: [script, 'Ann', 'Bo'] } });
    const pages = await Promise.all((await study.links(2)).map(link => Participant.open(browser, link)));
    await Promise.all(pages.map(one => one.arrive()));
    let n = 0;
    const ends = await Promise.all(pages.map(one => one.play(async (page, question, who) => {
      if (question.stage !== 'message') return anything(drawing(7))(page, question, who);
      await enter(page.locator('form.answer'), question.form, { text: wild[Math.floor(n++ / 2) % wild.length], halt: false });
      await fits(page, 'a wild message');
    })));
    assert.deepEqual(ends.map(s => s.page), ['end', 'end']);
    const leader = await open(browser);
    await leader.goto(study.url + (await study.do({ do: 'login-link' })).link);
    await leader.waitForURL(study.url + '/session/');
    await leader.locator('main table').first().waitFor();
    for (const page of [...pages.map(one => one.page), leader]) {
      assert.equal(await page.evaluate(() => window.hurt), undefined);
      assert.equal(await page.locator('main img[src=x], main script, main b:text-is("x")').count(), 0);
    }
    // Marks that reorder text reach no page as they are.
    for (const one of pages)
      for (const { match } of one.states.filter(s => s.match))
        for (const text of [...match.told.map(step => step.text), match.question?.view ?? ''])
          assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
    pages.forEach(one => quiet(one, study));
    const [match] = await study.records();
    const said = match.record.filter(e => e.name === 'message' && e.entry === 'question').map(e => e.value.text);
    assert.ok(said.includes(script) && said.includes(wild[4]));
  });

  it('a link on another site leads in, and looking at it begins nothing', async t => {
    const here = folder(t);
    const study = await session(t, here, 'links');
    const [link] = await study.links(2);
    const site = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<a href="${link}">to the study</a>`)).listen(0, '127.0.0.2');
    atEnd(t, () => site.close());
    await new Promise(done => site.on('listening', done));
    for (let i = 0; i < 3; ++i) await ask(study.url, 'GET', new URL(link).pathname);  // previews
    assert.deepEqual((await study.told()).participants.filter(p => p.here), []);
    const page = await open(browser);
    await page.goto(`http://127.0.0.2:${site.address().port}/`);
    await page.getByRole('link').click();
    await page.locator('main.welcome').waitFor();
    assert.ok(!(await page.evaluate(() => location.href)).includes(new URL(link).pathname.split('/').pop()),
              'the token stays in the address');
    await page.context().close();
  });

  it('a room lets in by name, once', async t => {
    const here = folder(t);
    const study = await session(t, here, 'rooms', {}, { participants: 0, rooms: { lab: ['Ann', 'Bo'] } });
    const enterRoom = async name => {
      const page = await open(browser);
      await page.goto(study.url + '/room/lab');
      await page.locator('input').first().waitFor();
      await fits(page, 'room');
      await accessible(page, 'room');
      await page.locator('input').first().fill(name);
      await page.locator('button').first().click();
      return page;
    };
    const ann = await enterRoom(' ann ');
    await ann.locator('main.welcome').waitFor();
    const again = await enterRoom('Ann');
    await again.locator('[role=alert]:not(:empty)').first().waitFor();
    const nobody = await enterRoom('Eve');
    await nobody.locator('[role=alert]:not(:empty)').first().waitFor();
    const { participants } = await study.told(s => s.participants.some(p => p.here));
    assert.equal(participants.filter(p => p.here).length, 1);
    await Promise.all([ann, again, nobody].map(page => page.context().close()));
  });

  it('says without JavaScript what it needs', async t => {
    const here = folder(t);
    const study = await session(t, here, 'plain');
    const page = await open(browser, { javaScriptEnabled: false });
    await page.goto((await study.links(2))[0]);
    await page.waitForURL(/\/p\//);
    assert.match(await page.locator('body').innerText(), /JavaScript/);
    await page.context().close();
  });

  it('whoever leads it sees who is here, pauses, goes on, adds and ends', async t => {
    const here = folder(t);
    const study = await session(t, here, 'led', { limits: { answer_seconds: 3600 } });
    const leader = await open(browser, { viewport: { width: 1000, height: 900 } });
    await leader.goto(study.url + (await study.do({ do: 'login-link' })).link);
    await leader.waitForURL(study.url + '/session/');
    await leader.locator('main table tbody tr').first().waitFor();
    await accessible(leader, 'the session');
    await fits(leader, 'the session');
    const [first, second] = await Promise.all((await study.links(2)).map(link => Participant.open(browser, link)));
    await Promise.all([first.arrive(), second.arrive()]);
    await first.until(s => s.page === 'question');
    await leader.getByText('2', { exact: true }).first().waitFor();
    await leader.getByRole('button', { name: 'Pause' }).click();
    await first.until(s => s.paused);
    await first.page.locator('.notice').first().waitFor();
    await accessible(first.page, 'paused');
    const answer = await ask(study.url, 'POST', new URL(first.page.url()).pathname + 'answer',
      { cookie: (await first.page.context().cookies()).map(c => `${c.name}=${c.value}`).join('; '),
        body: { match: first.state.match.key, question: first.question().number, attempt: first.question().attempt,
                typed: {}, confirmed: true, skip: false, thought: '', shown: 0, first_input: 0, tab: 'x' } });
    assert.ok(answer.status >= 400, 'an answer was taken in a pause');
    await leader.getByRole('button', { name: 'Go on' }).click();
    await first.until(s => !s.paused);
    const before = (await study.told()).participants.length;
    assert.equal((await study.do({ do: 'add', n: 2 })).participants.length, 2);
    assert.equal((await study.told(s => s.participants.length === before + 2)).participants.length, before + 2);
    await study.do({ do: 'end' });
    assert.deepEqual((await Promise.all([first, second].map(one => one.play(anything(drawing(1)))))).map(s => s.page),
                     ['end', 'end']);
    assert.equal((await study.told(s => s.state === 'ended')).state, 'ended');
    for (const width of [400, 1000]) {
      await leader.setViewportSize({ width, height: 800 });
      await fits(leader, `the session, ${width} px`);
      await accessible(leader, `the session, ${width} px`);
    }
    const svg = await ask(study.url, 'GET', '/session/qr.svg?of=/join/x', { cookie: study.cookie });
    assert.match(svg.text, /<svg/);
    assert.deepEqual(leader.log.problems, []);
    await leader.context().close();
  });

  it('declining ends it, and nothing is kept', async t => {
    const here = folder(t);
    here.write('consent.txt', 'Agree?');
    const study = await session(t, here, 'declined', {}, { consent: 'consent.txt' });
    const one = await Participant.open(browser, (await study.links(2))[0]);
    await one.until(s => s.page === 'welcome');
    await one.main().click();
    await one.page.locator('main.consent').waitFor();
    await one.page.locator('main .buttons button:not(.main)').click();
    await accessible(one.page, 'are you sure');
    await one.page.locator('dialog button.main').click();
    await one.until(s => ['end', 'refused'].includes(s.page));
    await one.page.reload();
    await one.until(s => ['end', 'refused'].includes(s.page));
    quiet(one, study);
  });
});
