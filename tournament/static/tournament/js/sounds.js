// Sounds play only when something was refused: by the rules, by the server, or because the desk has to decide.
// The mode “Silent” turns off sounds and vibration.
let sound = null;
// The pitch of each tone, and its start.
const RING = [
  [660, 0],
  [880, 0.35],
];
// Safari plays sounds only if the page started its audio inside a tap.
for (const act of ["click", "keydown"]) addEventListener(act, waken, true);

function waken() {
  try {
    sound ??= new AudioContext();
    if (sound.state !== "running") sound.resume().catch(() => {});
  } catch {
    sound = null;
  }
}

export function refused() {
  if (document.documentElement.classList.contains("mode-silent")) return;
  navigator.vibrate?.([80, 60, 80]);
  waken();
  if (sound) tone(sound);
}

// Vibrates when a hand is stored on this tablet.
export function recorded() {
  if (!document.documentElement.classList.contains("mode-silent")) navigator.vibrate?.(30);
}

// A table is ready: two higher tones.
export function ring() {
  navigator.vibrate?.([200, 100, 200]);
  waken();
  if (sound) for (const [pitch, start] of RING) tone(sound, pitch, start);
}

function tone(sound, pitch = 220, start = 0) {
  const [beep, volume] = [sound.createOscillator(), sound.createGain()];
  const now = sound.currentTime + start;
  beep.frequency.value = pitch;
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.3);
  beep.connect(volume).connect(sound.destination);
  beep.start(now);
  beep.stop(now + 0.3);
}

document.addEventListener("htmx:beforeSwap", (event) => [409, 422].includes(event.detail.xhr?.status) && refused());
