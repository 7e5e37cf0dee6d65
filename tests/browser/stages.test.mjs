// A session with all kinds of stages, walked through in a browser.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { folder, source } from './agon.mjs';
import { accessible, fits, launch } from './browser.mjs';
import { anything, drawing, enter } from './fill.mjs';
import { Participant, Session } from './people.mjs';

describe('stages in the browser', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser;
  before(async () => { browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  const quiz = [{ name: 'points', ask: 'What do both get if both defect?', kind: 'number', right: 1,
                  explain: 'One point each, as the table says.' },
                { name: 'pay', ask: 'Who is paid?', choices: ['nobody', 'both'], right: 'both' }];
  const people = { title: 'A study in stages', participants: 3, consent: 'consent.txt', stages: [
    { name: 'before', questionnaire: [
      { name: 'age', ask: 'How old are you?', kind: 'number', low: 18, high: 99 },
      { name: 'languages', ask: 'What do you speak?', kind: 'several', choices: ['English', 'German'], required: false },
      { name: 'risk', ask: 'Do you like risk?', kind: 'scale', low: 1, high: 7, low_label: 'no', high_label: 'yes' },
      { name: 'words', ask: 'Anything else?', kind: 'text', required: false }] },
    { instructions: 'dilemma.md' },
    { quiz, attempts: 2 },
    { play: {} },
    { name: 'after', questionnaire: [{ name: 'fun', ask: 'Was it fun?', choices: ['yes', 'no'] }] }] };
  const study = (t, here, name, change = {}) => {
    here.write('consent.txt', 'We keep what you answer.');
    here.write('dilemma.md', '# Two of you decide\n\nYou **cooperate** or *defect*.\n\n| | you |\n|---|---|\n' +
      '| both defect | 1 |\n\n![The icon](icon.png)\n');
    copyFileSync(join(source, 'docs/images/question.png'), here.at('icon.png'));
    return Session.start(t, here, { suite: name, seed: 7, agents: { person: 'human' },
      design: { fixed: [['person', 'person']], blocks: 1 },
      scenarios: [{ game: 'classic', set: { game: 'prisoners-dilemma', periods: 2 } }],
      people: { ...people, ...change } });
  };
  // Fills the form of the stage in and sends it.
  const fill = async (one, tree) => {
    const { stage, attempt, form } = one.state.form;
    const place = one.page.locator(`form[data-form="${stage} ${attempt}"]`);
    await place.waitFor();
    await enter(place, form, tree);
    await place.locator('button[type=submit]').click();
  };
  const past = (one, page) => one.until(s => s.page !== page, `past ${page}`);
  const at = async (one, page) => {
    await one.until(s => s.page === page, page);
    await one.page.locator(`main.${page} h1`).waitFor();
    await fits(one.page, page);
    await accessible(one.page, page);
  };
  const toForm = async one => {
    for (const page of ['welcome', 'consent']) {
      await at(one, page);
      await one.main().click();
    }
    await one.page.locator('main.consent .buttons button.main').click({ timeout: 1000 }).catch(() => {});
    await at(one, 'form');
  };
  const grown = { age: '30', languages: ['German'], risk: '7', words: 'No.' };

  it('two people walk through all of them, over a reload and a server that is killed', async t => {
    const here = folder(t);
    const session = await study(t, here, 'all');
    const pages = await Promise.all((await session.links(3)).slice(0, 2).map(link => Participant.open(browser, link)));
    const [first, second] = pages;
    for (const one of pages) {
      await toForm(one);
      if (one === first) {
        await fill(one, { ...grown, age: '17' });
        await one.page.locator('.problem').waitFor();
        assert.match(await one.page.locator('.problem').innerText(), /18 to 99/);
        await one.page.reload();
        await one.page.locator('form.answer').waitFor();
        assert.equal(await one.page.locator('[id="entry%2Fage"]').inputValue(), '17');
        assert.equal(await one.page.locator('[id="entry%2Flanguages-1"]').isChecked(), true);
      }
      await fill(one, grown);
      await at(one, 'reading');
      await one.page.locator('.reading img').waitFor();
      assert.equal(await one.page.locator('h1').innerText(), 'Two of you decide');
      assert.ok(await one.page.locator('.reading img').evaluate(async img => {
        await img.decode();
        return img.naturalWidth > 0;
      }));
      await one.main().click();
      await at(one, 'form');
      await fill(one, { points: '2', pay: 'both' });
      await one.until(s => s.form?.attempt === 2, 'asked again');
      await one.page.locator('.problem').waitFor();
      assert.equal(await one.page.locator('.problem').innerText(), 'One point each, as the table says.');
    }
    await session.killed();
    for (const one of pages) {
      await one.page.reload();
      await one.page.locator('.problem').waitFor();
      await one.until(s => s.form?.attempt === 2 && s.form.left === 1, 'the second attempt');
      await fill(one, { points: '1', pay: 'both' });
      await at(one, 'instructions');
      await one.main().click();
    }
    await first.until(s => s.page === 'question');
    await first.page.locator('summary', { hasText: 'Two of you decide' }).click();
    await first.page.locator('.reading table').waitFor();
    await first.page.locator('summary', { hasText: 'The questions and their answers' }).click();
    await first.page.locator('dl.quiz dt').first().waitFor();
    await accessible(first.page, 'what was read before');
    const toAfter = async (one, seed) => {
      for (;;) {
        const state = await one.until(s => ['rules', 'question', 'result', 'form'].includes(s.page), 'asked');
        if (state.page === 'form') break;
        if (state.page === 'question') await one.answer(anything(drawing(seed)));
        else {
          await one.main().click();
          await past(one, state.page);
        }
      }
    };
    await Promise.all([toAfter(first, 1), toAfter(second, 2)]);
    for (const one of pages) {
      await at(one, 'form');
      await fill(one, { fun: 'yes' });
      await at(one, 'end');
      assert.match(await one.page.locator('main').innerText(), /You have played all your matches/);
      assert.deepEqual(one.page.log.problems.filter(p => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY/.test(p)), []);
      assert.deepEqual([...new Set(one.page.log.requests.map(url => new URL(url).origin))], [session.url]);
    }
    const [match] = await session.records();
    assert.equal(match.status, 'finished');
  });

  it('who does not pass the quiz is told so, in the language of the study', async t => {
    const session = await study(t, folder(t), 'gate', { language: 'de', stages: people.stages.slice(1) });
    const [link] = await session.links(3);
    const one = await Participant.open(browser, link);
    for (const page of ['welcome', 'consent', 'reading']) {
      await at(one, page);
      await one.page.locator(`main.${page} .buttons button.main`).click();
    }
    await at(one, 'form');
    assert.equal(await one.page.locator('h1').innerText(), 'Fragen zur Anleitung');
    for (const attempt of [1, 2]) {
      await one.until(s => s.form?.attempt === attempt, `attempt ${attempt}`);
      await fill(one, { points: '2', pay: 'nobody' });
    }
    await at(one, 'end');
    assert.match(await one.page.locator('main').innerText(), /nicht bestanden/);
    assert.ok((await session.told(s => s.participants.some(p => p.end === 'screened-out'))));
  });
});
