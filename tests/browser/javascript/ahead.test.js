import { lookAhead } from "/js/ahead.js";
import * as store from "/js/store.js";
import { equal, test } from "/tests/check.js";

const STATE = { game: 4, phase: "play", version: "v1" };
const NOTHING = { outcomes: null, forms: [] };
let asked = 0;
function answering(data, status = 200) {
  window.fetch = async () => {
    asked += 1;
    return new Response(JSON.stringify({ app: "uptown", ...data }), { status, headers: { "Content-Type": "application/json" } });
  };
}

test("there is nothing to look ahead to without a game in play", async () => {
  answering({});
  equal([await lookAhead({ ...STATE, game: null }, store, {}), await lookAhead({ ...STATE, phase: "final" }, store, {})], [NOTHING, NOTHING]);
  equal(asked, 0);
});
test("what comes is kept, and asked for once a version", async () => {
  answering({ game: 4, version: "v1", outcomes: { a: 1 }, forms: ["<form>"] });
  const found = await lookAhead(STATE, store, {});
  equal([found.outcomes, found.forms, await lookAhead(STATE, store, {}), asked], [{ a: 1 }, ["<form>"], found, 1]);
});
test("a sheet that has gone on, another game and a refusal give nothing", async () => {
  answering({ game: 4, version: "v3", outcomes: {}, forms: [] });
  equal(await lookAhead({ ...STATE, version: "v2" }, store, {}), NOTHING);
  answering({ game: 5, version: "v4", outcomes: {}, forms: [] });
  equal(await lookAhead({ ...STATE, version: "v4" }, store, {}), NOTHING);
  answering({}, 401);
  equal(await lookAhead({ ...STATE, version: "v5" }, store, {}), NOTHING);
});
test("without a connection what was kept for this version still helps", async () => {
  window.fetch = async () => {
    throw new TypeError("network");
  };
  equal([(await lookAhead({ ...STATE, version: "v3" }, store, {})).version, await lookAhead({ ...STATE, version: "v9" }, store, {})], ["v3", NOTHING]);
});
