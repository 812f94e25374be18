// How the tablet shows the table: big numbers, strong contrast, no sound; and it stays awake while a game is played.
const KEPT = "uptown-modes";
const MODES = ["big", "contrast", "silent"];
let lock = null;

function chosen() {
  try {
    return new Set((localStorage.getItem(KEPT) ?? "").split(" ").filter((mode) => MODES.includes(mode)));
  } catch {
    return new Set();
  }
}

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
  try {
    localStorage.setItem(KEPT, [...modes].join(" "));
  } catch {
    document.documentElement.classList.toggle(`mode-${mode}`);
    return;
  }
  show();
});

// Only secure pages may ask for it, and the browser takes it back whenever the page is hidden.
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
