import { showScores } from "/js/scores.js";
import { equal, page, test } from "/tests/check.js";

const side = (points) => `<div class="score-side"><div class="sheet-points">${points}</div></div>`;
const shown = () =>
  [...document.querySelectorAll(".sheet-points, .mini-score > span, .unconfirmed")].map((one) => one.textContent);
const table = () =>
  page(
    `<strong class="mini-score"><span>Big Aces 0</span><span>Books 0</span></strong><div class="sheet-score">${side(0)}${side(0)}</div>`,
  );

test("with lines on this tablet the big score is the sum so far, and marked as not confirmed", () => {
  table();
  showScores({ changed: true, scores: [4, -2] });
  equal(shown(), ["Big Aces 4", "Books −2", "4", "○ not yet confirmed", "−2", "○ not yet confirmed"]);
  showScores({ changed: false, scores: [9, 9] });
  equal(shown(), ["Big Aces 0", "Books 0", "0", "0"]);
});
test("where no sum is known it says that these lines are not in it", () => {
  table();
  showScores({ changed: true, scores: [] });
  equal(shown().slice(2), ["0", "○ without the lines on this tablet", "0", "○ without the lines on this tablet"]);
});
