// The server's page replaces the current one after every tap. People who use a keyboard or a screen reader continue
// where they were: at the same button, or at the question that is now open.
let was = null;
let isRecording = false;
// The scroll position, with its phase: for a moment the new page is shorter, and the window would jump to the top.
let stood = null;

// Safari has this built in only since iPadOS 17.4.
const seen = (node) => node.checkVisibility?.() ?? node.getClientRects().length > 0;

const nameOf = (node) => (node.id ? `#${CSS.escape(node.id)}` : pathOf(node));

function pathOf(node) {
  const form = node.closest("form");
  const attribute = ["action", "data-kind"].find((name) => form?.getAttribute(name));
  const name = node.name ? `[name="${node.name}"][value="${CSS.escape(node.value)}"]` : "";
  return attribute ? `form[${attribute}="${form.getAttribute(attribute)}"] ${node.localName}${name}` : "";
}

const table = () => document.getElementById("table");
const nowhere = () =>
  !document.activeElement || document.activeElement === document.body || !seen(document.activeElement);

// If the focus is already lost, keep the place from before.
export function noted() {
  if (!nowhere()) was = table()?.contains(document.activeElement) ? nameOf(document.activeElement) : null;
}

function scrolled() {
  if (!stood) return;
  if (stood.phase === table()?.className) scrollTo(0, stood.y);
  if (stood.phase !== table()?.className || scrollY >= stood.y - 1) stood = null;
}

export function brought() {
  scrolled();
  // The focused element has just been hidden: the browser takes its focus away a moment later.
  if (nowhere() && table()?.contains(document.activeElement)) was ??= "";
  if (was === null || !nowhere() || !table()) return;
  const next =
    ".over-question button, .ask.open input, .side-card button, .felt-table button, .signing button, #record, .onward";
  // After a hand, continue at the first question of the next one.
  const same = was && !isRecording && [...table().querySelectorAll(was)].find(seen);
  const target = same || [...table().querySelectorAll(next)].find(seen);
  if (!target) return;
  was = null;
  isRecording = false;
  if (target.matches(".onward")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

// Runs before the pressed element is hidden or removed.
document.addEventListener(
  "submit",
  ({ target }) => {
    noted();
    if (target.id === "entry") isRecording = true;
  },
  true,
);
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id !== "table" || !detail.shouldSwap) return;
  noted();
  stood = { phase: table().className, y: scrollY };
});
document.addEventListener("htmx:afterSettle", brought);
addEventListener("pointerdown", () => {
  stood = null;
});
