// Keys of the entry form: a letter for who, a number for the bid, a number for the books, Enter.
// Without this file everything works by Tab, arrows and taps. Nothing is scored here.
import { arrange, fillLast, turnKey } from "./turns.js";

const KINDS = { s: "special", n: "no", u: "" };
let kind = null;
let digits = "";

const form = () => document.getElementById("entry");
const chosen = (name) => form().querySelector(`input[name="${name}"]:checked`);

function choose(input) {
  if (!input) return false;
  input.checked = true;
  input.focus();
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

function bidInput(level, chosenKind) {
  return document.getElementById(chosenKind ? `bid-${level}-${chosenKind}` : `bid-${level}`);
}

function pressKind(letter) {
  const bid = chosen("bid");
  digits = "";
  if (bid) choose(bidInput(bid.value.split("-")[0], KINDS[letter]));
  else kind = KINDS[letter];
}

function pressDigit(digit) {
  if (!chosen("bid")) {
    const done = choose(bidInput(digit, kind));
    kind = null;
    return done;
  }
  const longer = document.getElementById(`books-${digits}${digit}`);
  digits = digits && longer ? digits + digit : digit;
  return choose(document.getElementById(`books-${digits}`));
}

function takeBack() {
  digits = "";
  kind = null;
  const last = ["books", "bid", "seat"].map(chosen).find(Boolean);
  if (!last) return;
  last.checked = false;
  last.dispatchEvent(new Event("change", { bubbles: true }));
}

function bidderKey(key) {
  const seat = form().querySelector(`[data-key="${key.toUpperCase()}"]`);
  if (key === "backspace") takeBack();
  else if (/^\d$/.test(key)) pressDigit(key);
  else if (key in KINDS) pressKind(key);
  else if (seat) choose(seat);
  else return false;
  return true;
}

function isTyping(target) {
  return target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

document.addEventListener("keydown", (event) => {
  if (!form() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const key = event.key.toLowerCase();
  if (key === "enter") {
    if (event.repeat || event.target.closest("button, a, summary")) return;
    event.preventDefault();
    form().requestSubmit(document.getElementById("record"));
    return;
  }
  const handled = form().classList.contains("by-bidder") ? bidderKey(key) : turnKey(form(), key);
  if (handled) event.preventDefault();
});

// By hand one question is open at a time; by keyboard all are, so that Tab finds them.
const byHand = (yes) => document.documentElement.classList.toggle("by-hand", yes);

document.addEventListener("keydown", (event) => (event.key === "Tab" || event.key.length === 1) && byHand(false), true);
document.addEventListener("click", (event) => {
  digits = "";
  if (event.detail > 0) byHand(true);
  const turn = event.target.closest("#entry .turn");
  if (!turn?.matches(".folded, .later")) return;
  arrange(form(), turn);
  reveal();
});
// What was asked in red is answered.
document.addEventListener("change", (event) => {
  if (!event.target.closest("#entry")) return;
  const asked = event.target.closest(".turn, fieldset");
  for (const words of asked?.querySelectorAll(".wrong[role=alert]") ?? []) words.remove();
});
// The open question is not left under “Record”.
const reveal = () => form().querySelector(".turn:not(.folded, .later)")?.scrollIntoView({ block: "nearest" });
// Before htmx asks for the effect, the last number of tricks is filled in.
document.addEventListener("change", (event) => {
  if (!event.target.matches("#entry .turn input")) return;
  fillLast(form(), event.target);
  arrange(form());
  reveal();
}, true);
document.addEventListener("htmx:afterSettle", () => form() && arrange(form()));
byHand(true);
if (form()) arrange(form());
