// What the next hand would come to, whatever it is, the forms of the hands after it, and the page for every first dealer:
// asked for while there is a connection, kept for when there is none.
import { talk } from "./talk.js";

export const NOTHING = { key: null, outcomes: null, limits: null, forms: [], parts: {} };

export async function lookAhead(state, store, key) {
  if (!state.game || !["seats", "dealer", "play"].includes(state.phase)) return NOTHING;
  const kept = await known(state, store);
  if (kept) return kept;
  try {
    const answer = await talk("state", key);
    if (answer.status !== 200 || answer.data.game !== state.game) return NOTHING;
    const { game, key: of, outcomes, limits, lines, forms, parts } = answer.data;
    const ahead = { game, key: of, outcomes, limits, lines, forms, parts };
    await store.setFact("ahead", ahead);
    // The sheet may have gone on since the page was made: then the next page asks again.
    return of === state.ahead ? unpacked(ahead) : NOTHING;
  } catch {
    // The page before this one may have asked meanwhile, when there still was a connection.
    return (await known(state, store)) ?? NOTHING;
  }
}

async function known(state, store) {
  const kept = await store.fact("ahead");
  return kept?.game === state.game && kept.key === state.ahead ? unpacked(kept) : null;
}

// Forms and parts come as runs of lines, of which they have most in common.
function unpacked({ key, outcomes, limits = null, lines, forms, parts }) {
  const html = (runs) => runs.map(([from, to]) => lines.slice(from, to).join("\n")).join("\n");
  const named = Object.entries(parts).map(([phase, runs]) => [phase, html(runs)]);
  return { key, outcomes, limits, forms: forms.map(html), parts: Object.fromEntries(named) };
}
