// Stores what was tapped on this tablet first, then sends it. What cannot be stored goes to the server from memory, and
// the next hand is stored again.
import { show } from "./arrival.js";
import { dropBegun } from "./begun.js";
import { kept as wordsOf } from "./effect.js";
import { uidFor } from "./forms.js";
import { LINES, lastWritten } from "./ledger.js";
import { recorded } from "./sounds.js";
import { draw, local, recall, redraw, tablet } from "./state.js";
import * as store from "./store.js";

export const ONCE = new Set(["hand", "void", "undo"]);
// Items that could not be stored, and that the server has not answered.
let unanswered = null;
// Another tab on this tablet is writing on the same sheet.
const tabs = "BroadcastChannel" in window ? new BroadcastChannel("uptown") : null;

// Calls `kept` as soon as the item is stored or not, before anything is drawn.
export async function keep(kind, fields, form, { kept, outbox }) {
  if (LINES.has(kind)) await withdrawSignatures().catch(() => {});
  const sheet = local();
  const words = wordsOf(kind, fields, tablet.state, tablet.outcomes, sheet);
  const item = asBefore(kind, fields) ?? {
    uid: uidFor(form, sheet, tablet.items),
    kind,
    game: tablet.state.game,
    after: lastWritten(tablet.items, kind, fields),
    at: Date.now(),
    state: "pending",
    who: tablet.state.who?.length ? tablet.state.who : undefined,
    fields,
    words,
  };
  try {
    // An answer that arrived in the meantime may have replaced the list.
    const stored = await store.keep(item);
    tablet.items = [...tablet.items.filter(({ uid }) => uid !== stored.uid), stored];
  } catch (fault) {
    tablet.broken = true;
    // Another tab has stored the same item: it is on its way.
    if (fault.name !== "ConstraintError") {
      tablet.storeless = true;
      return await sendUnstored(item, form, outbox);
    }
  } finally {
    kept();
  }
  Object.assign(tablet, { broken: false, storeless: false, unstored: false });
  unanswered = null;
  if (ONCE.has(kind)) dropBegun(store).catch(() => {});
  if (kind === "hand") recorded();
  tabs?.postMessage("kept");
  form.closest("details")?.removeAttribute("open");
  if (kind === "hand" || kind === "sign") form.reset();
  if (kind === "undo" || kind === "hand") tablet.declared = false;
  if (kind === "undo") tablet.goesOn = false;
  outbox.drain();
  await redraw();
  if (ONCE.has(kind))
    (document.querySelector("#next-hand form") ?? document.getElementById("table")).scrollIntoView({ block: "start" });
}

// Stops sending signatures that are still unsent. If the server answers for one anyway, its answer counts.
export async function withdrawSignatures() {
  const signs = local().pending.filter(({ kind }) => kind === "sign");
  const uids = signs.map(({ uid }) => uid);
  const backs = local().pending.filter(({ kind, after }) => kind === "unsign" && uids.includes(after));
  for (const item of [...signs, ...backs]) {
    item.state = "withdrawn";
    await store.mark(item.uid, { state: "withdrawn" });
  }
}

// Pressing the same button again gives the same item, so that it is recorded once.
function asBefore(kind, fields) {
  const same = unanswered?.kind === kind && unanswered.game === tablet.state.game;
  return same && JSON.stringify(unanswered.fields) === JSON.stringify(fields) ? unanswered : null;
}

// This tablet cannot store it: it does not count until the server has answered, and the form stays as it is.
async function sendUnstored(item, form, outbox) {
  unanswered = { ...item, unnumbered: true };
  Object.assign(tablet, { sending: true, unstored: false });
  draw();
  const answer = await outbox.sendUnstored(item);
  Object.assign(tablet, { sending: false, unstored: answer === null && item.kind });
  if (answer) {
    unanswered = null;
    tablet.lost = false;
    const received = { ...item, ...answer };
    tablet.unkept.push(received);
    tablet.items.push(received);
    form.reset();
    dropBegun(store).catch(() => {});
  }
  await redraw();
  if (answer) show(outbox.page);
}

tabs?.addEventListener("message", async () => {
  if (!tablet.state) return;
  await recall();
  await redraw();
});
