import { isPast, pauseLeft, showPause } from "/js/pause.js";
import { equal, page, test } from "/tests/check.js";

const until = (seconds) => ({ paused_until: new Date(Date.now() + seconds * 1000).toISOString() });
const SIDE =
  '<div class="sign-side"><form><label class="pin-field"><input class="pin"></label><button name="name">Ann signs</button></form></div>';
const shown = () =>
  [...document.querySelectorAll("button, .pin")]
    .map((one) => one.disabled)
    .concat(document.querySelectorAll(".pin-pause").length);

test("while it lasts nobody can sign on either side, and the time left stands there; then all is as before", () => {
  page(SIDE + SIDE);
  const found = [];
  for (const state of [null, { paused_until: null }, until(40), until(40), until(-1)]) {
    showPause(state);
    found.push(shown());
  }
  const [open, paused] = [
    [false, false, false, false, 0],
    [true, true, true, true, 2],
  ];
  equal(found, [open, open, paused, paused, open]);
  showPause(until(40));
  equal(
    [
      document.querySelector(".pin-pause").textContent,
      document.querySelector(".pin-pause time").dataset.until.length > 0,
    ],
    ["Nobody can sign on this tablet: 40 s left", true],
  );
});
test("what a wrong PIN was answered with goes when the pause is over, and a later one stays", () => {
  const at = (seconds) => ({ at: Date.now() + seconds * 1000 });
  equal([pauseLeft(null), pauseLeft(until(-5)), pauseLeft(until(40)) > 39_000], [0, 0, true]);
  equal(
    [isPast(at(-70), until(-5)), isPast(at(-1), until(-5)), isPast(at(-10), until(40)), isPast(at(-10), {})],
    [true, false, false, false],
  );
});
