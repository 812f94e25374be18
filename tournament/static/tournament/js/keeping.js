// What was tapped is kept on this tablet first, then sent. What cannot be kept goes to the server at once, and
// the next hand is kept again.
import { dropBegun } from "./begun.js";
import { kept as wordsOf } from "./effect.js";
import { uidFor } from "./forms.js";
import { draw, here, local, recall, redraw } from "./here.js";
import { lastWritten } from "./ledger.js";
import * as store from "./store.js";
import { submit } from "./submit.js";

export const ONCE = new Set(["hand", "void", "undo"]);
// Another tab on this tablet writes on the same sheet.
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("uptown") : null;

// `kept` is called as soon as that is decided, before anything is drawn.
export async function keep(kind, fields, form, { button, kept, outbox }) {
  const sheet = local();
  const words = wordsOf(kind, fields, here.state, here.outcomes, sheet);
  const item = {
    uid: uidFor(form, sheet, here.items),
    kind,
    game: here.state.game,
    after: lastWritten(here.items, kind, fields),
  };
  try {
    here.items.push(await store.keep({ ...item, at: Date.now(), state: "pending", fields, words }));
  } catch {
    here.broken = true;
    return sendItself(form, button);
  } finally {
    kept();
  }
  Object.assign(here, { broken: false, unstored: false });
  if (ONCE.has(kind)) dropBegun(store).catch(() => {});
  tabs?.postMessage("kept");
  form.closest("details")?.removeAttribute("open");
  if (kind === "hand" || kind === "sign") form.reset();
  if (kind === "undo" || kind === "hand") here.declared = false;
  if (kind === "undo") here.goesOn = false;
  outbox.drain();
  await redraw();
  if (ONCE.has(kind))
    (document.querySelector("#next-hand form") ?? document.getElementById("table")).scrollIntoView({ block: "start" });
}

// This tablet cannot store it: with a connection the form goes to the server at once, without one nothing is recorded.
function sendItself(form, button) {
  here.unstored = here.lost || !form.hasAttribute("action");
  draw();
  if (here.unstored) return;
  here.posted = form;
  submit(form, button);
  here.posted = null;
}

tabs?.addEventListener("message", async () => {
  if (!here.state) return;
  await recall();
  await redraw();
});
