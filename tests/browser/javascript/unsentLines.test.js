import { question, rowOf, unsentLines } from "/js/unsentLines.js";
import { equal, page, test } from "/tests/check.js";

const item = (n, more = {}) => ({
  uid: `u${n}`,
  n,
  kind: "hand",
  state: "pending",
  words: `Line ${n}: 3`,
  fields: { position: n },
  ...more,
});
const STATE = { sides: [{ name: "Aces" }, { name: "Books" }] };
function box(mine, { parked = [], scores = [3, 0] } = {}) {
  const last = mine.at(-1);
  const sheet = {
    mine,
    pending: mine.filter((one) => one.state === "pending"),
    changed: true,
    scores,
    exact: true,
    hands: mine.length,
    last: last && { position: last.n, item: last },
  };
  return page("").appendChild(
    unsentLines(
      { state: STATE },
      sheet,
      mine.map((one) => rowOf(one, mine)),
      parked,
    ),
  );
}
const line = (found) => found.querySelector("summary").textContent;

test("three lines are one line, with the score and the way back beside it", () => {
  const found = box([1, 2, 3].map((n) => item(n)));
  equal(
    [line(found), found.querySelector("details").open],
    ["○ 3 hands on this tabletScore: Aces 3, Books 0.…", false],
  );
  equal([found.querySelector("form").dataset.kind, found.querySelector("form").textContent], ["undo", "Undo line 3"]);
  equal(found.querySelectorAll("details li").length, 3);
});
test("a signature is no hand", () => {
  equal(line(box([item(1)])).startsWith("○ 1 hand on this tablet"), true);
  const mixed = [item(1), item(2), item(3, { kind: "sign" }), item(4, { kind: "sign" })];
  equal(line(box(mixed)).startsWith("○ 2 hands and 2 signatures on this tablet"), true);
});
test("a line that was undone here is struck", () => {
  const found = box([item(1), item(2), item(3, { kind: "undo", words: "Undo of line 2", fields: { of: "u2" } })]);
  equal(
    [...found.querySelectorAll("s")].map((one) => one.textContent),
    ["Line 2: 3"],
  );
});
test("why the director has something stands in the line itself", () => {
  const parked = [item(1, { state: "parked", text: "Too late." }), item(2, { state: "parked" })];
  equal(line(box([], { parked })).includes("▲ with the directorLine 1: 3. Too late. (1 of 2)"), true);
});
test("where no sum can tell that the game is over the players say it at once", () => {
  const acts = (found) => [...found.querySelectorAll(".waiting-lines > [data-act]")].map((one) => one.textContent);
  equal(
    [acts(page("").appendChild(wrap(box([item(1)], { scores: [] })))), acts(wrap(box([item(1)])))],
    [["End the game and sign"], []],
  );
});
test("what is asked is a question with two answers", () => {
  equal(
    [...question().querySelectorAll("button")].map((one) => one.textContent),
    ["Sign", "Keep playing"],
  );
});

function wrap(found) {
  const holder = document.createElement("div");
  holder.append(found);
  return holder;
}
