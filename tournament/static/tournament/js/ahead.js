// The forms of the next hands, and the page for every first dealer: fetched while there is a connection, kept for when
// there is none. The page itself contains what the next hand would score.
import { api } from "./api.js";

// `forms` begin with the form of the hand after `from` others.
export const NOTHING = { key: null, from: 0, forms: [], parts: {} };

export async function lookAhead(state, store, own) {
  if (!state.game || !["seats", "dealer", "play"].includes(state.phase)) return NOTHING;
  const kept = await cached(state, store);
  if (kept) return kept;
  try {
    const answer = await api("state", own);
    if (answer.status !== 200 || answer.data.game !== state.game) return NOTHING;
    const { game, coming: key, from, lines, forms, before, parts } = answer.data;
    const ahead = { game, key, from: from - before.length, lines, forms: [...before, ...forms], parts };
    await store.setFact("ahead", ahead);
    // The sheet may have changed since the page was made: then the next page asks again.
    return key === state.coming ? unpacked(ahead) : NOTHING;
  } catch {
    // The previous page may have fetched them while there still was a connection.
    return (await cached(state, store)) ?? NOTHING;
  }
}

async function cached(state, store) {
  const kept = await store.fact("ahead");
  return kept?.game === state.game && kept.key === state.coming ? unpacked(kept) : null;
}

// Forms and parts arrive as runs of lines, because they have most lines in common.
function unpacked({ key, from, lines, forms, parts }) {
  const html = (runs) => runs.map(([from, to]) => lines.slice(from, to).join("\n")).join("\n");
  const named = Object.entries(parts).map(([phase, runs]) => [phase, html(runs)]);
  return { key, from, forms: forms.map(html), parts: Object.fromEntries(named) };
}
