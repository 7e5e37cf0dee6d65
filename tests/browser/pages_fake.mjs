// Stands in for `agon serve`: serves the pages as they are in the tree, under the same headers, and
// says to them what a test says. Nothing of a session is here, only its contract.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { quiz, readings } from './pages_states.mjs';

const page = new URL('../../core/src/serve/page/', import.meta.url).pathname;
const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript',
                '.svg': 'image/svg+xml', '.json': 'application/json' };
const headers = {
  'Content-Security-Policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store',
};

// Texts of the server, as its source has them: `name = "..." "...";`.
const server = readFileSync(new URL('../../core/src/serve/people/pages/guarded_page.cpp', import.meta.url), 'utf8');
const textOf = name => [...new RegExp(`${name} =((?:\\s*"(?:[^"\\\\]|\\\\.)*")+);`).exec(server)[1]
  .matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(part => JSON.parse(`"${part[1]}"`)).join('');

// A stage's own page as the server sends it: only its scripts run, behind what takes calls away.
const guarded = page => {
  const digests = [];
  const html = page.replace(/(<script[^>]*>)([^]*?)(?=<\/script)/gi, (all, tag, script) => {
    const text = textOf('kBeforeEachScript') + script;
    digests.push(` 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    return tag + text;
  });
  return { html: '<!doctype html>\n' + html,
           policy: textOf('kPolicyOfPages') + (digests.join('') || " 'none'") };
};

// startFake() -> the fake: state is what a participant's page is told, session what the
// researcher's is; tell() sends them; refused is a set of paths that get a 503, and turnedAway has
// those that did; held has promises by path, which answers wait for; away(yes) cuts all connections,
// as if it were killed, and those that come meanwhile; dos, answers and forms are what pages
// sent; onDo(what), onAnswer(answer) and onForm(form) may return {status, body}.
export const startFake = async () => {
  const fake = { state: null, session: null, refused: new Set(), turnedAway: new Set(), held: new Map(),
                 streams: [], dos: [], answers: [], chat: [], chats: [], stagePage: '', forms: [], deaf: false, unheard: [],
                 onDo: () => ({ status: 204 }), onAnswer: () => ({ status: 200, body: { accepted: true } }),
                 onForm: () => ({ status: 200, body: { accepted: true } }) };

  const event = (stream, name, data) =>
    stream.response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  // What is new of a match on this stream.
  const tellOne = stream => {
    if (stream.what === 'session') return event(stream, 'session', fake.session);
    const { match, ...rest } = fake.state;
    if (!match) return event(stream, 'state', rest);
    const from = stream.match === match.key ? stream.told : 0;
    stream.match = match.key;
    stream.told = match.told.length;
    event(stream, 'state', { ...rest, match: { ...match, from, told: match.told.slice(from) } });
    if (match.chat) event(stream, 'chat', { match: match.key, from: 0, lines: fake.chat });
  };
  fake.tell = change => {
    Object.assign(fake.state ?? {}, change);
    fake.streams.forEach(tellOne);
  };
  fake.say = (name, data) => { for (const one of fake.streams) event(one, name, data); };
  // Ends what was opened while nothing came through.
  fake.hangUp = () => { for (const response of fake.unheard.splice(0)) response.destroy(); };
  const stream = (what, tab, response) => {
    if (fake.deaf) return fake.unheard.push(response);
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
    response.write('retry: 1000\n\n');
    for (const other of fake.streams.filter(s => what === 'state' && s.tab !== tab)) {
      event(other, 'elsewhere', {});
      other.response.end();
    }
    const mine = { what, tab, response };
    fake.streams = [...fake.streams.filter(s => what === 'session' || s.tab === tab), mine];
    response.on('close', () => { fake.streams = fake.streams.filter(s => s !== mine); });
    tellOne(mine);
  };
  const file = (name, response) => {
    try {
      const bytes = readFileSync(join(page, normalize('/' + name)));
      response.writeHead(200, { ...headers, 'Content-Type': types[extname(name)] ?? 'text/plain' });
      response.end(bytes);
    } catch {
      response.writeHead(404, headers).end();
    }
  };
  const answer = (response, { status, body }) => {
    response.writeHead(status, { ...headers, 'Content-Type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };

  const handle = async (request, response) => {
    const url = new URL(request.url, 'http://fake');
    if (fake.refused.has(url.pathname)) {
      fake.turnedAway.add(url.pathname);
      return response.writeHead(503, headers).end();
    }
    await fake.held.get(url.pathname);
    if (request.method === 'POST') {
      let text = '';
      for await (const chunk of request) text += chunk;
      const what = JSON.parse(text);
      if (url.pathname.endsWith('/chat')) {
        fake.chats.push(what);
        return answer(response, fake.onAnswer(what));
      }
      if (url.pathname.endsWith('/answer')) {
        fake.answers.push(what);
        return answer(response, fake.onAnswer(what));
      }
      if (url.pathname.endsWith('/form')) {
        fake.forms.push(what);
        return answer(response, fake.onForm(what));
      }
      fake.dos.push(what);
      return answer(response, fake.onDo(what));
    }
    const asset = /^\/(assets|texts)\/(.+)$/.exec(url.pathname);
    if (asset) return file(asset[1] === 'texts' ? 'texts/' + asset[2] : asset[2], response);
    if (url.pathname === '/p/1/') return file('participant/participant.html', response);
    if (url.pathname === '/p/1/stage') {
      const { html, policy } = guarded(fake.stagePage);
      response.writeHead(200, { ...headers, 'Content-Type': types['.html'], 'Content-Security-Policy': policy });
      return response.end(html);
    }
    if (url.pathname === '/session/') return file('researcher/session.html', response);
    if (url.pathname === '/room/lab') return file('participant/door.html', response);
    if (url.pathname === '/room/lab/about')
      return answer(response, { status: 200, body: { title: 'A study', contact: '', language: 'en' } });
    if (url.pathname === '/p/1/events')
      return stream('state', url.searchParams.get('tab'), response);
    if (url.pathname === '/session/events') return stream('session', null, response);
    const text = /^\/p\/1\/(reading|quiz|picture)\/(\d+)$/.exec(url.pathname);
    if (text?.[1] === 'picture') return file('icon.svg', response);
    if (text) return answer(response, { status: 200, body: text[1] === 'quiz' ? quiz : readings[text[2]] });
    if (url.pathname === '/session/qr.svg') return file('icon.svg', response);
    response.writeHead(404, headers).end();
  };
  // While it is away its port stays its own.
  let gone = false;
  const server = createServer((request, response) => void handle(request, response));
  server.on('connection', socket => { if (gone) socket.resetAndDestroy(); });
  fake.away = yes => {
    gone = yes;
    if (yes) server.closeAllConnections();
  };
  fake.stop = () => new Promise(stopped => {
    server.close(stopped);
    server.closeAllConnections();
  });
  await new Promise(started => server.listen(0, '127.0.0.1', started));
  fake.url = `http://127.0.0.1:${server.address().port}`;
  return fake;
};
