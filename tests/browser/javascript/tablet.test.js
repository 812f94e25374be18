import { heard } from "/js/clock.js";
import { equal, page, test } from "/tests/check.js";

const minutes = (count) => new Date(Date.now() + count * 60_000).toISOString();
page(`<time id="since" data-since="${minutes(-3)}"></time><time id="left" data-until="${minutes(-1)}"></time>
  <p id="soon" data-from="${minutes(5)}" hidden></p><p id="now" data-from="${minutes(-1)}" data-to="${minutes(1)}" hidden></p>
  <span id="offline" hidden></span><details class="drop" open><summary>One</summary></details>`);
await import("/js/tablet.js");
const at = (id) => document.getElementById(id);
const said = (name, detail = {}) => document.dispatchEvent(new CustomEvent(name, { detail }));

test("ages and times left are words, once the server's clock is known", () => {
  equal([at("since").textContent, at("left").textContent], ["", ""]);
  heard(Date.now());
  said("htmx:afterSettle");
  equal([at("since").textContent, at("left").textContent], ["3 min ago", "time is up"]);
});
test("a sentence about the clock stands while it holds", () =>
  equal([at("soon").hidden, at("now").hidden], [true, false]));
test("on a tablet whose own clock is five hours off, words about time are the server's", () => {
  for (const hours of [5, -5]) {
    heard(Date.now() + hours * 3_600_000);
    const there = (count) => new Date(Date.now() + hours * 3_600_000 + count * 60_000).toISOString();
    [at("since").dataset.since, at("left").dataset.until] = [there(-3.5), there(60.5)];
    [at("soon").dataset.from, at("now").dataset.from, at("now").dataset.to] = [there(5), there(-1), there(1)];
    document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
    equal([at("since").textContent, at("left").textContent.slice(0, 3)], ["3 min ago", "60:"]);
    equal([at("soon").hidden, at("now").hidden], [true, false]);
  }
  heard(Date.now());
});
test("a lost connection is said, and taken back by an answer", () => {
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    said(name);
    equal(at("offline").hidden, false);
    said("htmx:afterRequest", { successful: true });
    equal(at("offline").hidden, true);
  }
});
test("it closes by a tap on plain text, of which an iPad makes no click", () => {
  const drop = document.querySelector(".drop");
  document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  equal(drop.open, false);
  drop.open = true;
});
test("what dropped down closes by a tap beside it, and by Escape", () => {
  const drop = document.querySelector(".drop");
  document.body.click();
  equal(drop.open, false);
  drop.open = true;
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  equal(drop.open, false);
});
