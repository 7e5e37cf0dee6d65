// Makes the pictures of README and docs with the current build:
//   bash tests/browser/run.sh build tests/browser/screenshots.mjs
// Writes docs/images/*.png.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { agon, folder, serve, source } from './agon.mjs';
import { launch, open } from './browser.mjs';
import { enter } from './fill.mjs';
import { Participant, Session } from './people.mjs';

const ending = [];
const made = { after: f => ending.push(f) };
const images = join(source, 'docs/images');
mkdirSync(images, { recursive: true });
const here = folder(made);
const browser = await launch(made);

const shoot = async (page, name, options = {}) => {
  await page.screenshot({ path: join(images, `${name}.png`), animations: 'disabled', caret: 'hide', ...options });
  const size = Math.round(statSync(join(images, `${name}.png`)).size / 1000);
  console.log(`${name}.png ${size} kB`);
  if (size > 150) throw new Error(`${name}.png has ${size} kB; a picture has at most 150`);
};

try {
  // A match of an archive.
  await agon(['run', join(source, 'scenarios/quickstart.json'), '--out', here.at('quickstart.agon'), '--quiet']);
  const server = await serve(made, [here.at('quickstart.agon'), '--port', '0']);
  const viewer = await open(browser, { viewport: { width: 900, height: 640 } });
  await viewer.goto(server.login);
  await viewer.waitForURL(server.url + '/');
  await viewer.goto(server.url + '/#matches?game=bargaining&agent=second');
  await viewer.locator('.list a').nth(3).click();
  await viewer.locator('article .step').first().waitFor();
  await shoot(viewer, 'viewer');

  // Two people who bargain, on phones, and the researcher's view of the session.
  here.write('consent.txt', 'You will bargain over one product with another person.\n\n' +
    '- We keep what you answer and when.\n- Nobody learns your name.\n- You can stop at any time.\n');
  const session = await Session.start(made, here, { suite: 'bargaining-lab', seed: 3, agents: { person: 'human' },
    design: { fixed: [['person', 'person']], blocks: 6 },
    scenarios: [{ game: 'bargaining', set: { product: 0 } }],
    people: { title: 'Bargaining over one product', contact: 'the lab, lab@example.org', consent: 'consent.txt',
              participants: 6, payment: { currency: 'EUR', per_point: 0.02, show_up_fee: 4 } } });
  const pages = [];
  for (const link of (await session.links(6)).slice(0, 5)) pages.push(await Participant.open(browser, link));
  await pages[0].until(s => s.page === 'welcome');
  await pages[0].main().click();
  await pages[0].page.locator('main.consent').waitFor();
  await Promise.all(pages.map(one => one.arrive()));
  await new Promise(done => setTimeout(done, 1000));
  const buyer = pages.find(one => one.question());
  const offer = async (one, talk, kind, price) => {
    await one.until(s => s.page === 'question');
    await one.answer(async (page, question) => {
      const action = question.form.fields.find(f => f.node.kind === 'variant');
      await enter(page.locator('form.answer'), question.form, { talk, [action.name]: { kind, price } });
    });
  };
  await offer(buyer, 'Good day. Would you take half of the list price?', 'buy', '8');
  const seller = pages.find(one => one !== buyer && one.state.match?.key === buyer.state.match.key);
  await offer(seller, 'That is below what it cost me. I can come down a little.', 'sell', '14.50');
  await buyer.until(s => s.page === 'question');
  await buyer.page.locator('form.answer').waitFor();
  await shoot(buyer.page, 'question');
  const leader = await open(browser, { viewport: { width: 1000, height: 700 } });
  await leader.goto(session.url + (await session.do({ do: 'login-link' })).link);
  await leader.goto(session.url + '/session/');
  await leader.locator('main table tbody tr').first().waitFor();
  await shoot(leader, 'session');
} finally {
  for (const end of ending.reverse()) await end();
}
