// The page on which a tablet is set up. What it still holds of a table that it was taken off is said there, and sent to
// the desk with the key that it had: nobody else has these lines.
import { battery } from "./device.js";
import { Outbox } from "./outbox.js";
import * as store from "./store.js";

const AGAIN = 15_000;

// Every place of which something is unsent: what is held, in words, and what came of sending it.
export async function sendLeftover({ send } = {}) {
  const sentences = [];
  for (const place of await store.unsentPlaces()) {
    store.enter(place);
    const items = await store.pending(Infinity);
    const [device, where] = [await store.fact("device"), await store.fact("where")];
    const key = async () => ({ token: device?.token ?? null, instance: device?.instance });
    const outbox = new Outbox({ store, key, battery, changed: () => {}, ...(send && { send }) });
    await outbox.run();
    clearTimeout(outbox.timer);
    const left = await store.countPending();
    const later = `${items.length === 1 ? "It is" : "They are"} sent as soon as this tablet reconnects.`;
    sentences.push(`${heldWords(items, where)} ${left ? later : "Sent to the desk now."}`);
  }
  return sentences;
}

function heldWords(items, where) {
  const noun = items.every((item) => item.kind === "hand") ? "hand" : "line";
  const place = where ? ` (table ${where.table}, ${where.event})` : "";
  return `${items.length} ${noun}${items.length === 1 ? " is" : "s are"} still on this tablet${place}.`;
}

export async function show(box, options) {
  const words = await sendLeftover(options).catch(() => []);
  if (!words.length) return;
  box.textContent = words.join(" ");
  box.hidden = false;
}

const box = document.getElementById("leftover");
if (box) {
  const go = () => show(box);
  go();
  setInterval(go, AGAIN);
  addEventListener("online", go);
}
