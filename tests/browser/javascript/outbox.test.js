import { Outbox } from "/js/outbox.js";
import * as store from "/js/store.js";
import { equal, test } from "/tests/check.js";

const said = [];
const sent = [];
let answers = [];
// The last answer is given again and again.
const send = async (path, { body }) => {
  sent.push([path, body]);
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (!answer) throw new Error("no network");
  return answer(path, body);
};
const ok = (data) => ({ status: 200, wait: 0, data: { epoch: "e", ...data } });
const applied = (path, body) =>
  ok(path === "submissions" ? { results: body.items.map(({ uid }) => ({ uid, status: "applied" })) } : {});
const refusing = (status) => () => ({ status, wait: 0, data: { faults: [{ text: "Bad." }] } });
const make = () =>
  new Outbox({
    store,
    key: async () => ({ token: "T" }),
    battery: async () => 80,
    changed: (what) => said.push(what),
    send,
  });
let n = 0;
const keep = (fields = {}) => {
  n += 1;
  return store.keep({ uid: `u${n}`, kind: "hand", game: 1, after: null, state: "pending", at: 5, fields });
};
const states = async () => (await store.all()).map((item) => item.state);
async function drained(outbox, ...wanted) {
  answers = wanted;
  await outbox.drain();
  while (outbox.busy) await outbox.busy;
  clearTimeout(outbox.timer);
}

test("everything is sent in order, and answered", async () => {
  await keep();
  await keep();
  await drained(make(), applied);
  const [path, body] = sent[0];
  equal([path, body.items.map((item) => item.uid), body.unsent, body.battery], ["submissions", ["u1", "u2"], 2, 80]);
  equal([await states(), said.at(-1)], [["applied", "applied"], "answered"]);
});
test("with nothing to send it says that it lives", async () => {
  await drained(make(), applied);
  equal([sent.at(-1)[0], sent.at(-1)[1], said.at(-1)], ["ping", { unsent: 0, battery: 80 }, "idle"]);
});
test("without a network everything stays, and it is tried again", async () => {
  await keep();
  const outbox = make();
  await drained(outbox, null);
  equal([(await states()).at(-1), said.at(-1), outbox.failures], ["pending", "lost", 1]);
});
test("what comes late once is called slow, and twice lost", async () => {
  const outbox = make();
  const late = async () => {
    throw Object.assign(new Error("late"), { isLate: true });
  };
  const words = [];
  for (let count = 0; count < 3; count += 1) {
    await drained(outbox, late);
    words.push(said.at(-1));
  }
  equal(words, ["slow", "slow", "lost"]);
});
test("an item without an answer stays", async () => {
  await drained(make(), () => ok({ results: [] }), applied);
  equal((await states()).at(-1), "pending");
});
test("a server that is busy or broken leaves everything as it is", async () => {
  for (const status of [429, 500, 503]) await drained(make(), refusing(status));
  equal((await states()).at(-1), "pending");
});
test("a tablet that no longer belongs stops, and keeps what it has", async () => {
  await drained(make(), refusing(401));
  equal([(await states()).at(-1), said.at(-1)], ["pending", "refused"]);
  await drained(make(), applied);
  equal([(await states()).at(-1), said.at(-1)], ["applied", "answered"]);
});
test("the one item that the server cannot read is set aside, its neighbors are not", async () => {
  const kept = [];
  for (let count = 0; count < 5; count += 1) kept.push(await keep({ bad: count === 2 }));
  const picky = (path, body) => (body.items?.some((item) => item.bad) ? refusing(400)() : applied(path, body));
  await drained(make(), picky);
  const found = Object.fromEntries((await store.all()).map((item) => [item.uid, item.state]));
  equal(
    kept.map((item) => found[item.uid]),
    ["applied", "applied", "refused", "applied", "applied"],
  );
});
test("a batch stays small enough for the server", async () => {
  for (let count = 0; count < 60; count += 1) await keep({ text: "x".repeat(1500) });
  const from = sent.length;
  await drained(make(), applied);
  const batches = sent
    .slice(from)
    .filter(([path]) => path === "submissions")
    .map(([, body]) => JSON.stringify(body.items).length);
  equal([batches.length > 1, batches.every((length) => length < 64_000), await store.countPending()], [true, true, 0]);
});
test("two who ask at once make one run after the other", async () => {
  const outbox = make();
  let running = 0;
  let most = 0;
  answers = [
    async (path, body) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return applied(path, body);
    },
  ];
  await keep();
  await Promise.all([outbox.drain(), outbox.drain(), outbox.drain()]);
  while (outbox.busy) await outbox.busy;
  equal([most, await store.countPending()], [1, 0]);
});
test("what a restored server has lost is sent at once, before anybody is told", async () => {
  store.enter({ instance: "laptop", event: "restored" });
  await keep();
  const restored = (epoch) => (path, body) => ({
    status: 200,
    wait: 0,
    data: { ...applied(path, body).data, epoch, known: {} },
  });
  await drained(make(), restored("before"));
  const [from, told] = [sent.length, said.length];
  await drained(make(), restored("after"));
  equal(
    [sent.slice(from).map(([path]) => path), said.slice(told), await states()],
    [["ping", "known", "submissions"], ["answered"], ["applied"]],
  );
});
test("what cannot be stored is sent from memory, behind what is stored, and says the same again", async () => {
  const item = { uid: "memory", kind: "hand", game: 1, after: null, at: 5, fields: {} };
  await keep();
  const outbox = make();
  answers = [null];
  equal(await outbox.sendUnstored(item), null);
  const from = sent.length;
  answers = [applied];
  equal((await outbox.sendUnstored(item)).state, "applied");
  while (outbox.busy) await outbox.busy;
  clearTimeout(outbox.timer);
  const uids = sent.slice(from).flatMap(([, body]) => body.items?.map((one) => one.uid) ?? []);
  equal([uids.length, uids.at(-1), (await store.all()).some((one) => one.uid === "memory")], [2, "memory", false]);
  answers = [refusing(503)];
  equal(await outbox.sendUnstored(item), null);
  answers = [refusing(400)];
  equal((await outbox.sendUnstored(item)).state, "refused");
});
