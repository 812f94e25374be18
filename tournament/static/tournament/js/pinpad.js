// The PIN of a team: a field that shows dots, and a pad of digits under it from the first tap there. Without this
// file the tablet's own keyboard does it.
import { element } from "./element.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];

export function pinField(team) {
  const label = element("label", "pin-field", `PIN of ${team}`);
  const input = element("input", "pin");
  Object.assign(input, { type: "password", name: "pin", maxLength: 6, autocomplete: "one-time-code", required: true });
  label.append(input);
  return label;
}

// Every PIN field in sight gets its pad, once.
export function addPads(where = document) {
  for (const label of where.querySelectorAll(".pin-field")) {
    if (label.nextElementSibling?.matches(".pin-pad")) continue;
    const input = label.querySelector("input");
    // The tablet's own keyboard stays away; one that is plugged in works.
    input.inputMode = "none";
    label.after(pad(input));
  }
}

function pad(input) {
  const box = element("div", "pin-pad");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Digits of the PIN");
  for (const key of KEYS) {
    const button = element("button", "btn", key);
    button.type = "button";
    if (key === "⌫") button.setAttribute("aria-label", "Delete the last digit");
    button.addEventListener("click", () => press(input, key));
    box.append(button);
  }
  // The field keeps the focus, so that the pad stays open.
  box.addEventListener("pointerdown", (event) => event.preventDefault());
  return box;
}

function press(input, key) {
  input.value = key === "⌫" ? input.value.slice(0, -1) : (input.value + key).slice(0, input.maxLength);
  input.focus();
}

// Open until another side types, and not only while the field has the focus: in Safari a tap on a button takes the focus
// away, and what then moves under the finger gets no click.
document.addEventListener("focusin", ({ target }) => {
  const field = target.closest?.(".pin-field");
  if (!field) return;
  for (const form of document.querySelectorAll(".types-pin")) form.classList.remove("types-pin");
  field.closest("form")?.classList.add("types-pin");
});
document.addEventListener("htmx:afterSettle", () => addPads());
addPads();
