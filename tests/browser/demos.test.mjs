// The demos of scenarios/people, from the first page to the payment.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { folder, source } from './agon.mjs';
import { accessible, fits, launch } from './browser.mjs';
import { anything, drawing, enter } from './fill.mjs';
import { Participant, Session } from './people.mjs';

const demos = join(source, 'scenarios/people');
const shots = process.env.AGON_SHOTS;  // a folder for pictures of the pages

describe('demos in the browser', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser;
  before(async () => { browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  // What passes a stage: right answers in a quiz, and something in a questionnaire.
  const answer = q => q.right !== undefined ? String(q.right) : q.kind === 'number' ? String(q.low ?? 1)
    : q.kind === 'scale' ? String(q.high) : q.kind === 'text' ? 'because' : q.choices[0];

  async function takePart(one, stages, name, seed) {
    const seen = [];
    for (let taken = 0;;) {
      const state = await one.until(s => s.page !== undefined && s.page !== 'waiting' && s.page !== 'watching', 'asked');
      const { page } = state;
      if (page === 'question') {
        if (seen.at(-1) !== page) seen.push(page);
        else {
          await one.answer(anything(drawing(seed + ++taken)));
          continue;
        }
      } else seen.push(page);
      await one.page.locator(`main.${page}`).waitFor();
      await fits(one.page, page);
      await accessible(one.page, page);
      if (shots && seed === 0)
        await one.page.screenshot({ path: `${shots}/${name}-${seen.length}-${page}.png`, fullPage: true });
      if (page === 'end') return seen;
      if (page === 'question') continue;
      const moved = one.until(s => s !== state && (s.page !== page || s.form?.stage !== state.form?.stage), `past ${page}`);
      if (page === 'form') {
        const { stage, attempt, form } = state.form;
        const asked = stages.flatMap(s => s.quiz ?? s.questionnaire ?? []);
        const place = one.page.locator(`form[data-form="${stage} ${attempt}"]`);
        await place.waitFor();
        await enter(place, form, Object.fromEntries(form.fields.map(
          f => [f.name, answer(asked.find(q => q.name === f.name))])));
        await place.locator('button[type=submit]').click();
      } else await one.page.locator(`main.${page} .buttons button.main`).first().click();
      await moved;
    }
  }

  for (const file of readdirSync(demos).filter(f => f.endsWith('.json')))
    it(file, async t => {
      const here = folder(t);
      for (const one of readdirSync(demos)) copyFileSync(join(demos, one), here.at(one));
      const told = JSON.parse(readFileSync(join(demos, file), 'utf8'));
      const session = await Session.start(t, here, told, { more: ['--trust'] });
      const n = told.design?.fixed[0].length ?? 1;  // a survey has no matches
      const pages = await Promise.all((await session.links(n)).slice(0, n).map(link => Participant.open(browser, link)));
      const seen = await Promise.all(pages.map((one, i) => takePart(one, told.people.stages, told.suite, 1000 * i)));
      for (const [i, one] of pages.entries()) {
        assert.deepEqual(seen[i].slice(0, 2), ['welcome', 'consent']);
        const forms = told.people.stages.filter(s => s.quiz || s.questionnaire).length;
        assert.equal(seen[i].filter(page => page === 'form').length, forms);
        assert.equal(seen[i].includes('question') && seen[i].includes('result'), told.scenarios.length > 0);
        const last = await one.page.locator('main').innerText();
        assert.match(last, told.scenarios.length > 0 ? /played all your matches/ : /answered all questions/);
        assert.match(last, /EUR|€/);
        assert.deepEqual(one.page.log.problems, []);
      }
      await session.told(s => s.participants.filter(p => p.end === 'done').length === n);
      assert.deepEqual([...new Set((await session.records()).map(match => match.status))],
        told.scenarios.length > 0 ? ['finished'] : []);
    });
});
