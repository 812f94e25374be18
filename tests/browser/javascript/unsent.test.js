import { held, show } from "/js/unsent.js";
import { localSheet } from "/js/ledger.js";
import { equal, page, test } from "/tests/check.js";

const STATE = { sides: [{ name: "Aces", players: ["Ann"] }, { name: "Books", players: ["Cal"] }], scores: [0, 0], lines: [], seats: {} };
const FACTS = { seat: 0, bid: "3", books: 9 };
const HAND = { uid: "a", n: 1, kind: "hand", state: "pending", words: "Line 1: 3", fields: { position: 1, facts: FACTS } };
const OUTCOMES = { "0|3|9": ["3 made", [], "made", [3, 0], false] };
const SIGN = { uid: "s", n: 2, kind: "sign", state: "discarded", code: "pin", text: "Wrong.", fields: { side: 0, name: "Ann" } };

function shown(items, more = {}) {
  page('<span id="sync" hidden></span><span id="offline" hidden></span><p id="not-stored" hidden></p><section id="unsent" hidden></section>');
  const here = { state: STATE, items, ...more };
  show(here, localSheet(here.state, items, OUTCOMES));
  const [sync, box] = ["sync", "unsent"].map((id) => document.getElementById(id));
  return { sync: sync.hidden ? "" : sync.textContent, box: box.hidden ? "" : box.textContent };
}

test("with nothing unsent nothing is said", () => {
  equal(shown([{ ...HAND, state: "applied" }]), { sync: "", box: "" });
});
test("what waits is “on this tablet”, and neither saved, received nor final", () => {
  const { sync, box } = shown([HAND]);
  equal(sync, "○ On this tablet: 1");
  equal([box.includes("○ on this tablet"), box.includes("It stands Aces 3, Books 0."), /saved|received|final/i.test(box)], [true, true, false]);
  equal([document.body.classList.contains("has-lines"), box.includes("Undo line 1")], [true, true]);
});
test("what the server took and the page does not show yet is received", () => {
  const { sync, box } = shown([{ ...HAND, state: "applied", reached: 5 }], { state: { ...STATE, reached: 4 } });
  equal([sync, box.startsWith("● receivedLine 1: 3")], ["", true]);
});
test("a PIN that is being typed stays while the list is made anew", () => {
  const items = [HAND, { ...HAND, uid: "b", kind: "sign", fields: { side: 0, name: "Ann" } }];
  const here = { items, state: { ...STATE, asks_pin: true, game: 7 } };
  shown(items, here);
  document.querySelector("#unsent .pin").value = "12";
  show(here, localSheet(here.state, items, OUTCOMES));
  equal(document.querySelector("#unsent .pin").value, "12");
});
test("what was parked is with the director, in words", () => {
  const { sync, box } = shown([{ ...HAND, state: "parked", text: "Another tablet wrote." }]);
  equal([sync, box], ["▲ With the director: 1", "▲ with the directorLine 1: 3. Another tablet wrote."]);
});
test("a wrong PIN says that nothing is signed, until somebody signs again", () => {
  equal(shown([SIGN]), { sync: "", box: "▲ not signedAnn: Wrong." });
  equal(held({ state: STATE, items: [SIGN] }).length, 1);
  equal(held({ state: STATE, items: [SIGN, { ...SIGN, uid: "t", n: 3, code: "", state: "applied" }] }).length, 0);
  const signed = { ...STATE, sides: [{ ...STATE.sides[0], signed: true }, STATE.sides[1]] };
  equal(held({ state: signed, items: [SIGN] }).length, 0);
});
test("a wrong PIN is said at the field where it is typed again, once", () => {
  page('<section id="unsent"></section><div class="sign-side side-0"><label class="pin-field">PIN</label></div>');
  const here = { state: STATE, items: [SIGN] };
  for (let count = 0; count < 2; count += 1) show(here, localSheet(STATE, [SIGN], OUTCOMES));
  const said = [...document.querySelectorAll(".sign-side [role=alert]")];
  equal(said.map((one) => [one.textContent, one.nextElementSibling.className]), [["Wrong.", "pin-field"]]);
});
test("a tablet that cannot store, and one that no longer belongs, say so", () => {
  shown([], { broken: true });
  equal(document.getElementById("not-stored").hidden, false);
  equal(shown([], { unbound: true }).box.startsWith("This tablet no longer belongs to the table."), true);
});
test("what another game left unsent is counted, too", () => {
  equal(shown([], { others: 2 }), { sync: "○ On this tablet: 2", box: "○ on this tabletFrom another game: 2" });
});
test("what another event left unsent is counted, with what becomes of it", () => {
  const words = "From another event: 1. Sent when this tablet is at a table of that event again.";
  equal(shown([], { elsewhere: 1 }), { sync: "○ On this tablet: 1", box: `○ on this tablet${words}` });
});
test("without a connection it says so", () => {
  shown([], { lost: true });
  equal(document.getElementById("offline").hidden, false);
});
