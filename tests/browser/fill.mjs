// Answers to forms: as a tree of what is typed, and typed into a page.

// What somebody types into a form: `draw` gives numbers from 0 to below 1; `likes`: the alternative
// that is taken where there is one of this name.
export function typed(form, draw, likes) {
  const one = list => list[Math.floor(draw() * list.length)];
  switch (form.kind) {
    case 'struct':
      return Object.fromEntries(form.fields.map(field => [field.name, typed(field.node, draw, likes)]));
    case 'integer': case 'money': case 'number': return number(form, draw);
    case 'text': return 'word '.repeat(Math.max(1, Math.ceil((form.min ?? 0) / 5)))
      .slice(0, form.max ?? undefined).trimEnd().padEnd(form.min ?? 0, 'x');
    case 'boolean': return one(form.choices) === 'yes';
    case 'choice': return one(form.choices).name;
    case 'variant': {
      const choice = form.choices.find(c => c.name === likes) ?? one(form.choices);
      const inside = choice.node ? typed(choice.node, draw, likes) : {};
      return { kind: choice.name, ...inside };
    }
    case 'optional':
      return form.may_be_absent && (!form.may_be_present || draw() < 0.5) ? null : typed(form.node, draw, likes);
    case 'list': {
      const length = (form.min ?? 0) + Math.floor(draw() * (Math.min(form.max ?? 4, (form.min ?? 0) + 2) - (form.min ?? 0) + 1));
      return Array.from({ length }, (_, i) => typed(form.each
        ? { ...form.node, max: form.each[i] } : form.node, draw, likes));
    }
    case 'map': return Object.fromEntries((form.keys ?? []).map(key => [key, typed(form.node, draw, likes)]));
    default: throw new Error(`a form of a kind that nobody knows: ${form.kind}`);
  }
}

// A number between the bounds, as people write it.
export function number(form, draw) {
  const low = Number(form.min ?? 0), high = Number(form.max ?? low + 100);
  const value = low + draw() * (Math.min(high, low + 1000) - low);
  if (form.kind === 'integer') return String(Math.max(Math.ceil(low), Math.floor(value)));
  const cents = Math.min(Math.floor(high * 100), Math.max(Math.ceil(low * 100), Math.round(value * 100)));
  return (cents / 100).toFixed(2);
}

// The same numbers for the same seed.
export function drawing(seed) {
  let state = seed >>> 0;
  return () => {  // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

// As form.js names its entries.
const place = steps => 'entry' + encodeURIComponent(
  steps.map(step => '/' + String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join(''));
const at = (root, id) => root.locator(`[id="${id}"]`);
const press = (root, id) => root.locator(`label:has(> [id="${id}"])`).click();

// Types a tree into the form of a page, as a person does.
export async function enter(root, form, tree, steps = []) {
  switch (form.kind) {
    case 'struct':
      for (const { name, node } of form.fields) await enter(root, node, tree[name], [...steps, name]);
      return;
    case 'boolean': return press(root, `${place(steps)}-${form.choices.indexOf(tree ? 'yes' : 'no')}`);
    case 'several': {
      for (const [i, { name }] of form.choices.entries())
        if (await at(root, `${place(steps)}-${i}`).isChecked() !== tree.includes(name))
          await press(root, `${place(steps)}-${i}`);
      return;
    }
    case 'choice': case 'scale':
      return press(root, `${place(steps)}-${form.choices.findIndex(c => c.name === tree)}`);
    case 'variant': {
      const i = form.choices.findIndex(c => c.name === tree.kind);
      await press(root, `${place([...steps, 'kind'])}-${i}`);
      return enter(root, form.choices[i].node, tree, steps);
    }
    case 'optional':
      if (form.may_be_present && form.may_be_absent)
        await press(root, `${place(steps)}-there-${tree === null ? 1 : 0}`);
      return tree === null ? undefined : enter(root, form.node, tree, steps);
    case 'list': {
      const group = root.locator(`fieldset:has(> [id="${place(steps)}-legend"])`);
      // Within a table of names a list has no heading to be found by: it stays as short as it may.
      if (await group.count() === 0) tree = tree.slice(0, form.min);
      // After a refusal what was typed is still there.
      const items = group.locator('> fieldset.item, > table.rows > tbody > tr');
      let have = await items.count();
      if (await group.count() === 0) have = tree.length;
      for (; have > tree.length; --have) await items.last().locator('button').last().click();
      for (; have < tree.length; ++have) await group.locator('> button').last().click();
      for (const [i, item] of tree.entries()) await enter(root, form.node, item, [...steps, i]);
      return;
    }
    case 'map':
      for (const [key, value] of Object.entries(tree)) await enter(root, form.node, value, [...steps, key]);
      return;
    default: return at(root, place(steps)).fill(tree);
  }
}

// What a participant does at each question: types something that fits; passes over a question aside
// that was turned down.
export const anything = (draw, likes) => (page, question) =>
  question.probe && question.attempt > 0 ? 'skip'
    : enter(page.locator('form.answer'), question.form, typed(question.form, draw, likes));
