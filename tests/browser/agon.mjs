// The command, as a test calls it.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const build = resolve(process.env.AGON_BUILD ?? 'build');
export const source = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const program = join(build, 'bin/agon');

// What a test does at its end, the last first: a server ends before its folder goes. A step that fails
// keeps no other from being taken: a server that stays would keep the tests from ending.
const steps = new WeakMap();
export function atEnd(t, step) {
  if (steps.has(t)) { steps.get(t).push(step); return; }
  const taken = [step];
  steps.set(t, taken);
  t.after(async () => {
    const errors = [];
    while (taken.length > 0)
      try { await taken.pop()(); } catch (error) { errors.push(error); }
    if (errors.length > 0) throw errors[0];
  });
}

// A folder of its own that goes when the test ends.
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'agon-browser-'));
  atEnd(t, () => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    at: name => join(path, name),
    write(name, content) {
      writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
      return join(path, name);
    },
  };
}

// A port that stays free until it is listened at: below those that a system gives to whoever asks for any.
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(20_000 * Math.random());
    const server = createServer();
    const mine = await new Promise(done => server.on('error', () => done(false))
      .listen(port, '127.0.0.1', () => done(true)));
    if (!mine) continue;
    await new Promise(done => server.close(done));
    return port;
  }
}

// Runs it to its end; what it printed. Another exit code than 0 is an error, unless it is wanted.
export function agon(args, { cwd, code = 0, env = {} } = {}) {
  return new Promise((done, fail) => {
    execFile(program, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 28 },
      (error, out, err) => {
        const found = error ? error.code : 0;
        if (found === code) done({ out, err });
        else fail(new Error(`agon ${args.join(' ')} ended with ${found}\n${err}`));
      });
  });
}

// The server, until the test ends: where it is and the link that lets one in, as it prints them.
export async function serve(t, args, { cwd, env = {} } = {}) {
  const child = spawn(program, ['serve', ...args, '--json'],
    { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise(done => child.on('exit', (code, signal) => done({ code, signal })));
  atEnd(t, async () => { child.kill('SIGKILL'); await ended; });
  let out = '', err = '';
  child.stderr.on('data', data => { err += data; });
  const said = await new Promise((done, fail) => {
    child.stdout.on('data', data => {
      out += data;
      let said;
      try { said = JSON.parse(out); } catch { return; }  // the rest is still to come
      if (said.url) done(said); else fail(new Error(`agon serve ${args.join(' ')}: ${out}`));
    });
    ended.then(how => fail(new Error(`agon serve ${args.join(' ')} ended with ` +
      `${how.code ?? how.signal}\n${out}${err}`)));
  });
  return { ...said, pid: child.pid, ended, err: () => err, kill: signal => { child.kill(signal); return ended; } };
}
