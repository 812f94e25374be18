// An item on its way: what is sent, and what is kept of the answer.

// An item that was sent before it could be stored is sent again unchanged: each message has its own uid. `who` are the
// players on the page: the server accepts the item for nobody else.
export function message({ uid, kind, game, after, n, at, who, fields, unnumbered }) {
  return { uid, kind, game, after, n: unnumbered ? undefined : n, at, who, ...fields };
}

// `reached` is the event's version that includes this item: an older page does not show it. `former` says that the desk
// had already taken this tablet off its table, and `sent` when the item was sent.
export function answered({ status, code, text }, { reached, former = false }) {
  return { state: status, code, text, reached, ...(former && { former, sent: Date.now() }) };
}

// Singular and plural names of each kind of item.
const NOUNS = {
  hand: ["1 hand", "hands"],
  void: ["1 void hand", "void hands"],
  undo: ["1 undo", "undos"],
  bids: ["the bids of a hand", "locks of bids"],
  seat: ["1 seating", "seatings"],
  dealer: ["the first dealer", "changes of the first dealer"],
  call: ["a call", "calls"],
  uncall: ["a call taken back", "calls taken back"],
  sign: ["1 signature", "signatures"],
  unsign: ["1 signature undone", "signatures undone"],
};

// “2 hands, 1 undo and a call”: names the items, so that nobody mistakes a signature for a hand.
export function counted(items) {
  const kinds = Object.keys(NOUNS).filter((kind) => items.some((item) => item.kind === kind));
  return listed(
    kinds.map((kind) => {
      const count = items.filter((item) => item.kind === kind).length;
      const [one, many] = NOUNS[kind];
      return count === 1 ? one : `${count} ${many}`;
    }),
  );
}

export const listed = (words) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");

// What is only on this tablet, in words: which items of this game, and how many of others.
export function waitingWords({ pending }, { others = 0, elsewhere = 0 }) {
  const words = pending.length ? [counted(pending)] : [];
  if (others) words.push(`${others} from another game`);
  if (elsewhere) words.push(`${elsewhere} from another event`);
  return listed(words);
}
