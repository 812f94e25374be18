// Brings the tab and the round that one is on into view, in rows that scroll sideways; the page itself stays where it is.
// Style sheets are there at “load” only: before that nothing has a place.
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
