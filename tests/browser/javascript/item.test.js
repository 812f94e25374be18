import { answered, counted, message, waitingWords } from "/js/item.js";
import { equal, test } from "/tests/check.js";

const ITEM = {
  n: 3,
  uid: "u",
  kind: "sign",
  game: 4,
  after: "b",
  at: 5,
  state: "pending",
  words: "w",
  fields: { side: 1 },
};

test("an item is sent as its kind, its game and its fields", () => {
  const body = { uid: "u", kind: "sign", game: 4, after: "b", n: 3, at: 5, side: 1 };
  equal(JSON.parse(JSON.stringify(message(ITEM))), body);
  const who = [{ team: 1, name: "Aces", players: [["p1", "Ann"]] }];
  equal(message({ ...ITEM, who }), { ...body, who });
});
test("what went out before it had a number says the same again", () => {
  equal("n" in JSON.parse(JSON.stringify(message({ ...ITEM, unnumbered: true }))), false);
});
test("of an answer what became of the item stays, and since when", () => {
  const answer = { uid: "u", status: "applied", code: "", text: "", field: "", duplicate: true };
  equal(answered(answer, { reached: 12 }), { state: "applied", code: "", text: "", reached: 12 });
});
test("what was sent after the desk took this tablet off its table is known as such", () => {
  const { former, sent } = answered(
    { status: "parked", code: "former-device", text: "" },
    { reached: 12, former: true },
  );
  equal([former, Date.now() - sent < 1000], [true, true]);
});
const kinds = (...names) => names.map((kind) => ({ kind }));
test("items are counted as what they are", () => {
  equal(
    [counted(kinds("hand", "call")), counted(kinds("sign", "hand", "undo", "hand", "sign")), counted([])],
    ["1 hand and a call", "2 hands, 1 undo and 2 signatures", ""],
  );
});
test("what is of another game or event is only counted", () => {
  equal(
    [waitingWords({ pending: kinds("hand") }, { others: 2, elsewhere: 1 }), waitingWords({ pending: [] }, {})],
    ["1 hand, 2 from another game and 1 from another event", ""],
  );
});
