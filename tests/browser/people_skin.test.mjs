// A session whose people play under a skin: pages have its words and amounts, records the game's.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { folder } from './agon.mjs';
import { accessible, fits, launch } from './browser.mjs';
import { enter } from './fill.mjs';
import { Participant, Session } from './people.mjs';

describe('people under a skin', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser;
  before(async () => { browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });

  it('each page has the words of its match, and the answers are the game\'s', async t => {
    const study = await Session.start(t, folder(t), { suite: 'station', seed: 7,
      agents: { person: 'human', rule: 'random' },
      design: { fixed: [['person', 'rule', 'rule', 'rule', 'rule']], seat_rotation: 'as-listed', blocks: 1 },
      scenarios: [{ game: 'water-allocation', set: { days: 2 } }], skins: ['oxygen'],
      people: { title: 'A study', contact: 'lab@example.org', participants: 1, matches: 2 } });
    const one = await Participant.open(browser, (await study.links(1))[0]);
    await one.arrive();
    const pages = { water: '', oxygen: '' };
    const words = () => JSON.stringify(one.state.match).includes('xygen') ? 'oxygen' : 'water';
    const seen = new Set();
    // Once for each kind of page: the checks of accessibility take long.
    const look = async () => {
      const { page, match } = one.state;
      if (!match || seen.has(`${words()} ${page}`)) return;
      seen.add(`${words()} ${page}`);
      await one.page.locator(`main.${page}`).waitFor();
      await one.page.evaluate(() => document.querySelectorAll('main details').forEach(e => { e.open = true; }));
      pages[words()] += await one.page.locator('main').innerText();
      await fits(one.page, words());
      if (page === 'question') await accessible(one.page, words());
    };
    await one.play((page, question) => enter(page.locator('form.answer'), question.form,
      { [question.form.fields[0].name]: { water: '3', oxygen: '30' }[words()] }), { onState: look });
    assert.match(pages.water, /Alex[^]*drought[^]*\$70[^]*Bid for/);
    assert.match(pages.oxygen, /Vega[^]*leak[^]*CR 700[^]*Offer for[^]*oxygen/);
    assert.doesNotMatch(pages.oxygen, /water|Alex|Bob|drought|dollar|\$|\bbid/i);
    assert.deepEqual(one.page.log.problems, []);
    const records = await study.records();
    assert.equal(records.length, 2);
    for (const { record } of records)
      assert.deepEqual(record.filter(e => e.entry === 'question' && e.seat === 0).map(e => e.value.bid), [3, 3]);
  });
});
