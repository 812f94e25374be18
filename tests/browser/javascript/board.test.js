import { equal, page, test } from "/tests/check.js";

page(
  '<b class="clock" data-stopped="1"></b><div data-slide><p data-block>a</p></div><div data-slide><p data-block>b</p></div><div data-slide><p data-block>c</p></div><ol class="dots"></ol>',
);
location.hash = "#2";
await import("/js/board.js");
const shown = () =>
  [...document.querySelectorAll("[data-slide]")]
    .filter((one) => !one.hidden)
    .map((one) => one.textContent)
    .join("");
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));

test("the address holds a page", () =>
  equal([shown(), [...document.querySelectorAll("[data-dot]")].map((dot) => dot.className)], ["b", ["", "on", ""]]));
test("arrows turn the pages, round and round", () => {
  press("ArrowRight");
  press("ArrowRight");
  equal(shown(), "a");
  press("ArrowLeft");
  equal(shown(), "c");
});
test("a clock says that it is stopped", () => equal(document.querySelector(".clock").textContent, "Stopped"));
