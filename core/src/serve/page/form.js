// The form of an answer, made from its description alone (form/form.hpp). What is
// typed is kept as a tree of texts, which the server reads; nothing is checked here.
import { html, useLayoutEffect, useRef, useState } from '/assets/vendor/preact.js';
import { say } from './texts.js';

// A place of the tree is a list of steps; the server names it by a JSON Pointer.
const pointer = steps =>
  steps.map(step => '/' + String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('');
const idOf = (steps, part = '') => 'entry' + encodeURIComponent(pointer(steps)) + part;

const isLine = node => ['integer', 'money', 'number', 'text'].includes(node.kind);
const isNumber = node => ['integer', 'money', 'number'].includes(node.kind);

// Where there is only one way, it is taken.
const blankVariant = choice => ({ kind: choice.name, ...blank(choice.node) });
const blank = (node, alone = false) => ({
  struct: () => Object.fromEntries(node.fields.map(field =>
    [field.name, blank(field.node, node.fields.length === 1)])),
  boolean: () => node.choices.length === 1 ? node.choices[0] === 'yes' : undefined,
  choice: () => node.choices.length === 1 ? node.choices[0].name : undefined,
  scale: () => undefined,
  several: () => [],
  variant: () => node.choices.length === 1 ? blankVariant(node.choices[0]) : {},
  // Nothing is what an entry beside others is that nobody asked for; as the whole answer it is a
  // decision.
  optional: () => !node.may_be_absent ? blank(node.node)
    : node.may_be_present && alone ? undefined : null,
  list: () => Array.from({ length: node.min }, () => blank(node.node)),
  map: () => Object.fromEntries((node.keys ?? []).map(key => [key, blank(node.node)])),
}[node.kind] ?? (() => ''))();

// What is typed while nothing is: of a form that nobody has touched yet.
export const blankTree = form => blank(form, true);

const put = (tree, [step, ...rest], value) => {
  if (step === undefined) return value;
  if (Array.isArray(tree))
    return tree.map((item, i) => i === step ? put(item, rest, value) : item);
  return { ...tree, [step]: put(tree?.[step], rest, value) };
};

// The places that are on the page: a problem of any other stands above the form.
const shown = (node, tree, steps) => [pointer(steps), ...({
  struct: () => node.fields.flatMap(field =>
    shown(field.node, tree?.[field.name], [...steps, field.name])),
  variant: () => node.choices.filter(choice => choice.name === tree?.kind).flatMap(choice =>
    shown(choice.node, tree, steps)).concat(pointer([...steps, 'kind'])),
  optional: () => tree == null ? [] : shown(node.node, tree, steps),
  list: () => (tree ?? []).flatMap((item, i) => shown(node.node, item, [...steps, i])),
  map: () => Object.keys(tree ?? {}).flatMap(key =>
    shown(node.node, tree[key], [...steps, key])),
}[node.kind] ?? (() => []))()];

// Names of entries that somebody chose: nothing in them is hidden or turns the line around.
const visible = text => text.replace(/[\p{Cc}\p{Cf}]/gu,
  sign => `\\u${sign.codePointAt(0).toString(16).padStart(4, '0')}`);

const figure = (node, value) =>
  node.kind === 'money' && !Number.isInteger(value) ? value.toFixed(2) : String(value);

const rangeOf = (node, most) => {
  const holes = { unit: node.unit, min: node.min === null ? '' : figure(node, node.min),
                  max: most === null ? '' : figure(node, most) };
  const range = node.min !== null && most !== null
    ? node.min === most ? holes.max : say('form.range', holes)
    : node.min !== null ? say('form.from', holes)
    : most !== null ? say('form.up-to', holes)
    : node.kind === 'integer' && node.unit === '' ? say('form.integer') : '';
  return [range, node.unit].filter(text => text !== '').join(' ');
};

const lengthOf = text => [...text].length;

// What an entry is told to have below it.
const hintOf = (node, tree, most, ctx) => {
  if (isNumber(node)) return [rangeOf(node, most), ctx.left(node)].filter(Boolean).join('; ');
  if (node.kind !== 'text') return '';
  const n = lengthOf(tree ?? '');
  if (node.max !== null) return say('form.characters', { n, max: node.max });
  return node.min > 0 ? say('form.characters.least', { n, min: node.min }) : '';
};

const Problem = ({ steps, ctx }) => {
  const problem = ctx.problemAt(pointer(steps));
  return problem && html`<p class="problem" id=${idOf(steps, '-problem')} dir="auto">${problem}</p>`;
};

const described = (steps, ctx, ...parts) => [
  ctx.problemAt(pointer(steps)) && idOf(steps, '-problem'),
  ...parts,
].filter(Boolean).join(' ') || null;

// One line or several that are typed. `name` or `labelledby`: of an entry without a label beside it.
const Line = ({ node, tree, steps, ctx, most = node.max, name, labelledby, doc }) => {
  const hint = hintOf(node, tree, most, ctx);
  const wrong = ctx.problemAt(pointer(steps)) !== undefined;
  const common = {
    id: idOf(steps), value: tree ?? '', dir: 'auto', autocomplete: 'off', 'aria-label': name,
    'aria-labelledby': labelledby,
    'aria-invalid': wrong ? 'true' : null,
    'aria-describedby': described(steps, ctx, doc,
      hint && idOf(steps, '-hint')),
    onInput: event => ctx.set(steps, event.target.value),
  };
  const mode = node.kind === 'text' || node.min === null || node.min < 0 ? null
    : node.kind === 'integer' ? 'numeric' : 'decimal';
  const over = node.kind === 'text' && node.max !== null && lengthOf(tree ?? '') > node.max;
  return html`
    ${node.kind === 'text' && node.lines
      ? html`<textarea rows="3" ...${common} />`
      : html`<input type="text" class=${isNumber(node) ? 'figure' : null} inputmode=${mode}
          ...${common} />`}
    ${hint && html`<span class=${over ? 'hint over' : 'hint'} id=${idOf(steps, '-hint')}>
      ${hint}</span>`}
    <${Problem} steps=${steps} ctx=${ctx} />`;
};

// Buttons of which one is pressed. choices: [{value, label, doc}]; hint: the id of more about them.
const Choices = ({ choices, value, steps, ctx, labelledby, name, choose, part = '', look = 'options',
                   hint }) => {
  const wrong = ctx.problemAt(pointer(steps)) !== undefined;
  return html`<div class=${look} role="radiogroup" aria-labelledby=${labelledby}
      aria-label=${name} aria-invalid=${wrong ? 'true' : null}
      aria-describedby=${described(steps, ctx, hint)}>
    ${choices.map((choice, i) => html`<label class=${choice.value === null ? 'option none' : 'option'}>
      <input type="radio" name=${idOf(steps, part)} value=${String(i)} id=${idOf(steps, part + '-' + i)}
        checked=${choice.value === value} aria-describedby=${choice.doc
          ? idOf(steps, `${part}-${i}-doc`) : null}
        onChange=${() => choose(choice.value)} />
      <span dir="auto">${choice.label}</span>
      ${choice.doc && html`<span class="hint" id=${idOf(steps, `${part}-${i}-doc`)} dir="auto">
        ${choice.doc}</span>`}</label>`)}
    <${Problem} steps=${steps} ctx=${ctx} /></div>`;
};

// Points from one end to the other.
const Scale = ({ node, tree, steps, ctx, ...naming }) => {
  const points = node.choices.filter(choice => choice.name !== null);
  const ends = [[points[0], node.low_label], [points.at(-1), node.high_label]]
    .filter(([, words]) => words).map(([point, words]) => `${point.label}: ${words}`);
  return html`
    ${ends.length > 0 && html`<p class="hint ends" id=${idOf(steps, '-ends')}>
      ${ends.map(words => html`<span dir="auto">${words}</span>`)}</p>`}
    <${Choices} steps=${steps} value=${tree} ctx=${ctx} ...${naming} look="options scale"
      hint=${ends.length > 0 && idOf(steps, '-ends')}
      choices=${node.choices.map(choice => ({ value: choice.name, ...choice }))}
      choose=${value => ctx.set(steps, value)} />`;
};

// Buttons of which any are pressed.
const Several = ({ node, tree, steps, ctx, labelledby, name }) => {
  const wrong = ctx.problemAt(pointer(steps)) !== undefined;
  const chosen = tree ?? [];
  const toggle = (one, yes) =>
    ctx.set(steps, yes ? [...chosen, one] : chosen.filter(other => other !== one));
  return html`<div class="options" role="group" aria-labelledby=${labelledby} aria-label=${name}
      aria-describedby=${described(steps, ctx)}>
    ${node.choices.map((choice, i) => html`<label class="option several">
      <input type="checkbox" id=${idOf(steps, '-' + i)} checked=${chosen.includes(choice.name)}
        aria-invalid=${wrong ? 'true' : null}
        onChange=${event => toggle(choice.name, event.target.checked)} />
      <span dir="auto">${choice.label}</span></label>`)}
    <${Problem} steps=${steps} ctx=${ctx} /></div>`;
};

const asAmount = text => /^\s*\d+(\.\d*)?\s*$/.test(text ?? '') ? Number(text) : 0;
// The numbers of the answer that sum number k counts.
const countedBy = (k, node, tree) => ({
  struct: () => node.fields.flatMap(field => countedBy(k, field.node, tree?.[field.name])),
  variant: () => node.choices.filter(choice => choice.name === tree?.kind).flatMap(choice =>
    countedBy(k, choice.node, tree)),
  optional: () => tree == null ? [] : countedBy(k, node.node, tree),
  list: () => (tree ?? []).flatMap(item => countedBy(k, node.node, item)),
  map: () => Object.values(tree ?? {}).flatMap(item => countedBy(k, node.node, item)),
}[node.kind] ?? (() => node.counted?.includes(k) ? [asAmount(tree)] : []))();
// "7 left", of all sums that count the number.
const leftOf = (form, tree, node) => (node.counted ?? []).map(k => form.sums[k].max === null
  ? form.sums[k].words
  : say('form.left', {
      n: sumOf(node, [form.sums[k].max, ...countedBy(k, form, tree).map(n => -n)]) })).join('; ');
const sumOf = (node, values) => {
  const sum = values.reduce((all, value) => all + Math.round(value * 100), 0) / 100;
  return figure(node, sum);
};

// Numbers below each other, with what they come to.
const Rows = ({ node, rows, total }) => html`<table class="rows"><tbody>
    ${rows.map(row => html`<tr key=${row.key}><th scope="row" dir="auto">${row.head}</th>
      <td>${row.cell}</td>${row.end && html`<td>${row.end}</td>`}</tr>`)}
  </tbody>
  ${total && html`<tfoot><tr><th scope="row">${say('form.total')}</th>
    <td><output>${total}</output>${node.unit ? ' ' + node.unit : ''}</td></tr></tfoot>`}</table>`;

const List = ({ node, tree, steps, ctx, label }) => {
  const items = tree ?? [];
  const name = i => say('form.item', { label, n: i + 1 });
  const resize = list => ctx.set(steps, list);
  const remove = i => node.min !== node.max && items.length > node.min &&
    html`<button type="button" onClick=${() => resize(items.filter((_, k) => k !== i))}>
      ${say('form.remove', { n: i + 1 })}</button>`;
  const highest = i => node.each ? Math.min(node.each[i], node.node.max ?? Infinity)
                                 : node.node.max;
  const total = !isNumber(node.node) || items.length < 2 ? null
    : node.each ? say('form.total.of', {
        sum: sumOf(node.node, items.map(asAmount)), max: sumOf(node.node, node.each) })
      : sumOf(node.node, items.map(asAmount));
  return html`
    ${isLine(node.node)
      ? html`<${Rows} node=${node.node} total=${total} rows=${items.map((item, i) => ({
          key: i, head: i + 1, end: remove(i),
          cell: html`<${Line} node=${node.node} tree=${item} steps=${[...steps, i]} ctx=${ctx}
            most=${highest(i)} name=${name(i)} />` }))} />`
      : items.map((item, i) => html`<fieldset class="item" key=${i}>
          <legend>${name(i)}</legend>
          <${Inside} node=${node.node} tree=${item} steps=${[...steps, i]} ctx=${ctx}
            label=${name(i)} />${remove(i)}</fieldset>`)}
    ${(node.max === null || items.length < node.max) && html`<button type="button"
      id=${idOf(steps, '-add')} onClick=${() => resize([...items, blank(node.node)])}>${say('form.add')}</button>`}`;
};

const Keyed = ({ node, tree, steps, ctx, label }) => {
  const entries = Object.entries(tree ?? {});
  const [name, setName] = useState('');
  const rename = change => ctx.set(steps, Object.fromEntries(change));
  const add = () => {
    if (name === '' || name in (tree ?? {})) return;
    rename([...entries, [name, blank(node.node)]]);
    setName('');
  };
  const entered = entries.map(([, value]) => asAmount(value));
  return html`
    <${Rows} node=${node.node}
      total=${isNumber(node.node) && entries.length > 1 ? sumOf(node.node, entered) : null}
      rows=${entries.map(([key, value]) => ({
        key, head: visible(key),
        end: node.keys === null && html`<button type="button"
          onClick=${() => rename(entries.filter(([other]) => other !== key))}>
          ${say('form.remove', { n: visible(key) })}</button>`,
        cell: isLine(node.node)
          ? html`<${Line} node=${node.node} tree=${value} steps=${[...steps, key]} ctx=${ctx}
              name=${say('form.item', { label, n: visible(key) })} />`
          : html`<${Inside} node=${node.node} tree=${value} steps=${[...steps, key]} ctx=${ctx}
              label=${say('form.item', { label, n: visible(key) })} />` }))} />
    ${node.keys === null && html`<p class="buttons"><label>${say('form.name')}${' '}
      <input type="text" id=${idOf(steps, '-name')} value=${name} dir="auto" autocomplete="off"
        onInput=${event => setName(event.target.value)} /></label>
      <button type="button" id=${idOf(steps, '-add')} onClick=${add}>${say('form.add')}</button></p>`}`;
};

const Optional = ({ node, tree, steps, ctx, label, ...naming }) => {
  if (!node.may_be_present) return html`<p class="hint">${say('form.none')}</p>`;
  const inner = html`<${Inside} node=${node.node} tree=${tree} steps=${steps} ctx=${ctx}
    label=${label} ...${naming} />`;
  if (!node.may_be_absent) return inner;
  const present = tree != null;
  return html`
    <${Choices} steps=${steps} part="-there" value=${tree === undefined ? undefined : present}
      choices=${[{ value: true, label: say('form.some') }, { value: false, label: say('form.none') }]}
      ctx=${present ? { ...ctx, problemAt: () => undefined } : ctx} ...${naming}
      choose=${some => ctx.set(steps, some ? blank(node.node) : null)} />
    ${present && inner}`;
};

const Variant = ({ node, tree, steps, ctx, label, ...naming }) => {
  const chosen = node.choices.find(choice => choice.name === tree?.kind);
  return html`
    <${Choices} steps=${[...steps, 'kind']} value=${tree?.kind} ctx=${ctx} ...${naming}
      choices=${node.choices.map(choice => ({ value: choice.name, ...choice }))}
      choose=${kind => ctx.set(steps, blankVariant(node.choices.find(one => one.name === kind)))} />
    <${Problem} steps=${steps} ctx=${ctx} />
    ${chosen && chosen.node.fields.length > 0 && html`<div class="chosen">
      <${Struct} node=${chosen.node} tree=${tree} steps=${steps} ctx=${ctx} /></div>`}`;
};

// What stands within a heading of its own. naming: what names a group of buttons to listeners.
const Inside = ({ node, tree, steps, ctx, label, ...naming }) => {
  const of = { node, tree, steps, ctx, label };
  const named = Object.keys(naming).length > 0 ? naming : { name: label };
  switch (node.kind) {
    case 'struct': return html`<${Struct} ...${of} /><${Problem} steps=${steps} ctx=${ctx} />`;
    case 'list': return html`<${List} ...${of} /><${Problem} steps=${steps} ctx=${ctx} />`;
    case 'map': return html`<${Keyed} ...${of} /><${Problem} steps=${steps} ctx=${ctx} />`;
    case 'optional': return html`<${Optional} ...${of} ...${named} />`;
    case 'variant': return html`<${Variant} ...${of} ...${named} />`;
    case 'boolean': return html`<${Choices} ...${of} ...${named} value=${tree}
      choices=${node.choices.map(choice => ({ value: choice === 'yes', label: say('form.' + choice) }))}
      choose=${value => ctx.set(steps, value)} />`;
    case 'scale': return html`<${Scale} ...${of} ...${named} />`;
    case 'several': return html`<${Several} ...${of} ...${named} />`;
    case 'choice': return html`<${Choices} ...${of} ...${named} value=${tree}
      choices=${node.choices.map(choice => ({ value: choice.name, ...choice }))}
      choose=${value => ctx.set(steps, value)} />`;
    default: return html`<${Line} node=${node} tree=${tree} steps=${steps} ctx=${ctx} ...${named} />`;
  }
};

const Field = ({ field, tree, steps, ctx }) => {
  const docId = field.doc ? idOf(steps, '-doc') : null;
  const doc = field.doc && html`<p class="hint" id=${docId} dir="auto">${field.doc}</p>`;
  const of = { node: field.node, tree, steps, ctx };
  if (isLine(field.node))
    return html`<div class="field"><label for=${idOf(steps)} dir="auto">${field.label}</label>
      ${doc}<${Line} ...${of} doc=${docId} /></div>`;
  return html`<fieldset class="field" aria-describedby=${docId}>
    <legend id=${idOf(steps, '-legend')} dir="auto">${field.label}</legend>${doc}
    <${Inside} ...${of} label=${field.label} labelledby=${idOf(steps, '-legend')} /></fieldset>`;
};

const Struct = ({ node, tree, steps, ctx }) => node.fields.map(field => html`
  <${Field} key=${field.name} field=${field} tree=${tree?.[field.name]}
    steps=${[...steps, field.name]} ctx=${ctx} />`);

const noProblems = [];

// problems: [{path, problem}], as the server found them in what was sent last.
export const Form = ({ form, typed, problems = noProblems, onChange }) => {
  const root = useRef();
  const [touched, setTouched] = useState({ problems, paths: new Set() });
  // What has been changed since the problems came is another entry.
  const since = touched.problems === problems ? touched.paths : new Set();
  const tree = typed ?? blankTree(form);
  // Several entries may change before the page is drawn again, as where a browser fills them in.
  const latest = useRef();
  latest.current = tree;
  const found = new Map(problems.map(({ path, problem }) => [path, problem]));
  const ctx = {
    problemAt: path => since.has(path) ? undefined : found.get(path),
    left: node => leftOf(form, tree, node),
    set: (steps, value) => {
      setTouched(before => ({ problems,
        paths: new Set(before.problems === problems ? before.paths : [])
          .add(pointer(steps)).add(pointer([...steps, 'kind'])) }));
      latest.current = put(latest.current, steps, value);
      onChange(latest.current);
    },
  };
  useLayoutEffect(() => {
    if (problems.length === 0) return;
    const wrong = root.current.querySelector('[aria-invalid=true], .problem');
    const entry = wrong?.matches('[role=radiogroup]') ? wrong.querySelector('input') : wrong;
    entry?.focus();
  }, [problems]);
  const places = new Set(shown(form, tree, []));
  const others = problems.filter(({ path }) => !places.has(path));
  return html`<div class="form" ref=${root}>
    ${others.map(({ path, problem }) => html`<p class="problem" tabindex="-1" dir="auto">
      ${path && html`<bdi>${visible(path)}</bdi>${': '}`}${problem}</p>`)}
    ${form.sums?.map(sum => html`<p class="hint" dir="auto">${sum.words}</p>`)}
    ${form.fields?.length === 0 && html`<p class="hint">${say('form.nothing')}</p>`}
    <${Inside} node=${form} tree=${tree} steps=${[]} ctx=${ctx} /></div>`;
};
