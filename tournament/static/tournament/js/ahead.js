// What the next hand would come to, whatever it is, and the forms of the hands after it: asked for while there is a
// connection, kept for when there is none.
import { talk } from "./talk.js";

const NOTHING = { outcomes: null, forms: [] };

export async function lookAhead(state, store, key) {
  if (!state.game || !["play", "dealer"].includes(state.phase)) return NOTHING;
  const kept = await known(state, store);
  if (kept) return kept;
  try {
    const answer = await talk("state", key);
    if (answer.status !== 200 || answer.data.game !== state.game) return NOTHING;
    const { game, version, outcomes, forms } = answer.data;
    const ahead = { game, version, outcomes, forms };
    await store.setFact("ahead", ahead);
    // The sheet may have gone on since the page was made: then the next page asks again.
    return version === state.version ? ahead : NOTHING;
  } catch {
    // The page before this one may have asked meanwhile, when there still was a connection.
    return (await known(state, store)) ?? NOTHING;
  }
}

async function known(state, store) {
  const kept = await store.fact("ahead");
  return kept?.game === state.game && kept.version === state.version ? kept : null;
}
