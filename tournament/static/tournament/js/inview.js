// Scrolls the current tab and round into view, in rows that scroll sideways; the page itself does not move.
// It waits for “load”: without the style sheets nothing has a position.
const ROWS = ".tabs, .stops, .rounds";

function reveal() {
  for (const row of document.querySelectorAll(ROWS)) {
    const current = row.querySelector("[aria-current]");
    if (!current) continue;
    const [seen, own] = [row.getBoundingClientRect(), current.getBoundingClientRect()];
    if (own.left >= seen.left && own.right <= seen.right) continue;
    row.scrollLeft += own.left + own.width / 2 - seen.left - seen.width / 2;
  }
}

if (document.readyState === "complete") reveal();
else addEventListener("load", reveal, { once: true });
document.addEventListener("htmx:afterSettle", reveal);
