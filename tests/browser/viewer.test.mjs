// An archive, and a suite that is being played, in the browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { agon, atEnd, build, folder, serve, source } from './agon.mjs';
import { accessible, fits, launch, open, turnTo, until } from './browser.mjs';
import { ask, enter } from './client.mjs';

const hostile = '<img src=x onerror="window.hacked=1"></script><b>';

describe('an archive in the browser', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser, here, server, context;
  before(async () => {
    here = folder(suite);
    browser = await launch(suite);
    await agon(['run', join(source, 'scenarios/quickstart.json'), '--out', here.at('q.agon'), '--quiet']);
    server = await serve(suite, [here.at('q.agon'), '--port', '0']);
    context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.login);
    await page.waitForURL(server.url + '/');
    await page.close();
  });
  after(async () => { for (const f of ending.reverse()) await f(); });

  // A page of the browser that was let in.
  const visit = async (hash = '', options = {}) => {
    const state = await context.storageState();
    const page = await open(browser, { storageState: state, viewport: { width: 1000, height: 900 }, ...options });
    await page.goto(server.url + '/' + hash);
    return page;
  };
  const quiet = page => {
    assert.deepEqual(page.log.problems, []);
    assert.deepEqual([...new Set(page.log.requests.map(url => new URL(url).origin))], [server.url]);
  };
  // The list has so many, once all were looked through.
  const finds = (page, n) => until(`${n} matches`, async () =>
    new RegExp(`^${n.toLocaleString('en')} match(es)?\\.(?!.*looked through)`).test(
      await page.locator('main [role=status]').first().innerText()));

  it('lets in the browser with the link, once, and nobody else', async () => {
    const page = await open(browser);
    await page.goto(server.url + '/');
    assert.equal(await page.locator('table').count(), 0);
    await page.goto(server.login);
    assert.match(await page.locator('body').innerText(), /used|opens nothing/);
    for (const path of ['/', '/api/archive', '/api/matches', '/api/match/1', '/api/report', '/api/run', '/events'])
      assert.equal((await ask(server.url, 'GET', path)).status, 403, path);
    assert.equal((await ask(server.url, 'POST', '/api/run', { body: { do: 'stop' } })).status, 403);
    await page.context().close();
  });

  it('shows what the archive has, and every filter finds what the export has', async () => {
    const rows = (await agon(['export', here.at('q.agon'), '--rows', 'matches', '--format', 'jsonl'])).out
      .trim().split('\n').map(line => JSON.parse(line));
    const page = await visit();
    await page.locator('.facts div', { hasText: new RegExp(`^matches\\s*${rows.length.toLocaleString('en')}$`) }).waitFor();
    await page.getByRole('link', { name: 'Matches' }).click();
    await page.locator('.list li').first().waitFor();
    await finds(page, rows.length);
    const wanted = { game: 'bargaining', agent: 'second' };
    for (const [label, value] of Object.entries(wanted))
      await page.getByRole('combobox', { name: label, exact: true }).selectOption(value);
    const count = rows.filter(row => row.game === wanted.game && row.agents.includes(wanted.agent)).length;
    assert.ok(count > 0 && count < rows.length);
    await finds(page, count);
    // What the address says can be kept and sent.
    await page.reload();
    await page.locator('.list li').first().waitFor();
    await finds(page, count);
    quiet(page);
    await page.context().close();
  });

  it('tells a match as agon show does, by seat, and two with the same random draws beside each other', async () => {
    const page = await visit('#matches?game=deal-or-no-deal');
    await page.locator('.list a').first().click();
    await page.locator('article .step').first().waitFor();
    const number = new URLSearchParams(new URL(page.url()).hash.slice(9)).get('match');
    const shown = (await agon(['show', here.at('q.agon'), number])).out.replace(/\s+/g, ' ');
    const words = await page.locator('article .step .words').allInnerTexts();
    assert.ok(words.length > 2);
    const close = text => text.replace(/\s+/g, ' ').trim();
    const missing = words.filter(text => !shown.includes(close(text).slice(0, 40)));
    assert.deepEqual(missing, []);
    // One seat does not see what the other was told.
    const all = await page.locator('article .step').count();
    await page.getByLabel('seen by').selectOption('0');
    await page.waitForFunction(n => document.querySelectorAll('article .step').length < n, all);
    const heads = await page.locator('article .step .who').allInnerTexts();
    const other = (await page.locator('article tbody th').allInnerTexts())[1];
    assert.ok(!heads.includes(`to ${other}`), heads.join());
    const beside = page.getByLabel('beside it, with the same random draws');
    await beside.selectOption({ index: 1 });
    await page.waitForFunction(() => document.querySelectorAll('article').length === 2);
    await accessible(page, 'a pair');
    quiet(page);
    await page.context().close();
  });

  it('has the report, whose figures lead to the matches', async () => {
    const page = await visit();
    await page.goto(server.url + '/api/report');
    await page.locator('table').first().waitFor();
    quiet(page);
    await page.locator('td a').first().click();
    await page.locator('.list a').first().waitFor();
    quiet(page);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'])
    for (const width of [400, 1000])
      it(`reads well: ${colorScheme}, ${width} px`, async () => {
        for (const [hash, ready] of [['', 'table'], ['#matches', '.list li'],
                                     ['#matches?match=1', 'article .step']]) {
          const page = await visit(hash, { colorScheme, viewport: { width, height: 800 } });
          await page.locator(ready).first().waitFor();
          await fits(page, hash);
          await accessible(page, hash);
          quiet(page);
          await page.context().close();
        }
      });

  it('says without JavaScript what it needs', async () => {
    const page = await visit('', { javaScriptEnabled: false });
    assert.match(await page.locator('body').innerText(), /JavaScript/);
    await page.context().close();
  });

  it('works with the keyboard alone', async () => {
    const page = await visit('#matches');
    await page.locator('.list li').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const second = await page.locator('.list a').nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await page.locator('article .step').first().waitFor();
    assert.equal(await page.evaluate(() => location.hash), second);
    await page.keyboard.press('Escape');
    await page.locator('.list li').first().waitFor();
    await page.context().close();
  });

  it('requests that no page sends are refused with words', async () => {
    const { cookie } = await (async () => {
      const [c] = (await context.storageState()).cookies;
      return { cookie: `${c.name}=${c.value}` };
    })();
    for (const [path, status] of [['/api/match/999999999', 404], ['/api/match/../../etc/passwd', 404],
        ['/api/match/%00', 404], ['/api/matches?from=-1', 400], ['/api/matches?most=1e9', 400],
        ['/api/matches?block=x', 400], ['/api/matches?agent=nobody', 200], ['/api/matches?rng_key=0', 404],
        ['/api/archive?suite=99', 404], ['/assets/../serve.cpp', 404], ['/nothing', 404]]) {
      const answer = await ask(server.url, 'GET', path, { cookie });
      assert.ok(answer.status === status || (status === 404 && answer.status === 400),
                `${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
      assert.ok(answer.text.length > 5, path);
    }
  });
});

describe('branches of a match', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser, server, state, parent, here;
  const design = (here, more = {}) => ({ suite: 'b', agents: { [hostile]: 'random' },
    branch: { archive: here.at('pd.agon'), at: [2, 6],
      changes: [{ answer: { action: 'choice_2' } }, { agent: hostile }], ...more } });
  before(async () => {
    here = folder(suite);
    browser = await launch(suite);
    const file = here.write('pd.json', { suite: 'pd', seed: 7,
      agents: { tft: 'tit-for-tat', grim: 'grim' },
      design: { fixed: [['tft', 'grim']], 'seat_rotation': 'as-listed' },
      scenarios: [{ game: 'classic', set: { game: 'prisoners-dilemma', periods: 6 } }] });
    await agon(['run', file, '--out', here.at('pd.agon'), '--quiet']);
    const branches = here.write('b.json', design(here));
    await agon(['run', branches, '--out', here.at('b.agon'), '--quiet']);
    const rows = JSON.parse((await agon(['show', here.at('b.agon'), '--json'])).out);
    parent = rows.find(row => row.branch.question === null).match;
    server = await serve(suite, [here.at('b.agon'), '--port', '0']);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.login);
    await page.waitForURL(server.url + '/');
    state = await context.storageState();
    await context.close();
  });
  after(async () => { for (const f of ending.reverse()) await f(); });
  const visit = async (hash, options = {}) => {
    const page = await open(browser, { storageState: state, viewport: { width: 1000, height: 900 }, ...options });
    await page.goto(server.url + '/' + hash);
    await page.locator('article .step').first().waitFor();
    return page;
  };

  it('has the tree of a match, of a branch its parent, cut and change, and links between them', async () => {
    const page = await visit(`#matches?match=${parent}`);
    const tree = page.locator('.tree li');
    assert.equal(await tree.count(), 5);
    const words = await tree.allInnerTexts();
    assert.equal(words[0].trim(), `#${parent} match 1 of pd.agon; scores 18, 18`);
    const forced = words.filter(text => /at question 2 \(Alice, choose\): answer .*choice_2.*; scores 11, 11/.test(text));
    assert.equal(forced.length, 1, words.join('\n'));
    assert.ok(words.some(text => text.includes(hostile)));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.locator('.tree li', { hasText: 'question 2' }).filter({ hasText: 'choice_2' })
      .getByRole('link', { name: /^#\d+$/ }).click();
    await page.getByText(`branches from #${parent} at question 2`).waitFor();
    await page.context().close();
  });

  for (const [width, columns] of [[1000, 2], [400, 1]])
    it(`tells two futures side by side from where they part on: ${width} px`, async () => {
      const page = await visit(`#matches?match=${parent}`, { viewport: { width, height: 800 } });
      await page.locator('.tree li', { hasText: 'question 2' }).filter({ hasText: 'choice_2' })
        .getByRole('link', { name: 'side by side' }).click();
      const two = page.locator('.sides > .two');
      await two.first().waitFor();
      // Alice's answers to question 2 first; Bob chose at the same time, and the same.
      const sides = await two.first().locator('.step').allInnerTexts();
      assert.equal(sides.length, 2);
      assert.match(sides[0], /Alice, choose[^]*choice_1/);
      assert.match(sides[1], /Alice, choose[^]*choice_2/);
      assert.match(await page.locator('.sides > .step').first().innerText(), /Bob, choose[^]*choice_1/);
      // Of 12 answers the two before the cut are told once.
      assert.equal(await page.locator('.sides > .step.answer').count() +
        await two.locator('.step.answer').count() / 2, 10);
      assert.equal(await page.locator('details:not(.tree) > .steps > .step.answer').count(), 2);
      const tracks = await two.first().evaluate(e => getComputedStyle(e).gridTemplateColumns.split(' ').length);
      assert.equal(tracks, columns);
      await fits(page, 'two futures');
      await accessible(page, 'two futures');
      // One seat sees its own alone.
      await page.getByLabel('seen by').selectOption({ label: 'Bob' });
      await page.waitForFunction(() =>
        ![...document.querySelectorAll('.sides .who')].some(e => e.innerText.startsWith('Alice')));
      assert.deepEqual(page.log.problems, []);
      await page.context().close();
    });

  it('is told once, however late its answers come, and what has the focus keeps it', async () => {
    const page = await visit(`#matches?match=${parent}`);
    await page.route(url => url.searchParams.has('rng_key'), async route => {
      await new Promise(done => setTimeout(done, 1000));
      await route.continue();
    });
    await page.evaluate(() => {
      window.told = 0;
      new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(node => {
        window.told += node.classList?.contains('opened') ? 1 : 0;
      }))).observe(document.body, { childList: true, subtree: true });
    });
    await turnTo(page, `#matches?match=${parent + 1}`);
    await page.getByText(`branches from #${parent}`).first().waitFor();
    await page.getByLabel('beside it, with the same random draws').waitFor();
    assert.equal(await page.evaluate(() => window.told), 1);
    const behind = page.getByLabel('chance, notes and questions aside');
    await behind.focus();
    await behind.selectOption('1');
    await page.waitForFunction(() => window.told === 2);
    assert.equal(await behind.evaluate(e => e === document.activeElement), true);
    assert.deepEqual(page.log.problems, []);
    await page.context().close();
  });

  it('grows while a run adds branches, and what is open stays open', async () => {
    const page = await visit(`#matches?match=${parent}`);
    const tree = page.locator('.tree'), branches = tree.locator('li');
    assert.equal(await branches.count(), 5);
    const address = await branches.nth(3).getByRole('link').first().getAttribute('href');
    await branches.nth(3).getByRole('link').first().focus();
    await page.getByLabel('chance, notes and questions aside').evaluate(e => { e.dataset.kept = '1'; });
    await agon(['run', here.write('b.json', design(here, { repeats: 2 })), '--out', here.at('b.agon'), '--quiet']);
    await page.waitForFunction(() => document.querySelectorAll('.tree li').length === 9);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), address);
    // Nothing else was made again; and a tree that was closed stays so.
    assert.equal(await page.locator('[data-kept]').count(), 1);
    await tree.locator('summary').click();
    await agon(['run', here.write('b.json', design(here, { repeats: 3 })), '--out', here.at('b.agon'), '--quiet']);
    await page.waitForFunction(() => document.querySelectorAll('.tree li').length === 13);
    assert.equal(await tree.evaluate(e => e.open), false);
    await page.goto(`${server.url}/#matches?match=${parent + 8}`);
    await page.getByText(`branches from #${parent}`).first().waitFor();
    assert.deepEqual(page.log.problems, []);
    await page.context().close();
  });
});

describe('an archive that changes', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser;
  before(async () => { browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  // It lasts for longer than a page takes on a busy machine.
  const slow = blocks => ({ suite: 'slow', seed: 3,
    models: { m: { provider: 'mock', model: 'tiny', mock: { latency_ms: 150, in_real_time: true } } },
    agents: { llm: { llm: 'm' }, [hostile]: 'random' },
    design: { focal: ['llm', hostile], field: hostile, blocks },
    scenarios: [{ game: 'bargaining', set: { max_turns: 2 } }] });

  it('is followed while another process writes it, and its names are words', async t => {
    const here = folder(t);
    const file = here.write('slow.json', slow(2000));
    const run = spawn(join(build, 'bin/agon'), ['run', file, '--out', here.at('slow.agon'), '--jobs', '2', '--quiet']);
    const ended = new Promise(done => run.on('exit', done));
    atEnd(t, async () => { run.kill('SIGKILL'); await ended; });
    while (!(await agon(['export', here.at('slow.agon'), '--rows', 'matches']).catch(() => null)))
      await new Promise(done => setTimeout(done, 100));
    const server = await serve(t, [here.at('slow.agon'), '--port', '0']);
    const page = await open(browser);
    await page.goto(server.login);
    await page.locator('progress').first().waitFor();
    const done = () => page.locator('progress').first().evaluate(p => p.value);
    const before = await done();
    await page.waitForFunction(n => document.querySelector('progress')?.value > n, before);
    assert.match(await page.locator('main').innerText(), /goes on/);
    await page.getByText('<img src=x').first().waitFor();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('main img').count(), 0);
    run.kill('SIGKILL');
    await page.getByText('The run stopped').first().waitFor();
    assert.deepEqual(page.log.problems, []);
    // The file goes, and comes back.
    renameSync(here.at('slow.agon'), here.at('away'));
    await page.locator('[role=alert]').first().waitFor();
    renameSync(here.at('away'), here.at('slow.agon'));
    await page.waitForFunction(() => document.querySelectorAll('main [role=alert]').length === 0);
    await page.context().close();
  });

  it('a suite is played, stopped and taken up from the page', async t => {
    const here = folder(t);
    const file = here.write('slow.json', slow(120));
    const server = await serve(t, [file, '--port', '0', '--out', here.at('slow.agon'), '--jobs', '2']);
    const page = await open(browser);
    await page.goto(server.login);
    const progress = () => page.locator('progress').first().evaluate(p => [p.value, p.max]);
    await page.waitForFunction(() => document.querySelector('progress')?.value > 2);
    await page.getByRole('button', { name: 'Stop' }).click();
    const goOn = page.getByRole('button', { name: 'Go on' });
    await goOn.waitFor();
    const [stopped, all] = await progress();
    assert.ok(stopped < all, `${stopped} of ${all}`);
    const { out } = await agon(['export', here.at('slow.agon'), '--rows', 'matches', '--format', 'jsonl']);
    assert.equal(out.trim().split('\n').length, stopped);
    await goOn.click();
    await page.waitForFunction(n => document.querySelector('progress')?.value > n, stopped);
    await page.waitForFunction(n => document.querySelector('progress')?.value === n, all);
    await page.getByText('The run came to its end').waitFor();
    assert.deepEqual(page.log.problems, []);
    await page.context().close();
    await server.kill('SIGINT');
    // The same as a run that nobody stopped.
    await agon(['run', file, '--out', here.at('plain.agon'), '--quiet']);
    const rows = async archive => (await agon(['export', here.at(archive), '--rows', 'seats', '--format', 'jsonl'])).out
      .trim().split('\n').map(line => JSON.parse(line)).map(r => `${r.match} ${r.seat} ${r.score}`).sort();
    assert.deepEqual(await rows('slow.agon'), await rows('plain.agon'));
  });

  it('one that is no archive, or damaged, is said', async t => {
    const here = folder(t);
    here.write('no.agon', 'this is text');
    const failed = await agon(['serve', here.at('no.agon'), '--port', '0']).then(() => '', e => e.message);
    assert.match(failed, /no\.agon/);
    assert.match(await agon(['serve', here.at('none.agon'), '--port', '0']).then(() => '', e => e.message), /none\.agon/);
    rmSync(here.at('no.agon'));
  });
});
