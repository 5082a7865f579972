// Sounds made in the browser: wood, cards, feet, squeak. Soft, and silent where they are off; so is touch.

import { prefs } from "./prefs.svelte";

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!prefs.sound || typeof AudioContext === "undefined") return null;
  return (context ??= new AudioContext());
}

/** Get ready at the first touch, when nothing moves yet: the first sound would hold up a frame. */
const wake = () => setTimeout(() => void audio()?.resume().catch(silent));
const silent = () => {}; // a device that cannot be heard plays on
for (const touch of ["pointerdown", "keydown"])
  globalThis.addEventListener?.(touch, wake, { once: true });

function noise(from: AudioContext, at: number, long: number, pitch: number, loud: number): void {
  const buffer = from.createBuffer(1, Math.ceil(from.sampleRate * long), from.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++)
    data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const source = new AudioBufferSourceNode(from, { buffer });
  const filter = new BiquadFilterNode(from, { type: "bandpass", frequency: pitch, Q: 1.4 });
  source
    .connect(filter)
    .connect(new GainNode(from, { gain: loud }))
    .connect(from.destination);
  source.start(at);
}

function tone(from: AudioContext, at: number, pitches: number[], long: number, loud: number): void {
  const source = new OscillatorNode(from, { type: "triangle", frequency: pitches[0] ?? 440 });
  pitches.forEach((pitch, i) =>
    source.frequency.linearRampToValueAtTime(pitch, at + (long * i) / pitches.length),
  );
  const gain = new GainNode(from, { gain: loud });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  source.connect(gain).connect(from.destination);
  source.start(at);
  source.stop(at + long);
}

const sounds = {
  dice: (from, t) => [0, 0.07, 0.16, 0.28].forEach((d) => noise(from, t + d, 0.06, 900, 0.25)),
  card: (from, t) => noise(from, t, 0.09, 3200, 0.16),
  feet: (from, t) => [0, 0.08, 0.16, 0.24].forEach((d) => noise(from, t + d, 0.03, 1500, 0.12)),
  plate: (from, t) => tone(from, t, [1500, 1480], 0.35, 0.07),
  nibble: (from, t) => [0, 0.1, 0.2].forEach((d) => noise(from, t + d, 0.05, 2600, 0.15)),
  bone: (from, t) => [0, 0.09].forEach((d) => noise(from, t + d, 0.05, 500, 0.3)),
  steal: (from, t) => tone(from, t, [300, 900, 700], 0.4, 0.1),
  slap: (from, t) => noise(from, t, 0.12, 400, 0.5),
  squeak: (from, t) => tone(from, t, [900, 1900, 1200], 0.25, 0.12),
  coin: (from, t) => [1047, 1568].forEach((p, i) => tone(from, t + i * 0.08, [p, p], 0.3, 0.08)),
  oops: (from, t) => tone(from, t, [380, 300, 210], 0.4, 0.09),
  turn: (from, t) => tone(from, t, [520, 660], 0.18, 0.06),
  win: (from, t) => [523, 659, 784].forEach((p, i) => tone(from, t + i * 0.14, [p, p], 0.3, 0.1)),
  end: (from, t) => [392, 330].forEach((p, i) => tone(from, t + i * 0.16, [p, p], 0.3, 0.08)),
} satisfies Record<string, (from: AudioContext, at: number) => void>;

export type Sound = keyof typeof sounds;

const apart = 0.35; // seconds from one sound to the next

/** Play sounds one after another. */
export const playAll = (all: readonly Sound[]) => all.forEach((sound, i) => play(sound, i * apart));

export function play(sound: Sound, wait = 0): void {
  globalThis.dispatchEvent?.(new CustomEvent("tischlein-sound", { detail: sound }));
  try {
    make(sound, wait);
  } catch {
    silent();
  }
  if (sound === "turn" || sound === "slap") feel(25);
}

/** What would be heard later than this is past; in ms. */
const late = 500;

/** Make a sound, now or as soon as the page may be heard; not all at once when it was silent for long. */
function make(sound: Sound, wait: number): void {
  const from = audio();
  if (from?.state === "running") return sounds[sound](from, from.currentTime + wait);
  if (!from || navigator.userActivation?.hasBeenActive === false) return;
  const asked = performance.now();
  const begin = () => {
    if (performance.now() - asked < late) sounds[sound](from, from.currentTime + wait);
  };
  from.resume().then(begin, silent);
}

/** Let the device be felt for some ms, where it can be and sound is wanted. */
export function feel(ms: number): void {
  if (prefs.sound && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(ms);
}
