import { signing } from "/js/signing.js";
import { equal, page, test } from "/tests/check.js";

const side = (name, more = {}) => ({ name, players: [`${name} one`, `${name} two`], signed: false, ...more });
const STATE = {
  sides: [side("Aces"), side("Books")],
  seats: { 0: "A", 1: "B", 2: "C", 3: "D" },
};
const SHEET = { signed: {}, unsigned: {}, pending: [], changed: true, over: true, called: null };
const panel = (state = {}, sheet = {}, here = {}) =>
  signing({ state: { ...STATE, ...state }, ...here }, { ...SHEET, ...sheet });
const buttons = (box) => [...box.querySelectorAll("form button[name]")].map((button) => button.textContent);

test("signing is offered when the lines on this tablet end the game, or the players say so", () => {
  equal([panel({}, { over: false }), panel({}, { changed: false }), panel({ sides: undefined })], [null, null, null]);
  equal(panel({}, { over: false }, { declared: true }) !== null, true);
});
test("every player may sign for the own side", () => {
  equal(
    buttons(panel()),
    ["Aces one", "Aces two"]
      .map((name) => `${name} signs for Aces`)
      .concat(["Books one", "Books two"].map((name) => `${name} signs for Books`)),
  );
});
test("who has signed is named, without “received” or “final”", () => {
  const box = panel({}, { signed: { 0: "Aces one" } });
  equal(
    [
      buttons(box).length,
      box.textContent.includes("○ Signed by Aces one, on this tablet"),
      /received|final/i.test(box.textContent),
    ],
    [2, true, false],
  );
});
test("after the last side it says to leave the tablet on, and what was not sent is taken back together", () => {
  const words = panel({}, { signed: { 0: "A", 1: "B" } }).textContent;
  const said =
    "Both sides have signed on this tablet. Leave this tablet on. Everything is sent as soon as it reconnects.";
  equal(
    [words.includes(said), words.includes("Undo"), words.includes("Take the signatures back")],
    [true, false, false],
  );
  const pending = [{ kind: "sign" }];
  equal(panel({}, { signed: { 0: "A", 1: "B" }, pending }).querySelector("[data-act]").dataset.act, "signatures-back");
});
test("until every side has signed a signature is taken back, here and where the desk has it", () => {
  const back = (box) =>
    [...box.querySelectorAll('form[data-kind="unsign"]')].map((form) => form.querySelector("[name=side]").value);
  const sides = [side("Aces", { signed: true }), side("Books")];
  equal(back(panel({}, { signed: { 1: "Books one" } })), ["1"]);
  equal(back(panel({ sides }, { changed: false, signed: {}, unsigned: {} }, {}) ?? page("")), []);
  equal(back(panel({ sides }, { changed: false, signed: {}, unsigned: { 1: true } })), ["0"]);
});
test("the last signature is asked about while the director is on the way", () => {
  const calls = { score: "The director was called about the score." };
  const asked = (sheet) =>
    [...panel({ calls }, sheet).querySelectorAll(".sign-anyway p")].map((one) => one.textContent);
  const twice = Array(2).fill("The director was called about the score. Sign anyway?");
  equal(
    [asked({ called: "score" }), asked({ called: "score", signed: { 0: "A" } }), asked({ signed: { 0: "A" } })],
    [[], twice, []],
  );
});
test("where everybody plays alone it speaks of no sides", () => {
  const state = { sides: [side("Ada"), side("Bo"), side("Cy")], seats: { 0: "Ada", 1: "Bo", 2: "Cy" } };
  const words = panel(state, { signed: { 0: "Ada", 1: "Bo", 2: "Cy" } }).textContent;
  equal([words.includes("Everybody has signed on this tablet"), words.includes("Both sides")], [true, false]);
});
