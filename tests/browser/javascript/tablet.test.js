import { equal, page, test } from "/tests/check.js";

const minutes = (count) => new Date(Date.now() + count * 60_000).toISOString();
page(`<time id="since" data-since="${minutes(-3)}"></time><time id="left" data-until="${minutes(-1)}"></time>
  <p id="soon" data-from="${minutes(5)}" hidden></p><p id="now" data-from="${minutes(-1)}" data-to="${minutes(1)}" hidden></p>
  <span id="offline" hidden></span><details class="drop" open><summary>One</summary></details>`);
await import("/js/tablet.js");
const at = (id) => document.getElementById(id);
const said = (name, detail = {}) => document.dispatchEvent(new CustomEvent(name, { detail }));

test("ages and times left are words", () => equal([at("since").textContent, at("left").textContent], ["3 min ago", "time is up"]));
test("a sentence about the clock stands while it holds", () => equal([at("soon").hidden, at("now").hidden], [true, false]));
test("a lost connection is said, and taken back by an answer", () => {
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    said(name);
    equal(at("offline").hidden, false);
    said("htmx:afterRequest", { successful: true });
    equal(at("offline").hidden, true);
  }
});
test("what dropped down closes by a tap beside it, and by Escape", () => {
  const drop = document.querySelector(".drop");
  document.body.click();
  equal(drop.open, false);
  drop.open = true;
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  equal(drop.open, false);
});
