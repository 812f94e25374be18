// The form of games in which everybody bids: keys go to the open question, and the last number of tricks is computed
// from the others (that is counting, not scoring).
import { answer, choose, goOn, questions } from "./stack.js";

let typed = "";
let open = null;

export function fillLast(form, changed) {
  const turns = questions(form).filter((turn) => turn.matches('[data-layout="count"][data-place]'));
  if (!turns.includes(changed.closest(".ask"))) return;
  changed.closest(".ask").removeAttribute("data-counted");
  const left = turns.filter((turn) => !answer(turn) || turn.hasAttribute("data-counted"));
  if (left.length !== 1) return;
  const taken = turns.filter((turn) => turn !== left[0]).reduce((sum, turn) => sum + Number(answer(turn).value), 0);
  const rest = left[0].querySelector(`input[value="${Number(form.dataset.cards) - taken}"]`);
  const old = answer(left[0]);
  if (old) old.checked = false;
  if (!rest) return;
  rest.checked = true;
  left[0].setAttribute("data-counted", "");
}

// Digits and letters answer the open question; a number that can still grow (1, then 12) waits for the next key or a
// blank.
export function turnKey(form, key) {
  if (key === "backspace") return takeBack(form);
  if (key === " " && typed) return moveOn();
  if (!/^[a-z0-9+]$/.test(key)) return false;
  if (!open || !open.isConnected || !typed) open = questions(form).find((turn) => !answer(turn)) ?? null;
  if (!open) return false;
  let options = matching(open, typed + key);
  if (!options.length && typed) {
    moveOn();
    open = questions(form).find((turn) => !answer(turn)) ?? null;
    options = open ? matching(open, key) : [];
  }
  if (!options.length) return false;
  typed += key;
  const exact = options.find((input) => input.value === typed) ?? (options.length === 1 ? options[0] : null);
  if (exact) choose(exact);
  if (exact && options.length === 1) moveOn();
  return true;
}

function matching(turn, text) {
  return [...turn.querySelectorAll("input")].filter(
    (input) => input.value.startsWith(text) && getComputedStyle(input.closest(".pick") ?? input).display !== "none",
  );
}

function moveOn() {
  typed = "";
  open = null;
  return true;
}

function takeBack(form) {
  moveOn();
  const last = questions(form).filter(answer).at(-1);
  if (!last) return true;
  answer(last).checked = false;
  last.removeAttribute("data-counted");
  goOn(form);
  return true;
}
