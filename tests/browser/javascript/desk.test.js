import { equal, page, test } from "/tests/check.js";

page(
  '<span class="ticking" id="left" data-left="65"></span><span class="ticking" id="out" data-left="-4"></span><span class="ticking" id="long" data-played="3671"></span>',
);
await import("/js/desk.js");

test("clocks are minutes and seconds, hours where needed, and never below nought", () => {
  equal(
    ["left", "out", "long"].map((id) => document.getElementById(id).textContent),
    ["1:05", "0:00", "1:01:11"],
  );
});
test("a clock that a new answer brings is shown at once", () => {
  page('<span class="ticking" id="left" data-left="30"></span>');
  document.dispatchEvent(new Event("htmx:afterSwap"));
  equal(document.getElementById("left").textContent, "0:30");
});
