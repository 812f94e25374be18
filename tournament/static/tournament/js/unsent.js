// Shows what is on this tablet without an answer, in three words with shape and color: ○ on this tablet, ● received,
// ■ final. Only the server sets the last two. All of it is one line that unfolds, so that a table can keep writing.
import { showMode } from "./device.js";
import { element } from "./element.js";
import { waitingWords } from "./item.js";
import { showScores } from "./scores.js";
import { isSigned, NOT_CALLED, signing } from "./signing.js";
import { isParked, notTaken, question, row, rowOf, sheetLines, unsentLines } from "./unsentLines.js";

const ELSEWHERE = "Sent when this tablet is at a table of that event again.";
// How long the server may take before unsent items are shown in more than a word.
const SOON = 2000;
let timer = 0;
const UNBOUND = "The desk has withdrawn this tablet. What is here is still sent to the desk. Ask there for a new card.";

export function show(tablet, sheet) {
  document.body.classList.toggle("is-storeless", Boolean(tablet.broken || tablet.storeless));
  const { mine, pending } = sheet;
  showMode(Boolean(tablet.lost) || pending.length > 0);
  const parked = held(tablet);
  const asks = asksWhetherOver(tablet, sheet);
  sheet.isSigned = mine.length > 0 && isSigned(tablet, sheet);
  document.body.classList.toggle("has-unsent", pending.length > 0);
  document.body.classList.toggle("has-lines", sheet.changed);
  document.body.classList.toggle("is-over", Boolean(sheet.changed && (sheet.over || tablet.declared)));
  document.body.classList.toggle("is-asked", asks);
  document.body.classList.toggle("is-signed", sheet.isSigned);
  document.body.classList.toggle("is-unstored", Boolean(tablet.unstored));
  const { others = 0, elsewhere = 0, away = 0 } = tablet;
  chip(waitingWords(sheet, tablet), parked.length + away, tablet);
  showScores(sheet);
  sheetLines(sheet);
  const banner = document.getElementById("not-stored");
  if (banner) banner.hidden = !tablet.unstored || tablet.unstored === "call";
  const sending = document.getElementById("not-saved-yet");
  if (sending) sending.hidden = !tablet.sending;
  const box = document.getElementById("unsent");
  if (!box || !tablet.state) return;
  const open = [...box.querySelectorAll("details[open]")].map((details) => details.dataset.fold);
  box.replaceChildren();
  const panel = signing(tablet, sheet);
  const call = callWaits(tablet, sheet);
  const more = others + elsewhere + away + parked.length > 0 || tablet.unbound || tablet.lost || asks || panel || call;
  box.hidden = !more && (!mine.length || isSoon(mine));
  if (box.hidden) return document.body.classList.remove("is-signing");
  if (tablet.unbound) box.append(element("p", "notice bad", UNBOUND));
  if (call) box.append(alert(NOT_CALLED));
  const rows = [...mine.map((item) => rowOf(item, mine)), ...parked.map(notTaken)];
  if (others) rows.push(row("○ on this tablet", "gold mine", `From another game: ${others}`));
  if (elsewhere) rows.push(row("○ on this tablet", "gold mine", `From another event: ${elsewhere}. ${ELSEWHERE}`));
  if (away) rows.push(row("▲ with the director", "heart held", `From another game: ${away}`));
  if (rows.length) box.append(unsentLines(tablet, sheet, rows, parked));
  if (asks) box.append(question());
  document.body.classList.toggle("is-signing", Boolean(panel));
  if (panel) box.append(panel);
  // What somebody has unfolded stays open when the list is rebuilt.
  for (const details of box.querySelectorAll("details")) details.open = open.includes(details.dataset.fold);
}

// A call that the desk has not received is shown as soon as it is late: the table is waiting for nobody.
function callWaits({ lost, unstored }, { unsentCall }) {
  return unstored === "call" || Boolean(unsentCall && (lost || Date.now() - unsentCall.at > SOON));
}

function alert(words) {
  const box = element("p", "notice bad", words);
  box.setAttribute("role", "alert");
  return box;
}

// This is a question, because without a connection nobody can be sure. A table that keeps playing is not asked again
// about the same lines.
function asksWhetherOver(tablet, sheet) {
  return Boolean(sheet.changed && sheet.reached && !tablet.declared && !tablet.goesOn);
}

// Items that came back: the director has them now.
export function held(tablet) {
  return tablet.items.filter(isParked);
}

function chip(waits, held, tablet) {
  const sign = document.getElementById("sync");
  if (!sign) return;
  sign.hidden = !waits && held === 0;
  sign.className = `chip ${waits ? "gold mine" : "heart"}`;
  sign.textContent = waits ? `○ On this tablet: ${waits}` : `▲ With the director: ${held}`;
  const lost = document.getElementById("offline");
  if (!lost) return;
  lost.hidden = !tablet.lost;
  lost.textContent = tablet.slow ? "▲ Slow connection" : "▲ No connection";
}

// While an answer is on its way, a box that comes and goes would move the form under the finger.
function isSoon(mine) {
  const left = Math.min(...mine.map(({ at }) => at)) + SOON - Date.now();
  clearTimeout(timer);
  if (!(left > 0 && left <= SOON)) return false;
  timer = setTimeout(() => document.dispatchEvent(new Event("uptown:late")), left);
  return true;
}
