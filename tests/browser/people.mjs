// Sessions with people: how a test starts one, leads it, and plays in it.
import assert from 'node:assert/strict';
import { agon, serve } from './agon.mjs';
import { open, patience, phone, until } from './browser.mjs';
import { ask, enter, events } from './client.mjs';

// A session of a suite, as whoever leads it sees it.
export class Session {
  static async start(t, here, suite, { more = [], env = {}, port = 0 } = {}) {
    const session = new Session();
    Object.assign(session, { t, here, more, env, file: here.write(`${suite.suite}.json`, suite),
                             archive: here.at(`${suite.suite}.agon`) });
    await session.run(port);
    return session;
  }
  async run(port) {
    this.server = await serve(this.t, [this.file, '--people', '--port', String(port),
      '--out', this.archive, ...this.more], { cwd: this.here.path, env: this.env });
    // Behind a proxy it names the proxy's address; here it is asked itself.
    this.url = port === 0 ? this.server.url : `http://127.0.0.1:${port}`;
    this.cookie = (await enter(this.url, this.server.login)).cookie;
  }
  // Kills it as a crash or a power cut would, and starts it again at the same place.
  async killed() {
    await this.server.kill('SIGKILL');
    await this.run(Number(new URL(this.url).port));
  }
  // What the researcher's page is told, once it is as wanted.
  async told(wanted = () => true) {
    for await (const { name, data } of this.stream())
      if (name === 'session' && wanted(data)) return data;
    throw new Error(`the researcher's stream ended\n${this.server.err()}`);
  }
  stream() { return events(this.url, '/session/events', this.cookie); }
  async do(what) {
    const answer = await ask(this.url, 'POST', '/session/do', { cookie: this.cookie, body: what });
    assert.ok(answer.status < 300, `${JSON.stringify(what)}: ${answer.status} ${answer.text}`);
    return answer.text ? answer.json() : {};
  }
  async links(n) {
    return (await this.told(s => s.participants.filter(p => p.link).length >= n))
      .participants.filter(p => p.link).map(p => this.url + p.link);
  }
  // Ends as Ctrl-C does, and gives what was recorded.
  async records() {
    await this.server.kill('SIGINT');
    const { out } = await agon(['export', this.archive, '--rows', 'records', '--format', 'jsonl', '--all-suites'],
      { env: this.env });
    return out.trim().split('\n').filter(line => line).map(line => JSON.parse(line));
  }
}

// A participant's page: what it is told (`states`), what it sent (`sent`), and hands for it.
export class Participant {
  static async open(browser, link, options = {}) {
    const one = new Participant();
    Object.assign(one, { link, states: [], sent: [], onTheWay: new Set(), wakes: [],
                         draw: options.draw ?? Math.random });
    one.page = await open(browser, { ...phone, ...options.context });
    const received = one.page.log.received;
    received.push = (...all) => {
      for (const { url, body } of all)
        if (url === 'event state') one.states.push(JSON.parse(body));
      one.wakes.splice(0).forEach(wake => wake());
      return Array.prototype.push.apply(received, all);
    };
    const isAnswer = request => request.url().endsWith('/answer') && request.method() === 'POST';
    one.page.on('request', request => { if (isAnswer(request)) one.onTheWay.add(request); });
    // A server that is killed may have kept what it did not come to confirm.
    one.page.on('requestfailed', request => {
      if (one.onTheWay.delete(request)) one.sent.push({ ...JSON.parse(request.postData()), status: 0, said: '' });
    });
    one.page.on('requestfinished', async request => {
      if (!isAnswer(request)) return;
      const answer = await request.response().catch(() => null);  // null: the page is closed
      one.sent.push({ ...JSON.parse(request.postData()), status: answer?.status() ?? 0,
                      said: await answer?.text().catch(() => '') ?? '' });
      one.onTheWay.delete(request);
    });
    await options.before?.(one.page);
    await one.page.goto(link);
    return one;
  }
  get state() { return this.states.at(-1); }
  // Waits for a state. What is told of a match is put together as a page does it.
  async until(wanted, words = String(wanted)) {
    const end = Date.now() + patience;
    while (this.state === undefined || !wanted(this.state)) {
      if (Date.now() > end)
        throw new Error(`never ${words}; it is at ${JSON.stringify(this.state)?.slice(0, 600)}; ` +
                        this.page.log.problems.join('\n'));
      await Promise.race([new Promise(wake => this.wakes.push(wake)),
                          new Promise(wake => setTimeout(wake, 1000))]);
    }
    return this.state;
  }
  main() { return this.page.locator('main .buttons button.main').last(); }
  // From the link to the first question or the waiting room.
  async arrive({ trial = false } = {}) {
    const steps = ['welcome', 'consent', 'instructions'];
    for (;;) {
      const { page } = await this.until(s => s.page !== undefined);
      if (!steps.includes(page)) return;
      const past = this.until(s => s.page !== page, `past ${page}`);
      if (await Promise.race([this.page.locator(`main.${page}`).waitFor().then(() => false, () => false),
                              past.then(() => true)])) continue;
      const buttons = this.page.locator(`main.${page} .buttons button`);
      const button = page === 'instructions' && this.state.trial && !trial ? buttons.last()
        : buttons.and(this.page.locator('.main')).first();
      await Promise.race([button.click(), past]);
      await Promise.race([past, new Promise(done => setTimeout(done, 3000))]);
    }
  }
  question() { return this.state?.page === 'question' ? this.state.match.question : null; }
  key() {
    const { match } = this.state;
    return `${match.key} ${match.question.number} ${match.question.attempt}`;
  }
  async lost(error, key) {
    throw new Error(`${error.message.split('\n')[0]}: no form for ${key}, now ` +
      `${JSON.stringify(this.state).slice(0, 300)}; the page has\n${await this.page.locator('body').innerText()}\n` +
      this.page.log.problems.join('\n'));
  }
  // Fills the form and sends it; over when the server asks for something else.
  async answer(fill) {
    const key = this.key();
    // The state comes before the form: the one that is still there may be of the question before.
    const form = this.page.locator(`form.answer[data-question="${key}"]`);
    const moved = s => s.page !== 'question' || this.key() !== key;
    await Promise.race([form.waitFor(), this.until(moved, `past ${key}`)]).catch(error => this.lost(error, key));
    if (moved(this.state)) return;
    // Where the game has a page for the stage, the form is one click away, for all that follow too.
    const toForm = form.getByRole('button', { name: 'Use the plain form' });
    // A server that came back replaces the page under the click.
    const ownPage = form.locator('iframe.stage-page');
    while (this.question()?.page && !moved(this.state) && (await form.count() === 0 || await ownPage.count() > 0))
      await toForm.click({ timeout: 2000 }).catch(() => {});
    if (moved(this.state)) return;
    let button;
    const enter = async () => {
      // A session that is ended takes the form away from under the hands.
      const filled = Promise.resolve(fill(this.page, this.question(), this));
      filled.catch(() => {});
      const gone = this.until(moved, `past ${key}`).then(() => 'moved', () => filled);
      const did = await Promise.race([filled, gone]);
      if (did === 'moved') return;
      const skips = did === 'skip';
      button = form.locator(skips ? '.buttons button:not(.main)' : 'button[type=submit]').last();
      // What was refused before is still marked while an answer is on its way: the form may be gone.
      const click = button.click();
      click.catch(() => {});
      await Promise.race([click, this.until(moved, `past ${key}`)]);
    };
    await enter();
    if (moved(this.state)) return;
    let again = true;
    const dialog = this.page.locator('dialog[open]');
    const problem = form.locator('[aria-invalid=true]').first();
    // A server that came back replaces the page: what was being sent then, or being typed, has to
    // be sent again, or typed again, as a person sees.
    const unsent = async over => {
      while (!over.yes) {
        await new Promise(done => setTimeout(done, 1500));
        const ready = form.locator('button[type=submit]:not([aria-disabled])');
        if (await ready.count() === 1 && await dialog.count() === 0 && await problem.count() === 0) return 'unsent';
      }
      return 'moved';
    };
    for (;;) {
      const over = { yes: false };
      const what = await Promise.race([
        this.until(moved, `past ${key}`).then(() => 'moved'),
        dialog.waitFor().then(() => 'dialog', () => 'gone'),
        problem.waitFor().then(() => 'problem', () => 'gone'),
        unsent(over).catch(() => 'moved')]);
      over.yes = true;
      if (moved(this.state) || what === 'gone') break;
      if (what === 'unsent') {
        await button.click({ timeout: 3000 }).catch(() => {});
        continue;
      }
      // The page may show what came of an answer before it is noted here.
      if (what === 'problem') await until('all answers are heard of', () => this.onTheWay.size === 0);
      if (what === 'problem' && again && this.sent.at(-1).first_input === null) {
        again = false;
        await enter();
        await problem.waitFor({ state: 'detached' });
        continue;
      }
      if (what === 'problem')
        throw new Error(`the form was refused: ${await form.innerText()}\n` +
          `${JSON.stringify(this.question().form)}\n${JSON.stringify(this.sent.at(-1))}`);
      if (what !== 'dialog') continue;
      await dialog.locator('button.main').click();
      await dialog.waitFor({ state: 'detached' });
    }
    await this.until(moved, `past ${key}`);
  }
  // Plays on until the study ends for it.
  async play(fill, { onState } = {}) {
    for (;;) {
      const state = await this.until(s => ['rules', 'question', 'result', 'end', 'refused'].includes(s.page),
                                     'asked or over');
      await onState?.(this);
      if (state.page === 'rules') {
        const past = this.until(s => s.page !== 'rules', 'past the rules');
        await Promise.race([this.page.locator('main.rules .buttons button.main').click(), past]);
        await past;
        continue;
      }
      if (state.page === 'question') await this.answer(fill);
      else if (state.page === 'result') {
        // Pressed again where it met no server: the page says so.
        for (let tries = 0; this.state.page === 'result' && tries < 20; ++tries) {
          // The next match of a sequence begins by itself.
          const button = this.page.locator('main.result .buttons button.main');
          const moved = this.until(s => s.page !== 'result', 'past the result');
          if (await Promise.race([button.waitFor().then(() => false), moved.then(() => true)])) break;
          await button.click({ timeout: 3000 }).catch(() => {});
          await Promise.race([this.until(s => s.page !== 'result', 'past the result'),
                              new Promise(done => setTimeout(done, 3000))]);
        }
        await this.until(s => s.page !== 'result', 'past the result');
      } else {
        // What the last answers were met with may come after the next state.
        await until('all answers are heard of', () => this.onTheWay.size === 0);
        return state;
      }
    }
  }
  // All that came to this browser, as text.
  received() { return this.page.log.received.map(r => r.body).join('\n'); }
  accepted() {
    return this.sent.filter(s => s.status === 200 && JSON.parse(s.said).accepted);
  }
}

// Every answer that a record has from a seat, by match and question.
export function answersOf(records) {
  const all = new Map();
  for (const match of records)
    for (const entry of match.record)
      if (entry.entry === 'question')
        all.set(`${match.match} ${entry.number}`, { ...entry, agent: match.agents[entry.seat] });
  return all;
}

// What a seat of a recorded match must not know: figures and texts that only others were told, and
// what they thought. `names`: of the seats, which all know.
export function secretsOf(record, seat, names) {
  const leaves = value => value === null || typeof value === 'boolean' ? []
    : typeof value === 'object' ? Object.values(value).flatMap(leaves)
    : typeof value === 'number' ? [Number.isInteger(value) ? String(value) : value.toFixed(2)] : [value];
  const hidden = new Set(), known = [...names];
  for (const entry of record) {
    const own = entry.entry === 'event'
      ? entry.audience === 'all' || entry.audience?.includes(seat) : entry.seat === seat;
    if (entry.entry === 'event' && !own && Array.isArray(entry.audience))
      for (const leaf of leaves(entry.value)) hidden.add(leaf);
    if (entry.entry === 'question' && !own)
      for (const attempt of entry.attempts ?? []) if (attempt.thought) hidden.add(attempt.thought);
    if (own) known.push(...leaves(entry.value ?? {}));
  }
  // Short figures stand everywhere.
  return [...hidden].filter(leaf => leaf.length >= 5 && !known.some(k => k.includes(leaf)));
}
