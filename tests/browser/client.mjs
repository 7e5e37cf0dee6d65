// What a browser sends and gets, without one: for what pages never do, and to look behind them.
import http from 'node:http';

// One request. `headers` go over those of a page of this server; null leaves one out.
export function ask(base, method, path, { cookie, body, headers = {} } = {}) {
  const url = new URL(base);
  const data = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const all = { Host: url.host, Origin: url.origin, ...(cookie ? { Cookie: cookie } : {}),
    ...(data === undefined ? {} : { 'Content-Type': 'application/json',
                                    'Content-Length': String(Buffer.byteLength(data)) }), ...headers };
  for (const [name, value] of Object.entries(all)) if (value === null) delete all[name];
  return new Promise((done, fail) => {
    const request = http.request({ host: url.hostname, port: url.port, method, path, headers: all,
      agent: false, setHost: false }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', piece => { text += piece; }).on('error', fail)
        .on('end', () => done({ status: response.statusCode, headers: response.headers, text,
          cookie: (response.headers['set-cookie'] ?? []).map(c => c.split(';')[0]).join('; '),
          json: () => JSON.parse(text) }));
    }).on('error', fail);
    request.end(data);
  });
}

// A stream of events, as an async iterator of {name, data}; `close()` ends it.
export function events(base, path, cookie) {
  const url = new URL(base);
  const waiting = [];
  let text = '', wake = () => {}, over = false, status = 0;
  const request = http.get({ host: url.hostname, port: url.port, path, agent: false, headers:
    { Accept: 'text/event-stream', ...(cookie ? { Cookie: cookie } : {}) } }, response => {
    status = response.statusCode;
    if (status !== 200) { over = true; response.resume(); wake(); return; }
    response.setEncoding('utf8').on('data', piece => {
      text += piece;
      for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
        const lines = text.slice(0, end).split('\n');
        const of = name => lines.filter(l => l.startsWith(name + ':'))
          .map(l => l.slice(name.length + 1).replace(/^ /, '')).join('\n');
        if (of('event')) waiting.push({ name: of('event'), data: JSON.parse(of('data')) });
      }
      wake();
    }).on('close', () => { over = true; wake(); });
  }).on('error', () => { over = true; wake(); });
  return {
    status: () => status,
    close: () => request.destroy(),
    async next() {
      while (waiting.length === 0) {
        if (over) return { done: true, value: undefined };
        await new Promise(done => { wake = done; });
      }
      return { done: false, value: waiting.shift() };
    },
    [Symbol.asyncIterator]() { return this; },
    async return() { request.destroy(); return { done: true, value: undefined }; },
  };
}

// A cookie for the link that the command prints, or that a participant has; and where it leads to.
export async function enter(base, link) {
  const url = new URL(link, base);
  const answer = await ask(base, 'GET', url.pathname + url.search);
  // Either way: a redirect, or a page that goes on by itself, for cookies that are kept to this site.
  const page = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(answer.text);
  return { ...answer, to: answer.headers.location ?? page?.[1] };
}
