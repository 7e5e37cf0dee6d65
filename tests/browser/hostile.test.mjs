// What no page sends, sent to a session with people.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { agon, folder } from './agon.mjs';
import { ask, enter, events } from './client.mjs';
import { drawing, typed } from './fill.mjs';
import { Session, answersOf } from './people.mjs';

// A participant without a browser.
class Client {
  constructor(session, link) { Object.assign(this, { session, link, tab: 't' + Math.random().toString(36).slice(2) }); }
  async enter() {
    const { cookie, to, status } = await enter(this.session.url, this.link);
    assert.ok(cookie && to, `${status} for a link`);
    Object.assign(this, { cookie, at: to, wakes: [] });
    this.look();
    return this;
  }
  post(what, body, more = {}) {
    return ask(this.session.url, 'POST', this.at + what, { cookie: this.cookie, body, ...more });
  }
  // Its page: open until the session is over, as somebody without one is not here.
  async look() {
    for await (const { name, data } of events(this.session.url, `${this.at}events?tab=${this.tab}`, this.cookie)) {
      // As a page says when it is asked: who says nothing for long is gone.
      if (name === 'here') this.post('do', { do: 'here', tab: this.tab }).catch(() => {});
      if (name !== 'state') continue;
      this.state = data;
      this.wakes.splice(0).forEach(wake => wake());
    }
  }
  async until(wanted) {
    while (this.state === undefined || !wanted(this.state)) await new Promise(wake => this.wakes.push(wake));
    return this.state;
  }
  async arrive() {
    for (const [page, what] of [['welcome', 'begin'], ['consent', 'agree'], ['instructions', 'understood']]) {
      const state = await this.until(s => s.page !== undefined);
      if (state.page !== page) continue;
      const { status } = await this.post('do', { do: what, tab: this.tab });
      assert.equal(status, 204);
      await this.until(s => s.page !== page);
    }
    return this;
  }
  asked() { return this.until(s => s.page === 'question'); }
  answerTo(state, change = {}) {
    const { question, key } = state.match;
    return { match: key, question: question.number, attempt: question.attempt,
             typed: typed(question.form, drawing(1)), confirmed: true, skip: false, thought: '',
             shown: 10, first_input: 5, tab: this.tab, ...change };
  }
}

describe('hostile requests', { timeout: 3_000_000 }, () => {
  const ending = [], suite = { after: f => ending.push(f) };
  let session, ann, bob, link;
  before(async () => {
    const here = folder(suite);
    here.write('consent.txt', 'You agree.');
    session = await Session.start(suite, here, { suite: 'hostile', seed: 1,
      agents: { person: 'human' }, design: { fixed: [['person', 'person']], blocks: 2 },
      scenarios: [{ game: 'classic', set: { game: 'prisoners-dilemma', periods: 6 } }],
      people: { title: 'Hostile', contact: 'nobody', consent: 'consent.txt', participants: 3 } });
    const links = await session.links(3);
    link = links[0];
    ann = await (await new Client(session, links[0]).enter()).arrive();
    bob = await (await new Client(session, links[1]).enter()).arrive();
  });
  after(async () => { for (const f of ending.reverse()) await f(); });

  it('a forged token, an unknown page and no cookie are told apart by nobody', async () => {
    const forged = link.replace(/.{6}$/, 'AAAAAA');
    const paths = [new URL(forged).pathname, '/join/', '/join/x', '/p/nobody/', '/p/nobody/events?tab=1'];
    const answers = [];
    for (const path of paths) answers.push(await ask(session.url, 'GET', path));
    answers.push(await ask(session.url, 'GET', ann.at + 'events?tab=1'));  // no cookie
    answers.push(await ask(session.url, 'GET', bob.at + 'events?tab=1', { cookie: ann.cookie }));
    answers.push(await ask(session.url, 'POST', bob.at + 'do', { cookie: ann.cookie, body: { do: 'leave', tab: 't' } }));
    for (const [i, answer] of answers.entries())
      assert.ok([403, 404].includes(answer.status), `${paths[i] ?? i}: ${answer.status} ${answer.text}`);
    assert.equal(new Set(answers.slice(0, 2).map(a => a.text)).size, 1);
    // A link that is only looked at, as previews do, begins nothing.
    assert.notEqual((await bob.until(() => true)).page, 'refused');
  });

  it('what is the researcher’s is closed to participants and strangers', async () => {
    for (const path of ['/session/', '/session/events', '/session/payments.csv', '/session/answers.csv',
                        '/session/qr.svg?of=/join/x', '/api/archive', '/api/matches', '/'])
      for (const cookie of [undefined, ann.cookie]) {
        const { status } = await ask(session.url, 'GET', path, { cookie });
        assert.ok([401, 403, 404].includes(status), `${path}: ${status}`);
      }
    for (const what of ['end', 'pause', 'add', 'login-link']) {
      const { status } = await ask(session.url, 'POST', '/session/do', { cookie: ann.cookie, body: { do: what, n: 1 } });
      assert.ok([401, 403, 404].includes(status), `${what}: ${status}`);
    }
    assert.equal((await session.told()).state, 'open');
  });

  it('other origins, other hosts and forms get nowhere', async () => {
    const state = await ann.asked();
    for (const headers of [{ Origin: 'http://evil.example' }, { Origin: 'null' }, { Host: 'evil.example' },
                           { 'Content-Type': 'application/x-www-form-urlencoded' },
                           { 'Content-Type': 'text/plain' }, { Origin: null, 'Sec-Fetch-Site': 'cross-site' }]) {
      const { status } = await ann.post('answer', ann.answerTo(state), { headers });
      assert.ok([400, 403, 415, 421].includes(status), `${JSON.stringify(headers)}: ${status}`);
    }
    const page = await ask(session.url, 'GET', ann.at, { cookie: ann.cookie });
    assert.match(page.headers['content-security-policy'], /default-src 'self'/);
    assert.doesNotMatch(page.headers['content-security-policy'], /unsafe/);
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    assert.match(page.headers['cache-control'], /no-store|no-cache/);
    for (const cookie of (await enter(session.url, link)).headers['set-cookie']) {
      assert.match(cookie, /HttpOnly/i);
      assert.match(cookie, /SameSite=(Strict|Lax)/i);
    }
  });

  it('what is typed may be anything, and is refused with its place', async () => {
    const state = await ann.asked();
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    const whole = ann.answerTo(state);
    for (const body of ['', '{', 'null', '[]', '"x"', '{}', deep, '\u0000', '{"typed":' + deep + '}',
                        { ...whole, match: 3 }, { ...whole, question: -1 }, { ...whole, question: 1e300 },
                        { ...whole, attempt: 'x' }, { ...whole, typed: deep }, { ...whole, typed: [[[]]] },
                        JSON.stringify({ ...whole, typed: 0 }).replace('"typed":0', '"typed":{"constructor":1,"__proto__":{"action":"x"}}'), { ...whole, typed: 'x'.repeat(500_000) },
                        { ...whole, typed: null }, { ...whole, typed: 3, confirmed: 'yes' }, { ...whole, typed: {}, shown: -5 },
                        { ...whole, typed: { action: 'x'.repeat(100_000) } },
                        { ...whole, typed: {}, thought: 'é水'.repeat(100_000) }]) {
      const { status, text } = await ann.post('answer', body);
      const words = JSON.stringify(body).slice(0, 80);
      assert.ok(status >= 400 && status < 500, `${words}: ${status} ${text.slice(0, 200)}`);
      if (status === 422) for (const problem of JSON.parse(text).problems) {
        assert.equal(typeof problem.path, 'string', words);
        assert.ok(problem.problem.length > 3 && problem.problem.length < 2000, words);
      }
    }
    assert.equal((await ann.post('answer', 'x'.repeat(3 << 20)).catch(() => ({ status: 413 }))).status, 413);
    // Nothing of this was an attempt.
    const now = await ann.asked();
    assert.deepEqual([now.match.question.number, now.match.question.attempt],
                     [state.match.question.number, state.match.question.attempt]);
  });

  it('somebody else’s question is not there, an answer counts once, a late one not at all', async () => {
    const first = await ann.asked();
    const sent = ann.answerTo(first);
    const strange = await bob.post('answer', { ...sent, tab: bob.tab });
    assert.ok([404, 409].includes(strange.status), `${strange.status}: ${strange.text}`);
    assert.equal((await bob.post('answer', { ...sent, match: 'f'.repeat(32), tab: bob.tab })).status, 404);
    // Many at once, as a finger on a phone without a connection does.
    const answers = await Promise.all(Array.from({ length: 8 }, () => ann.post('answer', sent)));
    assert.ok(answers.some(a => a.status === 200), answers.map(a => a.status).join());
    for (const { status } of answers) assert.ok([200, 409, 429].includes(status), String(status));
    const other = await ann.post('answer', { ...sent, typed: typed(first.match.question.form, drawing(9)) });
    assert.ok([200, 409].includes(other.status), String(other.status));
    // Long after.
    const second = await bob.asked();
    assert.equal((await bob.post('answer', bob.answerTo(second))).status, 200);
    const later = await ann.until(s => s.page === 'question' && s.match.question.number !== first.match.question.number);
    assert.ok([200, 409].includes((await ann.post('answer', sent)).status));
    assert.deepEqual((await ann.asked()).match.question.number, later.match.question.number);
    // Of the future.
    assert.ok([404, 409].includes((await ann.post('answer', ann.answerTo(later,
      { question: later.match.question.number + 40 }))).status));
  });

  it('a match that was played through all this has every answer once', async () => {
    const given = new Map();
    const play = async one => {
      for (;;) {
        const state = await one.until(s => ['question', 'result', 'end'].includes(s.page));
        if (state.page !== 'question') return;
        const sent = one.answerTo(state);
        const { status, text } = await one.post('answer', sent);
        assert.ok([200, 409].includes(status), `${status} ${text}`);
        if (status === 200) given.set(`${sent.match} ${sent.question}`, sent);
        await one.until(s => s.page !== 'question' || s.match.question.number !== sent.question ||
                             s.match.question.attempt !== sent.attempt);
      }
    };
    await Promise.all([play(ann), play(bob)]);
    const records = await session.records();
    const answers = answersOf(records.filter(r => r.status === 'finished'));
    assert.ok(given.size >= 10);
    for (const [where, sent] of given) {
      const kept = answers.get(where);
      assert.ok(kept, `the record has no ${where}`);
      assert.equal(kept.forced, false);
      assert.deepEqual(kept.value, sent.typed);
    }
    const { out } = await agon(['replay', session.archive]);
    assert.doesNotMatch(out, /differ/);
  });
});

it('a port that is taken and an address that is not there are said', { timeout: 3_000_000 }, async t => {
  const here = folder(t);
  const file = here.write('s.json', { suite: 's', agents: { person: 'human' },
    design: { fixed: [['person', 'person']], blocks: 1 }, scenarios: [{ game: 'bargaining' }],
    people: { participants: 2 } });
  const session = await Session.start(t, here, JSON.parse((await import('node:fs')).readFileSync(file, 'utf8')));
  const port = new URL(session.url).port;
  const fails = async args => {
    const failed = await agon(['serve', file, '--people', '--out', here.at('other.agon'), ...args]).then(
      () => { throw new Error('it went well'); }, error => error.message);
    return failed;
  };
  assert.match(await fails(['--port', port]), new RegExp(`${port}.*taken|taken.*${port}`));
  assert.match(await fails(['--address', '203.0.113.7', '--port', '0']), /address/);
  assert.match(await fails(['--address', 'nowhere', '--port', '0']), /address/);
  // The archive of a session that goes on is its own.
  const second = await agon(['serve', file, '--people', '--port', '0', '--out', session.archive]).then(
    () => 'it went well', error => error.message);
  assert.match(second, /session|in use|another|written|locked/i);
});
