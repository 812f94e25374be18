import { signing } from "/js/signing.js";
import { equal, page, test } from "/tests/check.js";

const side = (name, more = {}) => ({ name, players: [`${name} one`, `${name} two`], signed: false, ...more });
const STATE = { game: 7, sides: [side("Aces"), side("Books")], seats: { 0: "A", 1: "B", 2: "C", 3: "D" }, asks_pin: false };
const SHEET = { signed: {}, changed: true, over: true };
const panel = (state = {}, sheet = {}, here = {}) => signing({ state: { ...STATE, ...state }, ...here }, { ...SHEET, ...sheet });
const buttons = (box) => [...box.querySelectorAll("form button[name]")].map((button) => button.textContent);

test("signing is offered when the lines on this tablet end the game, or the players say so", () => {
  equal([panel({}, { over: false }), panel({}, { changed: false }), panel({ sides: undefined })], [null, null, null]);
  equal(panel({}, { over: false }, { declared: true }) !== null, true);
});
test("every player may sign for the own side", () => {
  equal(buttons(panel()), ["Sign: Aces one", "Sign: Aces two", "Sign: Books one", "Sign: Books two"]);
});
test("who has signed is named, without “received” or “final”", () => {
  const box = panel({}, { signed: { 0: "Aces one" } });
  equal([buttons(box).length, box.textContent.includes("○ Signed by Aces one, on this tablet"), /received|final/i.test(box.textContent)], [2, true, false]);
});
test("after the last side it says to keep the tablet on", () => {
  equal(panel({}, { signed: { 0: "A", 1: "B" } }).textContent.includes("Both sides have signed on this tablet"), true);
});
test("where everybody plays alone it speaks of no sides", () => {
  const state = { sides: [side("Ada"), side("Bo"), side("Cy")], seats: { 0: "Ada", 1: "Bo", 2: "Cy" } };
  const words = panel(state, { signed: { 0: "Ada", 1: "Bo", 2: "Cy" } }).textContent;
  equal([words.includes("Everybody has signed on this tablet"), words.includes("Both sides")], [true, false]);
});
test("a PIN is asked for where the event wants one, masked, with its pad", () => {
  equal(panel().querySelector("input.pin"), null);
  const box = page("").appendChild(panel({ asks_pin: true }));
  equal([...box.querySelectorAll("input.pin")].map((input) => [input.type, input.name, input.required]), [["password", "pin", true], ["password", "pin", true]]);
  equal(box.querySelectorAll(".pin-pad").length, 2);
});
