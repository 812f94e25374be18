import { submit } from "/js/submit.js";
import { equal, page, test } from "/tests/check.js";

const pressed = [];
addEventListener("submit", (event) => {
  event.preventDefault();
  pressed.push(event.submitter?.value ?? null);
});
const form = () =>
  page(
    '<form><button type="button" value="no"></button><button value="first"></button><button value="second"></button></form>',
  ).firstChild;

test("a form goes as if its button had been pressed", () => {
  const made = form();
  submit(made, made.lastChild);
  equal(pressed.splice(0), ["second"]);
});
test("so it does in a Safari that cannot ask for it", () => {
  const made = form();
  made.requestSubmit = undefined;
  submit(made, made.lastChild);
  submit(made, null);
  equal(pressed.splice(0), ["second", "first"]);
});
