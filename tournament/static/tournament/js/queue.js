// The table's page with a queue: what is written here is kept on this tablet first, then sent, then shown as the
// server has it. Without this file every form posts by itself.
import { effectOf, incomplete, kept as wordsOf } from "./effect.js";
import { lastWritten, localSheet } from "./ledger.js";
import { Outbox } from "./outbox.js";
import { battery, keyOf, registerWorker } from "./device.js";
import { nextForm, typedIn, uidFor } from "./forms.js";
import { freshest, remember } from "./snapshot.js";
import * as store from "./store.js";
import { refused } from "./sounds.js";
import { held, show } from "./unsent.js";
import { factsOf, fieldsOf, kindOf } from "./written.js";
import { lookAhead } from "./ahead.js";

// A second tap on the same button is no second hand.
const BETWEEN = 400;
const ONCE = new Set(["hand", "void", "undo"]);
const here = { state: null, items: [], ahead: { outcomes: null, forms: [] }, lost: false, declared: false, broken: false };
const table = () => document.getElementById("table");
const entry = () => document.getElementById("entry");
const local = () => localSheet(here.state, here.items, here.ahead.outcomes);
let ready = false;
let last = { kind: null, at: 0, form: null };

const outbox = new Outbox({ store, battery, changed: answered, key: () => keyOf(here.state, store) });

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const kind = form.closest("#table") && kindOf(form);
    if (!kind || !ready || here.broken || !here.state.game) return;
    const again = kind === last.kind && performance.now() - last.at < BETWEEN;
    if (last.form === form || (again && kind !== "hand" && ONCE.has(kind))) return halt(event);
    const fields = fieldsOf(kind, form, event.submitter, local());
    if (!fields) return again ? halt(event) : missing(event, kind);
    // The server has just said that the rules refuse it: then the form goes there by itself and comes back with why.
    if (kind === "hand" && isRefused()) return;
    halt(event);
    last = { kind, at: performance.now(), form };
    keep(kind, fields, form);
  },
  true,
);

const apart = () => local().changed || here.lost;
const sayEffect = () => entry() && effectOf(factsOf(entry()), here.state, here.ahead.outcomes, local());
const isRefused = () => !apart() && entry().querySelector(".effect-words.is-refused") !== null;

// Without a connection nobody else says that something is not chosen yet.
function missing(event, kind) {
  if (kind !== "hand" || !apart()) return;
  halt(event);
  incomplete();
  refused();
}

function halt(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

async function keep(kind, fields, form) {
  const sheet = local();
  const words = wordsOf(kind, fields, here.state, here.ahead.outcomes, sheet);
  const item = { uid: uidFor(form, sheet, here.items), kind, game: here.state.game, after: lastWritten(here.items) };
  try {
    here.items.push(await store.keep({ ...item, at: Date.now(), state: "pending", fields, words }));
  } catch {
    here.broken = true;
    show(here, local());
    return;
  } finally {
    last.form = null;
  }
  form.closest("details")?.removeAttribute("open");
  if (kind === "hand") nextForm(form, here.ahead.forms[local().hands]);
  if (kind === "undo" || kind === "hand") here.declared = false;
  show(here, local());
  outbox.drain();
}

async function answered(what) {
  here.lost = what === "lost";
  here.unbound = what === "refused";
  const before = held(here).length;
  await recall();
  if (held(here).length > before) refused();
  show(here, local());
  if (what === "answered" && !local().pending.length) refresh();
}

// What is kept of this game, and how much of others is still unsent: the tablet may have been at another table.
async function recall() {
  here.items = here.state?.game ? await store.ofGame(here.state.game) : [];
  here.others = (await store.countPending()) - here.items.filter((item) => item.state === "pending").length;
}

// The page as the server has it now; what is being typed comes along.
function refresh() {
  window.htmx?.ajax("GET", "/t/table/", { target: "#table", swap: "outerHTML", values: typedIn(entry()) });
}

async function arrived() {
  const state = JSON.parse(document.getElementById("table-state")?.dataset.state ?? "null");
  if (!state) return;
  if (here.state?.stamp === state.stamp) return;
  here.state = state;
  await recall();
  await remember(table(), state, store);
  ready = true;
  show(here, local());
  const ahead = await lookAhead(state, store, await keyOf(state, store));
  if (here.state !== state) return;
  here.ahead = ahead;
  show(here, local());
}

document.addEventListener("htmx:afterSettle", (event) => event.target.nodeType === 1 && arrived().catch(() => {}));
// While something is unsent the page on screen is newer than the server's: it is not asked for then.
document.addEventListener("htmx:beforeRequest", (event) => {
  const asking = event.detail.elt.id;
  if (asking === "table" && local().pending.length) event.preventDefault();
  if (asking === "effect" && apart()) event.preventDefault();
});
document.addEventListener("change", (event) => event.target.closest("#entry") && apart() && sayEffect());
document.addEventListener("htmx:sendError", () => {
  here.lost = true;
  sayEffect();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#send-now")) outbox.drain();
  if (!event.target.closest("#declare-over")) return;
  here.declared = true;
  show(here, local());
});

async function begin() {
  try {
    await freshest(table(), store);
    await arrived();
    await store.tidy();
  } catch {
    here.broken = true;
  }
  registerWorker();
  outbox.start();
}
begin();
