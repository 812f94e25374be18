// The tablet's page around the form: ages and clocks that go on between polls, what drops down, a lost connection.
import { now } from "./clock.js";

function ago(since) {
  const minutes = Math.floor((now() - Date.parse(since)) / 60000);
  return minutes < 1 ? "just now" : minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

function left(until) {
  const seconds = Math.max(0, Math.round((Date.parse(until) - now()) / 1000));
  return seconds ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left` : "time is up";
}

function tick() {
  for (const time of document.querySelectorAll("[data-since]")) time.textContent = ago(time.dataset.since);
  for (const time of document.querySelectorAll("[data-until]")) time.textContent = left(time.dataset.until);
  for (const notice of document.querySelectorAll("[data-from]")) {
    const { from, to } = notice.dataset;
    notice.hidden = now() < Date.parse(from) || (to !== undefined && now() >= Date.parse(to));
  }
}

function connection(lost) {
  const sign = document.getElementById("offline");
  if (sign) sign.hidden = !lost;
}

// An iPad makes no click of a tap on plain text.
for (const moment of ["pointerdown", "click"]) {
  document.addEventListener(moment, (event) => {
    for (const drop of document.querySelectorAll("details.drop[open]")) {
      if (!drop.contains(event.target)) drop.open = false;
    }
  });
}
// From anywhere on the page “?” leads to the call, as long as nobody types.
function toTheCall() {
  const call = document.querySelector(".table-foot .call-director");
  if (!call) return;
  call.open = true;
  call.querySelector(".drop-body button")?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest?.("input:not([type=radio]), textarea, select")) toTheCall();
  if (event.key === "Escape") for (const drop of document.querySelectorAll("details.drop[open]")) drop.open = false;
});
// What drops down is not left behind the bars at the foot.
document.addEventListener(
  "toggle",
  (event) => {
    const drop = event.target;
    if (drop.open && drop.closest("#table") && !drop.closest(".table-foot"))
      drop.lastElementChild.scrollIntoView({ block: "nearest" });
  },
  true,
);
document.addEventListener("htmx:sendError", () => connection(true));
document.addEventListener("htmx:timeout", () => connection(true));
document.addEventListener("htmx:responseError", () => connection(true));
document.addEventListener("htmx:afterRequest", (event) => event.detail.successful && connection(false));
document.addEventListener("htmx:afterSettle", tick);
tick();
setInterval(tick, 1000);
