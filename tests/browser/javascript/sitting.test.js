import { changesOf, haveRead, sayMoved, seen } from "/js/sitting.js";
import * as store from "/js/store.js";
import { equal, page, test } from "/tests/check.js";

const side = (team, name, ...players) => ({ team, name, players });
const ACES = side(1, "Aces", ["p1", "Ann"], ["p2", "Bea"]);
const BOOKS = side(2, "Books", ["p3", "Cal"], ["p4", "Dee"]);
const OWLS = side(3, "Owls", ["p5", "Eva"], ["p6", "Finn"]);
const NOW = { round: 1, instance: "A", event: "open" };

const said = (then, now) => changesOf(then, now).words.join("; ");
test("a change is said by who came instead of whom", () => {
  const sub = side(1, "Aces", ["s9", "Zed"], ["p2", "Bea"]);
  equal(
    [
      said([ACES, BOOKS], [ACES, OWLS]),
      said([ACES, BOOKS], [BOOKS, ACES]),
      said([ACES, BOOKS], [sub, BOOKS]),
      said([ACES, BOOKS, OWLS], [ACES, BOOKS]),
      said([ACES, BOOKS], [ACES, BOOKS]),
    ],
    ["Owls instead of Books", "the sides have changed places", "Zed instead of Ann for Aces", "without Owls", ""],
  );
});
test("who is put back, a new spelling, and a seat without a name are nobody else", () => {
  const back = side(1, "Aces", ["s9", "Ann"], ["p2", "Bea"]);
  const spelled = side(1, "The Aces", ["p1", "Anne"], ["p2", "Bea"]);
  equal(
    [back, spelled, side(1, "Aces")].map((one) => changesOf([ACES, BOOKS], [one, BOOKS]).isOther),
    [false, false, false],
  );
  equal(changesOf([ACES, BOOKS], [spelled, BOOKS]).written, ["The Aces", "Anne"]);
});
test("it is said until it is read, through a reload, and a change back is said as well", async () => {
  store.enter(NOW);
  const shown = async (...who) => (await seen({ ...NOW, who }, store)).words;
  const first = await shown(ACES, BOOKS);
  const swapped = "The desk changed who sits here: Owls instead of Books.";
  equal([first, await shown(ACES, OWLS), await shown(ACES, OWLS)], ["", swapped, swapped]);
  equal(await shown(ACES, BOOKS), "The desk changed who sits here, and changed it back.");
  await haveRead(store);
  equal([await shown(ACES, BOOKS), await shown(ACES, OWLS)], ["", swapped]);
});
test("others are asked again, and only once", async () => {
  const isOther = async (...who) => (await seen({ ...NOW, round: 2, who }, store)).isOther;
  equal([await isOther(ACES, BOOKS), await isOther(ACES, OWLS), await isOther(ACES, OWLS)], [false, true, false]);
});
test("the next round is no change", async () => {
  equal((await seen({ ...NOW, round: 3, who: [BOOKS, OWLS] }, store)).words, "");
});
test("what is to be said stands on the page until it is nothing", () => {
  const box = page('<div id="moved" hidden><span></span><button></button></div>').firstChild;
  sayMoved("The desk.");
  equal([box.hidden, box.firstChild.textContent], [false, "The desk."]);
  sayMoved("");
  equal(box.hidden, true);
});
