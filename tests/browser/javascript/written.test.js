import { factsOf, fieldsOf } from "/js/written.js";
import { equal, page, test } from "/tests/check.js";

const radio = (name, value, checked) =>
  `<input type="radio" name="${name}" value="${value}" ${checked ? "checked" : ""}>`;
const form = (html, name = "") => page(`<form class="${name}">${html}</form>`).firstChild;
const asks = (name, layout, html, more = "") =>
  `<fieldset data-asks="${name}" data-field="${name}" data-layout="${layout}" ${more}>${html}</fieldset>`;
const seat = asks("seat", "seats", radio("seat", 2, true));
const BIDDER =
  seat + asks("bid", "grid", radio("bid", "3-no", true)) + asks("books", "count", radio("books", 10, true));
const beside = (name, value, checked) => asks(name, "row", radio(name, value, checked), "data-optional");
const turn = (name, field, layout, place, html) =>
  `<fieldset data-asks="${name}-${place}" data-field="${field}" data-layout="${layout}" data-place="${place}">${html}</fieldset>`;
const CARDS = asks("cards", "given", '<input type="hidden" name="cards" value="13">');
const SIX = (value) =>
  asks("first_six", "yes-no", value ? radio("first_six", value, true) : "", 'data-when="first-six"');
const LOCAL = { position: 4, last: { position: 3, key: "k3" }, lines: [{ key: "k1" }, { key: "k3" }] };

function turns(bids, tricks, more = "") {
  const chosen = (name, field, layout) => (value, index) =>
    turn(name, field, layout, index, radio(`${name}-${index}`, value ?? "x", value !== null));
  const each = [...bids.map(chosen("bid", "bids", "row")), ...tricks.map(chosen("tricks", "tricks", "count"))];
  return form(`${CARDS}${each.join("")}${more}`);
}

test("what takes something back says whose signature it was", () => {
  const back = form('<input name="side" value="1">');
  equal([fieldsOf("unsign", back, null, LOCAL), fieldsOf("uncall", form(""), null, LOCAL)], [{ side: 1 }, {}]);
});
test("a hand of the bidder becomes facts", () => {
  const facts = { entry: "hand", seat: 2, bid: "3-no", books: 10 };
  equal(fieldsOf("hand", form(BIDDER), null, LOCAL), { position: 4, facts });
});
test("trumps come along, and the score does not ask for them", () => {
  const facts = { entry: "hand", seat: 2, bid: "3-no", books: 10 };
  equal(factsOf(form(BIDDER + beside("trump", "hearts", false))), facts);
  equal(factsOf(form(BIDDER + beside("trump", "hearts", true))), { ...facts, trump: "hearts" });
  equal(factsOf(form(BIDDER + beside("direction", "downtown", true))), { ...facts, direction: "downtown" });
});
test("while something is not chosen there is no hand", () => {
  equal(fieldsOf("hand", form(seat + asks("bid", "grid", "")), null, LOCAL), null);
  equal(factsOf(turns(["4", null], ["5", "8"])), null);
  equal(factsOf(turns(["4", "3"], ["5", null])), null);
});
test("where everybody bids, bids and tricks stand in order", () => {
  equal(factsOf(turns(["4", "nil"], ["13", "0"])), { entry: "hand", cards: 13, bids: ["4", "nil"], tricks: [13, 0] });
});
test("asked from the dealer's left, written by seat", () => {
  const bids = [1, 0].map((place, index) => turn("bid", "bids", "row", place, radio(`bid-${place}`, index, true)));
  const tricks = [1, 0].map((place, index) =>
    turn("tricks", "tricks", "count", place, radio(`tricks-${place}`, index + 2, true)),
  );
  equal(factsOf(form(CARDS + bids.join("") + tricks.join(""))), {
    entry: "hand",
    cards: 13,
    bids: ["1", "0"],
    tricks: [3, 2],
  });
});
test("all passed needs no tricks", () => {
  equal(factsOf(turns(["pass", "pass"], [null, null])), {
    entry: "hand",
    cards: 13,
    bids: ["pass", "pass"],
    tricks: [0, 0],
  });
});
test("who bid the first six says whether they were won", () => {
  equal(factsOf(turns(["first-six", "1"], ["6", "7"], SIX(""))), null);
  equal(factsOf(turns(["first-six", "1"], ["6", "7"], SIX("no"))).first_six, false);
  equal("first_six" in factsOf(turns(["2", "1"], ["6", "7"], SIX(""))), false);
});
test("trumps and a first round of bidding come along; nothing said is a pass", () => {
  const call = (seat, value) =>
    `<select name="auction-${seat}"><option value=""></option><option value="${value}" selected></option></select>`;
  const round = `<div class="calls" data-dealer="3">${call(0, "2")}${call(1, "")}</div>`;
  const plain = { entry: "hand", cards: 13, bids: ["4", "3"], tricks: [7, 6] };
  equal(factsOf(turns(["4", "3"], ["7", "6"], round)), { ...plain, auction: ["2", "pass"], dealer: 3 });
  equal(factsOf(turns(["4", "3"], ["7", "6"], beside("trump", "hearts", true))), { ...plain, trump: "hearts" });
  equal(
    factsOf(
      turns(
        ["4", "3"],
        ["7", "6"],
        '<div class="calls" data-dealer="3"><select><option value=""></option></select></div>',
      ),
    ),
    plain,
  );
});
test("undo names the line that it takes off", () => {
  equal(fieldsOf("undo", form(""), null, LOCAL), { position: 3, of: "k3" });
  equal(fieldsOf("undo", form(""), null, { ...LOCAL, last: null }), null);
});
test("seats, dealer and calls say what was tapped", () => {
  equal(fieldsOf("seat", form('<input name="side" value="1">'), null, LOCAL), { side: 1 });
  equal(fieldsOf("dealer", form('<input name="dealer" value="3">'), null, LOCAL), { seat: 3 });
  equal(fieldsOf("call", form('<input name="kind" value="score">'), null, LOCAL), { about: "score" });
});
test("the pressed button's value counts where FormData takes no second argument, as in Safari before 16.4", () => {
  const ours = window.FormData;
  window.FormData = new Proxy(ours, { construct: (made, [form]) => new made(form) });
  const pressed = (kind, html) => {
    const made = form(html);
    return fieldsOf(kind, made, made.querySelector("button"), LOCAL);
  };
  const found = [
    pressed("dealer", '<button name="dealer" value="2">'),
    pressed("call", '<button name="kind" value="score">'),
    pressed("void", '<button name="rule" value="bw.misdeal">'),
    pressed("sign", '<input name="side" value="1"><button name="name" value="Ann">'),
  ];
  window.FormData = ours;
  equal(found, [
    { seat: 2 },
    { about: "score" },
    { position: 4, rule: "bw.misdeal" },
    { side: 1, name: "Ann", lines: ["k1", "k3"] },
  ]);
});
test("what is absent is no seat, no side, no reason and no name", () => {
  const kinds = ["dealer", "seat", "unsign", "call", "void", "sign"];
  equal(
    kinds.map((kind) => fieldsOf(kind, form('<input name="dealer" value="">'), null, LOCAL) || null),
    kinds.map(() => null),
  );
});
test("a signature names every line", () => {
  const name = '<input name="side" value="0"><input name="name" value="Ann">';
  equal(fieldsOf("sign", form(name), null, LOCAL), { side: 0, name: "Ann", lines: ["k1", "k3"] });
});
