// A page of the server has come: what it says, with what this tablet has of its own, and what may come after it.
import { lookAhead, NOTHING } from "./ahead.js";
import { giveBegun } from "./begun.js";
import { heard } from "./clock.js";
import { keyOf } from "./device.js";
import { swapped } from "./finger.js";
import { typedIn, wholePage } from "./forms.js";
import { here, recall, redraw, source } from "./here.js";
import { unfold } from "./outcomes.js";
import { remember } from "./snapshot.js";
import { served } from "./stage.js";
import * as store from "./store.js";
import { settled } from "./typing.js";

// The page as the server has it now; what is being typed comes along.
function refresh() {
  const values = typedIn(document.getElementById("entry"));
  const asked = window.htmx?.ajax("GET", "/t/table/", { target: "#table", swap: "outerHTML", values });
  // What failed is said by the page's own sign.
  asked?.catch?.(() => {});
}

// The page that came with an answer, as if it had been asked for; where something of it is missing, it is asked for.
export function show(page) {
  const html = page && wholePage(page, here.ahead);
  const table = document.getElementById("table");
  if (!html || !table) return refresh();
  const requestConfig = { elt: table, verb: "get", formData: new FormData() };
  swapped({ target: table, requestConfig, etc: {}, serverResponse: html });
}

// Only what came just now tells the time: the page that was opened may be one that was kept.
export async function arrived({ live = true } = {}) {
  here.source = source();
  const state = JSON.parse(here.source?.dataset.state ?? "null");
  if (!state || here.state?.stamp === state.stamp) return;
  if (live) heard(state.stamp);
  store.at(state);
  Object.assign(here, { state, outcomes: unfold(state.outcomes, state), unstored: false, goesOn: false });
  if (here.ahead.key !== state.coming) here.ahead = NOTHING;
  served(state);
  const page = document.getElementById("table").outerHTML;
  try {
    await recall();
    await remember(page, state, store);
    await store.setFact("where", { table: state.table, event: state.event_name });
  } catch {
    // A browser that stores nothing, or not now: what is written goes to the server from memory.
    here.items = here.items.filter((item) => item.game === state.game);
  }
  here.ready = true;
  document.getElementById("table").inert = false; // Nothing was pressed before somebody was there to take it.
  await redraw();
  settled();
  await giveBegun(state, store);
  await look(state);
}

// While nothing changes no page comes: what could not be had when the last one came is asked for at every poll.
export async function stands() {
  if (here.ready && !here.broken && here.ahead.key !== here.state.coming) await look(here.state);
}

async function look(state) {
  const ahead = await lookAhead(state, store, await keyOf(state, store));
  if (here.state !== state || here.ahead === ahead) return;
  here.ahead = ahead;
  await redraw();
  await giveBegun(state, store);
}
