// What this page knows: the server's page as data, what is kept of its game, what was sent ahead; and how that looks.
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
  // What the desk has changed of who sits here, until somebody has read it.
  moved: "",
  ready: false,
  // What was written last could not be stored: it is on its way from memory, or the server has not answered.
  broken: false,
  sending: false,
  unstored: false,
  // This browser has refused to store something, and has stored nothing since.
  storeless: false,
  // What was written like that, with the server's answers.
  unkept: [],
};
export const local = () => localSheet(tablet.state, tablet.items, tablet.outcomes, tablet.state?.limits);

// What is kept of this game, and how much of others is still unsent or with the director: the tablet may have been at
// another table, or in another event.
export async function recall() {
  const stored = tablet.state?.game ? await store.ofGame(tablet.state.game) : [];
  tablet.items = [...stored, ...tablet.unkept.filter((item) => item.game === tablet.state?.game)];
  tablet.others = (await store.inState("pending")).filter((item) => item.game !== tablet.state?.game).length;
  tablet.elsewhere = await store.countElsewhere();
  tablet.away = (await store.inState("parked")).filter((item) => item.game !== tablet.state?.game).length;
}

export const source = () => document.getElementById("table-state");

// On a page that has come and was not read yet, nothing is drawn by what the one before it said.
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

// What comes by itself is not drawn under a finger.
export async function redraw() {
  await lifted();
  draw();
}
