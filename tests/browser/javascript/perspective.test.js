import { equal, page, test } from "/tests/check.js";

const table = (...seats) =>
  page(
    `<details class="display" hidden open><div class="near" hidden>${seats.map((seat) => `<button data-near="${seat}">Seat ${seat}</button>`).join("")}</div></details>`,
  );
table(0, 1, 2, 3);
const { nearest } = await import("/js/perspective.js");
const shown = () => [...document.body.classList].filter((name) => name.startsWith("near-"));

test("at first the first seat is the nearest", () => {
  equal(
    [shown(), document.querySelector("[aria-pressed=true]").textContent, document.querySelectorAll("[hidden]").length],
    [["near-0"], "Seat 0", 0],
  );
});
test("a seat is chosen with one tap and remembered", () => {
  document.querySelector('[data-near="2"]').click();
  equal(
    [shown(), localStorage.getItem("uptown-near"), document.querySelector("details").open],
    [["near-2"], "2", false],
  );
  equal(
    [...document.querySelectorAll("button")].map((one) => one.getAttribute("aria-pressed")),
    ["false", "false", "true", "false"],
  );
});
test("a table without that seat begins with its first, and the choice is not forgotten", () => {
  table(0, 1);
  document.dispatchEvent(new Event("htmx:afterSettle"));
  equal(shown(), ["near-0"]);
  table(0, 1, 2);
  document.dispatchEvent(new Event("htmx:afterSettle"));
  equal(shown(), ["near-2"]);
});
test("no seats at all are no fault", () => equal([nearest([], 3), nearest([0, 1], 1), nearest([0, 1], 5)], [0, 1, 0]));
