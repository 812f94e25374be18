// The bids of the hand in play: locked with “Play”, shown while the hand is played, and changed only if both sides
// agree. Nothing is scored here.
import { arrange, openAgain } from "./stack.js";

// Bids that are a number of tricks, or promise none.
const NUMBER = /^(?:(?:blind-|come-out-)?(\d+)|pass|(?:blind-)?nil|with-partner)$/;
const PASS = "pass";
let locked = null;
let sides = [];

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

// The bids that this tablet knows to be locked, from a page that arrived or from what was sent.
export function showContract(sheet, state) {
  locked = sheet.locked?.position === sheet.position ? sheet.locked : null;
  sides = state?.sides ?? [];
  const box = document.getElementById("contract");
  if (box && entry()) {
    box.hidden = !locked;
    box.firstElementChild.textContent = locked?.words.replace(/^Bids: /, "") ?? "";
  }
  const late = document.getElementById("contract-late");
  if (late) {
    late.hidden = !sheet.late;
    late.textContent = sheet.late;
  }
  if (entry() && contractAsked(entry())) arrange(entry());
}

// Fill in locked bids, but keep what somebody has begun to change.
export function giveLocked() {
  if (entry() && locked && !bidsOf(entry())) give();
}

function give() {
  for (const question of bidders(entry())) {
    const answer = question.querySelector(`input[value="${locked.bids[Number(question.dataset.place)]}"]`);
    if (answer) answer.checked = true;
  }
  entry().dispatchEvent(new Event("change", { bubbles: true }));
}

// “Play” is needed or not depending on the bids; returns true if that has just changed.
export function contractAsked(form) {
  const ask = form.querySelector(".ask.contract");
  if (!ask) return false;
  const bids = bidsOf(form);
  const answer = ask.querySelector("[name=play]");
  const before = answer.value;
  answer.value = bids && same(bids) ? "locked" : "";
  const [play, passed, keep] = ["[form=lock]", "[data-passed]", "[type=button]"].map((one) => ask.querySelector(one));
  const all = passed !== null && bids?.every((bid) => bid === PASS);
  ask.querySelector(".muted").textContent = locked ? "Do both sides agree?" : "All bids are in";
  ask.querySelector(".ask-words").textContent = contractWords(form);
  play.textContent = locked ? "Both sides agree" : "Play";
  // A hand that everybody passed is thrown in, and bids that the server has refused are not played.
  play.hidden = (all && !passed.hasAttribute("data-may-play")) || form.querySelector("#effect [data-at-bids]") !== null;
  if (passed) passed.hidden = !all;
  keep.hidden = !locked;
  return answer.value !== before;
}

// Worded as on the server: the bids of each side, and how many tricks are bid if all are numbers. This only counts.
export function contractWords(form) {
  const bids = [];
  for (const question of bidders(form)) if (chosen(question)) bids[Number(question.dataset.place)] = chosen(question);
  const own = (side) => bids.filter((_, place) => (bids.length > sides.length ? place % sides.length : place) === side);
  const words = sides.map(({ name }, side) => `${name} ${together(own(side))}`);
  const read = bids.map(({ value }) => NUMBER.exec(value));
  const total = read.reduce((sum, match) => sum + Number(match?.[1] ?? 0), 0);
  return [...words, ...(read.every(Boolean) ? [`${total} of ${form.dataset.cards} bid`] : [])].join(" · ");
}

// A pass adds nothing to the partner's bid.
function together(bids) {
  const made = bids.filter(({ value }) => value !== "with-partner" && value !== PASS);
  if (made.length && made.every(({ value }) => /^\d+$/.test(value)))
    return made.reduce((sum, { value }) => sum + Number(value), 0);
  return (made.length ? made : bids.slice(0, 1))
    .map((bid) => bid.nextElementSibling.firstChild.textContent.trim())
    .join(" + ");
}

// What was said about other bids no longer applies, whether an answer comes or not.
document.addEventListener(
  "change",
  ({ target }) => {
    const said = target.closest?.("#entry")?.querySelector("#effect [data-at-bids]");
    said?.removeAttribute("data-at-bids");
  },
  true,
);
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "effect" && entry()) contractAsked(entry());
});
document.addEventListener("click", ({ target }) => {
  if (target.closest(".contract [type=button]")) give();
  if (target.closest("#contract button")) openAgain(entry(), bidders(entry())[0]);
});
