// An item on its way: as it is sent, and what stays of the answer.

// What went out before it could be stored says the same again: a message has its uid for itself.
export function message({ uid, kind, game, after, n, at, fields, unnumbered }) {
  return { uid, kind, game, after, n: unnumbered ? undefined : n, at, ...fields };
}

// `reached` is the event's version with this item in it: an older page does not show it.
export function answered({ status, code, text }, reached) {
  return { state: status, code, text, reached };
}
