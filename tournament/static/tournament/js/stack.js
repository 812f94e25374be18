// The questions of the entry form. If there is no room for all, one is open at a time; above it is a line for each
// other question with its answer, and tapping a line opens that question again.
import { element } from "./element.js";

// What was tapped, or typed.
export const answer = (question) =>
  question.querySelector("input:checked") ??
  [...question.querySelectorAll("input:not([type=radio])")].find((input) => input.value) ??
  null;
export const isAsked = (form, { dataset }) =>
  !dataset.when || form.querySelector(`[value="${dataset.when}"]:checked`) !== null;
const nameOf = (question) => question.querySelector("input").name;
const LONG_NAME = 16;
const LONG_ANSWER = 7;
// The name of the question that was opened again: a page that arrives from the server leaves it open.
let reopened = null;
// When another question last moved under the finger.
let turned = 0;
export const justTurned = (moment) => moment - turned < 150;

// Chooses an answer as a tap would.
export function choose(input) {
  reopened = null;
  input.checked = true;
  input.focus();
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

export function questions(form) {
  return [...form.querySelectorAll(".ask")].filter((question) => isAsked(form, question));
}

// The bids as a whole have no answer to show.
const hasLine = (question) => !question.matches(".contract");
export const lined = (form) => questions(form).filter(hasLine);

export const opened = (form) => form.querySelector(".ask.open");

export function openAgain(form, question) {
  reopened = nameOf(question);
  arrange(form);
}

export function goOn(form) {
  reopened = null;
  arrange(form);
}

// Opens the question that `again` names; else the first one with a fault or without an answer.
export function arrange(form) {
  const asked = questions(form);
  const current =
    asked.find((question) => nameOf(question) === reopened) ??
    asked.find((question) => question.querySelector(".wrong")) ??
    asked.find((question) => !answer(question));
  const before = document.activeElement?.closest?.(".ask");
  if (current !== opened(form)) turned = performance.now();
  for (const question of form.querySelectorAll(".ask")) question.classList.toggle("open", question === current);
  markMade(form);
  form.classList.toggle("stacked", !hasRoom(form));
  showLines(form, asked.filter(hasLine), current);
  const isShut = before && form.contains(before) && before !== current && form.matches(".stacked");
  const next = current ? (answer(current) ?? current.querySelector("input")) : document.getElementById("record");
  if (isShut) next?.focus({ preventScroll: true });
}

// Which numbers make the chosen bid, and which set it: the server says for every number which bids it makes.
function markMade(form) {
  const need = form.querySelector(".ask [data-need]:checked")?.dataset.need;
  for (const words of form.querySelectorAll(".need")) words.hidden = words.dataset.need !== need;
  for (const pick of form.querySelectorAll("[data-made]")) {
    const isMade = pick.dataset.made.split(" ").includes(need);
    pick.classList.toggle("makes", isMade);
    pick.classList.toggle("sets", Boolean(need) && !isMade);
  }
}

// If everybody bids, there is never room for all questions; otherwise it is tried, with everything shown about the
// hand.
function hasRoom(form) {
  if (form.querySelector(".turn")) return false;
  form.classList.remove("stacked");
  const boxes = [...form.querySelectorAll(".questions, .effect")];
  return (
    boxes.every((box) => box.scrollHeight <= box.clientHeight + 1) &&
    form.getBoundingClientRect().bottom + scrollY <= innerHeight
  );
}

function showLines(form, asked, current) {
  const box = form.querySelector(".lines");
  while (box.children.length > asked.length) box.lastElementChild.remove();
  asked.forEach((question, index) => {
    const line = box.children[index] ?? box.appendChild(element("button", "line"));
    line.type = "button";
    line.toggleAttribute("aria-current", question === current);
    const { line: name = "", verb = "" } = question.dataset;
    const words = wordsOf(answer(question)) || "…";
    const answered = element("b", words.length > LONG_ANSWER ? "long" : "", ` ${words}`);
    answered.prepend(element("small", "", verb));
    line.replaceChildren(element("span", `line-name${name.length > LONG_NAME ? " long" : ""}`, name), " ", answered);
  });
  const trump = form.querySelector(".unscored .answer");
  const beside = [...form.querySelectorAll("[data-optional] :checked")];
  if (trump) trump.textContent = beside.map(wordsOf).join(", ");
}

// An answer, in its button's words.
function wordsOf(input) {
  if (input && input.type !== "radio") return input.value;
  return input?.getAttribute("aria-label") ?? input?.nextElementSibling.firstChild.textContent.trim() ?? "";
}
