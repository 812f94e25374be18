import { fillLast, turnKey } from "/js/turns.js";
import { equal, page, test } from "/tests/check.js";

function form() {
  const turn = (name, values, more = "") =>
    `<div class="ask turn" ${more}>${values.map((value) => `<input type="radio" name="${name}" value="${value}"><span>${value}</span>`).join("")}</div>`;
  const numbers = [...Array(14).keys()];
  const bids = [0, 1].map((seat) => turn(`bid-${seat}`, ["pass", "nil", 1, 2, 12]));
  const tricks = [0, 1, 2].map((seat) => turn(`tricks-${seat}`, numbers, `data-layout="count" data-place="${seat}"`));
  return page(`<form data-cards="13"><div class="lines"></div>${[...bids, ...tricks].join("")}</form>`).firstChild;
}
const answers = (made) =>
  [...made.querySelectorAll(".turn")].map((turn) => turn.querySelector("input:checked")?.value ?? null);
const press = (made, keys) => keys.map((key) => turnKey(made, key));

test("digits and letters answer the open question", () => {
  const made = form();
  press(made, ["n", "2"]);
  equal(answers(made).slice(0, 2), ["nil", "2"]);
  press(made, ["backspace", "backspace"]);
  equal(answers(made), [null, null, null, null, null]);
});
test("what can still grow waits for the next key", () => {
  const made = form();
  press(made, ["1", "2", "p"]);
  equal(answers(made).slice(0, 2), ["12", "pass"]);
});
test("a blank ends a number that could still grow", () => {
  const made = form();
  press(made, ["1", " ", "1", " "]);
  equal(answers(made).slice(0, 2), ["1", "1"]);
});
test("a key that answers nothing is left alone", () => {
  equal(press(form(), ["z", "enter", "tab"]), [false, false, false]);
});
test("the last number of tricks is counted from the rest, and again when they change", () => {
  const made = form();
  const tricks = (seat, count) => {
    const input = made.querySelector(`[name="tricks-${seat}"][value="${count}"]`);
    input.checked = true;
    fillLast(made, input);
  };
  tricks(0, 5);
  equal(answers(made).slice(2), ["5", null, null]);
  tricks(1, 6);
  equal(answers(made).slice(2), ["5", "6", "2"]);
  tricks(0, 7);
  equal(answers(made).slice(2), ["7", "6", "0"]);
  tricks(0, 9);
  equal(answers(made).slice(2), ["9", "6", null]);
});
