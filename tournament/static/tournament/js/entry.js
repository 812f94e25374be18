// Keys of the entry form: a letter for the player, a number for the bid, a number for the tricks, Enter.
// Without this file, Tab, arrows and taps still work. Nothing is scored here.
import { contractAsked } from "./contract.js";
import { answer, arrange, choose, goOn, justTurned, lined, openAgain, opened, questions } from "./stack.js";
import { submit } from "./submit.js";
import { fillLast, turnKey } from "./turns.js";
import { factsOf } from "./written.js";

let kind = null;
let digits = "";
// Holding down an arrow goes through the answers: the question stays open.
let arrow = false;

const form = () => document.getElementById("entry");
// The question for the whole table with answers of this kind; a question for one side or seat has a place.
const asked = (layout) => form().querySelector(`.ask[data-layout="${layout}"]:not([data-place])`);
const chosen = (question) => question?.querySelector("input:checked");
// Each row of bids has its own letter.
const rowOf = (letter) => form().querySelector(`.bid-row[data-letter="${letter.toUpperCase()}"]`);
const option = (question, value) => document.getElementById(`${question?.dataset.asks}-${value}`);

function bid(level, letter) {
  const bids = (letter ? rowOf(letter) : form()).querySelectorAll(".bids input");
  press([...bids].find((one) => one.value.split("-")[0] === level));
}

function press(input) {
  if (input) choose(input);
}

function pressKind(letter) {
  const current = chosen(asked("grid"));
  digits = "";
  if (current) bid(current.value.split("-")[0], letter);
  else kind = letter;
}

function pressDigit(digit) {
  if (!chosen(asked("grid"))) {
    bid(digit, kind);
    kind = null;
    return;
  }
  const longer = option(asked("count"), `${digits}${digit}`);
  digits = digits && longer ? digits + digit : digit;
  press(option(asked("count"), digits));
}

function takeBack() {
  digits = "";
  kind = null;
  const last = questions(form()).map(chosen).findLast(Boolean);
  if (!last) return;
  last.checked = false;
  last.dispatchEvent(new Event("change", { bubbles: true }));
  goOn(form());
}

function padKey(key) {
  const seat = form().querySelector(`[data-key="${key.toUpperCase()}"]`);
  if (key === "backspace") takeBack();
  else if (/^\d$/.test(key)) pressDigit(key);
  else if (/^[a-z]$/.test(key) && rowOf(key)) pressKind(key);
  else if (seat) choose(seat);
  else return false;
  return true;
}

function isTyping(target) {
  return target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

// At the desk, Shift and a letter choose the first dealer, before the letters choose who won the bid.
function nameDealer(event) {
  const letter = event.shiftKey && /^[A-H]$/i.test(event.key) && event.key.toUpperCase();
  const button = letter && document.querySelector(`[data-dealer="${letter}"]`);
  if (!button) return false;
  event.preventDefault();
  submit(button.form, button);
  return true;
}

document.addEventListener("keydown", (event) => {
  if (!form() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || nameDealer(event)) return;
  const key = event.key.toLowerCase();
  arrow = key.startsWith("arrow");
  if (key === "tab" && !event.shiftKey && nextByTab(event.target)) return event.preventDefault();
  if (key === "enter") {
    if (event.repeat || event.target.closest("button, a, summary")) return;
    event.preventDefault();
    const play = opened(form())?.querySelector("button[form]");
    submit(play?.form ?? form(), play ?? document.getElementById("record"));
    return;
  }
  const handled = asked("grid") ? padKey(key) : turnKey(form(), key);
  if (handled) event.preventDefault();
});

// Tab moves from an answered question to the next one.
function nextByTab(target) {
  const question = target.closest(".stacked .ask.open");
  if (!question || !answer(question) || questions(form()).every(answer)) return false;
  goOn(form());
  return true;
}

document.addEventListener("click", (event) => {
  digits = "";
  // The second tap of a double tap would answer the question that has just moved under the finger.
  if (event.detail > 1 && justTurned(event.timeStamp) && event.target.closest("#entry .ask .pick"))
    event.preventDefault();
  const line = event.target.closest("#entry .line");
  if (!line) return;
  openAgain(form(), lined(form())[[...line.parentElement.children].indexOf(line)]);
  reveal();
});
// Before htmx asks for the effect: fill in the last number of tricks, and clear faults that are answered.
document.addEventListener(
  "change",
  (event) => {
    if (!event.target.closest("#entry")) return;
    const question = event.target.closest(".ask");
    for (const words of form().querySelectorAll(".wrong")) {
      if ([question, null].includes(words.closest(".ask"))) words.remove();
    }
    if (question) fillLast(form(), event.target);
    contractAsked(form());
    // Restoring answers does not close a question that somebody has opened again.
    if (!event.isTrusted) arrange(form());
    else if (question && arrow) openAgain(form(), question);
    else goOn(form());
    reveal();
    showWhole();
  },
  true,
);
document.addEventListener("keyup", () => {
  arrow = false;
});
// An incomplete hand cannot be recorded yet, so its button is quiet.
const showWhole = () => document.getElementById("record")?.classList.toggle("primary", factsOf(form()) !== null);

function came() {
  if (!form()) return;
  arrange(form());
  showWhole();
  watch();
}

// Anything that appears above or below the form takes space from it, even if the form itself has not changed.
const room = new ResizeObserver(() => requestAnimationFrame(() => form() && arrange(form())));

function watch() {
  room.disconnect();
  room.observe(form());
}

// Runs as soon as a page is in place, before the browser shows it: until then none of its questions is open. Afterwards
// htmx restores the names of its elements.
for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) document.addEventListener(moment, came);
// Runs before the queue stops the request.
document.addEventListener("submit", ({ target }) => target === form() && goOn(target), true);
// On a small screen, scroll to the open question, or to “Record”.
const reveal = () => (opened(form()) ?? document.getElementById("record")).scrollIntoView({ block: "nearest" });
came();
// At the desk a new page follows every act: people who use the keyboard continue at the open question.
if (document.querySelector("#paper #entry") && /\/games\/\d+\//.test(document.referrer))
  (opened(form())?.querySelector("input") ?? document.getElementById("record")).focus({ preventScroll: true });
