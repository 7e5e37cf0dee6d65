// What a server says on each page, with what opponents could have written to do harm.
const rules = `A buyer and a seller bargain over one piece of a product. Both know its list price.

There are at most 6 turns. A message does one of these:
- offer: it names a price to buy or to sell at.
- deal: it takes an offer that the other side has made.
  Any earlier one will do.
- quit: it walks away.

Each day:
1. Everybody is paid.
2. The supply is announced.

price   buyer  seller
  100      50      20`;

export const hostile = {
  script: '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">',
  backwards: 'price \u202e001 $ rof\u2066 yojne',
  long: 'A very long word: ' + 'x'.repeat(100000),
};

const study = { title: 'Bargaining over one product', contact: 'Lab, lab@example.org' };
const common = { paused: false, trial: false, study, language: 'en', readings: [], quizzes: [] };

const event = (text, more = {}) =>
  ({ kind: 'event', private: false, name: 'sent', text, number: 0, ...more });
const told = [
  event('You can spend $272.79 at most.', { private: true }),
  { kind: 'question', private: true, name: 'message', text: 'This is turn 1 of 6.', number: 1 },
  event('The seller offers the console at $320: "Plays on the train."'),
  { kind: 'answer', private: false, name: 'message', text: 'offer $160: "What about this?"', number: 1 },
  event('The seller says: "' + hostile.script + '"'),
  event('The seller says: "' + hostile.backwards + '"'),
];
const form = { kind: 'struct', fields: [
  { name: 'talk', label: 'Talk', doc: 'What you say; it may be empty.',
    node: { kind: 'text', min: 0, max: 400, lines: true } },
  { name: 'price', label: 'Price', doc: 'What you offer.',
    node: { kind: 'money', unit: '$', min: 0, max: 681.98, step: 0.01 } }] };
const chatForm = { kind: 'struct', fields: [
  { name: 'message', label: 'Your message', doc: '',
    node: { kind: 'text', min: 1, max: 1000, lines: true } }] };
const question = { number: 3, attempt: 0, stage: 'message', doc: 'Say something and offer a price.',
  probe: false, view: 'The seller has offered $320. This is turn 2 of 6.',
  complaint: null, tries: 3, left_ms: null, form, typed: null };
export const match = { key: 'm1', label: 'match 1', title: 'Bargaining', you: 'Alex', role: 'buyer',
  others: ['Bo ' + hostile.script], persona: '', rules, told, from: 0, question };
const asked = change => ({ ...common, page: 'question',
                           match: { ...match, question: { ...question, ...change } } });
const { question: unused, ...watched } = match;

// Texts of the study, as the server reads them.
const span = (text, more = {}) => ({ text, strong: false, emphasis: false, code: false, link: '', picture: '', ...more });
const line = (text, level = 0) => ({ level, cells: [[typeof text === 'string' ? span(text) : text].flat()] });
const block = (kind, lines, more = {}) => ({ kind, level: 0, ordered: false, lines, ...more });
export const readings = [{ title: 'The market', blocks: [
  block('paragraph', [line([span('You buy and sell '), span('goods', { strong: true }), span('. See '),
    span('the paper', { link: 'https://example.org/paper' }), span(', or ' + hostile.script)])]),
  block('heading', [line('What you earn')], { level: 2 }),
  block('list', [line('what is left of your money'), line('what the goods are worth to you'), line('the first', 1),
    line('the second, which is worth less', 1), line('nothing else')]),
  block('paragraph', [line([span('A shop with three shelves', { picture: 'picture/0' })])]),
  block('table', [['Goods', 'Worth', 'An unusually long heading of a column of figures'], ['first', '50', '1'],
    ['second', '20', '2']].map(cells => ({ level: 0, cells: cells.map(cell => [span(cell)]) }))),
  block('list', [line('Offer a price.'), line('Wait.')], { ordered: true, level: 1 }),
  block('quote', [line('Everything counts.')]), block('rule', []),
  block('code', [line('pay = 5 + score')])] },
{ title: '', blocks: [block('paragraph', [line('Only this: ' + hostile.long)])] }];
export const quiz = { questions: [
  { ask: 'How many goods are there?', right: '3', explain: 'There are three shelves.' },
  { ask: 'Who is paid?', right: 'everybody', explain: '' }] };

const choice = (name, label = name) => ({ name, label, doc: '' });
const scale = n => Array.from({ length: n }, (_, i) => choice(String(i)));
const fieldOf = (name, label, node, doc = '') => ({ name, label, doc, node });
const questionnaireForm = { kind: 'struct', fields: [
  fieldOf('age', 'How old are you?', { kind: 'number', unit: '', min: 18, max: 99, step: null }),
  fieldOf('field', 'What do you do?', { kind: 'choice', choices: [choice('I study'),
    choice('I work in a place whose description is so long that it needs more than one line of a telephone'),
    choice(null, 'No answer')] }, 'You may leave this out.'),
  fieldOf('languages', 'Which languages do you speak?', { kind: 'several',
    choices: ['English', 'German', 'Chinese', hostile.script].map(one => choice(one)) }),
  fieldOf('risk', 'How much do you like risk?', { kind: 'scale', choices: scale(11), low_label: 'not at all',
    high_label: 'very much' }),
  fieldOf('trust', 'Most people can be trusted.', { kind: 'scale', choices: [...scale(5), choice(null, 'No answer')],
    low_label: 'I disagree', high_label: '' }, 'You may leave this out.'),
  fieldOf('words', 'Anything else?\nWrite what you like.', { kind: 'text', min: 0, max: null, lines: true },
    'You may leave this out.')] };
const quizForm = { kind: 'struct', fields: [
  fieldOf('goods', 'How many goods are there?', { kind: 'number', unit: '', min: 0, max: null, step: null }),
  fieldOf('paid', 'Who is paid?', { kind: 'choice', choices: [choice('nobody'), choice('everybody')] })] };
const lookUp = { readings: [{ number: 0, title: 'The market' }, { number: 1, title: '' }], quizzes: [3] };

const names = ['Ada', 'Ben', 'Chloe', 'Dan', 'Eve', 'Finn'];
const pages = ['welcome', 'consent', 'instructions', 'waiting', 'question', 'watching', 'result', 'end'];
const start = Date.UTC(2026, 0, 1, 12);
const session = people => ({ title: study.title, state: 'open', now: start, substitute: true, chat: true,
  stages: ['rules', 'play'], scenarios: ['bargaining'],
  participants: Array.from({ length: people }, (_, i) => ({
    id: `p${i}`, label: i === 3 ? hostile.script : `${names[i % 6]} ${i + 1}`,
    ...(i % 7 === 6 ? {} : { link: `/join/${'k'.repeat(20)}${i}` }), page: pages[i % 8],
    here: i % 5 !== 4, since: start - i * 7000, waits_for: i % 8 === 5 ? [`p${i - 1}`] : [],
    match: i % 8 === 4 || i % 8 === 5 ? `m${i >> 3}` : null, seat: 'buyer', matches: i % 3,
    substituted: i === 4, end: i % 8 === 7 ? 'done' : '', trial: i % 8 === 4 && i > 4, room: null, payment: i % 8 === 7 ? '12.50 €' : '',
    place: pages[i % 8], usual: i % 3 === 0 ? 2000 : null, stage: 1, letters: i % 6 === 2 ? 1 : 0,
    note: i === 8 ? 'came late ' + hostile.script : '' })),
  rooms: [{ name: 'lab', path: '/room/lab',
            names: names.map((name, i) => ({ name, taken: i % 2 === 0 })) }],
  matches: Array.from({ length: Math.ceil(people / 8) }, (_, i) => ({ key: `m${i}`,
    scenario: 'bargaining', state: ['playing', 'waiting', 'done'][i % 3],
    seats: [{ seat: 'buyer', who: `p${8 * i + 4}` }, { seat: 'seller', who: null }],
    asked: [`p${8 * i + 4}`], since: start - i * 61000 })),
  counts: { here: people - 2, playing: 4, waiting: 2, done: 1, matches_done: 3, matches_total: 9 },
  log: [{ at: start - 5000, text: 'Ada 1 is here.' },
        { at: start - 1000, text: hostile.script + ' has begun.' }] });

export const states = {
  welcome: { ...common, page: 'welcome',
    welcome: { text: 'Good that you are here.\n\nThis takes about twenty minutes.' } },
  consent: { ...common, page: 'consent',
    consent: { text: 'What is kept of you:\n\n- your answers\n- when you gave them\n\n' +
      Array.from({ length: 30 }, (_, i) => `Paragraph ${i + 1} of the text.`).join('\n\n') } },
  instructions: { ...common, page: 'instructions',
    instructions: { rules, told: 'The seller is a computer program.' } },
  reading: { ...common, page: 'reading', reading: { number: 0, title: 'The market' } },
  questionnaire: { ...common, page: 'form', form: { stage: 1, attempt: 1, quiz: false, left: null,
    form: questionnaireForm, typed: null, problems: [] } },
  quiz: { ...common, ...lookUp, page: 'form', form: { stage: 3, attempt: 1, quiz: true, left: 3,
    form: quizForm, typed: null, problems: [] } },
  quizAgain: { ...common, ...lookUp, page: 'form', form: { stage: 3, attempt: 2, quiz: true, left: 1,
    form: quizForm, typed: { goods: '4', paid: 'everybody' },
    problems: [{ path: '/goods', problem: 'There are three shelves.' }] } },
  instructed: { ...common, ...lookUp, page: 'rules', match: { ...watched, reading: 0 } },
  offered: { ...common, page: 'instructions', trial: true, instructions: { rules, told: '' } },
  waiting: { ...common, page: 'waiting', waiting: { needed: 4, here: 2 } },
  rules: { ...common, page: 'rules', match: watched },
  hurried: { ...common, page: 'rules', left_ms: 170000, match: watched },
  question: asked({}),
  lookUp: { ...asked({}), ...lookUp },
  timed: asked({ left_ms: 95000 }),
  refused: asked({ attempt: 1, complaint: 'A price of $900 is above 2 times the list price.', tries: 2,
                   typed: { talk: 'Hello', price: '900' } }),
  probe: asked({ probe: true, number: 4, doc: 'What do you think the seller pays?' }),
  chat: { ...common, page: 'question', match: { ...match,
    told: [...told, ...Array.from({ length: 20 }, (_, i) => event(`Bo says: "Line ${i + 1}."`))],
    question: { ...question, form: chatForm, view: '', doc: 'Write to Bo.' } } },
  paused: { ...asked({}), paused: true },
  trial: { ...asked({}), trial: true },
  watching: { ...common, page: 'watching', match: watched },
  result: { ...common, page: 'result', match: watched,
    result: { lines: ['You bought the console at $200.'], score: '72.79 points', payment: '3.64 €' } },
  end: { ...common, page: 'end', end: { lines: ['You played 3 matches.'], payment: '12.50 €',
    account: { rate: '0.05', drawn: 2, lines: [
      { part: 'show_up', number: 0, points: '', amount: '5.00 €', counts: true },
      { part: 'scores', number: 1, points: '72.79', amount: '3.64 €', counts: false },
      { part: 'scores', number: 2, points: '148.20', amount: '7.41 €', counts: true },
      { part: 'left', number: 3, points: '', amount: '0.00 €', counts: false },
      { part: 'rounding', number: 0, points: '', amount: '0.09 €', counts: true }] },
    code: 'C0DE-42', return: 'https://panel.example.org/done?code=C0DE-42' } },
  declined: { ...common, page: 'refused', refused: { text: 'You did not agree. Thank you for your time.' } },
  written: { ...asked({}), letters: [
    { number: 1, text: 'Five minutes are left.\n\n' + hostile.script, sent: start },
    { number: 2, text: hostile.backwards, sent: start }] },
  talking: { ...asked({}), match: { ...match, chat: { people: ['Bo ' + hostile.script, 'Cy'], longest: 500, withholds: true } } },
  session: session(24),
  sessionFull: session(500),
};
