import { soFar, unfold } from "/js/outcomes.js";
import { equal, page, test } from "/tests/check.js";

const FIELDS = [
  { key: "seat", layout: "seats" },
  { key: "bid", layout: "grid" },
  { key: "books", layout: "count" },
];
const SENT = {
  answers: [[0, 1], ["3"], [8, 9]],
  headlines: ["3 set with 8 books: {changes}", "3 made with 9 books: {changes}"],
  reasons: ["{side 0}: why, says {seat 1}.", "books {score}"],
  leads: [
    [[3, 1], "Score after this hand: {score}.", "made", false, false, [1, 1]],
    [[0, 1], "Game over: {side 1} won. {score}.", "over", true, true, [2, 1]],
  ],
  hands: [
    [0, 1, 0, 1],
    [0, 1, 0, 0],
    [1, 0, 1, 1],
  ],
  asks: { 3: "{who} bid 3: how many books did they take?" },
  nobody: "nobody scores",
};
const STATE = { sides: [{ name: "aces" }, { name: "{side 0}" }], seats: { 0: "Ann", 1: "$& Cal" }, scores: [0, 1] };

const SET = [
  "3 set with 8 books: nobody scores",
  ["Aces: why, says $& Cal.", "Game over: {side 0} won. aces 0, {side 0} 1."],
  "over",
  [0, 1],
  true,
  true,
  [2, 1],
];

test("names, changes and scores take the place of their marks, and no name is read as a mark", () => {
  equal(unfold(SENT, STATE), {
    "0|3|8": SET,
    "0|3|9": [
      "3 made with 9 books: aces +3",
      ["Books aces 3, {side 0} 1", "Score after this hand: aces 3, {side 0} 1."],
      "made",
      [3, 1],
      false,
      false,
      [1, 1],
    ],
    "1|3|8": SET,
    "1|3|9": [
      "3 made with 9 books: nobody scores",
      ["Aces: why, says $& Cal.", "Game over: {side 0} won. aces 0, {side 0} 1."],
      "over",
      [0, 1],
      true,
      true,
      [2, 1],
    ],
  });
  equal([unfold(null, STATE), unfold(undefined, STATE)], [{}, {}]);
});
test("with a bid and its side the rest is asked for, with less and with more it is not", () => {
  const radio = (name, value, checked) =>
    `<input type="radio" name="${name}" value="${value}"${checked ? " checked" : ""}>`;
  const said = (seat, bid, books) =>
    soFar(
      page(`<form>${radio("seat", 3, seat)}${radio("bid", "3", bid)}${radio("books", 9, books)}</form>`).firstChild,
      { ...STATE, fields: FIELDS, outcomes: SENT },
    );
  equal(said(true, true, false), "{side 0} bid 3: how many books did they take?");
  equal([said(true, false, false), said(false, true, false), said(true, true, true)], ["", "", ""]);
});
