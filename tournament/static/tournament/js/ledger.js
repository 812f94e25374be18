// The sheet as this tablet knows it: the server's page, plus what was written since that page was made. Scores come
// from the outcomes that the server sent; if these do not reach far enough, the sum is marked as not yet confirmed.

const ASIDE = new Set(["call", "uncall", "sign", "unsign", "bids"]);
// The kinds of items that change the lines of a sheet.
export const LINES = new Set(["hand", "void", "undo"]);

export function localSheet(state, items, outcomes, limits = null) {
  const mine = items.filter((item) => item.state === "pending" || isNews(item, state));
  const lines = (state?.lines ?? []).map(([position, key]) => ({ position, key }));
  const sheet = {
    lines,
    scores: state?.scores ?? [],
    over: false,
    exact: true,
    hands: 0,
    signed: {},
    unsigned: {},
    seated: [],
    // Lines from the server that were undone here.
    taken: 0,
  };
  sheet.called = state?.call ?? null;
  // A call that the desk has not received yet.
  sheet.unsentCall = null;
  sheet.dealer = state?.dealer ?? null;
  sheet.locked = state?.locked ?? null;
  Object.assign(sheet, { ends: false, sets: limits?.sets_now ?? [] });
  for (const item of mine) add(sheet, item, state, outcomes);
  sheet.last = lines.at(-1) ?? null;
  sheet.position = (sheet.last?.position ?? 0) + 1;
  sheet.mine = mine;
  sheet.late = lateBids(items, sheet);
  sheet.pending = mine.filter((item) => item.state === "pending");
  sheet.reached = !sheet.over && isReached(sheet, limits);
  sheet.changed = mine.some((item) => LINES.has(item.kind));
  return sheet;
}

// The server has it, but the page on screen is older than its answer: the connection was lost in between.
function isNews(item, state) {
  const shown = state?.lines?.some(([, key]) => key === item.uid);
  return item.state === "applied" && item.reached > state?.reached && !shown;
}

// Why the server refused bids that came too late; kept until this tablet writes something or the hand is long past.
function lateBids(items, { position }) {
  const last = items.filter(({ kind }) => kind === "bids" || LINES.has(kind)).at(-1);
  const isLate = last?.kind === "bids" && last.state === "discarded" && last.fields.position >= position - 1;
  return isLate ? last.text : "";
}

// Whether the game is over by what was sent: limits and sums come from the server; this only compares them.
function isReached({ hands, scores, sets, ends, exact }, limits) {
  if (!limits || !hands) return false;
  if (limits.hands !== null && hands >= limits.hands) return true;
  if (exact) return false;
  const passed = (limit, beyond) => limit !== null && scores.some((score) => beyond(score, limit));
  const more = (score, limit) => score >= limit;
  return (
    ends ||
    passed(limits.win_at, more) ||
    passed(limits.lose_at, (score, limit) => score <= limit) ||
    (limits.sets !== null && sets.some((count) => count >= limits.sets))
  );
}

function add(sheet, item, state, outcomes) {
  // Nobody has signed the sheet in its new state.
  if (LINES.has(item.kind)) Object.assign(sheet, { signed: {}, locked: null });
  const { scores, over, exact, hands, ends, sets } = sheet;
  const before = { scores, over, exact, hands, ends, sets };
  if (item.kind === "hand") {
    sheet.lines.push({ position: item.fields.position, key: item.uid, item, before });
    score(sheet, item.fields.facts, state, outcomes);
  } else if (item.kind === "void") {
    sheet.lines.push({ position: item.fields.position, key: item.uid, item, before });
  } else if (item.kind === "undo") {
    const gone = sheet.lines.at(-1);
    if (gone?.key !== item.fields.of) return;
    sheet.lines.pop();
    // What the server has already scored cannot be subtracted here.
    if (gone.before) Object.assign(sheet, gone.before);
    else Object.assign(sheet, { scores: [], exact: false, over: false });
    if (!gone.item) sheet.taken += 1;
  } else if (item.kind === "bids") {
    sheet.locked = { ...item.fields, words: item.words };
  } else if (item.kind === "sign") {
    sheet.signed[item.fields.side] = item.fields.name;
    delete sheet.unsigned[item.fields.side];
  } else if (item.kind === "unsign") {
    sheet.unsigned[item.fields.side] = true;
    delete sheet.signed[item.fields.side];
  } else if (item.kind === "call") {
    sheet.unsentCall = item.state === "pending" && !sheet.called ? item : sheet.unsentCall;
    sheet.called ??= item.fields.about;
  } else if (item.kind === "uncall") Object.assign(sheet, { called: null, unsentCall: null });
  else if (item.kind === "seat" && "side" in item.fields) sheet.seated.push(item.fields.side);
  else if (item.kind === "dealer") sheet.dealer = item.fields.seat;
}

// The last item of this game, which the next item names. Nothing waits for a call or a signature: if one is refused, no
// hand and no other signature is held up. An item that takes one of them back waits for that one alone.
export function lastWritten(items, kind = "", fields = {}) {
  const taken = { uncall: ["call"], unsign: ["sign"] }[kind];
  const blocks = (item) =>
    taken ? taken.includes(item.kind) && item.fields.side === fields.side : !ASIDE.has(item.kind);
  const states = taken ? ["pending", "applied", "parked"] : ["pending", "applied"];
  return (
    items
      .filter(blocks)
      .filter((item) => states.includes(item.state))
      .at(-1)?.uid ?? null
  );
}

export function outcomeOf(facts, state, outcomes) {
  const result = outcomes?.[keyOf(facts ?? {}, state ?? {})];
  if (!result) return null;
  const [headline, lines, outcome, scores, over, ends = false, sets = []] = result;
  return { headline, lines, outcome, scores, over, ends, sets };
}

// A hand's answers in the order of the server's fields; one player stands for all players of a side.
function keyOf(facts, { fields = [], sides }) {
  const answer = ({ key, layout }) => (layout === "seats" ? facts[key] % sides.length : facts[key]);
  return fields.map(answer).join("|");
}

function score(sheet, facts, state, outcomes) {
  const result = outcomeOf(facts, state, outcomes);
  const first = sheet.hands === 0 && sheet.exact;
  sheet.hands += 1;
  if (result?.ends) sheet.ends = true;
  // A side's sets in a row after the hand: one more, none, or the same.
  if (result) sheet.sets = sheet.sets.map((now, side) => (result.sets[side] ? now + result.sets[side] - 1 : 0));
  if (!result || !sheet.scores.length) Object.assign(sheet, { scores: [], exact: false });
  else if (first) Object.assign(sheet, { scores: result.scores, over: result.over });
  else {
    const scores = sheet.scores.map((now, side) => now + result.scores[side] - state.scores[side]);
    Object.assign(sheet, { scores, exact: false });
  }
}

export function minus(number) {
  return number < 0 ? `−${-number}` : String(number);
}

export function scoreWords(sheet, state) {
  if (!sheet.scores.length) return "The score will show when the connection is back.";
  const words = state.sides.map((side, index) => `${side.name} ${minus(sheet.scores[index])}`).join(", ");
  return sheet.exact ? `Score: ${words}.` : `Score so far, not yet confirmed: ${words}.`;
}
