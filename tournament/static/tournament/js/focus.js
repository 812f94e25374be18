// The page is replaced by the server's after every tap. Who works by keyboard or hears the page goes on where they were:
// at the same button, or at the question that is open now.
let was = null;

// Safari can say it by itself from iPadOS 17.4 on.
const seen = (node) => node.checkVisibility?.() ?? node.getClientRects().length > 0;

const nameOf = (node) => (node.id ? `#${CSS.escape(node.id)}` : pathOf(node));

function pathOf(node) {
  const form = node.closest("form");
  const attribute = ["action", "data-kind"].find((name) => form?.getAttribute(name));
  const name = node.name ? `[name="${node.name}"][value="${CSS.escape(node.value)}"]` : "";
  return attribute ? `form[${attribute}="${form.getAttribute(attribute)}"] ${node.localName}${name}` : "";
}

function noted(table) {
  const now = document.activeElement;
  was = now && table.contains(now) ? nameOf(now) : null;
}

export function brought(table) {
  if (was === null || (document.activeElement && document.activeElement !== document.body)) return;
  const next = ".ask.open input, .side-card button, .felt-table button, .signing button, #record, .onward";
  const same = was && [...table.querySelectorAll(was)].find(seen);
  const target = same || [...table.querySelectorAll(next)].find(seen);
  was = null;
  if (!target) return;
  if (target.matches(".onward")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id === "table" && detail.shouldSwap) noted(detail.target);
});
document.addEventListener("htmx:afterSettle", () => {
  const table = document.getElementById("table");
  if (table) brought(table);
});
