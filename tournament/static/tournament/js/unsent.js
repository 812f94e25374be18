// What is on this tablet and not answered yet, in three words with shape and colour: ○ on this tablet, ● received,
// ■ final. The last two stand only where the server put them. All of it is one line that unfolds: a table writes on.
import { showMode } from "./device.js";
import { element } from "./element.js";
import { folded, isParked, list, notTaken, question, row, rowOf } from "./folded.js";
import { isPast, pauseLeft } from "./pause.js";
import { showScores } from "./scores.js";
import { signing } from "./signing.js";
import { giveBack, typed } from "./typing.js";

const ELSEWHERE = "Sent when this tablet is at a table of that event again.";
const UNBOUND = "The desk has withdrawn this tablet. What is here is still sent to the desk. Ask there for a new card.";

export function show(here, sheet) {
  showMode();
  const { mine, pending } = sheet;
  const back = held(here);
  const asks = asksWhetherOver(here, sheet);
  document.body.classList.toggle("has-unsent", pending.length > 0);
  document.body.classList.toggle("has-lines", sheet.changed);
  document.body.classList.toggle("is-over", Boolean(sheet.changed && (sheet.over || here.declared)));
  document.body.classList.toggle("is-asked", asks);
  document.body.classList.toggle("is-unstored", Boolean(here.unstored));
  const { others = 0, elsewhere = 0, away = 0 } = here;
  chip(pending.length + others + elsewhere, back.filter(isParked).length + away, here);
  showScores(sheet);
  const banner = document.getElementById("not-stored");
  if (banner) banner.hidden = !here.unstored;
  for (const said of document.querySelectorAll(".pin-wrong")) said.remove();
  const box = document.getElementById("unsent");
  if (!box || !here.state) return;
  const fields = typed(box);
  const unfolded = box.querySelector(".unsent-fold")?.open ?? false;
  box.replaceChildren();
  box.hidden = mine.length + others + elsewhere + away + back.length === 0 && !here.unbound;
  if (box.hidden) return document.body.classList.remove("is-signing");
  if (here.unbound) box.append(element("p", "notice bad", UNBOUND));
  const rows = [...mine.map((item) => rowOf(item, mine)), ...back.filter(isParked).map(notTaken)];
  if (others) rows.push(row("○ on this tablet", "mine", `From another game: ${others}`));
  if (elsewhere) rows.push(row("○ on this tablet", "mine", `From another event: ${elsewhere}. ${ELSEWHERE}`));
  if (away) rows.push(row("▲ with the director", "held", `From another game: ${away}`));
  if (rows.length) box.append(folded(here, sheet, rows, { parked: back.filter(isParked), unfolded }));
  const unsigned = back.filter((item) => !isParked(item));
  if (unsigned.length) box.append(list(unsigned.map(notTaken)));
  if (asks) box.append(question());
  const panel = signing(here, sheet);
  document.body.classList.toggle("is-signing", Boolean(panel));
  if (panel) box.append(panel);
  if (panel) giveBack(box, fields);
  // While nobody can sign, the field says how long.
  if (!pauseLeft(here.state)) unsigned.forEach(sayAtPin);
}

// Asked, not said: without a connection nobody else can know. Who goes on is not asked about the same lines again.
function asksWhetherOver(here, sheet) {
  return Boolean(sheet.changed && sheet.reached && !here.declared && !here.goesOn);
}

// At the field, too: the list of what came back may be out of sight.
function sayAtPin(item) {
  for (const field of document.querySelectorAll(`.sign-side.side-${item.fields.side} .pin-field`)) {
    const words = element("p", "wrong pin-wrong", item.text);
    words.setAttribute("role", "alert");
    field.before(words);
  }
}

// What came back: the director has it now, or a signature has to be given again.
export function held(here) {
  return here.items.filter((item) => isParked(item) || isUnsigned(item, here));
}

// A signature whose PIN was wrong, as long as nobody signed for that side after it.
function isUnsigned(item, here) {
  const later = (one) => one.kind === "sign" && one.n > item.n && one.fields.side === item.fields.side;
  return (
    item.code === "pin" &&
    !isPast(item, here.state) &&
    !here.state?.sides?.[item.fields.side]?.signed &&
    !here.items.some(later)
  );
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
