// A page of a stage that tries everything that it must not do. out: an address that hears of it.
// What became of each attempt is in window.found once #done says so.
export const hostilePage = out => `<p id="done"></p>
  <link rel="stylesheet" href="${out}/style.css"><link rel="prefetch" href="${out}/prefetch">
  <link rel="preload" as="image" href="${out}/preload">
  <img src="${out}/image.png"><script src="${out}/script.js"></script>
  <iframe src="${out}/frame"></iframe><object data="${out}/object"></object>
  <video src="${out}/video"></video>
  <form id="f" action="${out}/form" method="post"></form>
  <script id="same">parent.postMessage(['same', typeof RTCPeerConnection], '*');</script>
  <iframe srcdoc="<script>parent.postMessage(['written', typeof RTCPeerConnection], '*')</script>"></iframe>
  <style>body { background: url(${out}/background.png) }
    @font-face { font-family: x; src: url(${out}/font) } p { font-family: x }</style>
  <script>parent.postMessage({ agon: 'ready' }, '*');  // what follows may take longer than a page may be silent
  (async () => {
    const found = window.found = {};
    const attempt = async (name, f) => {
      try { found[name] = await f() ?? 'nothing'; } catch (error) { found[name] = 'blocked'; }
    };
    await attempt('fetch', async () => (await fetch('${out}/fetch')).status);
    await attempt('own', async () => (await fetch('/session/')).status);
    await attempt('request', () => new Promise((done, fail) => {
      const r = new XMLHttpRequest(); r.onload = () => done('through'); r.onerror = fail;
      r.open('GET', '${out}/xhr'); r.send(); }));
    await attempt('beacon', () => { navigator.sendBeacon('${out}/beacon'); });
    await attempt('socket', () => typeof WebSocket === 'undefined' ? 'blocked' : new WebSocket('ws://x'));
    await attempt('stream', () => typeof EventSource === 'undefined' ? 'blocked' : new EventSource('${out}'));
    await attempt('call', () => typeof RTCPeerConnection === 'undefined' ? 'blocked'
      : (new RTCPeerConnection(), 'there'));
    // A frame within the page has all that was taken away from the page.
    const probe = name => '<script>const r = typeof RTCPeerConnection; parent.postMessage(["' + name + '", r], "*");</scr' + 'ipt>';
    const inner = {};
    addEventListener('message', e => { if (Array.isArray(e.data)) inner[e.data[0]] = e.data[1]; });
    const frame = make => { const f = document.createElement('iframe'); make(f); document.body.append(f); return f; };
    await attempt('blank frame', () => typeof frame(() => {}).contentWindow.RTCPeerConnection);
    frame(f => { f.srcdoc = probe('srcdoc'); });
    frame(f => { f.srcdoc = document.getElementById('same').outerHTML; });  // one that may run here
    frame(f => { f.src = 'data:text/html,' + encodeURIComponent(probe('data')); });
    frame(f => { f.src = URL.createObjectURL(new Blob([probe('blob')], { type: 'text/html' })); });
    frame(f => { f.src = 'javascript:parent.postMessage(["address", typeof RTCPeerConnection], "*")'; });
    await new Promise(done => setTimeout(done, 1000));
    found['frames'] = Object.entries(inner).some(([, type]) => type !== 'undefined') ? JSON.stringify(inner) : 'blocked';
    found['same script'] = inner.same === 'undefined' ? 'blocked' : JSON.stringify(inner);
    await attempt('text', () => { new Function('return 1')(); });
    await attempt('cookie', () => document.cookie);
    await attempt('storage', () => localStorage.length);
    await attempt('parent', () => parent.document.title);
    await attempt('place', () => parent.location.href);
    await attempt('top', () => { top.location = '${out}/top'; });
    await attempt('above', () => { parent.location.assign('${out}/parent'); });
    await attempt('popup', () => window.open('${out}/popup') === null ? 'blocked' : 'open');
    await attempt('submit', () => { document.getElementById('f').submit(); });
    await attempt('link', () => { const a = document.createElement('a');
      a.href = '${out}/link'; a.target = '_top'; a.click(); });
    document.getElementById('done').textContent = 'done';
  })();</script>`;

// What of it answers for itself: the rest shows by what `out` heard, and by where the page is.
export const blockedNames = ['fetch', 'own', 'request', 'socket', 'stream', 'call', 'blank frame', 'frames',
  'same script', 'text', 'cookie', 'storage',
  'parent', 'place', 'popup'];
