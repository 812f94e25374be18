// The bids of the hand in play: locked with “Play”, shown for the minutes that the hand takes, and changed only where both
// sides agree. Nothing is scored here.
import { goOn } from "./stack.js";

let locked = null;

const entry = () => document.getElementById("entry");
const bidders = (form) => [...form.querySelectorAll('.ask[data-place]:not([data-layout="count"])')];
const chosen = (question) => question.querySelector("input:checked");
const same = (bids) => locked !== null && bids.join() === locked.bids.join();

// Everybody's bid by seat or side; null while one is missing.
export function bidsOf(form) {
  const bids = [];
  for (const question of bidders(form)) {
    if (!chosen(question)) return null;
    bids[Number(question.dataset.place)] = chosen(question).value;
  }
  return bids.length ? bids : null;
}

// What this tablet knows to be locked, with a page that came or with what was sent.
export function showContract(sheet) {
  locked = sheet.locked?.position === sheet.position ? sheet.locked : null;
  const words = document.getElementById("contract");
  if (words && entry()) {
    words.hidden = !locked;
    words.textContent = locked?.words ?? "";
  }
  if (entry() && contractAsked(entry())) goOn(entry());
}

// Bids that are locked are answered; what somebody has begun to change stays.
export function giveLocked() {
  if (!entry() || !locked || bidsOf(entry())) return;
  for (const question of bidders(entry())) {
    const answer = question.querySelector(`input[value="${locked.bids[Number(question.dataset.place)]}"]`);
    if (answer) answer.checked = true;
  }
  entry().dispatchEvent(new Event("change", { bubbles: true }));
}

// Whether “Play” is answered changes with the bids; true where it has just changed.
export function contractAsked(form) {
  const ask = form.querySelector(".ask.contract");
  if (!ask) return false;
  const bids = bidsOf(form);
  const answer = ask.querySelector("[name=play]");
  const before = answer.value;
  answer.value = bids && same(bids) ? "locked" : "";
  ask.querySelector(".contract-words").textContent = locked ? "The bids are locked. Do both sides agree to the change?" : toldBy(form);
  ask.querySelector("button").textContent = locked ? "Both sides agree: play" : "Play";
  return answer.value !== before;
}

// Every bid in its words, and how many of the tricks are bid where all are numbers: that is counting, not scoring.
function toldBy(form) {
  const answers = bidders(form).filter(chosen);
  const words = answers.map(
    (question) => `${question.dataset.line} ${chosen(question).nextElementSibling.firstChild.textContent.trim()}`,
  );
  const total = answers.reduce((sum, question) => sum + Number(chosen(question).value), 0);
  if (!Number.isNaN(total)) words.push(`${total} of ${form.dataset.cards} bid`);
  return words.join(" · ");
}
