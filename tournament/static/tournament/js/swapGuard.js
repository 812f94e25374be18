// A tap lasts a tenth of a second. If the touched element is replaced or moves during that time, the browser makes no
// click and the tap is lost. So what the server sends waits until the finger is lifted.

// On a touch screen the click comes a moment after the finger is gone. Safari watches timers of up to 400 ms that start
// in a touch, and makes no click if one of them changes the page. This timer is longer, and the click ends the wait.
const CLICK = 600;
// Scrolling makes no click.
const SCROLLED = 60;
// A resting finger, or one whose end was never reported, holds nothing up for longer.
const LONGEST = 1000;
const down = new Set();
const waiting = new Map();
let timer = 0;
let resolveLift = null;
let lift = Promise.resolve();

// Resolves at once if no finger is down.
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

// Does what htmx would have done without the finger. The element to replace may already be gone.
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
// Runs before any other listener.
addEventListener(
  "htmx:beforeSwap",
  ({ detail }) => {
    if (!resolveLift || !detail.shouldSwap) return;
    detail.shouldSwap = false;
    waiting.set(detail.target, detail);
  },
  true,
);
