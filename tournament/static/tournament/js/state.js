// What this page knows: the server's page as data, the stored items of its game, what was sent ahead; and how to show
// it.
import { NOTHING } from "./ahead.js";
import { showContract } from "./contract.js";
import { brought, noted } from "./focus.js";
import { localSheet } from "./ledger.js";
import { showOffline } from "./offlineView.js";
import { sayMoved } from "./sitting.js";
import * as store from "./store.js";
import { lifted } from "./swapGuard.js";
import { show } from "./unsent.js";

export const tablet = {
  state: null,
  // The element that said it.
  source: null,
  items: [],
  ahead: NOTHING,
  outcomes: {},
  others: 0,
  elsewhere: 0,
  lost: false,
  slow: false,
  away: 0,
  declared: false,
  goesOn: false,
  // The desk's changes of who sits here, until somebody has read them.
  moved: "",
  ready: false,
  // The last item could not be stored: it is being sent from memory, or the server has not answered.
  broken: false,
  sending: false,
  unstored: false,
  // This browser has failed to store something, and has stored nothing since.
  storeless: false,
  // Items that were written that way, with the server's answers.
  unkept: [],
};
export const local = () => localSheet(tablet.state, tablet.items, tablet.outcomes, tablet.state?.limits);

// The stored items of this game, and how many of other games are unsent or with the director: the tablet may have been
// at another table or in another event.
export async function recall() {
  const stored = tablet.state?.game ? await store.ofGame(tablet.state.game) : [];
  tablet.items = [...stored, ...tablet.unkept.filter((item) => item.game === tablet.state?.game)];
  tablet.others = (await store.inState("pending")).filter((item) => item.game !== tablet.state?.game).length;
  tablet.elsewhere = await store.countElsewhere();
  tablet.away = (await store.inState("parked")).filter((item) => item.game !== tablet.state?.game).length;
}

export const source = () => document.getElementById("table-state");

// Draw nothing from the old state on a page that has arrived but was not read yet.
export function draw() {
  if (source() !== tablet.source) return;
  const sheet = local();
  noted();
  showOffline(tablet, sheet);
  showContract(sheet, tablet.state);
  show(tablet, sheet);
  sayMoved(tablet.moved);
  brought();
}

// Automatic changes are not drawn while a finger is down.
export async function redraw() {
  await lifted();
  draw();
}
