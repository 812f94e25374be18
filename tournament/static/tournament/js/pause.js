// After five wrong PINs nobody signs on this tablet for a minute: how long that is, and that it is over, is said here.
import { now } from "./clock.js";
import { element } from "./element.js";

const WORDS = "Nobody can sign on this tablet: ";
const end = (state) => Date.parse(state?.paused_until ?? "");

// Milliseconds that are left of the pause; 0 while there is none.
export const pauseLeft = (state) => Math.max(0, end(state) - now()) || 0;

// What was said before the pause is over with it.
export const isPast = (item, state) => !pauseLeft(state) && item.at + now() - Date.now() < end(state);

export function showPause(state) {
  const left = pauseLeft(state);
  for (const field of document.querySelectorAll(".sign-side .pin-field")) {
    const form = field.closest("form");
    for (const one of form?.querySelectorAll("button, .pin") ?? []) one.disabled = left > 0;
    field.parentElement.querySelector(".pin-pause")?.remove();
    if (!left) continue;
    const time = element("time", "", `${Math.ceil(left / 1000)} s left`);
    time.dataset.until = state.paused_until;
    const words = element("p", "wrong pin-pause", WORDS);
    words.append(time);
    field.before(words);
  }
}
