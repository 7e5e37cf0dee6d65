// A short tone when it is one's turn. Browsers allow sounds once the page was touched; until then,
// and where there is no sound, nothing happens.
let context = null, wanted = true;

const wake = () => {
  context ??= new (window.AudioContext ?? window.webkitAudioContext)();
  if (context.state === 'suspended') context.resume();
};
if (window.AudioContext ?? window.webkitAudioContext)
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, wake, { once: true });

export const soundWanted = () => wanted;
export const wantSound = want => { wanted = want; };

export const ring = () => {
  if (!wanted || context?.state !== 'running') return;
  const tone = context.createOscillator(), loudness = context.createGain();
  const now = context.currentTime;
  tone.frequency.value = 660;
  loudness.gain.setValueAtTime(0.15, now);
  loudness.gain.exponentialRampToValueAtTime(0.001, now + 0.4);
  tone.connect(loudness).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.4);
};
