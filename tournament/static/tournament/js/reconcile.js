// Compares this tablet's items with the server's: after the server was restored from an older copy, and after
// decisions.
const AT_ONCE = 200;

// Another epoch: the server was restored. Items that it no longer knows are offered again under the same uids, except
// those it could not read, and signatures whose PIN an earlier version refused. True if something is offered.
export async function offerAgain(outbox, key, epoch) {
  const { store } = outbox;
  const before = await store.fact("epoch");
  let offered = 0;
  if (before && before !== epoch) {
    offered = await ask(outbox, key, await store.all(), (item, status) => {
      if (status) return { state: status };
      return ["refused", "withdrawn"].includes(item.state) || item.code === "pin" ? null : { state: "pending" };
    });
  }
  if (before !== epoch) await store.setFact("epoch", epoch);
  return offered > 0;
}

// What the desk decided about parked items.
export async function decided(outbox, key) {
  const waiting = await outbox.store.inState("parked");
  if (waiting.length) await ask(outbox, key, waiting, (_item, status) => (status ? { state: status } : null));
}

// How many wait to be sent after that.
async function ask({ store, send }, key, items, answerFor) {
  let pending = 0;
  for (let first = 0; first < items.length; first += AT_ONCE) {
    const part = items.slice(first, first + AT_ONCE);
    const answer = await send("known", { ...key, body: { uids: part.map((item) => item.uid) } });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    for (const item of part) {
      const change = answerFor(item, answer.data.known[item.uid]);
      if (!change || change.state === item.state) continue;
      await store.mark(item.uid, change);
      if (change.state === "pending") pending += 1;
    }
  }
  return pending;
}
