// Chromium, and pages that are watched: what they ask for, what they get, what goes wrong in them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { atEnd, build } from './agon.mjs';

const require = createRequire(join(build, 'browser/package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// How long something may take that will come: a limit for what never does, on the busiest machine.
export const patience = 120_000;  // milliseconds

// Waits until something holds, for what a page or a server does after it was asked.
export async function until(words, holds) {
  for (const end = Date.now() + patience; !await holds();)
    if (Date.now() < end) await new Promise(done => setTimeout(done, 50));
    else assert.fail(`never: ${words}`);
}

// The same place of a page under another #, once the page has heard of it.
export const turnTo = (page, hash) => page.evaluate(hash => new Promise(done => {
  const before = location.hash;
  addEventListener('hashchange', () => done(), { once: true });
  location.hash = hash;
  if (location.hash === before) done();
}), hash);

// Until what a page has just begun to show takes a press: one within half a second is meant for what
// was there before. By the page's own clock, behind the timer that the page has set itself.
export const settled = page => page.evaluate(() => new Promise(done => setTimeout(done, 600)));

// Does what leads to another #, until the page has heard of it: its own listener comes first.
export const turnedBy = async (page, action) => {
  await page.evaluate(() => {
    window.turned = new Promise(done => addEventListener('hashchange', () => done(), { once: true }));
  });
  await action();
  await page.evaluate(() => window.turned);
};

export const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

// A browser until the tests of a file end. Root may not have its sandbox.
export async function launch(t, args = []) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...args, ...(process.getuid() === 0 ? ['--no-sandbox'] : [])] });
  atEnd(t, () => browser.close());
  return browser;
}

// A page in a context of its own. `page.log` has the requests, everything that came (bodies and
// events of streams, as text), and what went wrong.
export async function open(browser, options = {}) {
  // Without motion: colours that change slowly are none that axe should see.
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patience);
  return watched(await context.newPage());
}

export async function watched(page) {
  const log = { requests: [], received: [], problems: [] };
  page.log = log;
  page.on('pageerror', error => log.problems.push(`error: ${error.message}`));
  page.on('console', message => {
    const { url } = message.location();
    // Chromium reports what a page asked for in vain as an error, also where the page expects it:
    // an entry that is refused, a server that is started again.
    const answered = /Failed to load resource/.test(message.text()) && /\/(answer|do|events|form|lab)(\?|$)/.test(url);
    if (['error', 'warning'].includes(message.type()) && !answered)
      log.problems.push(`${message.type()}: ${message.text()} ${url}`);
  });
  page.on('request', request => log.requests.push(request.url()));
  page.on('response', async response => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
    const body = await response.text().catch(() => '');
    log.received.push({ url: response.url(), status: response.status(), body });
  });
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Network.enable');
  inspector.on('Network.eventSourceMessageReceived',
    event => log.received.push({ url: 'event ' + event.eventName, status: 200, body: event.data }));
  return page;
}

// What axe finds that keeps somebody from using the page. It is not to look into frames: those of
// stages have no origin, so that it could only fail to reach them, which the page's log would have.
export async function accessible(page, words) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'], iframes: false }));
  const serious = violations.filter(v => ['serious', 'critical'].includes(v.impact));
  assert.deepEqual(serious.map(v => `${v.id}: ${v.help}; ${v.nodes.slice(0, 3).map(n => n.html).join(' ')}`), [],
    `axe, ${words}`);
}

// The page itself does not move sideways.
export async function fits(page, words) {
  const [content, window] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${words}: the page is ${content} px wide in ${window}`);
}
