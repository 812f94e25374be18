// Clocks run between two answers of the server. Nothing is decided here: at nought the server says what follows.

const read = new WeakMap();

function words(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  const two = (number) => String(number).padStart(2, "0");
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
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

// Enter opens the next table that is not final, where nothing else takes the key.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target === document.body && !event.repeat)
    document.querySelector("[data-enter]")?.click();
});

tick();
setInterval(tick, 500);
document.addEventListener("htmx:afterSwap", tick);
