import { effectOf, incomplete, kept } from "/js/effect.js";
import { equal, page, test } from "/tests/check.js";

const FIELDS = [
  { key: "seat", layout: "seats", short: "Bid by" },
  { key: "bid", layout: "grid", short: "Bid" },
  { key: "books", layout: "count", short: "Books" },
];
const SIDES = [{ name: "Aces" }, { name: "Books" }];
const STATE = { sides: SIDES, seats: { 0: "Ann", 1: "Cal" }, scores: [0, 0], fields: FIELDS };
const OUTCOMES = { "0|3|9": ["3 made with 9 books: Aces +3", ["Because."], "made", [3, 0], false] };
const FACTS = { seat: 0, bid: "3", books: 9 };
const SHEET = { changed: false, scores: [0, 0], exact: true };
const shown = () => page('<div id="effect">old</div>').firstChild;

test("the effect is the one that the server sent", () => {
  const box = shown();
  effectOf(FACTS, STATE, OUTCOMES, SHEET);
  equal(
    [box.innerText.split("\n").filter(Boolean).join("|"), box.firstChild.className],
    ["3 made with 9 books: Aces +3Because.", "effect-words is-made"],
  );
});
test("behind unsent hands it is not confirmed", () => {
  const box = shown();
  effectOf(FACTS, STATE, OUTCOMES, { ...SHEET, changed: true });
  equal(box.textContent.includes("Not yet confirmed"), true);
});
test("what no outcome is known for is left to the desk; what is not chosen yet says nothing", () => {
  const box = shown();
  effectOf({ ...FACTS, books: 2 }, STATE, OUTCOMES, SHEET);
  equal(box.textContent, "No connection: the points will show later.");
  effectOf(null, STATE, OUTCOMES, SHEET);
  equal(box.textContent, "No connection: the points will show later.");
});
test("names are text, not marks", () => {
  const box = shown();
  effectOf(FACTS, STATE, { "0|3|9": ["<b>Aces</b>", [], "made", [3, 0], false] }, SHEET);
  equal([box.textContent, box.querySelector("b")], ["<b>Aces</b>", null]);
});
test("Record pressed too early says so", () => {
  const box = shown();
  incomplete();
  equal(
    [box.textContent, box.firstChild.className],
    ["Not recorded: something is not chosen yet.", "effect-words is-refused"],
  );
});
test("every kind of item has its words", () => {
  const words = (kind, fields) => kept(kind, fields, STATE, OUTCOMES, SHEET);
  equal(words("hand", { position: 1, facts: FACTS }), "Line 1: Ann, 3 made with 9 books: Aces +3");
  equal(words("hand", { position: 1, facts: { ...FACTS, books: 1 } }), "Line 1: Ann, bid 3, books 1");
  equal(
    words("hand", { position: 2, facts: { bids: ["4", "nil"], tricks: [9, 4] } }),
    "Line 2: bids: Aces 4, Books nil; tricks: Aces 9, Books 4",
  );
  equal([words("void", { position: 3 }), words("undo", { position: 3 })], ["Line 3: void hand", "Undo of line 3"]);
  equal(
    [words("seat", { side: 1 }), words("dealer", { seat: 1 }), words("call", {})],
    ["Books seated", "Cal deals first", "Call for the director"],
  );
  equal(words("sign", { side: 0, name: "Ann" }), "Ann signed for Aces");
  equal(
    [words("unsign", { side: 0 }), words("uncall", {})],
    ["Signature for Aces undone", "The director is no longer needed"],
  );
});
test("where every seat bids and sides take the tricks, everybody has a name", () => {
  const state = { sides: STATE.sides, seats: { 0: "Ann", 1: "Cal", 2: "Bea", 3: "Dee" } };
  const words = (facts) => kept("hand", { position: 1, facts }, state, null, SHEET);
  equal(
    words({ bids: ["first-six", "pass", "2", "pass"], tricks: [9, 4] }),
    "Line 1: bids: Ann first six, Cal pass, Bea 2, Dee pass; tricks: Aces 9, Books 4",
  );
  equal(words({ bids: [], tricks: [9, 4] }), "Line 1: tricks: Aces 9, Books 4");
});
