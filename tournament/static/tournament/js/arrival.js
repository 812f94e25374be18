// Handles a page that the server sent: shows it with this tablet's own lines, and fetches what may follow.
import { lookAhead, NOTHING } from "./ahead.js";
import { askAgainWho, giveBegun } from "./begun.js";
import { heard } from "./clock.js";
import { giveLocked } from "./contract.js";
import { keyOf } from "./device.js";
import { typedIn, wholePage } from "./forms.js";
import { served } from "./offlineView.js";
import { unfold } from "./outcomes.js";
import { seen } from "./sitting.js";
import { remember } from "./snapshot.js";
import { recall, redraw, source, tablet } from "./state.js";
import * as store from "./store.js";
import { swapped } from "./swapGuard.js";
import { settled } from "./typing.js";

// Fetches the server's current page; what is being typed is kept.
function refresh() {
  const values = typedIn(document.getElementById("entry"));
  const asked = window.htmx?.ajax("GET", "/t/table/", { target: "#table", swap: "outerHTML", values });
  // The page's own sign shows what failed.
  asked?.catch?.(() => {});
}

// Shows the page that came with an answer, or fetches it if a part of it is missing.
export function show(page) {
  const html = page && wholePage(page, tablet.ahead);
  const table = document.getElementById("table");
  if (!html || !table) return refresh();
  const requestConfig = { elt: table, verb: "get", formData: new FormData() };
  swapped({ target: table, requestConfig, etc: {}, serverResponse: html });
}

// Only a page that has just arrived tells the time: the page that was opened may be a stored one.
export async function arrived({ live = true } = {}) {
  tablet.source = source();
  const state = JSON.parse(tablet.source?.dataset.state ?? "null");
  if (!state || tablet.state?.stamp === state.stamp) return;
  if (live) heard(state.stamp);
  store.enter(state);
  Object.assign(tablet, { state, outcomes: unfold(state.outcomes, state), unstored: false, goesOn: false });
  if (tablet.ahead.key !== state.coming) tablet.ahead = NOTHING;
  served(state);
  const page = document.getElementById("table").outerHTML;
  const { words, isOther } = await seen(state, store);
  tablet.moved = words;
  if (isOther) await askAgainWho(state, store);
  try {
    await recall();
    await remember(page, state, store);
    await store.setFact("where", { table: state.table, event: state.event_name });
  } catch {
    // The browser cannot store anything now: what is written goes to the server from memory.
    tablet.items = tablet.items.filter((item) => item.game === state.game);
  }
  tablet.ready = true;
  document.getElementById("table").inert = false; // Until now nothing would have handled a press.
  await redraw();
  settled();
  await giveBegun(state, store);
  giveLocked();
  await look(state);
}

// While nothing changes, no page arrives: every poll asks for what was not available when the last page came.
export async function stands() {
  if (tablet.ready && !tablet.broken && tablet.ahead.key !== tablet.state.coming) await look(tablet.state);
}

async function look(state) {
  const ahead = await lookAhead(state, store, await keyOf(state, store));
  if (tablet.state !== state || tablet.ahead === ahead) return;
  tablet.ahead = ahead;
  await redraw();
  await giveBegun(state, store);
  giveLocked();
}
