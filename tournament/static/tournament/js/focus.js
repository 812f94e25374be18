// The page is replaced by the server's after every tap. Who works by keyboard or hears the page goes on where they were:
// at the same button, or at the question that is open now.
let was = null;

// Safari can say it by itself from iPadOS 17.4 on.
const seen = (one) => one.checkVisibility?.() ?? one.getClientRects().length > 0;

const nameOf = (one) => (one.id ? `#${CSS.escape(one.id)}` : pathOf(one));

function pathOf(one) {
  const form = one.closest("form");
  const said = ["action", "data-kind"].find((name) => form?.getAttribute(name));
  const name = one.name ? `[name="${one.name}"][value="${CSS.escape(one.value)}"]` : "";
  return said ? `form[${said}="${form.getAttribute(said)}"] ${one.localName}${name}` : "";
}

function noted(table) {
  const now = document.activeElement;
  was = now && table.contains(now) ? nameOf(now) : null;
}

export function brought(table) {
  if (was === null || (document.activeElement && document.activeElement !== document.body)) return;
  const next = ".ask.open input, .side-card button, .felt-table button, .signing button, #record, .onward";
  const same = was && [...table.querySelectorAll(was)].find(seen);
  const found = same || [...table.querySelectorAll(next)].find(seen);
  was = null;
  if (!found) return;
  if (found.matches(".onward")) found.tabIndex = -1;
  found.focus({ preventScroll: true });
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id === "table" && detail.shouldSwap) noted(detail.target);
});
document.addEventListener("htmx:afterSettle", () => {
  const table = document.getElementById("table");
  if (table) brought(table);
});
