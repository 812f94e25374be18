import "/js/focus.js";
import { equal, page, test } from "/tests/check.js";

const swap = (html) => {
  const table = document.getElementById("table");
  document.dispatchEvent(new CustomEvent("htmx:beforeSwap", { detail: { target: table, shouldSwap: true } }));
  table.innerHTML = html;
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
  return document.activeElement.textContent || document.activeElement.localName;
};
const seat = (side) =>
  `<form class="side-card" action="/seats/"><button name="side" value="${side}">Seat ${side}</button></form>`;
function table(html, focus) {
  page(`<div id="table">${html}</div>`);
  if (focus) document.querySelector(focus).focus();
}

test("it needs no Safari of 17.4", () => {
  const asked = Element.prototype.checkVisibility;
  Element.prototype.checkVisibility = undefined;
  table(seat(0) + seat(1), '[value="1"]');
  const found = swap(`${seat(0)}<div hidden>${seat(1)}</div>${seat(1)}`);
  Element.prototype.checkVisibility = asked;
  equal(found, "Seat 1");
});
test("the same button has the focus on the server's next page", () => {
  table(seat(0) + seat(1), '[value="1"]');
  equal(swap(seat(0) + seat(1)), "Seat 1");
});
test("on a tablet, whose forms have no address, too", () => {
  const taken = (side) => seat(side).replace('action="/seats/"', 'data-kind="dealer"');
  table(taken(0) + taken(1), '[value="1"]');
  equal(swap(taken(0) + taken(1)), "Seat 1");
});
test("where it is gone, the next thing to do has it", () => {
  table(seat(0) + seat(1), '[value="0"]');
  equal(swap(`<p>Aces are seated</p>${seat(1)}`), "Seat 1");
  table(seat(1), "button");
  equal(swap('<div class="onward">Next: table 4</div>'), "Next: table 4");
});
test("whoever is elsewhere on the page, or nowhere, stays there", () => {
  table(seat(0));
  swap(seat(0));
  equal(document.activeElement === document.body, true);
  document.body.append(Object.assign(document.createElement("button"), { textContent: "Beside" }));
  document.body.lastChild.focus();
  equal(swap(seat(0)), "Beside");
});
