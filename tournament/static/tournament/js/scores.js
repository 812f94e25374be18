import { element } from "./element.js";
import { minus } from "./ledger.js";

// The big score is the desk's. With unsent lines on this tablet it is the sum so far, and marked.
export function showScores({ changed, scores }) {
  const scored = changed && scores.length > 0;
  for (const [index, side] of [...document.querySelectorAll(".sheet-score .score-side")].entries()) {
    const points = side.querySelector(".sheet-points");
    points.dataset.desk ??= points.textContent;
    points.textContent = scored ? minus(scores[index]) : points.dataset.desk;
    side.querySelector(".unconfirmed")?.remove();
    if (changed)
      side.append(
        element("div", "why unconfirmed", scored ? "○ not yet confirmed" : "○ without the lines on this tablet"),
      );
  }
  for (const [index, side] of [...document.querySelectorAll(".mini-score > span")].entries()) {
    side.dataset.desk ??= side.textContent;
    const before = side.dataset.desk.replace(/\S+$/, "");
    side.textContent = scored ? `${before}${minus(scores[index])}` : side.dataset.desk;
  }
}
