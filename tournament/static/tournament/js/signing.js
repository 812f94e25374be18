// Signing without a connection: each side taps a name under the lines on this tablet. The signature names these lines,
// so that the server accepts it for this sheet only. Until every side has signed, one signature can be taken back; then
// only all together.

import { element } from "./element.js";

// Shown for a call that is still on this tablet: the director has not heard it, so the table should not wait.
export const NOT_CALLED = "Your call for the director is not sent: walk to the desk.";

export function signing(tablet, sheet) {
  const began = Object.keys({ ...sheet.signed, ...sheet.unsigned }).length > 0;
  if (!tablet.state.sides || !(began || (sheet.changed && (sheet.over || tablet.declared)))) return null;
  const box = element("div", "card pad signing local-signing");
  box.append(element("h2", "", "Check the lines and sign"));
  const sides = element("div", `sides sides-${tablet.state.sides.length}`);
  const open = tablet.state.sides.filter((side, index) => !hasSigned(side, index, sheet)).length;
  sides.append(...tablet.state.sides.map((side, index) => sideOf(side, index, sheet, tablet.state, open)));
  box.append(sides);
  // If everybody plays alone, each player is a side.
  const who =
    Object.keys(tablet.state.seats).length === tablet.state.sides.length ? "Everybody has" : "Both sides have";
  const after = `${who} signed on this tablet. Leave this tablet on. Everything is sent as soon as it reconnects.`;
  if (!open) box.append(element("p", "notice wait", after));
  if (!open && sheet.pending.some(({ kind }) => kind === "sign")) box.append(allBack());
  return box;
}

// Whether every side has signed the sheet in its state here.
export const isSigned = ({ state }, sheet) =>
  state?.sides?.every((side, index) => hasSigned(side, index, sheet)) ?? false;

const hasSigned = (side, index, sheet) =>
  Boolean(sheet.signed[index]) || (side.signed && !sheet.changed && !sheet.unsigned[index]);

function sideOf(side, index, sheet, state, open) {
  const box = element("div", `sign-side side-${index}`);
  box.append(element("h3", "wrap", side.name));
  if (!hasSigned(side, index, sheet)) {
    box.append(names(side, index, state, open === 1 && sheet));
    return box;
  }
  const words = sheet.signed[index] ? `○ Signed by ${sheet.signed[index]}, on this tablet` : "● Signed";
  box.append(element("p", "sign-done", words));
  if (open) box.append(takeBack(index));
  return box;
}

function names(side, index, { calls }, last) {
  const form = formOf("sign", index);
  form.classList.add("choices");
  const words = last?.unsentCall ? NOT_CALLED : (calls?.[last?.called] ?? "");
  for (const name of side.players)
    form.append(last?.called ? asked(side, name, words) : button(name, whoFor(side, name)));
  return form;
}

// Shown before the last signature while a call is open.
function asked(side, name, words) {
  const drop = element("details", "sign-anyway");
  drop.dataset.fold = `sign ${side.name} ${name}`;
  const question = element("p", "", `${words} Sign anyway?`.trim());
  drop.append(element("summary", "btn big", whoFor(side, name)), question, button(name, `Sign anyway: ${name}`));
  return drop;
}

const whoFor = (side, name) => (name === side.name ? `${name} signs` : `${name} signs for ${side.name}`);

function button(name, words) {
  return Object.assign(element("button", "btn big", words), { name: "name", value: name });
}

function takeBack(index) {
  const form = formOf("unsign", index);
  form.append(element("button", "btn big", "Undo"));
  return form;
}

function allBack() {
  const button = Object.assign(element("button", "btn big", "Take the signatures back"), { type: "button" });
  button.dataset.act = "signatures-back";
  return button;
}

function formOf(kind, index) {
  const form = element("form");
  form.dataset.kind = kind;
  form.append(Object.assign(element("input"), { type: "hidden", name: "side", value: String(index) }));
  return form;
}
