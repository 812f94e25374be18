import { answered, message } from "/js/item.js";
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
  equal(message(ITEM), { uid: "u", kind: "sign", game: 4, after: "b", n: 3, at: 5, side: 1 });
});
test("what went out before it had a number says the same again", () => {
  equal("n" in JSON.parse(JSON.stringify(message({ ...ITEM, unnumbered: true }))), false);
});
test("of an answer what became of the item stays, and since when", () => {
  const answer = { uid: "u", status: "applied", code: "", text: "", field: "", duplicate: true };
  equal(answered(answer, 12), { state: "applied", code: "", text: "", reached: 12 });
});
