// Sounds made in the browser: wood, slap, nibble, squeak. Soft, and silent where they are off.

import type { Frame } from "./live.svelte";
import { prefs } from "./prefs.svelte";

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!prefs.sound || typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** Get ready at the first touch, when nothing moves yet: the first sound would hold up a frame. */
globalThis.addEventListener?.("pointerdown", () => setTimeout(audio), { once: true });

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

export type Sound = "dice" | "slap" | "nibble" | "squeak" | "turn" | "win";

/** What a frame sounds like: its news by their keys, then a win or one's own turn; nothing swallows another. */
export function soundsOf(
  frame: Frame,
  before: Frame | null,
  sounds: Record<string, Sound>,
): Sound[] {
  const told = new Set(frame.news.flatMap(({ key }) => sounds[key] ?? []));
  const me = String(frame.seat);
  if (frame.over && before && !before.over) told.add("win");
  else if (frame.legal[me] && !before?.legal[me]) told.add("turn");
  return [...told];
}

const apart = 0.35; // seconds from one sound to the next

/** Play sounds one after another. */
export const playAll = (sounds: readonly Sound[]) =>
  sounds.forEach((sound, i) => play(sound, i * apart));

export function play(sound: Sound, wait = 0): void {
  const from = audio();
  if (!from) return;
  const t = from.currentTime + wait;
  if (sound === "dice") for (const d of [0, 0.07, 0.16, 0.28]) noise(from, t + d, 0.06, 900, 0.25);
  if (sound === "slap") noise(from, t, 0.12, 400, 0.5);
  if (sound === "nibble") for (const d of [0, 0.1, 0.2]) noise(from, t + d, 0.05, 2600, 0.15);
  if (sound === "squeak") tone(from, t, [900, 1900, 1200], 0.25, 0.12);
  if (sound === "turn") tone(from, t, [520, 660], 0.18, 0.06);
  if (sound === "win")
    [523, 659, 784].forEach((p, i) => tone(from, t + i * 0.14, [p, p], 0.3, 0.1));
}
