import { equal, page, test } from "/tests/check.js";

const asked = [];
Object.defineProperty(navigator, "wakeLock", {
  value: { request: async (kind) => asked.push(kind) && new EventTarget() },
});
page(
  ["big", "contrast", "silent"]
    .map((mode) => `<span class="modes" hidden><button data-mode="${mode}"></button></span>`)
    .join(""),
);
await import("/js/modes.js");
const press = (mode) => document.querySelector(`[data-mode="${mode}"]`).click();
const on = () => [...document.documentElement.classList].sort();

test("the tablet stays awake", () => equal(asked, ["screen"]));
test("modes are switched on and off, shown as pressed, and remembered", () => {
  press("big");
  press("silent");
  equal([on(), localStorage.getItem("uptown-modes")], [["mode-big", "mode-silent"], "big silent"]);
  equal(document.querySelector('[data-mode="big"]').getAttribute("aria-pressed"), "true");
  press("big");
  equal([on(), document.querySelector('[data-mode="big"]').getAttribute("aria-pressed")], [["mode-silent"], "false"]);
});
test("the buttons show only where this script runs", () =>
  equal(document.querySelectorAll(".modes[hidden]").length, 0));
test("what is remembered and is no mode is left out", () => {
  localStorage.setItem("uptown-modes", "huge contrast");
  document.dispatchEvent(new Event("htmx:afterSettle"));
  equal(on(), ["mode-contrast"]);
});
