// Every stage of every game, answered by people through the form that is made from its description:
// games that the pages know nothing of.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { agon, folder } from './agon.mjs';
import { accessible, fits, launch } from './browser.mjs';
import { anything, drawing } from './fill.mjs';
import { Participant, Session, answersOf, secretsOf } from './people.mjs';

// Short matches that reach all stages: how many people, the scenario, and which alternative they like.
const short = [
  [2, { game: 'bargaining', set: { max_turns: 2 } }, 'reject'],
  [2, { game: 'classic', name: 'table', set: { game: 'stag-hunt', rounds: 1 } }],
  [2, { game: 'classic', name: 'tree', set: { game: 'draco' } }],
  [2, { game: 'clock-auction', name: 'rising', set: { bidders: 2, rounds: 2, start: 5, step: 5 } }],
  [2, { game: 'clock-auction', name: 'falling', set: { bidders: 2, rounds: 1, clock: 'dutch', values: 'independent', step: 20 } }],
  [2, { game: 'clock-auction', name: 'rising, written', set: { bidders: 2, rounds: 1, start: 5, step: 5, written: true, plan: false, reflect: false } }],
  [2, { game: 'clock-auction', name: 'falling, written', set: { bidders: 2, rounds: 1, clock: 'dutch', values: 'independent', step: 20, written: true, plan: false, reflect: false } }],
  [2, { game: 'deal-or-no-deal', name: 'negotiation', set: { max_rounds: 1, beliefs: true, claims: 'at_once' } }],
  [2, { game: 'deal-or-no-deal', name: 'offers', set: { protocol: 'alternating_offers', max_turns: 2, messages: false } }],
  [2, { game: 'deal-or-no-deal', name: 'spoken offers', set: { protocol: 'alternating_offers', max_turns: 2, messages: true } }],
  [2, { game: 'ebay', set: { bidders: ['Andy', 'Betty'], days: 1, max_days: 1 } }],
  [3, { game: 'english-auction', set: { seats: 2, seller: true, talk: 1, most_rounds: 2, most_discounts: 1,
        everyone: { beliefs: true, planning: 'adaptive', learning: true, correct_beliefs: false },
        items: [{ name: 'Vase', price: 1000, value: 2000 }, { name: 'Clock', price: 800, value: 1500 }] }, sequence: 2 }],
  [3, { game: 'guess-average', set: { players: ['Ann', 'Bo', 'Cy'], rounds: 2 } }],
  [1, { game: 'play-rating' }],
  [2, { game: 'sealed-bid', set: { bidders: 2, rounds: 2 } }],
  [2, { game: 'survival-auction', set: { residents: ['Ann', 'Bo'], days: 2 } }],
  [5, { game: 'water-allocation', set: { days: 1 } }],
];

describe('every game in the browser', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let browser, here;
  before(async () => { here = folder(suite); browser = await launch(suite); });
  after(async () => { for (const f of ending.reverse()) await f(); });
  const met = new Set();

  for (const [people, scenario, likes] of short)
    it(`${scenario.game}${scenario.name ? ', ' + scenario.name : ''}`, async t => {
      const name = `${scenario.game}-${scenario.name ?? 'short'}`.replace(/\W+/g, '-');
      const session = await Session.start(t, here, { suite: name, seed: 5, agents: { person: 'human:probes=true' },
        design: { fixed: [Array(people).fill('person')], blocks: 1 }, scenarios: [scenario],
        people: { title: `A study of ${name}`, contact: 'lab@example.org', participants: people, instructions: true } });
      const links = await session.links(people);
      const pages = await Promise.all(links.map((link, i) => Participant.open(browser, link, { draw: drawing(i) })));
      let looked = 0;
      const ends = await Promise.all(pages.map(async (one, i) => {
        await one.arrive();
        const fill = anything(drawing(100 + i), likes);
        return one.play(async (page, question, who) => {
          met.add(`${scenario.game} ${question.stage}`);
          if (looked++ < 4) {
            await fits(page, `${name}, ${question.stage}`);
            await accessible(page, `${name}, ${question.stage}`);
          }
          return fill(page, question, who);
        });
      }));
      assert.deepEqual(ends.map(state => state.page), Array(people).fill('end'));
      const records = await session.records();
      assert.ok(records.length > 0 && records.every(r => r.status === 'finished'), JSON.stringify(records.map(r => r.status)));
      const kept = answersOf(records);
      for (const [i, one] of pages.entries()) {
        assert.deepEqual(one.page.log.problems, [], `${name}: page ${i}`);
        assert.deepEqual([...new Set(one.page.log.requests.map(url => new URL(url).origin))], [session.url]);
        assert.ok(one.accepted().length > 0, `${name}: page ${i} answered nothing`);
        for (const sent of one.accepted())
          assert.ok(kept.has(`${sent.match} ${sent.question}`), `${name}: an answer is lost`);
      }
      // Nobody's browser had what only others were told.
      for (const { match, record } of records)
        for (const one of pages) {
          const sent = one.accepted().find(s => s.match === match);
          if (!sent) continue;
          const seat = kept.get(`${match} ${sent.question}`).seat;
          const got = one.received();
          const { you, others } = one.states.find(s => s.match?.key === match).match;
          for (const secret of secretsOf(record, seat, [you, ...others]))
            assert.ok(!got.includes(secret), `${name}: seat ${seat} got "${secret}"`);
        }
      const { out } = await agon(['replay', session.archive]);
      assert.doesNotMatch(out, /differ/);
      await Promise.all(pages.map(one => one.page.context().close()));
    });

  it('no stage was left out', async () => {
    const games = JSON.parse((await agon(['list', 'games', '--json'])).out);
    const names = (games.games ?? games).map(game => game.id ?? game.name);
    const left = [];
    for (const name of names) {
      const card = JSON.parse((await agon(['describe', name, '--json'])).out);
      for (const stage of [...card.stages, ...(card.probes ?? [])])
        if (!met.has(`${name} ${stage.name}`)) left.push(`${name} ${stage.name}`);
    }
    // Stages of settings that exclude others of the same game, asked for by the same forms.
    assert.deepEqual(left, ['english-auction sum-up', 'english-auction conduct']);
  });
});
