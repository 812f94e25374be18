// Runs clocks between two answers of the server. Nothing is decided here: at zero the server says what follows.
import { minutes } from "./clock.js";

const read = new WeakMap();

function words(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 3600 ? minutes(whole) : `${Math.floor(whole / 3600)}:${minutes(whole % 3600).padStart(5, "0")}`;
}

function tick() {
  const now = performance.now();
  for (const clock of document.querySelectorAll(".ticking[data-left], .ticking[data-played]")) {
    if (!read.has(clock)) read.set(clock, now);
    const passed = (now - read.get(clock)) / 1000;
    const { left, played } = clock.dataset;
    clock.textContent = words(left === undefined ? Number(played) + passed : Number(left) - passed);
  }
}

// Enter opens the next table that is not final, unless something else uses the key.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target === document.body && !event.repeat)
    document.querySelector("[data-enter]")?.click();
});

tick();
setInterval(tick, 500);
document.addEventListener("htmx:afterSwap", tick);
