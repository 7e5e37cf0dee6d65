// The form of every stage of every game, filled with the keyboard: a test of the seam writes the
// forms down, and reads what comes of them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { build, folder, source } from './agon.mjs';
import { accessible, fits, launch, open, phone } from './browser.mjs';
import { drawing, typed } from './fill.mjs';

const pages = join(source, 'core/src/serve/page');
const isLine = node => ['integer', 'money', 'number', 'text'].includes(node.kind);

// With AGON_FORMS the test writes the forms that it meets to a folder, and reads what was typed.
const seam = forms => new Promise((done, fail) => execFile(join(build, 'bin/test_seam'),
  ['every stage of every game*'], { env: { ...process.env, AGON_FORMS: forms }, maxBuffer: 1 << 26 },
  (error, out) => error ? fail(new Error(out.slice(0, 4000))) : done(out)));

const step = name => '/' + String(name).replaceAll('~', '~0').replaceAll('/', '~1');
const entry = (page, path, part = '') =>
  page.locator(`[id="${'entry' + encodeURIComponent(path) + part}"]`);

const press = async (page, path, part) => {
  const button = entry(page, path, part);
  await button.focus();
  await page.keyboard.press('Space');
  if (await button.getAttribute('type') === 'radio') assert.ok(await button.isChecked());
};

// Types a tree into the form on the page.
const enter = async (page, node, tree, path = '') => {
  switch (node.kind) {
    case 'struct':
      for (const field of node.fields)
        await enter(page, field.node, tree[field.name], path + step(field.name));
      return;
    case 'boolean': return press(page, path, `-${node.choices.indexOf(tree ? 'yes' : 'no')}`);
    case 'choice':
      return press(page, path, `-${node.choices.findIndex(choice => choice.name === tree)}`);
    case 'variant': {
      const place = node.choices.findIndex(choice => choice.name === tree.kind);
      await press(page, path + '/kind', `-${place}`);
      return enter(page, node.choices[place].node, tree, path);
    }
    case 'optional':
      if (node.may_be_present && node.may_be_absent)
        await press(page, path, tree === null ? '-there-1' : '-there-0');
      return tree === null ? undefined : enter(page, node.node, tree, path);
    case 'list':
      for (const [i, item] of tree.entries()) {
        if (i >= node.min) await press(page, path, '-add');
        await enter(page, node.node, item, path + step(i));
      }
      return;
    case 'map':
      for (const [key, value] of Object.entries(tree)) {
        if (node.keys === null) {
          await entry(page, path, '-name').focus();
          await page.keyboard.insertText(key);
          await press(page, path, '-add');
        }
        await enter(page, node.node, value, path + step(key));
      }
      return;
    default:
      await entry(page, path).focus();
      await page.keyboard.press('Control+A');
      return tree === '' ? page.keyboard.press('Delete') : page.keyboard.insertText(tree);
  }
};

const document = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A form</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/page.css"><link rel="stylesheet" href="/assets/participant/participant.css">
<link rel="stylesheet" href="/assets/form.css"><link rel="icon" href="/assets/icon.svg">
<script type="module" src="/trial.js"></script>
<main id="page"></main></html>`;
const script = `
import { html, render, useState } from '/assets/vendor/preact.js';
import { Form, blankTree } from '/assets/form.js';
import { loadTexts } from '/assets/texts.js';
await loadTexts(['en']);
const Trial = ({ title, form }) => {
  const [typed, setTyped] = useState(null);
  const [problems, setProblems] = useState([]);
  const send = async event => {
    event.preventDefault();
    const body = JSON.stringify(typed ?? blankTree(form));
    setProblems((await (await fetch('/answer', { method: 'POST', body })).json()).problems);
    window.answered = (window.answered ?? 0) + 1;
  };
  return html\`<form onSubmit=\${send}><h1 id="title">\${title}</h1>
    <\${Form} form=\${form} typed=\${typed} problems=\${problems} onChange=\${setTyped} />
    <button type="submit" id="send">Send</button></form>\`;
};
render(html\`<\${Trial} ...\${await (await fetch('/form')).json()} />\`, document.getElementById('page'));`;

// A page with one form that takes whatever is sent. given: {form, problems, got(tree)}.
const serveForms = async (t, given) => {
  const types = { js: 'text/javascript', css: 'text/css', json: 'application/json', html: 'text/html',
    svg: 'image/svg+xml' };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://page').pathname;
    const send = (type, body) => {
      response.writeHead(200, { 'Content-Type': `${types[type]}; charset=utf-8`,
        'Content-Security-Policy': "default-src 'self'" });
      response.end(body);
    };
    if (path === '/') return send('html', document);
    if (path === '/trial.js') return send('js', script);
    if (path === '/form') return send('json', JSON.stringify(given.form));
    if (path === '/answer') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      given.got(JSON.parse(Buffer.concat(chunks).toString()));
      return send('json', JSON.stringify({ problems: given.problems }));
    }
    const file = join(pages, path.startsWith('/assets/') ? path.slice('/assets'.length) : path);
    if (existsSync(file)) return send(file.split('.').pop(), readFileSync(file));
    response.writeHead(404);
    response.end();
  });
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  t.after(() => { server.closeAllConnections(); server.close(); });
  return `http://127.0.0.1:${server.address().port}/`;
};

it('every stage of every game is filled with the keyboard, and read', { timeout: 3_000_000 }, async t => {
  const forms = folder(t).path;
  await seam(forms);
  const given = {};
  const url = await serveForms(t, given);
  const page = await open(await launch(t), phone);
  // Until the page has heard of it: answers that overtake each other are no matter of forms.
  const send = async problems => {
    const before = await page.evaluate(() => window.answered ?? 0);
    given.problems = problems;
    const sent = new Promise(got => { given.got = got; });
    await page.locator('#send').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(n => window.answered > n, before);
    return sent;
  };
  const names = readdirSync(forms).filter(name => name.endsWith('.form.json')).sort();
  assert.ok(names.length > 60, `${names.length} forms`);
  let several = 0;
  for (const [i, file] of names.entries()) {
    const name = file.replace('.form.json', '');
    given.form = JSON.parse(readFileSync(join(forms, file), 'utf8'));
    const { form } = given.form;
    await page.goto(url);
    await page.locator('#send').waitFor();

    const tree = typed(form, drawing(i + 1));
    await enter(page, form, tree);
    const got = await send([]);
    assert.deepEqual(got, tree, name);
    writeFileSync(join(forms, `${name}.typed.json`), JSON.stringify(got));

    // A browser fills in several entries before the page is drawn again: all of them count.
    const lines = form.fields.filter(one => isLine(one.node)).map(one => one.name);
    if (lines.length > 1) {
      several += 1;
      await page.evaluate(ids => ids.forEach((id, n) => {
        const line = document.getElementById(id);
        line.value = `${n + 1}`;
        line.dispatchEvent(new Event('input', { bubbles: true }));
      }), lines.map(one => 'entry' + encodeURIComponent(step(one))));
      const filled = await send([]);
      assert.deepEqual(lines.map(one => filled[one]), lines.map((_, n) => `${n + 1}`), name);
    }

    // Each entry has a name for who does not see the page.
    const nameless = await page.locator('.form :is(input, textarea, [role=radiogroup])').evaluateAll(
      entries => entries.filter(one => !one.labels?.length && !one.ariaLabel &&
        !document.getElementById(one.getAttribute('aria-labelledby'))?.textContent).length);
    assert.equal(nameless, 0, `${name}: entries without a name`);

    // What is wrong stands beside its entry, which has the focus and says so; what is wrong with a
    // place that is not shown stands above.
    const field = form.fields.find(one => isLine(one.node));
    if (field !== undefined) {
      const path = step(field.name);
      await send([{ path, problem: 'too much by far' }]);
      await page.locator('.problem').waitFor();
      await page.waitForFunction(id => document.activeElement.id === id, 'entry' + encodeURIComponent(path));
      assert.equal(await entry(page, path).getAttribute('aria-invalid'), 'true');
      const told = (await entry(page, path).getAttribute('aria-describedby')).split(' ');
      const words = await Promise.all(told.map(id => page.locator(`[id="${id}"]`).textContent()));
      assert.ok(words.some(word => word.includes('too much by far')), name);
      await page.keyboard.type('5');
      await page.locator('.problem').waitFor({ state: 'detached' });
    }
    await send([{ path: '/no/such/place', problem: 'not known here' }]);
    await page.getByText('not known here').waitFor();
    if (!name.endsWith('.0')) continue;
    await fits(page, name);
    await accessible(page, name);
  }
  assert.ok(several > 0, 'no form has two lines');
  assert.deepEqual(page.log.problems, []);
  const read = await seam(forms);
  assert.match(read, new RegExp(`${names.length} answers that were typed in a browser were read`));
});
