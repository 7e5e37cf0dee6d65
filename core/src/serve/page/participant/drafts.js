// What was typed for a question and not yet taken, so that a reload loses nothing. Browsers may
// refuse to keep it: then only a reload loses it.
const place = () => 'draft ' + location.pathname;

// What is kept for this question, or null.
export const readDraft = id => {
  try {
    const draft = JSON.parse(sessionStorage.getItem(place()));
    return draft?.id === id ? draft : null;
  } catch { return null; }
};

export const keepDraft = draft => {
  try { sessionStorage.setItem(place(), JSON.stringify(draft)); } catch { /* see above */ }
};

export const dropDraft = () => {
  try { sessionStorage.removeItem(place()); } catch { /* see above */ }
};
