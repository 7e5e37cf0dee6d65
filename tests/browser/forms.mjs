// Fills the form of a question by what stands on the page, as a person would: by label, keyboard
// and mouse. Run by itself, with a folder of forms that `test_seam` wrote (AGON_FORMS), it fills
// them all and writes what comes of it beside them, for `test_seam` to read:
//
//     mkdir F; AGON_FORMS=F test_seam "every stage of every game*"
//     node forms.mjs SOURCE F; AGON_FORMS=F test_seam "every stage of every game*"
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Numbers that are the same at each run (mulberry32).
export const dice = seed => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const below = (random, n) => Math.floor(random() * n);

const step = name => '/' + String(name).replaceAll('~', '~0').replaceAll('/', '~1');
const entry = (page, path, part = '') =>
  page.locator(`[id="${'entry' + encodeURIComponent(path) + part}"]`);

const withCommas = text => text.replace(/^(-?\d+)/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ','));

const number = (node, most, random) => {
  const lo = node.min ?? Math.min(0, most ?? 0), hi = most ?? lo + 2000;
  if (node.kind === 'integer') return String(Math.floor(lo + random() * (hi - lo + 1)));
  // Amounts between whole cents of both bounds.
  const cents = Math.round(lo * 100) + below(random, Math.round((hi - lo) * 100) + 1);
  const text = (Math.min(Math.max(cents / 100, lo), hi)).toFixed(2);
  return node.kind !== 'money' ? text : ['$' + withCommas(text), text, withCommas(text)][below(random, 3)];
};

const words = ['fair', 'deal', '<b>no</b>', 'größer', '水', '🙂', '"so"', '&amp;', '{x}'];
const text = (node, random) => {
  const all = Array.from({ length: below(random, 12) }, () => words[below(random, words.length)]);
  const signs = [...all.join(' ')].slice(0, node.max ?? 1000);
  while (signs.length < node.min) signs.push('x');
  return signs.join('');
};

const choose = async (page, path, part, place) => {
  const button = entry(page, path, `${part}-${place}`);
  await button.focus();
  await page.keyboard.press('Space');
  assert.ok(await button.isChecked());
};

// Types one random answer into the form on the page; gives the tree that it stands for. A list
// gets as many elements as it must have, and now and then one more.
export const fillForm = async (page, node, random, path = '', most = node.max) => {
  switch (node.kind) {
    case 'struct': {
      const tree = {};
      for (const field of node.fields)
        tree[field.name] = await fillForm(page, field.node, random, path + step(field.name));
      return tree;
    }
    case 'integer': case 'money': case 'number': case 'text': {
      const typed = node.kind === 'text' ? text(node, random) : number(node, most, random);
      await entry(page, path).fill('');
      await entry(page, path).focus();
      await page.keyboard.insertText(typed);
      return typed;
    }
    case 'boolean': {
      const place = below(random, node.choices.length);
      await choose(page, path, '', place);
      return node.choices[place] === 'yes';
    }
    case 'choice': {
      const place = below(random, node.choices.length);
      await choose(page, path, '', place);
      return node.choices[place].name;
    }
    case 'variant': {
      const place = below(random, node.choices.length);
      await choose(page, path + '/kind', '', place);
      const choice = node.choices[place];
      return { kind: choice.name, ...await fillForm(page, choice.node, random, path) };
    }
    case 'optional': {
      if (!node.may_be_present) return null;
      if (node.may_be_absent) {
        const absent = below(random, 2);
        await choose(page, path, '-there', absent);
        if (absent) return null;
      }
      return fillForm(page, node.node, random, path);
    }
    case 'list': {
      const items = [];
      const n = Math.min(node.max ?? Infinity, node.min + below(random, 3));
      for (let i = 0; i < n; ++i) {
        if (i >= node.min) await entry(page, path, '-add').click();
        const highest = node.each ? Math.min(node.each[i], node.node.max ?? Infinity) : node.node.max;
        items.push(await fillForm(page, node.node, random, path + step(i), highest));
      }
      return items;
    }
    case 'map': {
      const keys = node.keys ?? Array.from({ length: Math.max(node.min, 1) }, (_, i) => `name ${i}`);
      const tree = {};
      for (const key of keys) {
        if (node.keys === null) {
          await entry(page, path, '-name').fill(key);
          await entry(page, path, '-add').click();
        }
        tree[key] = await fillForm(page, node.node, random, path + step(key));
      }
      return tree;
    }
  }
  throw new Error(`a form has no ${node.kind}`);
};

const trialPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A form</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/page.css"><link rel="stylesheet" href="/assets/form.css">
<script type="module" src="/trial.js"></script>
<main id="page"></main></html>`;
const trialScript = `
import { html, render, useState } from '/assets/vendor/preact.js';
import { Form, blankTree } from '/assets/form.js';
import { loadTexts } from '/assets/texts.js';
await loadTexts(['en']);
const Trial = ({ title, form }) => {
  const [typed, setTyped] = useState(null);
  const [problems, setProblems] = useState([]);
  const send = async event => {
    event.preventDefault();
    const answer = await fetch('/answer', { method: 'POST', body: JSON.stringify(typed ?? blankTree(form)) });
    setProblems((await answer.json()).problems);
  };
  return html\`<form onSubmit=\${send}><h1 id="title">\${title}</h1>
    <\${Form} form=\${form} typed=\${typed} problems=\${problems} onChange=\${setTyped} />
    <button type="submit" id="send">Send</button></form>\`;
};
render(html\`<\${Trial} ...\${await (await fetch('/form')).json()} />\`, document.getElementById('page'));`;

// A page with one form, which takes whatever is sent. given: what it shows and says next.
const serve = async (folder, given) => {
  const types = { js: 'text/javascript', css: 'text/css', json: 'application/json', html: 'text/html' };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    const send = (type, body) => {
      response.writeHead(200, { 'Content-Type': `${types[type]}; charset=utf-8`,
        'Content-Security-Policy': "default-src 'self'" });
      response.end(body);
    };
    if (path === '/') return send('html', trialPage);
    if (path === '/trial.js') return send('js', trialScript);
    if (path === '/form') return send('json', JSON.stringify(given.form));
    if (path === '/answer') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      given.got = JSON.parse(Buffer.concat(chunks).toString());
      return send('json', JSON.stringify({ problems: given.problems }));
    }
    const found = path.startsWith('/texts/') ? join(folder, path)
      : path.startsWith('/assets/') ? join(folder, path.slice('/assets/'.length)) : '';
    if (found !== '' && existsSync(found))
      return send(found.split('.').pop(), await readFile(found));
    response.writeHead(404);
    response.end();
  });
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
};

const main = async (source, forms) => {
  const { chromium } = await import('playwright-core');
  const given = { problems: [] };
  const { server, url } = await serve(join(source, 'core/src/serve/page'), given);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  const wrong = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
  let axe;
  try { axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'); }
  catch { /* its findings are then left to the tests of the pages */ }
  let filled = 0;
  for (const name of (await readdir(forms)).filter(file => file.endsWith('.form.json')).sort()) {
    given.form = JSON.parse(await readFile(join(forms, name), 'utf8'));
    const { form } = given.form;
    given.problems = [];
    await page.goto(url);
    await page.waitForSelector('#send');
    // Each entry has a name for who cannot see the page.
    for (const control of await page.locator('.form :is(input, textarea, [role=radiogroup])').all())
      assert.notEqual(await control.evaluate(it => it.labels?.length || it.ariaLabel ||
        it.getAttribute('aria-labelledby')), null, `${name}: an entry without a name`);
    const tree = await fillForm(page, form, dice(filled + 1));
    await page.locator('#send').click();
    await page.waitForFunction(() => true);
    for (let i = 0; given.got === undefined && i < 100; ++i) await page.waitForTimeout(10);
    assert.deepEqual(given.got, tree, name);
    await writeFile(join(forms, name.replace('.form.json', '.typed.json')), JSON.stringify(given.got));
    given.got = undefined;
    ++filled;
    // A problem stands beside its entry, which has the focus and says so.
    const first = form.fields?.find(field => ['integer', 'money', 'number', 'text'].includes(field.node.kind));
    if (first !== undefined) {
      given.problems = [{ path: step(first.name), problem: 'that is too much' }];
      await page.locator('#send').click();
      await page.locator('.problem').waitFor();
      const at = entry(page, step(first.name));
      assert.ok(await at.evaluate(it => it === document.activeElement), `${name}: the focus`);
      assert.equal(await at.getAttribute('aria-invalid'), 'true');
      const told = (await at.getAttribute('aria-describedby')).split(' ');
      const words = await Promise.all(told.map(id => page.locator(`[id="${id}"]`).textContent()));
      assert.ok(words.some(word => word.includes('that is too much')), name);
      given.got = undefined;
    }
    // A problem of a place that the page does not show is shown all the same.
    given.problems = [{ path: '/no/such/place', problem: 'that is not known' }];
    await page.locator('#send').click();
    await page.getByText('that is not known').waitFor();
    given.got = undefined;
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      `${name}: wider than a phone`);
    if (axe !== undefined) {
      await page.evaluate(axe);
      const { violations } = await page.evaluate('axe.run()');
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), [], name);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(filled > 0, `no forms in ${forms}`);
  await browser.close();
  server.close();
  console.log(`${filled} forms filled`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2], process.argv[3]);
