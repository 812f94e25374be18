// Shows what waits on this tablet as one line that unfolds, so that the questions about the next hand stay in sight.
import { element } from "./element.js";
import { waitingWords } from "./item.js";
import { scoreWords } from "./ledger.js";

const OVER = "By this count the game is over. Sign, or go on?";
const END = "End the game and sign";
const WITH_DESK = new Set(["parked", "refused", "invalid"]);

// One line with an undo for the last act; the items it summarizes unfold.
export function unsentLines(tablet, sheet, rows, parked) {
  const box = element("div", "row waiting-lines");
  const fold = element("details", "unsent-fold");
  fold.dataset.fold = "lines";
  const line = element("summary");
  line.append(...summary(tablet, sheet, parked), element("span", "unfold", "…"));
  const all = element("ul", "unsent-list");
  all.append(...rows);
  fold.append(line, all, acts(tablet, sheet));
  box.append(fold);
  if (sheet.last?.item && !sheet.isSigned) box.append(undo(sheet));
  if (mayEnd(tablet, sheet) && !sheet.scores.length) box.append(button("declare-over", "btn", END));
  return box;
}

const mayEnd = (tablet, sheet) => sheet.hands && !sheet.over && !tablet.declared;

function summary(tablet, sheet, parked) {
  const { away = 0 } = tablet;
  const waits = waitingWords(sheet, tablet);
  const words = [];
  if (waits) words.push(element("span", "chip gold mine", `○ ${waits} on this tablet`));
  else if (sheet.mine.length) words.push(element("span", "chip", "● received"));
  if (parked.length + away) words.push(element("span", "chip heart held", "▲ with the director"));
  if (parked.length)
    words.push(element("span", "wrap", saidOf(parked[0]) + (parked.length > 1 ? ` (1 of ${parked.length})` : "")));
  if (sheet.changed) words.push(element("span", "local-score wrap", scoreWords(sheet, tablet.state)));
  return words;
}

function acts(tablet, sheet) {
  const box = element("div", "row tight unsent-acts");
  box.append(button("send-now", "btn", "Send now"));
  if (mayEnd(tablet, sheet) && sheet.scores.length) box.append(button("declare-over", "btn", END));
  return box;
}

export function question() {
  const box = element("div", "over-question");
  box.setAttribute("role", "alert");
  const choices = element("div", "row tight unsent-acts");
  choices.append(button("declare-over", "btn primary big", "Sign"), button("go-on", "btn big", "Keep playing"));
  box.append(element("p", "over-words", OVER), choices);
  return box;
}

function button(act, name, words) {
  const node = element("button", name, words);
  node.type = "button";
  node.dataset.act = act;
  return node;
}

// A line that was undone here is struck, as on the sheet.
export function rowOf(item, mine) {
  const struck = mine.some((other) => other.kind === "undo" && other.fields.of === item.uid);
  return row(...whereIs(item), item.words, struck);
}

const whereIs = (item) => (item.state === "pending" ? ["○ on this tablet", "gold mine"] : ["● received", ""]);

function undo(sheet) {
  const form = element("form", "inline");
  form.dataset.kind = "undo";
  form.append(element("button", "btn", `Undo line ${sheet.last.position}`));
  return form;
}

// Adds this tablet's lines to the sheet's table, and strikes those that were undone here.
export function sheetLines({ mine, taken }) {
  const body = document.querySelector("#stage .sheet tbody");
  if (!body) return;
  for (const row of body.querySelectorAll(".row-here")) row.remove();
  const rows = [...body.querySelectorAll(".row-scores:not(.row-opening)")];
  rows.forEach((row, index) => {
    for (const part of [row, row.nextElementSibling]) part.classList.toggle("row-undone", index >= rows.length - taken);
  });
  const columns = body.closest("table").querySelectorAll("thead th").length - 1;
  for (const item of mine.filter(({ kind }) => kind === "hand" || kind === "void")) {
    const [line, words] = [element("tr", "row-here"), element("td")];
    words.colSpan = columns;
    words.append(...rowOf({ ...item, words: item.words.replace(/^Line \d+: /, "") }, mine).childNodes);
    words.firstChild.textContent = "○ not yet confirmed";
    line.append(element("td", "", String(item.fields.position)), words);
    body.append(line);
  }
}

export function row(words, kind, text, struck = false) {
  const line = element("li");
  line.append(element("span", `chip ${kind}`, words), element(struck ? "s" : "span", "wrap", text));
  return line;
}

export const isParked = (item) => WITH_DESK.has(item.state);

export function notTaken(item) {
  return row("▲ with the director", "heart held", saidOf(item));
}

const saidOf = (item) => [item.words, item.text].filter(Boolean).join(". ");
