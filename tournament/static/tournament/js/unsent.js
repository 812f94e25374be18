// What is on this tablet and not answered yet, in three words with shape and colour: ○ on this tablet, ● received,
// ■ final. The last two stand only where the server put them.
import { scoreWords } from "./ledger.js";
import { showMode } from "./device.js";
import { element } from "./element.js";
import { signing } from "./signing.js";
import { giveBack, typed } from "./typing.js";

const ELSEWHERE = "Sent when this tablet is at a table of that event again.";
const WITH_DESK = new Set(["parked", "refused", "invalid"]);

export function show(here, sheet) {
  showMode();
  const { mine, pending } = sheet;
  const back = held(here);
  document.body.classList.toggle("has-unsent", pending.length > 0);
  document.body.classList.toggle("has-lines", sheet.changed);
  document.body.classList.toggle("is-over", sheet.changed && (sheet.over || here.declared));
  const { others = 0, elsewhere = 0 } = here;
  chip(pending.length + others + elsewhere, back.filter(isParked).length, here);
  const banner = document.getElementById("not-stored");
  if (banner) banner.hidden = !here.broken;
  const box = document.getElementById("unsent");
  if (!box || !here.state) return;
  const fields = typed(box);
  box.replaceChildren();
  box.hidden = mine.length + others + elsewhere + back.length === 0 && !here.unbound;
  if (box.hidden) return document.body.classList.remove("is-signing");
  if (here.unbound) box.append(paragraph("notice bad", "This tablet no longer belongs to the table. Ask the desk for a new card; what is here stays here."));
  if (others) box.append(list([row("○ on this tablet", "mine", `From another game: ${others}`)]));
  if (elsewhere) box.append(list([row("○ on this tablet", "mine", `From another event: ${elsewhere}. ${ELSEWHERE}`)]));
  if (mine.length) box.append(waiting(here, sheet));
  if (back.length) box.append(list(back.map(notTaken)));
  const panel = signing(here, sheet);
  document.body.classList.toggle("is-signing", Boolean(panel));
  if (panel) box.append(panel);
  if (panel) giveBack(box, fields);
  back.filter((item) => !isParked(item)).forEach(sayAtPin);
}

// At the field, too: the list of what came back may be out of sight.
function sayAtPin(item) {
  for (const field of document.querySelectorAll(`.sign-side.side-${item.fields.side} .pin-field`)) {
    const said = field.previousElementSibling;
    if (said?.matches(".pin-wrong")) said.remove();
    const words = element("p", "wrong pin-wrong", item.text);
    words.setAttribute("role", "alert");
    field.before(words);
  }
}

// What came back: the director has it now, or a signature has to be given again.
export function held(here) {
  return here.items.filter((item) => isParked(item) || isUnsigned(item, here));
}

const isParked = (item) => WITH_DESK.has(item.state);

function notTaken(item) {
  if (!isParked(item)) return row("▲ not signed", "held", `${item.fields.name}: ${item.text}`);
  return row("▲ with the director", "held", [item.words, item.text].filter(Boolean).join(". "));
}

// A signature whose PIN was wrong, as long as nobody signed for that side after it.
function isUnsigned(item, here) {
  const later = (one) => one.kind === "sign" && one.n > item.n && one.fields.side === item.fields.side;
  return item.code === "pin" && !here.state?.sides?.[item.fields.side]?.signed && !here.items.some(later);
}

function chip(waits, held, here) {
  const sign = document.getElementById("sync");
  if (!sign) return;
  sign.hidden = waits + held === 0;
  sign.className = `chip ${waits ? "mine" : "heart"}`;
  sign.textContent = waits ? `○ On this tablet: ${waits}` : `▲ With the director: ${held}`;
  const lost = document.getElementById("offline");
  if (lost) lost.hidden = !here.lost;
}

function waiting(here, sheet) {
  const box = element("div", "waiting-lines");
  const last = sheet.last?.item;
  box.append(list(sheet.mine.map((item) => row(...whereIs(item), item.words, item === last && undo(sheet)))));
  if (sheet.changed) box.append(paragraph("local-score", scoreWords(sheet, here.state)));
  const acts = element("div", "unsent-acts");
  const send = element("button", "btn", "Send now");
  Object.assign(send, { type: "button", id: "send-now" });
  acts.append(send);
  if (sheet.hands && !sheet.over && !here.declared) {
    const over = element("button", "btn", "The game is over: sign");
    Object.assign(over, { type: "button", id: "declare-over" });
    acts.append(over);
  }
  box.append(acts);
  return box;
}

const whereIs = (item) => (item.state === "pending" ? ["○ on this tablet", "mine"] : ["● received", ""]);

function undo(sheet) {
  const form = element("form", "inline");
  form.dataset.kind = "undo";
  form.append(element("button", "btn", `Undo line ${sheet.last.position}`));
  return form;
}

function list(rows) {
  const box = element("ul", "unsent-list");
  box.append(...rows);
  return box;
}

function row(words, kind, text, more) {
  const line = element("li");
  line.append(element("span", `chip ${kind}`, words), element("span", "wrap", text));
  if (more) line.append(more);
  return line;
}

function paragraph(name, text) {
  return element("p", name, text);
}
