import { lifted } from "/js/swapGuard.js";
import { equal, page, test } from "/tests/check.js";

const point = (name, pointerId = 1) => dispatchEvent(new PointerEvent(`pointer${name}`, { pointerId }));
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
// What htmx does with an answer for #table, and what its `swap` was given.
let swaps = [];
window.htmx = { swap: (target, text, spec, more) => swaps.push([target.id, text, spec, more.select ?? null]) };
const answer = (text, attributes = 'hx-swap="outerHTML"', etc = {}) => {
  const target = page(`<div ${attributes}><div id="table"></div></div>`).querySelector("#table");
  const detail = { target, shouldSwap: true, serverResponse: text, etc, requestConfig: { verb: "get", elt: target } };
  target.dispatchEvent(new CustomEvent("htmx:beforeSwap", { bubbles: true, detail }));
  return detail;
};
const asHtmx = (style) => ({ swapStyle: style, swapDelay: 0, settleDelay: 20 });

test("without a finger what comes is shown at once", async () => {
  await lifted();
  equal(answer("news").shouldSwap, true);
});
test("what comes under a finger is shown when it is lifted, and everybody hears of it then", async () => {
  swaps = [];
  point("down");
  const detail = answer("news", 'hx-swap="innerHTML" hx-select="#part"');
  const heard = [];
  document.addEventListener("htmx:beforeSwap", ({ detail }) => heard.push(detail.shouldSwap), { once: true });
  await wait(150);
  equal([swaps, detail.shouldSwap, heard], [[], false, []]);
  point("up");
  await lifted();
  equal([swaps, heard], [[["table", "news", asHtmx("innerHTML"), "#part"]], [true]]);
});
test("the last of several is shown, in the way that it was asked for", async () => {
  swaps = [];
  point("down");
  const detail = answer("older");
  const again = { ...detail, shouldSwap: true, serverResponse: "newer", etc: { swapOverride: "outerHTML" } };
  detail.target.dispatchEvent(new CustomEvent("htmx:beforeSwap", { bubbles: true, detail: again }));
  point("cancel");
  await lifted();
  equal(swaps, [["table", "newer", asHtmx("outerHTML"), null]]);
});
test("two fingers: both are lifted", async () => {
  swaps = [];
  point("down", 1);
  point("down", 2);
  answer("news");
  point("up", 1);
  await wait(100);
  equal(swaps, []);
  point("up", 2);
  await lifted();
  equal(swaps.length, 1);
});
test("what has gone meanwhile, or is refused now, is not shown", async () => {
  swaps = [];
  point("down");
  answer("news").target.remove();
  point("up");
  await lifted();
  point("down");
  answer("news").target.addEventListener("htmx:beforeSwap", ({ detail }) =>
    Object.assign(detail, { shouldSwap: false }),
  );
  point("up");
  await lifted();
  equal(swaps, []);
});
test("what comes waits for a click that is slow to come, and no longer", async () => {
  swaps = [];
  point("down");
  answer("news");
  point("up");
  await wait(405);
  equal(swaps, []);
  document.body.click();
  await wait(20);
  equal(swaps.length, 1);
});
test("a finger that is never lifted holds nothing up for long", async () => {
  swaps = [];
  point("down");
  answer("news");
  await lifted();
  equal(swaps.length, 1);
});
test("an answer that changes nothing, a 204, stays so", async () => {
  swaps = [];
  point("down");
  const target = page('<div id="table"></div>').firstChild;
  const detail = { target, shouldSwap: false, requestConfig: { verb: "get" } };
  target.dispatchEvent(new CustomEvent("htmx:beforeSwap", { bubbles: true, detail }));
  point("up");
  await lifted();
  equal(swaps, []);
});
