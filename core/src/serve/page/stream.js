// What comes down from the server and what goes up to it.

const firstWait = 1000, longestWait = 15000;  // milliseconds between two tries

// Follows the events of an address: heard is {name: function of the data}, connected(bool) is told
// of each change. Comes back by itself when the connection is lost, the server was started again,
// or a device wakes up. silence: milliseconds without an event after which the connection is taken
// to be dead, whoever keeps it up on the way; 0: it may be silent for ever.
export const follow = (address, heard, connected, silence = 0) => {
  let source = null, wait = firstWait, timer = 0, watch = 0, hiddenSince = 0, stopped = false;
  const alive = () => {
    clearTimeout(watch);
    if (silence > 0) watch = setTimeout(() => { connected(false); open(); }, silence);
  };
  const open = () => {
    clearTimeout(timer);
    source?.close();
    stopped = false;
    alive();
    const mine = source = new EventSource(address);
    mine.onopen = () => { wait = firstWait; alive(); connected(true); };
    mine.onerror = () => {
      connected(false);
      if (mine.readyState !== EventSource.CLOSED) return;  // it tries again by itself
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, longestWait);
    };
    for (const [name, hear] of Object.entries(heard))
      mine.addEventListener(name, event => {
        if (mine !== source) return;
        alive();
        hear(JSON.parse(event.data));
      });
  };
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(watch);
    source?.close();
    source = null;
  };
  // A device that slept does not always notice that its connection is gone.
  addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenSince = performance.now();
    else if (!stopped && performance.now() - hiddenSince > firstWait) open();
  });
  addEventListener('online', () => { if (!stopped) open(); });
  addEventListener('pageshow', event => { if (event.persisted && !stopped) open(); });
  open();
  return { open, stop };
};

// Sends what a person does. {status, said}: said is the JSON of the answer, if it has one; status is
// 0 if there was no connection.
export const send = async (address, what) => {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), longestWait);
  try {
    const answer = await fetch(address, { method: 'POST', body: JSON.stringify(what),
      headers: { 'Content-Type': 'application/json' }, signal: clock.signal });
    const text = await answer.text();
    let said = null;
    try { said = JSON.parse(text); } catch { /* an answer without a body, or one of a proxy */ }
    // What a program is told in parts, people read as a sentence.
    if (said?.error?.problem) said.error = said.error.problem;
    return { status: answer.status, said, after: Number(answer.headers.get('Retry-After')) * 1000 };
  } catch {
    return { status: 0, said: null, after: 0 };
  } finally {
    clearTimeout(timer);
  }
};

// Sends it until it was taken or refused: only for what may be sent twice. meanwhile() is called
// before each wait and ends it all by returning false.
export const sendUntilHeard = async (address, make, meanwhile) => {
  for (let wait = firstWait;; wait = Math.min(2 * wait, longestWait)) {
    const answer = await send(address, make());
    const heard = answer.status !== 0 && answer.status !== 429 && answer.status < 500;
    if (heard || !meanwhile()) return answer;
    await new Promise(done => setTimeout(done, Math.max(wait, answer.after)));
    if (!meanwhile()) return answer;
  }
};
