// The table's page with a queue: what is written here is stored on this tablet first, then sent, then shown as the
// server has it. The only form that goes straight to the server is a hand that the rules refuse: it returns with the
// reason.
import { arrived, show, stands } from "./arrival.js";
import { keepBegun } from "./begun.js";
import { battery, keyOf, registerWorker } from "./device.js";
import { effectOf, incomplete, sayAtOnce } from "./effect.js";
import { keep, ONCE, withdrawSignatures } from "./keeping.js";
import { Outbox } from "./outbox.js";
import { haveRead } from "./sitting.js";
import { freshest } from "./snapshot.js";
import { refused } from "./sounds.js";
import { draw, local, recall, redraw, tablet } from "./state.js";
import * as store from "./store.js";
import { submit } from "./submit.js";
import { settled } from "./typing.js";
import { held } from "./unsent.js";
import { factsOf, fieldsOf } from "./written.js";

// A second tap on the same button is not a second hand.
const BETWEEN = 400;
const entry = () => document.getElementById("entry");
let last = { kind: null, at: 0, form: null };

const outbox = new Outbox({
  store,
  battery,
  changed: answered,
  key: () => keyOf(tablet.state, store),
  ahead: () => tablet.ahead.key,
});

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const { kind } = form.dataset;
    if (!kind || !form.closest("#table")) return;
    if (!tablet.ready) return wait(event);
    const repeated = kind === last.kind && performance.now() - last.at < BETWEEN;
    if (last.form === form || (repeated && kind !== "hand" && ONCE.has(kind))) return halt(event);
    const fields = fieldsOf(kind, form, event.submitter, local());
    if (!fields) return repeated ? halt(event) : missing(event, kind);
    // The server has just said that the rules refuse it: then the form asks the server what is wrong.
    if (kind === "hand" && isRefused()) return;
    halt(event);
    last = { kind, at: performance.now(), form };
    keep(kind, fields, form, { kept: () => Object.assign(last, { form: null }), outbox });
  },
  true,
);

// A press before this tablet has read its store counts a moment later.
async function wait(event) {
  const { target: form, submitter } = event;
  halt(event);
  await begun;
  if (tablet.ready && form.isConnected) submit(form, submitter);
}

const apart = () => local().changed || tablet.lost;
const sayEffect = () => entry() && effectOf(factsOf(entry()), tablet.state, tablet.outcomes, local());
const isRefused = () => !apart() && entry().querySelector(".effect-words.is-refused") !== null;

// With a connection the form asks the server what is still missing; without one this tablet says it.
function missing(event, kind) {
  if (kind === "hand" && !apart()) return;
  halt(event);
  if (kind !== "hand") return;
  incomplete();
  refused();
}

function halt(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

async function answered(what) {
  tablet.broken = what === "unreadable";
  if (!tablet.broken) tablet.lost = what === "lost" || what === "slow";
  tablet.slow = what === "slow";
  tablet.unbound = what === "refused";
  const before = held(tablet).length;
  // A browser that stores nothing shows that at the next hand.
  await recall().catch(() => {});
  if (!tablet.state) return;
  if (held(tablet).length > before) refused();
  await redraw();
  if (what === "answered" && !local().pending.length) show(outbox.page);
}

document.addEventListener("htmx:afterSettle", (event) => event.target.nodeType === 1 && arrived().catch(settled));
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.id !== "table") return;
  if (tablet.broken && event.detail.successful) tablet.lost = false;
  if (event.detail.xhr.status === 204) stands().catch(() => {});
});
// While something is unsent, the page on screen is newer than the server's, so the server's is not fetched.
document.addEventListener("htmx:beforeRequest", (event) => {
  const asking = event.detail.elt.id;
  if (asking === "table" && local().pending.length) event.preventDefault();
  if (asking === "effect" && (apart() || (tablet.ready && sayAtOnce(entry(), tablet)))) event.preventDefault();
});
document.addEventListener("change", (event) => {
  if (!event.target.closest("#entry")) return;
  if (apart()) sayEffect();
  if (tablet.ready) keepBegun(tablet.state, store).catch(() => {});
});
document.addEventListener("htmx:sendError", () => {
  tablet.lost = true;
  sayEffect();
});
document.addEventListener("uptown:late", () => redraw());
document.addEventListener("click", async (event) => {
  const act = event.target.closest("[data-act]")?.dataset.act;
  if (act === "send-now") outbox.drain();
  if (act === "declare-over") tablet.declared = true;
  if (act === "go-on") tablet.goesOn = true;
  if (act === "moved-read") {
    tablet.moved = "";
    await haveRead(store);
  }
  if (act === "signatures-back") await withdrawSignatures();
  if (act) draw();
});

async function begin() {
  await freshest(document.getElementById("table"), store).catch(() => {});
  await arrived({ live: false }).catch(() => {});
  store.tidy().catch(() => {});
  registerWorker();
  outbox.start();
}
const begun = begin();
