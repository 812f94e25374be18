// Remembers on a phone which team is mine. Its next table is first on the page, its row is marked, and an open page
// shows a line, plays a sound and vibrates when the table is ready.
import { showDue } from "./clock.js";
import { recalled, remember } from "./remember.js";
import { ring } from "./sounds.js";

const event = location.pathname.split("/")[2];
const name = `uptown-mine-${event}`;
const line = document.getElementById("ready");
const share = document.getElementById("share");
// Undefined until the page was read once: what was ready before it opened does not ring.
let announced;

const mine = () => recalled(name) || "";

function mark() {
  const number = mine();
  for (const row of document.querySelectorAll("tr.mine")) row.classList.remove("mine");
  if (number) document.getElementById(`team-${number}`)?.classList.add("mine");
  const button = document.querySelector("[data-mine]");
  // The team's page can be part of another page.
  if (button) button.hidden = Boolean(button.closest("#mine"));
  button?.setAttribute("aria-pressed", String(button.dataset.mine === number));
  tell(number);
}

function tell(number) {
  const team = document.getElementById("team");
  if (!number || team?.querySelector("[data-mine]").dataset.mine !== number) return;
  const ready = team.querySelector("[data-ready]")?.dataset.ready ?? "";
  if (ready && announced !== undefined && announced !== ready) ring();
  if (announced !== undefined && announced !== ready) {
    line.textContent = ready;
    line.hidden = !ready;
  }
  announced = ready;
}

function bring() {
  const box = document.getElementById("mine");
  const number = mine();
  if (!box || !number) return;
  box.hidden = false;
  const address = box.dataset.team.replace(/0\/$/, `${number}/`);
  // If the team is gone, the page stays as it is.
  window.htmx?.ajax("GET", address, { target: box, swap: "innerHTML" })?.catch?.(() => {});
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-mine]");
  if (!button) return;
  remember(name, button.dataset.mine === mine() ? "" : button.dataset.mine);
  announced = undefined;
  mark();
});

if (share && (navigator.share || navigator.clipboard)) {
  share.hidden = false;
  share.addEventListener("click", async () => {
    const page = { title: document.title, url: location.origin + location.pathname };
    try {
      if (navigator.share) return await navigator.share(page);
      await navigator.clipboard.writeText(page.url);
      share.textContent = "Link copied";
    } catch {
      // Somebody who closed the list of apps does not want to share.
    }
  });
}

document.addEventListener("htmx:afterSettle", mark);
addEventListener("DOMContentLoaded", bring);
setInterval(() => showDue(Date.now()), 1000);
mark();
