// An item on its way: as it is sent, and what stays of the answer.

// A signature whose PIN was right once is offered again with what the server gave for it then.
export function message({ uid, kind, game, after, n, at, fields, proof }) {
  return { uid, kind, game, after, n, at, ...fields, ...(proof && { proof }) };
}

// `reached` is the event's version with this item in it: an older page does not show it.
export function answered({ status, code, text, proof }, reached) {
  return { state: status, code, text, reached, ...(proof && { proof }) };
}
