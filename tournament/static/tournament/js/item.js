// An item on its way: as it is sent, and what stays of the answer.

export function message({ uid, kind, game, after, n, at, fields }) {
  return { uid, kind, game, after, n, at, ...fields };
}

// `reached` is the event's version with this item in it: an older page does not show it.
export function answered({ status, code, text }, reached) {
  return { state: status, code, text, reached };
}
