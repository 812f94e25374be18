// Says when the site cannot be reached, on every page that polls or has a form. Until it can be reached, nothing is
// sent: the browser would discard the page with everything typed on it. A page that polls gets no news once its sign-in
// has ended: it says so, too, and keeps what was typed.
import { submit } from "./submit.js";

const words = document.querySelector("#lost");
const signedOut = document.querySelector("#signed-out");
let letThrough = null;

function lost(isLost, text = "") {
  words.hidden = !isLost;
  if (isLost) words.textContent = text || words.dataset.stale;
}

async function reachable() {
  try {
    await fetch(document.querySelector("link[rel=icon]").href, { cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

// The table's tablet keeps what it writes, and shows that itself.
if (words) {
  document.addEventListener("htmx:sendError", () => words.hidden && lost(true));
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr?.status && navigator.onLine) lost(false);
  });
  addEventListener("offline", () => lost(true));
  addEventListener("online", async () => lost(!(await reachable())));
  document.addEventListener("submit", async (event) => {
    if ((words.hidden && navigator.onLine) || event.defaultPrevented || event.target === letThrough) return;
    event.preventDefault();
    const { target: form, submitter } = event;
    if (await reachable()) {
      lost(false);
      // A laptop without a network still reaches itself, although its browser says it is offline.
      letThrough = form;
      submit(form, submitter);
      letThrough = null;
    } else {
      lost(true, words.dataset.kept);
    }
  });
}

if (signedOut) {
  document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
    if (xhr?.status) signedOut.hidden = xhr.status !== 401;
  });
}

// On plain http, Safari restores a desk page from memory after signing out.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && document.querySelector("form[action='/sign-out/']")) location.reload();
});
