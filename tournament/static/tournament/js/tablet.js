// The tablet's page around the form: ages and clocks that run between polls, drop-downs, a lost connection.
import { isKnown, minutes, now, showDue } from "./clock.js";

function ago(since) {
  const passed = Math.floor((now() - Date.parse(since)) / 60000);
  return passed < 1 ? "just now" : passed < 60 ? `${passed} min ago` : `${Math.floor(passed / 60)} h ago`;
}

function left(until) {
  const seconds = Math.max(0, Math.round((Date.parse(until) - now()) / 1000));
  return seconds ? `${minutes(seconds)} left` : "time is up";
}

function tick() {
  if (!isKnown()) return;
  for (const time of document.querySelectorAll("[data-since]")) time.textContent = ago(time.dataset.since);
  for (const time of document.querySelectorAll("[data-until]")) time.textContent = left(time.dataset.until);
  showDue(now());
}

function connection(lost) {
  const sign = document.getElementById("offline");
  if (sign) sign.hidden = !lost;
}

// On an iPad a tap on plain text makes no click.
for (const moment of ["pointerdown", "click"]) {
  document.addEventListener(moment, (event) => {
    for (const drop of document.querySelectorAll("details.drop[open]")) {
      if (!drop.contains(event.target)) drop.open = false;
    }
  });
}
// “?” opens the call from anywhere on the page, unless somebody is typing.
function toTheCall() {
  const call = document.querySelector(".table-foot .call-director");
  if (!call) return;
  call.open = true;
  call.querySelector(".drop-body button")?.focus();
}

document.addEventListener("click", (event) => event.target.closest("[data-call]") && toTheCall());
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest?.("input:not([type=radio]), textarea, select")) toTheCall();
  if (event.key === "Escape") for (const drop of document.querySelectorAll("details.drop[open]")) drop.open = false;
});
// Keeps drop-downs from hiding behind the bars at the foot.
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
