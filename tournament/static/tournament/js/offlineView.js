// The table's page while this tablet is ahead of the server: who is seated, who deals first, the form of the next hand.
// The server sent all of it ahead; this only chooses among the parts and makes nothing up.

import { element } from "./element.js";
import { putInto, render } from "./forms.js";

const BEFORE_THE_END = new Set(["seats", "dealer", "play"]);
// The part and the form that are on the page now.
let part = "";
let form = "";

// A page from the server: everything on it is as the server has it.
export function served(state) {
  part = partOf(state.phase, state.dealer);
  form = formOf(state.dealer, 0);
}

export function showOffline({ state, ahead }, sheet) {
  if (!sheet.mine.length || !BEFORE_THE_END.has(state.phase)) return;
  withoutNames();
  showSeated(sheet.seated);
  if (!state.writes) return;
  showPart(phaseHere(state, sheet), sheet.dealer, ahead.parts);
  if (sheet.dealer !== null) showForm(sheet.dealer, sheet.hands, ahead.forms[state.hands - ahead.from + sheet.hands]);
}

// Everybody says that they are seated, then the first dealer is named, then hands are written.
function phaseHere(state, sheet) {
  if (sheet.dealer !== null) return "play";
  return state.sides.every((side, index) => side.seated || sheet.seated.includes(index)) ? "dealer" : "seats";
}

function showSeated(sides) {
  for (const side of sides) {
    const button = document.querySelector(`#stage .side-card.side-${side} button`);
    if (!button) continue;
    const words = element("p", "seated");
    words.append(element("span", "chip gold mine", "○ Seated, on this tablet"));
    button.replaceWith(words);
  }
}

// The page says who deals after a void hand only for the hand that the server knows; for a later one the rules say it.
function withoutNames() {
  for (const said of document.querySelectorAll("[data-unnamed]")) said.textContent = said.dataset.unnamed;
}

function showPart(phase, dealer, parts) {
  const wanted = partOf(phase, dealer);
  const box = document.getElementById("stage");
  if (wanted === part || !parts[phase] || !box) return;
  putInto(box, render(parts[phase], dealer));
  document.getElementById("table").className = `table phase-${phase}`;
  part = wanted;
  form = "";
}

function showForm(dealer, hands, html) {
  const wanted = formOf(dealer, hands);
  const box = document.getElementById("next-hand");
  if (wanted === form || !html || !box) return;
  putInto(box, render(html, dealer));
  form = wanted;
}

const partOf = (phase, dealer) => (phase === "play" ? `play ${dealer}` : phase);
const formOf = (dealer, hands) => `${dealer} ${hands}`;
