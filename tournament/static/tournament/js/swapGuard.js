// A finger is on the glass for a tenth of a second. If what it touches is replaced or moves meanwhile, the browser makes
// no click of it and the tap is lost: so what the server sends meanwhile waits until the finger is lifted.

// On glass the click comes a moment after the finger is gone. Safari watches timers of up to 400 ms that begin in a touch
// and makes no click where one of them changes the page: this one is longer, and the click itself ends the wait.
const CLICK = 600;
// A finger that scrolls makes no click.
const SCROLLED = 60;
// A finger that rests, or whose end was never told, holds nothing up for longer.
const LONGEST = 1000;
const down = new Set();
const waiting = new Map();
let timer = 0;
let resolveLift = null;
let lift = Promise.resolve();

// Resolves at once where no finger is down.
export const lifted = () => lift;

function press({ pointerId }) {
  down.add(pointerId);
  if (!resolveLift)
    lift = new Promise((done) => {
      resolveLift = done;
    });
  endIn(LONGEST);
}

function release({ pointerId, type }) {
  down.delete(pointerId);
  if (resolveLift && !down.size) endIn(type === "pointercancel" ? SCROLLED : CLICK);
}

function endIn(wait) {
  clearTimeout(timer);
  timer = setTimeout(end, wait);
}

function end() {
  down.clear();
  const held = [...waiting.values()];
  waiting.clear();
  resolveLift?.();
  resolveLift = null;
  held.forEach(swapped);
}

// As htmx would have done, had no finger been there. What was to be replaced may be gone by now.
export function swapped(detail) {
  const { target, requestConfig, etc, serverResponse } = detail;
  if (!target.isConnected) return;
  detail.shouldSwap = true;
  target.dispatchEvent(new CustomEvent("htmx:beforeSwap", { bubbles: true, detail }));
  if (!detail.shouldSwap) return;
  const attribute = (name) => requestConfig.elt.closest(`[${name}]`)?.getAttribute(name);
  const swapStyle = etc.swapOverride ?? attribute("hx-swap");
  const spec = { swapStyle, swapDelay: 0, settleDelay: 20 };
  window.htmx.swap(target, serverResponse, spec, {
    select: attribute("hx-select"),
    eventInfo: detail,
    contextElement: requestConfig.elt,
  });
}

addEventListener("pointerdown", press, true);
addEventListener("pointerup", release, true);
addEventListener("pointercancel", release, true);
addEventListener("click", () => resolveLift && !down.size && endIn(0), true);
// Before anybody else hears of it.
addEventListener(
  "htmx:beforeSwap",
  ({ detail }) => {
    if (!resolveLift || !detail.shouldSwap) return;
    detail.shouldSwap = false;
    waiting.set(detail.target, detail);
  },
  true,
);
