import { sendLeftover, show } from "/js/leftover.js";
import * as store from "/js/store.js";
import { equal, page, test } from "/tests/check.js";

const [HERE, THERE] = [
  { instance: "A", event: "whist" },
  { instance: "B", event: "open" },
];
const sent = [];
const send = async (path, { token, body }) => {
  sent.push([path, token, body.items?.map((item) => item.uid)]);
  return {
    status: 200,
    wait: 0,
    data: {
      results: (body.items ?? []).map(({ uid }) => ({ uid, status: "parked", code: "former-device", text: "" })),
      epoch: "e",
      former: true,
    },
  };
};
const lost = async () => {
  throw new Error("no network");
};
async function keep(place, uid, kind = "hand") {
  store.enter(place);
  await store.setFact("device", { device: 1, token: `key of ${place.event}`, instance: place.instance });
  await store.setFact("where", { table: 1, event: "Whist Night" });
  await store.keep({ uid, kind, game: 1, after: null, at: 5, state: "pending", fields: {}, words: "" });
}

test("with nothing on it nothing is said", async () => {
  const box = page('<p id="box" hidden></p>').firstChild;
  await show(box, { send });
  equal([box.hidden, box.textContent, sent.length], [true, "", 0]);
});
test("without a connection it says what is here, and that it is not lost", async () => {
  await keep(HERE, "a");
  equal(await sendLeftover({ send: lost }), [
    "1 hand is still on this tablet (table 1, Whist Night). It is sent as soon as this tablet reconnects.",
  ]);
});
test("what a withdrawn tablet holds goes to the desk with its old key, and the page says so", async () => {
  const box = page('<p id="box" hidden></p>').firstChild;
  await show(box, { send });
  equal([box.hidden, box.textContent], [false, "1 hand was sent to the desk just now (table 1, Whist Night)."]);
  equal(sent[0], ["submissions", "key of whist", ["a"]]);
  await show(box, { send });
  equal(box.textContent, "1 hand was sent to the desk just now (table 1, Whist Night).");
  await store.mark("a", { sent: Date.now() - 7 * 60_000 });
  await show(box, { send });
  equal(box.textContent, "1 hand was sent to the desk 7 min ago (table 1, Whist Night).");
  await store.mark("a", { sent: Date.now() - 61 * 60_000 });
});
test("each event's lines go with the key of that event", async () => {
  await keep(HERE, "b");
  await keep(HERE, "c", "call");
  await keep(THERE, "d");
  sent.length = 0;
  const words = await sendLeftover({ send });
  equal(
    sent.filter(([path]) => path === "submissions").map(([, token, uids]) => [token, uids]),
    [
      ["key of whist", ["b", "c"]],
      ["key of open", ["d"]],
    ],
  );
  equal(words[0], "1 hand and a call were sent to the desk just now (table 1, Whist Night).");
});
