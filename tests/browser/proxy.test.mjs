// Behind nginx with TLS, by the configuration of docs/serve.md.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { atEnd, folder, freePort, source } from './agon.mjs';
import { launch, patience } from './browser.mjs';
import { anything, drawing } from './fill.mjs';
import { Participant, Session } from './people.mjs';

const has = program => {
  try { execFileSync('sh', ['-c', `command -v ${program}`], { env: { PATH: process.env.PATH + ':/usr/sbin' } }); return true; }
  catch { return false; }
};

it('people play behind a reverse proxy with TLS', { timeout: 3_000_000,
  skip: has('nginx') && has('openssl') ? false : 'there is no nginx or no openssl here' }, async t => {
  const here = folder(t);
  const port = await freePort();
  const site = `https://lab.example.org:${port}`;
  const session = await Session.start(t, here, { suite: 'proxied', seed: 2, agents: { person: 'human' },
    design: { fixed: [['person', 'person']], blocks: 1 },
    scenarios: [{ game: 'classic', set: { game: 'stag-hunt', periods: 3 } }],
    people: { title: 'Behind a proxy', contact: 'lab@example.org', participants: 2 } },
    { more: ['--public-host', site], port: await freePort() });
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=lab.example.org',
    '-keyout', here.at('lab.key'), '-out', here.at('lab.pem')], { stdio: 'ignore' });
  const documented = readFileSync(join(source, 'docs/serve.md'), 'utf8').match(/\n( {4}server \{\n[\s\S]*?\n {4}\}\n)/)[1]
    .replace('listen 443', `listen 127.0.0.1:${port}`).replace('/etc/ssl/lab.pem', here.at('lab.pem'))
    .replace('/etc/ssl/lab.key', here.at('lab.key')).replace('127.0.0.1:8123', new URL(session.url).host);
  mkdirSync(here.at('logs'));
  const file = here.write('nginx.conf', `daemon off; pid ${here.at('pid')}; error_log ${here.at('logs/error')};
    events { } http { access_log off; client_body_temp_path ${here.at('b')}; proxy_temp_path ${here.at('p')};
    fastcgi_temp_path ${here.at('f')}; uwsgi_temp_path ${here.at('u')}; scgi_temp_path ${here.at('s')};
    ${documented} }`);
  const nginx = spawn('nginx', ['-p', here.path, '-c', file, '-e', here.at('logs/error')],
    { stdio: 'ignore', env: { PATH: process.env.PATH + ':/usr/sbin' } });
  atEnd(t, () => nginx.kill());
  const browser = await launch(t, [`--host-resolver-rules=MAP lab.example.org 127.0.0.1`]);
  const links = (await session.links(2)).map(link => site + new URL(link).pathname);
  const open = async link => {
    for (const end = Date.now() + patience;;)
      try { return await Participant.open(browser, link, { context: { ignoreHTTPSErrors: true } }); }
      catch (error) {
        if (Date.now() > end) throw new Error(`${error.message}\n${readFileSync(here.at('logs/error'), 'utf8')}`);
        await new Promise(done => setTimeout(done, 200));
      }
  };
  const pages = await Promise.all(links.map(open));
  await Promise.all(pages.map(one => one.arrive()));
  await Promise.all(pages.map((one, i) => one.play(anything(drawing(i)))));
  for (const one of pages) {
    assert.equal(one.state.page, 'end');
    assert.deepEqual([...new Set(one.page.log.requests.map(url => new URL(url).origin))], [site]);
    for (const cookie of await one.page.context().cookies()) {
      assert.equal(cookie.secure, true, cookie.name);
      assert.equal(cookie.httpOnly, true, cookie.name);
    }
  }
  assert.equal((await session.records())[0].status, 'finished');
});
