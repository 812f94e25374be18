// How the tablet shows the table: big numbers, strong contrast, no sound. It also stays awake during a game.
import { recalled, remember } from "./remember.js";

const NAME = "uptown-modes";
const MODES = ["big", "contrast", "silent"];
let lock = null;

const chosen = () => new Set((recalled(NAME) ?? "").split(" ").filter((mode) => MODES.includes(mode)));

function show() {
  for (const mode of MODES) {
    const on = chosen().has(mode);
    document.documentElement.classList.toggle(`mode-${mode}`, on);
    document.querySelector(`[data-mode="${mode}"]`)?.setAttribute("aria-pressed", String(on));
  }
  for (const box of document.querySelectorAll(".modes")) box.hidden = false;
}

document.addEventListener("click", (event) => {
  const mode = event.target.closest("button[data-mode]")?.dataset.mode;
  if (!mode) return;
  const modes = chosen();
  if (!modes.delete(mode)) modes.add(mode);
  if (remember(NAME, [...modes].join(" "))) show();
  else document.documentElement.classList.toggle(`mode-${mode}`);
});

// Only secure pages may request this, and the browser ends it whenever the page is hidden.
async function stayAwake() {
  if (document.visibilityState !== "visible" || lock || !navigator.wakeLock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    lock = null;
  }
}

document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:afterSettle", show);
show();
stayAwake();
