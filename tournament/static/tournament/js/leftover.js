// The page on which a tablet is set up. It lists what the tablet still holds of a table that it was taken off, and
// sends that to the desk with the old key: nobody else has these lines. It also lists what was sent since then.
import { battery } from "./device.js";
import { counted } from "./item.js";
import { Outbox } from "./outbox.js";
import * as store from "./store.js";

const AGAIN = 15_000;
const MINUTE = 60_000;
// How long this helps somebody who looks for a hand.
const SHOWN = 60 * MINUTE;

// Says in words, for every place, what is unsent or was sent a while ago.
export async function sendLeftover({ send } = {}) {
  const sentences = [];
  for (const place of await store.places()) {
    store.enter(place);
    if (await store.countPending()) await sendAll(send);
    const [left, where] = [await store.pending(Infinity), await store.fact("where")];
    const at = where ? ` (table ${where.table}, ${where.event})` : "";
    if (left.length) sentences.push(heldWords(left, at));
    const sent = (await store.all()).filter((item) => item.former && Date.now() - item.sent < SHOWN);
    if (sent.length) sentences.push(sentWords(sent, at));
  }
  return sentences;
}

async function sendAll(send) {
  const device = await store.fact("device");
  const epoch = await store.fact("epoch");
  const key = async () => ({ token: device?.token ?? null, instance: device?.instance, epoch });
  const outbox = new Outbox({ store, key, battery, changed: () => {}, ...(send && { send }) });
  await outbox.run();
  clearTimeout(outbox.timer);
}

const one = (items) => items.length === 1;

function heldWords(items, at) {
  const is = one(items) ? "is" : "are";
  const later = `${one(items) ? "It is" : "They are"} sent as soon as this tablet reconnects.`;
  return `${upper(counted(items))} ${is} still on this tablet${at}. ${later}`;
}

function sentWords(items, at) {
  const minutes = Math.floor((Date.now() - Math.max(...items.map(({ sent }) => sent))) / MINUTE);
  const when = minutes < 1 ? "just now" : `${minutes} min ago`;
  return `${upper(counted(items))} ${one(items) ? "was" : "were"} sent to the desk ${when}${at}.`;
}

const upper = (words) => words.charAt(0).toUpperCase() + words.slice(1);

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
