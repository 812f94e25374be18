// Shows sides and seats as the players sit: the seat nearest to the tablet is chosen once and remembered.
import { recalled, remember } from "./remember.js";

const NAME = "uptown-near";
let chosen = Number(recalled(NAME)) || 0;

// A seat that this game does not have counts as the first one.
export function nearest(seats, seat) {
  return seats.includes(seat) ? seat : (seats[0] ?? 0);
}

function show() {
  const buttons = [...document.querySelectorAll("[data-near]")];
  const seat = nearest(
    buttons.map((button) => Number(button.dataset.near)),
    chosen,
  );
  for (const name of [...document.body.classList]) if (name.startsWith("near-")) document.body.classList.remove(name);
  document.body.classList.add(`near-${seat}`);
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.near) === seat));
  }
  for (const box of document.querySelectorAll(".near, .display")) box.hidden = false;
}

function choose(button) {
  chosen = Number(button.dataset.near);
  // A tablet that stores nothing still shows it until the page is loaded again.
  remember(NAME, chosen);
  button.closest("details").open = false;
  show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-near]");
  if (button) choose(button);
});
document.addEventListener("htmx:afterSettle", show);
show();
