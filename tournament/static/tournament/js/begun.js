// What is answered of the hand in play stays on this tablet: bids are written when they are said, and until the hand is
// recorded nobody else has them. A reload, a closed page and a take-over on this tablet give them back.
import { forget, giveBack, typed } from "./typing.js";

const NAME = "begun";
const entry = () => document.getElementById("entry");

export async function keepBegun(state, store) {
  if (entry() && state?.game) await store.setFact(NAME, { game: state.game, fields: typed(entry()) });
}

// Only into a form in which nobody has answered anything yet; the answers find their hand by its number.
export async function giveBegun(state, store) {
  const kept = await store.fact(NAME);
  if (kept && kept.game === state?.game && entry() && !entry().querySelector("input:checked"))
    giveBack(document, kept.fields);
}

// Others sit there now: who of them won the bid is to be said by them.
export async function askAgainWho(state, store) {
  const names = (state.fields ?? []).filter(({ layout }) => layout === "seats").map(({ key }) => key);
  forget(names);
  const kept = await store.fact(NAME).catch(() => null);
  if (kept) await store.setFact(NAME, { ...kept, fields: kept.fields.filter(({ name }) => !names.includes(name)) });
}

export const dropBegun = (store) => store.setFact(NAME, null);
