import { lookAhead, NOTHING } from "/js/ahead.js";
import * as store from "/js/store.js";
import { equal, test } from "/tests/check.js";

const STATE = { game: 4, phase: "play", coming: "k1" };
const SENT = {
  game: 4,
  coming: "k1",
  from: 1,
  lines: ["<form>", "One", "Two", "</form>"],
  forms: [
    [
      [0, 2],
      [3, 4],
    ],
    [
      [0, 1],
      [2, 4],
    ],
  ],
  before: [
    [
      [0, 1],
      [3, 4],
    ],
  ],
  parts: { play: [[2, 3]] },
};
let asked = 0;
function answering(data, status = 200) {
  window.fetch = async () => {
    asked += 1;
    return new Response(JSON.stringify({ app: "uptown", ...data }), {
      status,
      headers: { "Content-Type": "application/json" },
    });
  };
}

test("there is nothing to look ahead to without a game in play", async () => {
  answering({});
  equal(
    [await lookAhead({ ...STATE, game: null }, store, {}), await lookAhead({ ...STATE, phase: "final" }, store, {})],
    [NOTHING, NOTHING],
  );
  equal(asked, 0);
});
test("what comes is put together from its lines", async () => {
  answering(SENT);
  const wanted = {
    key: "k1",
    from: 0,
    forms: ["<form>\n</form>", "<form>\nOne\n</form>", "<form>\nTwo\n</form>"],
    parts: { play: "Two" },
  };
  equal(await lookAhead(STATE, store, {}), wanted);
});
test("it is kept, and asked for once, also while the table sits down", async () => {
  equal(
    [
      (await lookAhead({ ...STATE, phase: "seats" }, store, {})).key,
      (await lookAhead({ ...STATE, phase: "dealer" }, store, {})).key,
      asked,
    ],
    ["k1", "k1", 1],
  );
});
test("a sheet that has gone on, another game and a refusal give nothing", async () => {
  answering({ ...SENT, coming: "k3" });
  equal(await lookAhead({ ...STATE, coming: "k2" }, store, {}), NOTHING);
  answering({ ...SENT, game: 5, coming: "k4" });
  equal(await lookAhead({ ...STATE, coming: "k4" }, store, {}), NOTHING);
  answering({}, 401);
  equal(await lookAhead({ ...STATE, coming: "k5" }, store, {}), NOTHING);
});
test("without a connection what was kept for this sheet still helps", async () => {
  window.fetch = async () => {
    throw new TypeError("network");
  };
  equal(
    [
      (await lookAhead({ ...STATE, coming: "k3" }, store, {})).key,
      await lookAhead({ ...STATE, coming: "k9" }, store, {}),
    ],
    ["k3", NOTHING],
  );
});
