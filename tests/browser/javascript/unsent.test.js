import { localSheet } from "/js/ledger.js";
import { held, show } from "/js/unsent.js";
import { equal, page, test } from "/tests/check.js";

const STATE = {
  fields: [
    { key: "seat", layout: "seats", short: "Bid by" },
    { key: "bid", layout: "grid", short: "Bid" },
    { key: "books", layout: "count", short: "Books" },
  ],
  sides: [
    { name: "Aces", players: ["Ann"] },
    { name: "Books", players: ["Cal"] },
  ],
  scores: [0, 0],
  lines: [],
  seats: {},
};
const FACTS = { seat: 0, bid: "3", books: 9 };
const HAND = {
  uid: "a",
  n: 1,
  kind: "hand",
  state: "pending",
  words: "Line 1: 3",
  fields: { position: 1, facts: FACTS },
};
const OUTCOMES = { "0|3|9": ["3 made", [], "made", [3, 0], false] };
const SIGN = {
  uid: "s",
  n: 2,
  kind: "sign",
  state: "discarded",
  code: "pin",
  text: "Wrong.",
  fields: { side: 0, name: "Ann" },
};

function shown(items, more = {}) {
  page(
    '<span id="sync" hidden></span><span id="offline" hidden></span><p id="not-stored" hidden></p><section id="unsent" hidden></section>',
  );
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
  equal(sync, "○ On this tablet: 1 hand");
  equal(
    [box.includes("○ on this tablet"), box.includes("Score: Aces 3, Books 0."), /saved|received|final/i.test(box)],
    [true, true, false],
  );
  equal([document.body.classList.contains("has-lines"), box.includes("Undo line 1")], [true, true]);
});
test("what the server took and the page does not show yet is received", () => {
  const { sync, box } = shown([{ ...HAND, state: "applied", reached: 5 }], { state: { ...STATE, reached: 4 } });
  equal([sync, box.startsWith("● received"), box.includes("● receivedLine 1: 3")], ["", true, true]);
});
test("what was parked is with the director, in words", () => {
  const { sync, box } = shown([{ ...HAND, state: "parked", text: "Another tablet wrote." }]);
  const said = "▲ with the directorLine 1: 3. Another tablet wrote.";
  equal([sync, box], ["▲ With the director: 1", `${said}…${said}Send now`]);
});
test("a signature that an earlier version refused for its PIN is not with the director", () => {
  equal(shown([SIGN]), { sync: "", box: "" });
  equal(held({ items: [SIGN, { ...HAND, state: "parked" }] }).length, 1);
});
const CALL = {
  uid: "c",
  n: 2,
  kind: "call",
  state: "pending",
  words: "Call for the director",
  fields: { about: "renege" },
};
const NOT_SENT = "Your call for the director is not sent: walk to the desk.";
test("a call that the desk has not heard sends the table there, once it is late", () => {
  const said = (call, more) => shown([{ ...CALL, ...call }], more).box.includes(NOT_SENT);
  const now = Date.now();
  equal(
    [
      said({ at: now }),
      said({ at: now }, { lost: true }),
      said({ at: now - 3000 }),
      said({ at: now - 3000, state: "applied", reached: 2 }),
      said({ at: now - 3000 }, { state: { ...STATE, call: "score" } }),
    ],
    [false, true, true, false, false],
  );
  equal(shown([], { unstored: "call" }).box, NOT_SENT);
  equal(document.getElementById("not-stored").hidden, true);
});
test("a tablet that cannot store, and one that no longer belongs, say so", () => {
  shown([], { broken: true });
  equal(document.getElementById("not-stored").hidden, true);
  shown([], { broken: true, unstored: "hand" });
  equal([document.getElementById("not-stored").hidden, document.body.classList.contains("is-unstored")], [false, true]);
  equal(shown([], { unbound: true }).box.startsWith("The desk has withdrawn this tablet."), true);
});
test("the foot says that writing is kept here only where this tablet can store it", () => {
  const foot = (more) => {
    page('<p id="mode" hidden></p>');
    document.body.dataset.mode = "open";
    show({ state: STATE, items: [], ...more }, localSheet(STATE, [], OUTCOMES));
    return document.getElementById("mode").textContent;
  };
  const words = "This tablet cannot store what you write: it goes to the desk at once, and needs a connection.";
  equal([foot({ storeless: true }), / is kept on this tablet/.test(foot({}))], [words, true]);
});
test("what was unfolded stays so while the list is made again: the lines, and “Sign anyway?”", () => {
  page('<section id="unsent" hidden></section>');
  const state = { ...STATE, seats: { 0: "Ann", 1: "Cal" }, calls: { score: "The director was called." } };
  const sheet = { ...localSheet(state, [HAND], OUTCOMES), over: true, called: "score", signed: { 1: "Cal" } };
  const unfolded = () => [...document.querySelectorAll("details")].map((details) => details.open);
  const again = () => show({ state, items: [HAND] }, sheet);
  again();
  equal(unfolded(), [false, false]);
  document.querySelector(".sign-anyway").open = true;
  again();
  equal(unfolded(), [false, true]);
  document.querySelector(".unsent-fold").open = true;
  again();
  equal(unfolded(), [true, true]);
});
test("what another game left unsent is counted, too", () => {
  const box = "○ 2 from another game on this tablet…○ on this tabletFrom another game: 2Send now";
  equal(shown([], { others: 2 }), { sync: "○ On this tablet: 2 from another game", box });
});
test("what another event left unsent is counted, with what becomes of it", () => {
  const words = "From another event: 1. Sent when this tablet is at a table of that event again.";
  equal(shown([], { elsewhere: 1 }), {
    sync: "○ On this tablet: 1 from another event",
    box: `○ 1 from another event on this tablet…○ on this tablet${words}Send now`,
  });
});
test("without a connection it says so", () => {
  shown([], { lost: true });
  equal(document.getElementById("offline").hidden, false);
});
test("what another game has with the director is said until it is decided", () => {
  equal(shown([], { away: 2 }).box, "▲ with the director…▲ with the directorFrom another game: 2Send now");
});
test("that the game is over is asked by the limits that were sent, once, and not said", () => {
  const hand = (n, more = {}) => ({ ...HAND, uid: `h${n}`, n, fields: { position: n, facts: FACTS }, ...more });
  const asked = (items, more = {}, limits = { win_at: 5, lose_at: -7, sets: null, hands: null, sets_now: [] }) => {
    page('<section id="unsent" hidden></section>');
    const here = { state: STATE, items, ...more };
    show(here, localSheet(STATE, items, OUTCOMES, limits));
    const words = document.querySelector(".over-words")?.textContent ?? "";
    return [words, document.body.classList.contains("is-asked"), document.body.classList.contains("is-over")];
  };
  const question = "By this count the game is over. Sign, or go on?";
  equal(asked([hand(1), hand(2)]), [question, true, false]);
  equal(
    [...document.querySelectorAll(".over-question button")].map((one) => [one.textContent, one.dataset.act]),
    [
      ["Sign", "declare-over"],
      ["Keep playing", "go-on"],
    ],
  );
  equal(
    [asked([hand(1)]), asked([hand(1), hand(2)], { goesOn: true }), asked([hand(1), hand(2)], { declared: true })],
    [
      ["", false, false],
      ["", false, false],
      ["", false, true],
    ],
  );
});
