import * as store from "/js/store.js";
import { equal, test, throws } from "/tests/check.js";

const item = (uid, more = {}) => ({
  uid,
  kind: "hand",
  game: 7,
  state: "pending",
  at: Date.now(),
  fields: { position: 1 },
  ...more,
});
const uids = (items) => items.map((one) => one.uid);

test("what is kept has its number, in order", async () => {
  const first = await store.keep(item("a"));
  const second = await store.keep(item("b", { game: 8 }));
  equal(second.n > first.n, true);
  equal(
    [uids(await store.pending(50)), uids(await store.pending(1)), await store.countPending()],
    [["a", "b"], ["a"], 2],
  );
  equal([uids(await store.ofGame(7)), uids(await store.all())], [["a"], ["a", "b"]]);
});
test("the same uid is kept once, and the second try says so", async () => {
  equal((await throws(() => store.keep(item("a")))).name, "ConstraintError");
  equal(await store.countPending(), 2);
});
test("an answer is noted and nothing is deleted", async () => {
  await store.mark("a", { state: "applied", code: "", text: "" });
  await store.mark("nobody", { state: "applied" });
  equal(
    [uids(await store.pending(50)), uids(await store.inState("applied")), (await store.all()).length],
    [["b"], ["a"], 2],
  );
});
test("facts have names", async () => {
  await store.setFact("epoch", "one");
  await store.setFact("epoch", "two");
  equal([await store.fact("epoch"), await store.fact("none")], ["two", undefined]);
});
test("after a month what was answered makes room; what never was stays", async () => {
  const old = Date.now() - 31 * 86_400_000;
  await store.keep(item("old-pending", { at: old }));
  await store.keep(item("old-applied", { at: old, state: "applied" }));
  await store.tidy();
  const left = uids(await store.all());
  equal([left.includes("old-pending"), left.includes("old-applied"), left.includes("a")], [true, false, true]);
});
test("what was written belongs to its event and its installation, and so do the facts", async () => {
  const [open, classic, elsewhere] = ["open", "classic", "open"].map((event, n) => ({
    event,
    instance: n < 2 ? "A" : "B",
  }));
  store.enter(open);
  await store.keep(item("in-open"));
  await store.setFact("epoch", "of open");
  for (const other of [classic, elsewhere]) {
    store.enter(other);
    equal(
      [await store.pending(50), await store.ofGame(7), await store.all(), await store.countPending()],
      [[], [], [], 0],
    );
    equal([(await store.countElsewhere()) > 0, await store.fact("epoch")], [true, undefined]);
  }
  store.enter(open);
  equal(
    [uids(await store.pending(50)), uids(await store.ofGame(7)), await store.fact("epoch")],
    [["in-open"], ["in-open"], "of open"],
  );
});
test("a write that fails once is tried again over a new connection, one that fails twice is said", async () => {
  const add = IDBObjectStore.prototype.add;
  let faults = 1;
  IDBObjectStore.prototype.add = function failing(...given) {
    faults -= 1;
    if (faults >= 0) throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
    return add.apply(this, given);
  };
  store.enter({ instance: "safari", event: "open" });
  await store.keep(item("once"));
  faults = 2;
  const fault = await throws(() => store.keep(item("twice")));
  await store.keep(item("after"));
  IDBObjectStore.prototype.add = add;
  equal([fault.name, uids(await store.pending(50))], ["UnknownError", ["once", "after"]]);
});
