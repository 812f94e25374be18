// The table's page with a queue: what is written here is kept on this tablet first, then sent, then shown as the
// server has it. Without this file every form posts by itself.
import { effectOf, incomplete, kept as wordsOf } from "./effect.js";
import { draw, here, local, recall, redraw } from "./here.js";
import { lastWritten } from "./ledger.js";
import { Outbox } from "./outbox.js";
import { battery, keyOf, registerWorker } from "./device.js";
import { typedIn, uidFor } from "./forms.js";
import { freshest, remember } from "./snapshot.js";
import * as store from "./store.js";
import { refused } from "./sounds.js";
import { served } from "./stage.js";
import { settled } from "./typing.js";
import { held } from "./unsent.js";
import { factsOf, fieldsOf, kindOf } from "./written.js";
import { NOTHING, lookAhead } from "./ahead.js";

// A second tap on the same button is no second hand.
const BETWEEN = 400;
const ONCE = new Set(["hand", "void", "undo"]);
const table = () => document.getElementById("table");
const entry = () => document.getElementById("entry");
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
    return draw();
  } finally {
    last.form = null;
  }
  form.closest("details")?.removeAttribute("open");
  if (kind === "hand" || kind === "sign") form.reset();
  if (ONCE.has(kind)) scrollTo(0, 0);
  if (kind === "undo" || kind === "hand") here.declared = false;
  outbox.drain();
  await redraw();
}

async function answered(what) {
  here.lost = what === "lost";
  here.unbound = what === "refused";
  const before = held(here).length;
  await recall();
  if (held(here).length > before) refused();
  await redraw();
  if (what === "answered" && !local().pending.length) refresh();
}

// The page as the server has it now; what is being typed comes along.
function refresh() {
  window.htmx?.ajax("GET", "/t/table/", { target: "#table", swap: "outerHTML", values: typedIn(entry()) });
}

async function arrived() {
  const state = JSON.parse(document.getElementById("table-state")?.dataset.state ?? "null");
  if (!state) return;
  if (here.state?.stamp === state.stamp) return;
  store.at(state);
  here.state = state;
  if (here.ahead.key !== state.ahead) here.ahead = NOTHING;
  served(state);
  const page = table().outerHTML;
  await recall();
  await remember(page, state, store);
  ready = true;
  await redraw();
  settled();
  const ahead = await lookAhead(state, store, await keyOf(state, store));
  if (here.state !== state) return;
  here.ahead = ahead;
  await redraw();
}

document.addEventListener("htmx:afterSettle", (event) => event.target.nodeType === 1 && arrived().catch(settled));
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
  draw();
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
