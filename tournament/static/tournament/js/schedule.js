// Brings the chosen round into view in the row of rounds.
function reveal() {
  document.querySelector(".stops [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}
reveal();
document.body.addEventListener("htmx:afterSettle", reveal);
