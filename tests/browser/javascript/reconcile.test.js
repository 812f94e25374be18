import { decided, offerAgain } from "/js/reconcile.js";
import * as store from "/js/store.js";
import { equal, test, throws } from "/tests/check.js";

const asked = [];
const outbox = (known, status = 200) => ({
  store,
  send: async (path, { body }) => {
    asked.push([path, body.uids]);
    return { status, data: { known } };
  },
});
const keep = (uid, state) => store.keep({ uid, kind: "hand", game: 1, state, at: 1, fields: {} });
const states = async () => Object.fromEntries((await store.all()).map((item) => [item.uid, item.state]));

test("the first epoch is only noted", async () => {
  for (const [uid, state] of [
    ["a", "applied"],
    ["b", "applied"],
    ["c", "parked"],
    ["d", "refused"],
  ])
    await keep(uid, state);
  await offerAgain(outbox({}), {}, "one");
  equal([asked.length, await store.fact("epoch")], [0, "one"]);
  await offerAgain(outbox({}), {}, "one");
  equal(asked.length, 0);
});
test("after a restore, what the server no longer knows is offered again under the same uid", async () => {
  await offerAgain(outbox({ a: "applied", c: "discarded" }), {}, "two");
  equal(asked.at(-1), ["known", ["a", "b", "c", "d"]]);
  equal(
    [await states(), await store.fact("epoch")],
    [{ a: "applied", b: "pending", c: "discarded", d: "refused" }, "two"],
  );
});
test("while the server does not answer, the old epoch stays", async () => {
  await throws(() => offerAgain(outbox({}, 503), {}, "three"));
  equal(await store.fact("epoch"), "two");
});
test("what the desk decided takes the place of parked, and what it did not stays", async () => {
  await keep("e", "parked");
  await keep("f", "parked");
  await decided(outbox({ e: "replaced", f: "parked" }), {});
  equal([(await states()).e, (await states()).f, asked.at(-1)[1]], ["replaced", "parked", ["e", "f"]]);
});
test("a wrong PIN is not tried again by itself", async () => {
  store.enter({ instance: "laptop", event: "pins" });
  await store.keep({ uid: "p", kind: "sign", game: 1, state: "discarded", code: "pin", at: 1, fields: {} });
  await offerAgain(outbox({}), {}, "one");
  await offerAgain(outbox({}), {}, "two");
  equal(await states(), { p: "discarded" });
});
test("another event is no restore: nothing of this one is offered there", async () => {
  const laptop = (event) => store.enter({ instance: "laptop", event });
  laptop("first");
  await keep("g", "applied");
  await offerAgain(outbox({}), {}, "one");
  const before = asked.length;
  laptop("second");
  await offerAgain(outbox({}), {}, "two");
  laptop("first");
  equal([asked.length, await states()], [before, { g: "applied" }]);
});
