// Keeps the answers about the hand in play on this tablet: bids are entered when they are said, and until the hand is
// recorded nobody else has them. They come back after a reload, a closed page or a take-over on this tablet.
import { forget, giveBack, typed } from "./typing.js";

const NAME = "begun";
const entry = () => document.getElementById("entry");

export async function keepBegun(state, store) {
  if (entry() && state?.game) await store.setFact(NAME, { game: state.game, fields: typed(entry()) });
}

// Restore answers only into a form that has none yet; they belong to the hand with their number.
export async function giveBegun(state, store) {
  const kept = await store.fact(NAME);
  if (kept && kept.game === state?.game && entry() && !entry().querySelector("input:checked"))
    giveBack(document, kept.fields);
}

// Other players sit there now: they must say which of them won the bid.
export async function askAgainWho(state, store) {
  const names = (state.fields ?? []).filter(({ layout }) => layout === "seats").map(({ key }) => key);
  forget(names);
  const kept = await store.fact(NAME).catch(() => null);
  if (kept) await store.setFact(NAME, { ...kept, fields: kept.fields.filter(({ name }) => !names.includes(name)) });
}

export const dropBegun = (store) => store.setFact(NAME, null);
