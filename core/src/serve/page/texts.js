// The sentences of the pages. They stand in texts/LANGUAGE.json and have named holes, as in
// "{here} of {needed} are here."; a suite's file may replace any of them.
import { html } from '/assets/vendor/preact.js';

let sentences = {};
let loads = 0;

// Takes the first of the languages that the server has; false if it could not be asked now, has
// none of them, or was asked for others meanwhile.
export const loadTexts = async languages => {
  const mine = ++loads;
  try {
    for (const language of languages) {
      const answer = await fetch(`/texts/${encodeURIComponent(language)}.json`);
      if (answer.status === 429 || answer.status >= 500) return false;
      if (!answer.ok) continue;
      const found = await answer.json();
      if (mine !== loads) return false;
      sentences = found;
      document.documentElement.lang = language;
      document.documentElement.dir = say('direction');
      return true;
    }
  } catch { /* no connection */ }
  return false;
};

const pause = 1000;  // milliseconds

// The same, until there is an answer.
export const awaitTexts = async languages => {
  while (!await loadTexts(languages)) await new Promise(done => setTimeout(done, pause));
};

const pieces = key => (sentences[key] ?? key).split(/\{(\w+)\}/);

// A sentence as text.
export const say = (key, holes = {}) =>
  pieces(key).map((piece, i) => i % 2 ? String(holes[piece] ?? '') : piece).join('');

// A sentence to be shown whose holes are filled with what others wrote: their marks of direction do
// not reach beyond the hole.
export const tell = (key, holes) =>
  pieces(key).map((piece, i) => i % 2 ? html`<bdi>${String(holes[piece] ?? '')}</bdi>` : piece);
