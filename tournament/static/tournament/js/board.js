// The hall's projector: turns the pages and runs the clock. The server decides what the pages say.
import { minutes, showDue } from "./clock.js";
import { layOut, showScreen } from "./wall.js";

// Every screen is shown again within this time, and for ten seconds at most.
const ROUND_OF_SCREENS = 45;
const LONGEST = 10;
let screens = [];
let current = 0;

function show(index) {
  if (!screens.length) return;
  current = ((index % screens.length) + screens.length) % screens.length;
  showScreen(screens, current);
  document.querySelectorAll("[data-dot]").forEach((dot, place) => {
    dot.classList.toggle("on", place === current);
  });
}

function arrange() {
  screens = layOut();
  document.querySelector(".dots")?.replaceChildren(
    ...screens.map(() => {
      const dot = document.createElement("li");
      dot.dataset.dot = "";
      return dot;
    }),
  );
  show(Math.min(current, screens.length - 1));
}

// 8:07 p.m. in the hall's time zone, whatever zone the projector's computer is set to.
function timeOfDay(now, timeZone) {
  const parts = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone }).formatToParts(now);
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${of.hour}:${of.minute} ${of.dayPeriod === "AM" ? "a.m." : "p.m."}`;
}

function tick() {
  const clock = document.querySelector(".clock");
  if (!clock) return;
  const now = Date.now();
  showDue(now);
  if (clock.dataset.stopped) {
    clock.textContent = "Stopped";
  } else if (clock.dataset.ends) {
    const left = Math.floor((new Date(clock.dataset.ends).getTime() - now) / 1000);
    clock.textContent = left > 0 ? minutes(left) : "Time";
    clock.classList.toggle("last", left <= 300);
    clock.classList.toggle("up", left <= 0);
  } else if (clock.dataset.started) {
    clock.textContent = minutes(Math.max(0, Math.floor((now - new Date(clock.dataset.started).getTime()) / 1000)));
  } else {
    clock.textContent = timeOfDay(now, clock.dataset.zone);
  }
}

let timer = 0;
function restart() {
  clearInterval(timer);
  const seconds = Math.min(LONGEST, ROUND_OF_SCREENS / Math.max(1, screens.length));
  timer = setInterval(() => show(current + 1), seconds * 1000);
}

function arrangeAnew() {
  const before = screens.length;
  arrange();
  if (screens.length !== before) restart();
}

// A hash chooses the first page, so that a director can hold it: #2 opens the second.
current = Math.max(0, Number.parseInt(location.hash.slice(1), 10) - 1 || 0);
// Before the new page is painted.
document.body.addEventListener("htmx:afterSwap", () => {
  arrangeAnew();
  tick();
});
addEventListener("resize", arrangeAnew);
document.fonts?.ready.then(arrangeAnew);
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" || event.key === " ") show(current + 1);
  else if (event.key === "ArrowLeft") show(current - 1);
  else if (event.key === "f" && document.documentElement.requestFullscreen)
    document.documentElement.requestFullscreen();
  else return;
  event.preventDefault();
  restart();
});
arrange();
tick();
setInterval(tick, 1000);
restart();
