import { served, showOffline } from "/js/offlineView.js";
import { equal, page, test } from "/tests/check.js";

const PARTS = {
  dealer: '<p>Who deals first?</p><form><button name="dealer" value="1">Cal</button></form>',
  play: '<p><b data-first="0">Ann</b><b data-first="1">Cal</b> deals first</p><section id="next-hand"></section>',
};
const FORMS = [1, 2].map(
  (hand) =>
    `<form id="entry">Hand ${hand}, <b data-first="0">Ann</b><b data-first="1">Cal</b> deals<input name="client_key"></form>`,
);
const AHEAD = { from: 0, parts: PARTS, forms: FORMS };
const SIDES = [{ seated: false }, { seated: true }];
const card = (side) => `<form class="side-card side-${side}"><button>We are seated</button></form>`;

function table(phase, more = {}) {
  page(`<div id="table" class="table phase-${phase}"><div id="stage">${card(0)}${card(1)}</div></div>`);
  const state = { phase, writes: true, dealer: null, hands: 0, sides: SIDES, ...more };
  served(state);
  return state;
}
function staged(state, sheet, ahead = AHEAD) {
  showOffline({ state, ahead }, { mine: [{}], seated: [], dealer: state.dealer, hands: 0, ...sheet });
  return [document.getElementById("table").className, document.getElementById("stage").textContent];
}

test("who said to be seated is marked, as on this tablet", () => {
  const sides = [{ seated: false }, { seated: false }];
  equal(staged(table("seats", { sides }), { seated: [0] }), [
    "table phase-seats",
    "○ Seated, on this tabletWe are seated",
  ]);
});
test("a tablet that only shows the score says who is seated as well, and names no dealer", () => {
  const said = "○ Seated, on this tabletWe are seated";
  equal(staged(table("seats", { writes: false }), { seated: [0], dealer: 1 }), ["table phase-seats", said]);
});
test("when all are seated the first dealer is asked for", () => {
  equal(staged(table("seats"), { seated: [0] }), ["table phase-dealer", "Who deals first?Cal"]);
});
test("who deals after a void hand is said by name only of the hand that the server knows", () => {
  const state = table("play", { dealer: 0, hands: 1 });
  const said = () => document.getElementById("stage").textContent;
  const void_ = 'A misdeal<span data-unnamed=": the next player deals">: Sam deals next</span>';
  document.getElementById("stage").innerHTML = void_;
  showOffline({ state, ahead: AHEAD }, { mine: [], seated: [], dealer: 0, hands: 0 });
  equal(said(), "A misdeal: Sam deals next");
  showOffline({ state, ahead: AHEAD }, { mine: [{}], seated: [], dealer: 0, hands: 1 });
  equal(said(), "A misdeal: the next player deals");
});
test("with a first dealer the first hand can be written, and the dealer can be changed", () => {
  const state = table("dealer");
  equal(staged(state, { dealer: 1 }), ["table phase-play", "Cal deals firstHand 1, Cal deals"]);
  equal(staged(state, { dealer: 0 })[1], "Ann deals firstHand 1, Ann deals");
});
test("each hand has its form, and an undo brings the one before back; nothing that is typed is taken away between", () => {
  const state = table("dealer");
  staged(state, { dealer: 1 });
  const form = () => document.getElementById("entry");
  const first = form();
  staged(state, { dealer: 1 });
  equal(form() === first, true);
  equal(staged(state, { dealer: 1, hands: 1 })[1], "Cal deals firstHand 2, Cal deals");
  equal(staged(state, { dealer: 1 })[1], "Cal deals firstHand 1, Cal deals");
  equal(form() === first, false);
});
test("forms that came some hands ago are counted from then on", () => {
  const state = table("play", { dealer: 0, hands: 5 });
  document.getElementById("stage").innerHTML = '<section id="next-hand"></section>';
  equal(staged(state, { dealer: 0, hands: 1 }, { ...AHEAD, from: 5 })[1], "Hand 2, Ann deals");
  equal(staged(state, { dealer: 0, hands: 2 }, { ...AHEAD, from: 6 })[1], "Hand 2, Ann deals");
});
test("what was not sent ahead leaves the page as it is", () => {
  const state = table("dealer");
  equal(staged(state, { dealer: 1 }, { from: 0, parts: {}, forms: [] })[0], "table phase-dealer");
  staged(state, { dealer: 1 });
  equal(staged(state, { dealer: 1, hands: 5 })[1], "Cal deals firstHand 1, Cal deals");
});
test("the server's page stands as it is: nothing of this tablet's own, another tablet writes, or the game is over", () => {
  const asIs = ["table phase-seats", "We are seatedWe are seated"];
  equal(staged(table("seats"), { mine: [], seated: [0], dealer: 1 }), asIs);
  equal(staged(table("seats", { writes: false }), { dealer: 1 }), asIs);
  equal(staged(table("sign"), { dealer: 1 })[0], "table phase-sign");
});
