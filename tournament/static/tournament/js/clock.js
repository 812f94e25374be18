// The server's clock. In a hall without internet a tablet's clock may be wrong, and time ends games. So every age and
// every time left is computed from the offset between the two clocks.
import { recalled, remember } from "./remember.js";

const NAME = "uptown-clock";
let offset = Number(recalled(NAME)) || 0;
// Until the server has answered, this tablet's clock is not used.
let known = recalled(NAME) !== null;
export const isKnown = () => known;

export const now = () => Date.now() + offset;

export function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Sentences that apply from one moment to another.
export function showDue(moment) {
  for (const notice of document.querySelectorAll("[data-from]")) {
    const { from, to } = notice.dataset;
    notice.hidden = moment < Date.parse(from) || (to !== undefined && moment >= Date.parse(to));
  }
}

// The time that the server has just sent.
export function heard(moment) {
  if (!Number.isFinite(moment)) return;
  offset = moment - Date.now();
  known = true;
  // A tablet that cannot store it asks again on its next page.
  remember(NAME, offset);
}
