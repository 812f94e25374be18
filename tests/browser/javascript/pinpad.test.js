import { addPads, pinField } from "/js/pinpad.js";
import { equal, page, test } from "/tests/check.js";

function field() {
  const form = page("<form></form>").firstChild;
  form.append(pinField("Aces"));
  addPads(form);
  const press = (...keys) => {
    const buttons = [...form.querySelectorAll(".pin-pad button")];
    for (const key of keys) buttons.find((one) => one.textContent === key).click();
  };
  return { form, input: form.querySelector("input"), press };
}

test("digits are typed by taps, six at most, and taken back", () => {
  const { input, press } = field();
  press("1", "0", "9", "⌫", "2");
  equal(input.value, "102");
  press("3", "4", "5", "6", "7");
  equal(input.value, "102345");
});
test("the field shows dots, keeps the focus, and no keyboard comes up", () => {
  const { input, press } = field();
  press("1");
  equal([input.type, input.inputMode, document.activeElement === input], ["password", "none", true]);
});
test("the pad stays when the field loses the focus, and goes when another side types", () => {
  page("<form></form><form></form>");
  const [one, other] = document.querySelectorAll("form");
  for (const form of [one, other]) form.append(pinField("Aces"));
  addPads();
  const open = () => [one, other].map((form) => form.classList.contains("types-pin"));
  const found = [open()];
  for (const step of [
    () => one.querySelector("input").focus(),
    () => document.activeElement.blur(),
    () => other.querySelector("input").focus(),
  ]) {
    step();
    found.push(open());
  }
  equal(found, [
    [false, false],
    [true, false],
    [true, false],
    [false, true],
  ]);
});
test("a field gets one pad, and its keys send no form", () => {
  const { form } = field();
  addPads(form);
  equal(
    [
      form.querySelectorAll(".pin-pad").length,
      [...form.querySelectorAll(".pin-pad button")].every((one) => one.type === "button"),
    ],
    [1, true],
  );
});
