// A report as a page: one file, opened from disk, with the network off.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { agon, folder, source } from './agon.mjs';
import { accessible, fits, launch, open, turnTo, turnedBy } from './browser.mjs';

const hostile = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>';

const suites = {
  // A model that slips now and then, a game with facts that only one seat is told, and names that
  // would be markup.
  mixed: { suite: 'mixed', seed: 3,
    models: { m: { provider: 'mock', model: 'tiny', mock: { malformed: 0.2 } } },
    agents: { llm: { llm: 'm', reasoning: 'chain-of-thought', persona: `text:words=${hostile}` },
              other: 'default', [hostile]: 'random' },
    design: { focal: ['llm', hostile], field: 'other', blocks: 3 },
    scenarios: [{ game: 'deal-or-no-deal' }, { game: 'guess-average' }, { game: 'water-allocation' }] },
};
const shipped = [['quickstart', []], ['papers/bargaining/experiment-a', ['--model', 'mock', '--blocks', '2']],
                 ['papers/aucarena/demo', ['--model', 'mock']]];

describe('a report in a browser', { timeout: 3_000_000 }, () => {
  const ending = [];
  const suite = { after: f => ending.push(f) };
  let browser;
  const pages = new Map();  // by name: the file's address
  const address = name => 'file://' + pages.get(name);
  const dataOf = name => JSON.parse(readFileSync(pages.get(name), 'utf8')
    .match(/id="matches-data">(.*?)<\/script>/s)[1]);

  before(async () => {
    const here = folder(suite);
    browser = await launch(suite);
    const make = async (name, file, more) => {
      const archive = here.at(`${name}.agon`), page = here.at(`${name}.html`);
      await agon(['run', file, '--out', archive, '--quiet', ...more]);
      await agon(['report', archive, '--html', page]);
      pages.set(name, page);
    };
    for (const [name, content] of Object.entries(suites))
      await make(name, here.write(`${name}.json`, content), []);
    for (const [name, more] of shipped)
      await make(name.replaceAll('/', '-'), join(source, 'scenarios', name + '.json'), more);
  });
  after(async () => { for (const f of ending.reverse()) await f(); });

  const visit = async (name, options = {}, hash = '') => {
    const page = await open(browser, { viewport: { width: 1000, height: 900 }, offline: true, ...options });
    await page.goto(address(name) + hash);
    return page;
  };
  const quiet = (page, name) => {
    assert.deepEqual(page.log.problems, [], name);
    assert.deepEqual([...new Set(page.log.requests.map(url => url.split('#')[0]))], [address(name)], name);
  };
  const each = async f => { for (const name of pages.keys()) await f(name); };

  it('asks for nothing but the file itself, and nothing goes wrong in it', () => each(async name => {
    const page = await visit(name);
    assert.ok(await page.locator('svg').count() >= 2, name);
    assert.ok(await page.locator('table').count() >= 2, name);
    assert.ok(await page.locator('#matches .list li').count() >= 2, name);
    quiet(page, name);
    await page.context().close();
  }));

  it('has its tables and plots without JavaScript', () => each(async name => {
    const [page, without] = [await visit(name), await visit(name, { javaScriptEnabled: false })];
    const fixed = 'section:not(.interactive)';
    for (const what of ['table', 'svg', 'td', 'p'])
      assert.equal(await without.locator(`${fixed} ${what}`).count(),
                   await page.locator(`${fixed} ${what}`).count(), `${name}: ${what}`);
    assert.match(await without.locator('#matches').innerText(), /JavaScript/);
    assert.equal(await without.locator('table').first().isVisible(), true);
    quiet(without, name);
    await Promise.all([page.context().close(), without.context().close()]);
  }));

  it('every figure leads to the matches behind it', () => each(async name => {
    const page = await visit(name);
    const matches = new Map(dataOf(name).matches.map(match => [match.id, match]));
    const links = await page.locator('section:not(.interactive) a').evaluateAll(
      all => all.map(a => a.getAttribute('href')));
    assert.ok(links.length > 3, name);
    for (const link of new Set(links)) {
      await turnTo(page, link);
      const asked = new URLSearchParams(link.replace('#matches?', ''));
      const shown = await page.locator('#matches .list a').evaluateAll(
        all => all.map(a => new URLSearchParams(a.hash.replace('#matches?', '')).get('match')));
      assert.ok(shown.length > 0, `${name}: ${link} leads to no match`);
      for (const match of shown.map(id => matches.get(id))) {
        for (const kind of ['game', 'treatment'])
          if (asked.has(kind)) assert.equal(match[kind], asked.get(kind));
        for (const kind of ['agent', 'other'])
          if (asked.has(kind)) assert.ok(match.seats.some(seat => seat.agent === asked.get(kind)), link);
      }
    }
    // By hand: a click goes there, and Back goes back.
    await page.evaluate(() => { history.replaceState(null, '', location.pathname); scrollTo(0, 0); });
    await page.locator('td a').first().click();
    await page.waitForFunction(() => location.hash.startsWith('#matches?') &&
      document.getElementById('matches').getBoundingClientRect().top < innerHeight);
    await page.goBack();
    await page.waitForFunction(() => location.hash === '');
    quiet(page, name);
    await page.context().close();
  }));

  it('finds matches by words that were said, and sorts them', async () => {
    const page = await visit('mixed');
    const { matches } = dataOf('mixed');
    const wordsOf = match => match.steps.map(s => `${s.words} ${s.thought}`).join('\n').toLowerCase();
    const listed = () => page.locator('#matches .list a').evaluateAll(
      all => all.map(a => new URLSearchParams(a.hash.replace('#matches?', '')).get('match')));
    // Words that some matches have and some lack.
    const word = ['walk away', 'no deal', 'agree', 'bid'].find(w =>
      matches.some(m => wordsOf(m).includes(w)) && !matches.every(m => wordsOf(m).includes(w)));
    assert.ok(word);
    const search = async words => {
      await page.getByLabel('words said').fill(words);
      await page.getByLabel('words said').press('Enter');
    };
    await turnedBy(page, () => search(word.toUpperCase()));
    assert.match(await page.evaluate(() => location.hash), /said=/);
    const found = matches.filter(m => wordsOf(m).includes(word)).map(m => m.id);
    assert.deepEqual(await listed(), found.slice(0, 20));
    await turnedBy(page, () => search(''));
    assert.doesNotMatch(await page.evaluate(() => location.hash), /said=/);
    const tokens = m => m.calls.reduce((sum, c) => sum + c.tokens, 0);
    assert.ok(matches.some(tokens) && matches.some(m => !tokens(m)));
    for (const [name, figure] of [['tokens', tokens], ['length', m => m.steps.length + m.left_out]]) {
      await turnedBy(page, () => page.getByLabel('sorted by').selectOption(name));
      assert.ok((await page.evaluate(() => location.hash)).includes('sort=' + name));
      const figures = (await listed()).map(id => figure(matches.find(m => m.id === id)));
      assert.deepEqual(figures, [...matches].map(figure).sort((a, b) => b - a).slice(0, figures.length), name);
    }
    // What is opened begins with how it ended and what it took.
    await turnedBy(page, () => page.getByLabel('sorted by').selectOption('tokens'));
    await page.locator('#matches .list a').first().click();
    const summary = await page.locator('#matches article > p:not(.small)').first().innerText();
    assert.match(summary, /entries, \d+ answers.* calls? of models with [\d,]+ tokens/);
    quiet(page, 'mixed');
    await page.context().close();
  });

  it('two matches with the same random draws stand side by side', async () => {
    const page = await visit('quickstart');
    const matches = new Map(dataOf('quickstart').matches.map(match => [match.id, match]));
    await page.locator('#matches .list a').first().click();
    await page.locator('#matches article').waitFor();
    const beside = page.getByLabel('beside it, with the same random draws');
    const first = matches.get(new URLSearchParams((await page.evaluate(() => location.hash)).slice(9)).get('match'));
    const offered = await beside.locator('option').evaluateAll(all => all.map(o => o.value).filter(v => v));
    assert.deepEqual(offered.map(id => matches.get(id).draws), offered.map(() => first.draws));
    await beside.selectOption(offered[0]);
    await page.waitForFunction(() => document.querySelectorAll('#matches article').length === 2);
    const [left, right] = await page.locator('#matches article').evaluateAll(
      all => all.map(a => a.getBoundingClientRect()).map(r => ({ top: r.top, left: r.left, right: r.right })));
    assert.equal(left.top, right.top);
    assert.ok(left.right < right.left);
    await accessible(page, 'a pair');
    // The address brings both back.
    await page.reload();
    assert.equal(await page.locator('#matches article').count(), 2);
    await page.context().close();
  });

  it('a seat sees what it was told, and of others only what all were told', () => each(async name => {
    const page = await visit(name);
    let hidden = 0;
    for (const match of dataOf(name).matches.slice(0, 12))
      for (let seat = 0; seat < match.seats.length; ++seat) {
        await turnTo(page, '#matches?' +
          new URLSearchParams({ match: match.id, seat: String(seat), behind: '1' }));
        assert.equal(await page.getByLabel('seen by').inputValue(), String(seat));
        const words = await page.locator('#matches .steps').innerText();
        const own = match.steps.filter(s => s.seat === seat || s.heard.includes(seat) ||
          (s.what === 'event' && s.heard.length === 0) || s.what === 'outcome').map(s => s.words).join('\n');
        for (const step of match.steps) {
          const secret = step.what === 'event' && step.heard.length > 0 && !step.heard.includes(seat)
            ? step.words : step.seat !== undefined && step.seat !== seat ? step.thought : '';
          if (secret.length < 12 || own.includes(secret)) continue;
          ++hidden;
          assert.ok(!words.includes(secret), `${name} ${match.id}: seat ${seat} sees "${secret}"`);
        }
        if (match.steps.some(s => s.heard.includes(seat)))
          assert.ok(await page.locator('#matches .step').count() > 0);
      }
    if (['mixed', 'papers-aucarena-demo'].includes(name)) assert.ok(hidden > 0, `${name} has no secrets`);
    quiet(page, name);
    await page.context().close();
  }));

  it('texts of others are words, whatever they look like', async () => {
    const page = await visit('mixed');
    for (const match of dataOf('mixed').matches) {
      await turnTo(page, '#matches?' + new URLSearchParams({ match: match.id, behind: '1' }));
      await page.locator('#matches details').evaluateAll(all => all.forEach(d => { d.open = true; }));
    }
    assert.ok((await page.locator('body').innerText()).includes('<img src=x'));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img').count(), 0);
    quiet(page, 'mixed');
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'])
    for (const width of [400, 1000])
      it(`reads well: ${colorScheme}, ${width} px`, () => each(async name => {
        const page = await visit(name, { colorScheme, viewport: { width, height: 800 } });
        const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const bright = back.match(/\d+/g).slice(0, 3).every(part => Number(part) > 128);
        assert.equal(bright, colorScheme === 'light', back);
        await fits(page, name);
        await accessible(page, name);
        await page.locator('#matches .list a').first().click();
        await page.locator('#matches article').waitFor();
        await page.locator('#matches details').evaluateAll(all => all.forEach(d => { d.open = true; }));
        await fits(page, `${name}, a match`);
        await accessible(page, `${name}, a match`);
        await page.context().close();
      }));

  it('says of what it is and what it found, and folds the rest', () => each(async name => {
    const page = await visit(name);
    assert.match(await page.title(), /^Report on suite '/);
    for (const what of ['Agents', 'Matches', 'Played'])
      assert.ok((await page.locator('.source').first().innerText()).includes(what), what);
    const origin = page.locator('details', { has: page.locator('.source') });
    assert.equal(await origin.getByText('Command', { exact: true }).isVisible(), false);
    await origin.locator('summary').click();
    assert.equal(await origin.getByText('SHA-256 of the archive').isVisible(), true);
    const heads = page.locator('section > details > summary');
    assert.ok(await heads.count() >= 3, name);
    const unseen = page.locator('section:last-of-type, section.notes');
    assert.equal(await unseen.getByText('Intervals (95%)').first().isVisible(), false);
    await page.locator('nav summary').click();
    await page.locator('nav a', { hasText: 'How to read this' }).click();
    await unseen.getByText('Intervals (95%)').first().waitFor({ state: 'visible' });
    quiet(page, name);
    await page.context().close();
  }));

  it('sorts a table by its heads, and saves tables and pictures', async () => {
    const page = await visit('quickstart');
    const table = page.locator('section.leaderboard table').first();
    const scores = () => table.locator('tbody tr').evaluateAll(
      rows => rows.map(row => Number(row.cells[2].textContent)));
    const head = table.locator('thead button', { hasText: 'score' }).first();
    const before = await scores();
    await head.click();
    assert.deepEqual(await scores(), [...before].sort((a, b) => a - b));
    await head.click();
    assert.deepEqual(await scores(), [...before].sort((a, b) => b - a));
    for (const [words, ending] of [['SVG', '.svg'], ['PNG', '.png'], ['CSV', '.csv']]) {
      const [file] = await Promise.all([page.waitForEvent('download'),
        page.locator('section.leaderboard').getByRole('button', { name: words }).first().click()]);
      assert.equal(file.suggestedFilename(), 'leaderboard' + ending);
      const bytes = readFileSync(await file.path());
      if (words === 'SVG') assert.match(bytes.toString(), /^<svg [^>]*xmlns=/);
      if (words === 'PNG') assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      if (words === 'CSV') assert.equal(bytes.toString().trim().split('\r\n').length, before.length + 1);
    }
    // As PDF by the browser's own dialog, of a frame with the picture alone.
    await page.locator('section.leaderboard').getByRole('button', { name: 'PDF' }).first().click();
    const frame = page.frameLocator('iframe.print');
    await frame.locator('body > svg').waitFor({ state: 'attached' });
    assert.equal(await frame.locator('body > *').count(), 1);
    const [size, whole] = await Promise.all([frame.locator('body > svg').getAttribute('width'),
      page.locator('section.leaderboard figure svg').first().evaluate(e => e.getBoundingClientRect().width)]);
    assert.equal(Number(size), whole);
    await page.context().close();
  });

  // What is pasted where somebody writes.
  const pasted = async page => {
    await page.evaluate(() => {
      document.querySelector('[contenteditable]')?.remove();
      const paper = document.body.appendChild(document.createElement('div'));
      paper.contentEditable = true;
      paper.focus();
    });
    await page.keyboard.press('Control+V');
    await page.locator('[contenteditable] table').waitFor();
    return page.locator('[contenteditable]');
  };
  for (const way of ['the clipboard', 'the command of older browsers'])
    it(`copies a table that is a table where it is pasted, by ${way}`, async () => {
      const page = await visit('mixed', { permissions: ['clipboard-read', 'clipboard-write'] });
      if (way !== 'the clipboard') await page.evaluate(() => { Clipboard.prototype.write = undefined; });
      const section = page.locator('section.leaderboard');
      const cells = table => table.locator('tr').evaluateAll(rows => rows.map(row => [...row.cells].map(cell =>
        cell.textContent.trim())));
      const shown = await cells(section.locator('table').first());
      await section.getByRole('button', { name: 'Copy table' }).first().click();
      await section.getByText('Copied.').first().waitFor();
      const plain = await page.evaluate(() => navigator.clipboard.readText());
      assert.deepEqual(plain.replaceAll('\r', '').split('\n').map(line => line.split('\t')), shown);
      const paper = await pasted(page);
      assert.deepEqual(await cells(paper.locator('table')), shown);
      assert.ok(shown.flat().some(words => words.includes('<img')), 'a name that looks like markup');
      assert.equal(await paper.locator('script, img, button, a, [class], [onerror]').count(), 0);
      const words = await paper.innerText();
      assert.ok(words.trim().startsWith('Leaderboard'));
      assert.ok(words.includes(await section.locator('p').first().innerText()));
      // Looks come along: a rule under the heads, figures on the right.
      const looks = await paper.locator('tr').evaluateAll(rows => [rows[0].cells[0].style.borderBottomStyle,
        [...rows[1].cells].map(cell => cell.style.textAlign)]);
      assert.equal(looks[0], 'solid');
      assert.ok(looks[1].includes('right') && looks[1].some(align => align !== 'right'));
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      quiet(page, 'mixed');
      await page.context().close();
    });

  it('copies a plot as a picture', async () => {
    const page = await visit('quickstart', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('section.scores').getByRole('button', { name: 'Copy plot' }).click();
    await page.locator('section.scores').getByText('Copied.').waitFor();
    const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap(item => item.types));
    assert.deepEqual(types, ['image/png']);
    await page.context().close();
  });

  it('has a panel a game, which a phone stacks, and no result beyond its edge', async () => {
    const boxes = (page, which) => page.locator(which).evaluateAll(all => all.map(svg =>
      svg.getBoundingClientRect()).map(({ top, right }) => ({ top: Math.round(top), right })));
    const wide = await visit('quickstart', { viewport: { width: 1280, height: 900 } });
    const panels = await boxes(wide, 'section.scores figure svg');
    assert.equal(panels.length, 4);
    assert.equal(panels[0].top, panels[1].top);
    // All that is not unfolded is read in five screens.
    assert.ok(await wide.evaluate(() => document.documentElement.scrollHeight / innerHeight) <= 5);
    const narrow = await visit('quickstart', { viewport: { width: 390, height: 844 }, isMobile: true });
    const stacked = await boxes(narrow, 'section.scores figure svg');
    assert.ok(stacked.every((box, at) => at === 0 || box.top > stacked[at - 1].top), 'stacked');
    const first = await boxes(narrow, 'section.leaderboard figure svg, section.differences figure svg');
    for (const box of [...stacked, ...first]) assert.ok(box.right <= 390, `a plot ends at ${box.right}`);
    // Saved, they are one picture below its title.
    const [file] = await Promise.all([wide.waitForEvent('download'),
      wide.locator('section.scores').getByRole('button', { name: 'SVG' }).click()]);
    const svg = readFileSync(await file.path(), 'utf8');
    assert.equal(svg.match(/<svg/g).length, 5);
    assert.match(svg, />Highest mean: /);
    await Promise.all([wide.context().close(), narrow.context().close()]);
  });

  it('breaks no line inside an interval on a phone, and lists those of games', () => each(async name => {
    const page = await visit(name, { viewport: { width: 390, height: 844 }, isMobile: true });
    await page.locator('main > section details').evaluateAll(all => all.forEach(d => { d.open = true; }));
    const lines = await page.locator('.interval').evaluateAll(all => all.map(element => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [element.textContent, new Set([...range.getClientRects()].map(box => Math.round(box.top))).size];
    }));
    assert.ok(lines.length > 0 || name !== 'quickstart');
    assert.deepEqual(lines.filter(([words, count]) => words.startsWith('[') && count > 1), [], name);
    await fits(page, name);
    if (name === 'quickstart') {
      const items = await page.locator('section.summary li li').evaluateAll(all => all.map(item =>
        [item.textContent, item.getBoundingClientRect().height / parseFloat(getComputedStyle(item).lineHeight)]));
      assert.equal(items.length, 4);
      for (const [words, count] of items) assert.ok(count < 2.5, words);
    }
    await page.context().close();
  }));

  it('has no words of a plot cut off at its edge', async () => {
    for (const width of [390, 1000]) {
      const page = await visit('quickstart', { viewport: { width, height: 844 } });
      await page.locator('main > section details').evaluateAll(all => all.forEach(d => { d.open = true; }));
      const cut = await page.locator('svg').evaluateAll(all => all.flatMap(svg => {
        const [edge, scale] = [svg.getBoundingClientRect(), svg.getBoundingClientRect().width / svg.width.baseVal.value];
        return [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()])
          .filter(([, box]) => box.left < edge.left - 2 || box.right > edge.right + 2 * scale).map(([words]) => words);
      }));
      assert.deepEqual(cut, [], `${width} px`);
      assert.ok(await page.locator('svg text.name').count() > 4, 'lines with their names');
      await page.context().close();
    }
  });

  it('prints in type of 8 points at least, and what it found first', () => each(async name => {
    // A4 between margins of a centimetre.
    const page = await visit(name, { viewport: { width: 718, height: 1046 } });
    await page.emulateMedia({ media: 'print' });
    const before = await page.locator('main').innerHTML();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    // Browsers make smaller what is wider than the paper.
    await fits(page, name);
    const small = await page.locator('td, th, caption, p, li, figcaption, .small, svg text').evaluateAll(all => all
      .filter(element => element.textContent.trim() && element.getClientRects().length > 0).map(element => {
        const svg = element.closest('svg');
        const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
        return [element.textContent, parseFloat(getComputedStyle(element).fontSize) * scale * 0.75];
      }).filter(([, points]) => points < 7.99));
    assert.deepEqual(small, [], name);
    const found = await page.locator('section.leaderboard figure, section.summary').evaluateAll(
      all => all.slice(0, 2).map(element => element.getBoundingClientRect().bottom));
    assert.ok(found.every(bottom => bottom <= 1046), `${name}: ${found}`);
    // No cell is lost where a table comes apart.
    if (name === 'quickstart') {
      const whole = page.locator('section.play table[hidden]').first();
      const cells = table => table.locator('tbody tr').evaluateAll(rows => rows.map(row =>
        [...row.cells].map(cell => cell.textContent)));
      const rows = await cells(whole);
      const parts = await whole.locator('xpath=../table[not(@hidden)]').all();
      assert.ok(parts.length > 1);
      assert.equal(await page.locator('section.metrics table[hidden]').count(), 0, 'these fit');
      const together = rows.map(row => row.slice(0, 1));
      for (const part of parts) (await cells(part)).forEach((row, at) => together[at].push(...row.slice(1)));
      assert.deepEqual(together, rows);
    }
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal((await page.locator('main').innerHTML()).replaceAll(' class=""', ''), before);
    await page.context().close();
  }));

  it('prints without what can only be clicked', () => each(async name => {
    const page = await visit(name);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.interactive').isVisible(), false);
    assert.equal(await page.locator('table').first().isVisible(), true);
    // Nothing that would be cut off at the margin stands in a box that scrolls.
    assert.deepEqual(await page.locator('.wide').evaluateAll(
      all => [...new Set(all.map(e => getComputedStyle(e).overflowX))]), ['visible']);
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    await page.context().close();
  }));
});
