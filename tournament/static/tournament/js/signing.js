// Signing without a connection: each side taps a name under the lines that stand on this tablet. The signature names
// these lines, so that the server takes it for this sheet and no other.
import { addPads, pinField } from "./pinpad.js";
import { element } from "./element.js";

export function signing(here, sheet) {
  const began = Object.keys(sheet.signed).length > 0;
  if (!here.state.sides || !(began || (sheet.changed && (sheet.over || here.declared)))) return null;
  const box = element("div", "card pad signing local-signing");
  box.append(element("h2", "", "Check the lines and sign"));
  const sides = element("div", "sides");
  here.state.sides.forEach((side, index) => sides.append(sideOf(side, index, sheet, here.state)));
  box.append(sides);
  addPads(box);
  const all = here.state.sides.every((side, index) => (side.signed && !sheet.changed) || sheet.signed[index]);
  // Alone everybody is a side.
  const who = Object.keys(here.state.seats).length === here.state.sides.length ? "Everybody has" : "Both sides have";
  const after = `${who} signed on this tablet. Keep it on: everything goes to the desk as soon as there is a connection.`;
  if (all) box.append(element("p", "notice wait", after));
  return box;
}

function sideOf(side, index, sheet, state) {
  const box = element("div", `sign-side side-${index}`);
  box.append(element("h3", "wrap", side.name));
  if (sheet.signed[index]) box.append(element("p", "sign-done", `○ Signed by ${sheet.signed[index]}, on this tablet`));
  else if (side.signed && !sheet.changed) box.append(element("p", "sign-done", "● Signed"));
  else box.append(names(side, index, state));
  return box;
}

function names(side, index, { game, asks_pin: asksPin }) {
  const form = element("form", "choices");
  Object.assign(form.dataset, { kind: "sign", game });
  const field = element("input");
  Object.assign(field, { type: "hidden", name: "side", value: String(index) });
  form.append(field);
  if (asksPin) form.append(pinField(side.name));
  for (const name of side.players) {
    const button = element("button", "btn primary big", `Sign: ${name}`);
    Object.assign(button, { name: "name", value: name });
    form.append(button);
  }
  return form;
}
