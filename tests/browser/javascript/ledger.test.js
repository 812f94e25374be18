import { lastWritten, localSheet, minus, outcomeOf, scoreWords } from "/js/ledger.js";
import { equal, test } from "/tests/check.js";

const SIDES = [{ name: "Aces" }, { name: "Books" }];
const FIELDS = [
  { key: "seat", layout: "seats" },
  { key: "bid", layout: "grid" },
  { key: "books", layout: "count" },
];
const STATE = { sides: SIDES, scores: [3, 0], lines: [[1, "one"]], fields: FIELDS };
const OUTCOMES = {
  "0|4|10": ["4 made", ["Why."], "made", [7, 0], true],
  "1|2|7": ["2 set", [], "set", [3, -2], false],
};
const FOUR = { seat: 2, bid: "4", books: 10 };
const TWO = { seat: 3, bid: "2", books: 7 };
let n = 0;
const item = (kind, fields, more = {}) => {
  n += 1;
  return { uid: `u${n}`, n, kind, fields, state: "pending", ...more };
};
const hand = (position, facts) => item("hand", { position, facts });

test("without anything unsent the sheet is the server's", () => {
  const sheet = localSheet(STATE, [item("hand", { position: 1, facts: FOUR }, { state: "applied" })], OUTCOMES);
  equal([sheet.lines.length, sheet.scores, sheet.changed, sheet.position, sheet.exact], [1, [3, 0], false, 2, true]);
});
test("the first unsent hand is exact, from the outcome that the server sent", () => {
  const sheet = localSheet(STATE, [hand(2, FOUR)], OUTCOMES);
  equal([sheet.scores, sheet.over, sheet.exact, sheet.position], [[7, 0], true, true, 3]);
  equal(scoreWords(sheet, STATE), "Score: Aces 7, Books 0.");
});
test("further hands are called provisional", () => {
  const sheet = localSheet(STATE, [hand(2, FOUR), hand(3, TWO)], OUTCOMES);
  equal([sheet.scores, sheet.exact], [[7, -2], false]);
  equal(scoreWords(sheet, STATE), "Score so far, not yet confirmed: Aces 7, Books −2.");
});
test("a hand without a known outcome leaves the score to the desk", () => {
  const sheet = localSheet(STATE, [hand(2, { seat: 0, bid: "7", books: 13 })], OUTCOMES);
  equal(scoreWords(sheet, STATE), "The score will show when the connection is back.");
});
test("undo takes back the last unsent hand with its score", () => {
  const first = hand(2, FOUR);
  const sheet = localSheet(STATE, [first, item("undo", { position: 2, of: first.uid })], OUTCOMES);
  equal([sheet.scores, sheet.over, sheet.position, sheet.hands], [[3, 0], false, 2, 0]);
});
test("undo of a line of the server's cannot be counted back", () => {
  const sheet = localSheet(STATE, [item("undo", { position: 1, of: "one" })], OUTCOMES);
  equal([sheet.scores, sheet.position], [[], 1]);
});
test("undo of another line than the last one changes nothing", () => {
  equal(localSheet(STATE, [item("undo", { position: 1, of: "other" })], OUTCOMES).lines.length, 1);
});
test("signatures and seats are noted by side", () => {
  const sheet = localSheet(STATE, [item("sign", { side: 1, name: "Ann" }), item("seat", { side: 0 })], OUTCOMES);
  equal([sheet.signed, sheet.seated, sheet.changed], [{ 1: "Ann" }, [0], false]);
});
test("the first dealer is whom the table named last, else the server's", () => {
  const named = [item("dealer", { seat: 2 }), item("dealer", { seat: 3 })];
  equal(
    [
      localSheet(STATE, named, OUTCOMES).dealer,
      localSheet({ ...STATE, dealer: 1 }, [], OUTCOMES).dealer,
      localSheet(STATE, [], OUTCOMES).dealer,
    ],
    [3, 1, null],
  );
});
test("what the server has and the page does not show yet still counts, once", () => {
  const page = { ...STATE, reached: 7 };
  const taken = (reached, uid = "new") => ({ ...hand(2, FOUR), uid, state: "applied", reached });
  const lines = (item) => localSheet(page, [item], OUTCOMES).lines.map((line) => line.key);
  equal([lines(taken(8)), lines(taken(7)), lines(taken(8, "one"))], [["one", "new"], ["one"], ["one"]]);
  const { mine, pending } = localSheet(page, [taken(8), hand(3, TWO)], OUTCOMES);
  equal([mine.length, pending.length], [2, 1]);
});
test("an outcome belongs to the side, not to the seat", () => {
  equal(outcomeOf(FOUR, STATE, OUTCOMES).headline, "4 made");
  equal([outcomeOf(null, STATE, OUTCOMES), outcomeOf(FOUR, STATE, null)], [null, null]);
});
test("an outcome is looked up by the fields that the server names, whatever the game calls them", () => {
  const fields = [
    { key: "suit", layout: "row" },
    { key: "maker", layout: "seats" },
    { key: "tricks", layout: "count" },
  ];
  const found = outcomeOf({ maker: 3, suit: "hearts", tricks: 4 }, { ...STATE, fields }, { "hearts|1|4": ["Four"] });
  equal(found.headline, "Four");
  equal(outcomeOf(FOUR, { ...STATE, fields: [] }, OUTCOMES), null);
});
test("nothing waits for a call, a signature or what was refused", () => {
  const written = hand(2, FOUR);
  const after = [item("call", {}), item("sign", {}), { ...hand(3, TWO), state: "parked" }];
  equal([lastWritten([written, ...after]), lastWritten(after), lastWritten([])], [written.uid, null, null]);
});
test("a signature and a call are there until they are taken back, and may be given again", () => {
  const [sign, unsign] = [item("sign", { side: 1, name: "Ann" }), item("unsign", { side: 1 })];
  const of = (...items) => localSheet({ ...STATE, call: "score" }, items, OUTCOMES);
  equal([of(sign, unsign).signed, of(sign, unsign).unsigned, of(sign, unsign, sign).unsigned], [{}, { 1: true }, {}]);
  equal(
    [of().called, of(item("uncall", {})).called, of(item("uncall", {}), item("call", { about: "renege" })).called],
    ["score", null, "renege"],
  );
});
test("what takes something back waits for that alone, and no hand waits for it", () => {
  const [hand1, mine, theirs, call] = [
    hand(2, FOUR),
    item("sign", { side: 1 }),
    item("sign", { side: 0 }),
    item("call", { about: "score" }),
  ];
  const all = [hand1, mine, theirs, call, item("unsign", { side: 1 }), item("uncall", {})];
  equal(
    [lastWritten(all, "unsign", { side: 1 }), lastWritten(all, "uncall"), lastWritten(all)],
    [mine.uid, call.uid, hand1.uid],
  );
  equal(lastWritten([{ ...call, state: "parked" }], "uncall"), call.uid);
});
test("the game is over by what was sent: points, a fall, sets, the last deal, or a hand that ends it by itself", () => {
  const none = { win_at: null, lose_at: null, sets: null, hands: null, sets_now: [0, 1] };
  const outcomes = {
    ...OUTCOMES,
    "0|4|10": ["", [], "made", [7, 0], false, false, [1, 1]],
    "1|2|7": ["", [], "set", [3, -2], false, false, [1, 2]],
    "0|1|6": ["", [], "set", [2, 0], true, true, [2, 1]],
  };
  const reached = (limits, ...facts) =>
    localSheet(
      STATE,
      facts.map((one, at) => hand(at + 2, one)),
      outcomes,
      { ...none, ...limits },
    ).reached;
  equal(
    [reached({ win_at: 11 }, FOUR, FOUR), reached({ win_at: 12 }, FOUR, FOUR), reached({ win_at: 4 }, FOUR)],
    [true, false, false],
  );
  equal([reached({ lose_at: -4 }, TWO, TWO), reached({ lose_at: -5 }, TWO, TWO)], [true, false]);
  equal([reached({ sets: 3 }, TWO, TWO), reached({ sets: 3 }, FOUR, TWO)], [true, false]);
  equal([reached({ hands: 2 }, FOUR, FOUR), reached({ hands: 2 }, FOUR), reached({ hands: 0 })], [true, false, false]);
  equal([reached({}, FOUR, { seat: 0, bid: "1", books: 6 }), reached({}, FOUR, FOUR)], [true, false]);
  const unknown = { bids: [], tricks: [] };
  equal([reached({ hands: 2, win_at: 1 }, unknown, unknown), reached({ win_at: 1 }, unknown, unknown)], [true, false]);
});
test("an undo takes back what had ended the game", () => {
  const limits = { win_at: 11, lose_at: null, sets: null, hands: null, sets_now: [] };
  const [one, two] = [hand(2, FOUR), hand(3, FOUR)];
  const of = (...items) =>
    localSheet(STATE, items, { ...OUTCOMES, "0|4|10": ["", [], "made", [7, 0], false, false, []] }, limits);
  equal([of(one, two).reached, of(one, two, item("undo", { position: 3, of: two.uid })).reached], [true, false]);
});
test("a minus is a real minus", () => equal([minus(-3), minus(0), minus(4)], ["−3", "0", "4"]));
