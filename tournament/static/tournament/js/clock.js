// The server's clock. A tablet in a hall without internet may have lost its own, and what is said about time ends games:
// so every age and every time left is counted from the offset between the two.
import { recalled, remember } from "./remember.js";

const NAME = "uptown-clock";
let offset = Number(recalled(NAME)) || 0;
// Until the server was heard, this tablet's own clock says nothing.
let known = recalled(NAME) !== null;
export const isKnown = () => known;

export const now = () => Date.now() + offset;

export function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Sentences that hold from one moment to another.
export function showDue(moment) {
  for (const notice of document.querySelectorAll("[data-from]")) {
    const { from, to } = notice.dataset;
    notice.hidden = moment < Date.parse(from) || (to !== undefined && moment >= Date.parse(to));
  }
}

// What the server said just now.
export function heard(moment) {
  if (!Number.isFinite(moment)) return;
  offset = moment - Date.now();
  known = true;
  // A tablet that stores nothing asks again on its next page.
  remember(NAME, offset);
}
