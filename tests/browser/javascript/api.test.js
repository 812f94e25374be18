import { api, NoConnection, newUid } from "/js/api.js";
import { now } from "/js/clock.js";
import { equal, test, throws } from "/tests/check.js";

const asked = [];
function answering(body, { type = "application/json", status = 200, headers = {} } = {}) {
  window.fetch = async (address, options) => {
    asked.push([address, options]);
    return new Response(body, { status, headers: { "Content-Type": type, ...headers } });
  };
}
const ours = (more = {}) => JSON.stringify({ app: "uptown", instance: "here", ...more });

test("an answer is JSON with our name in it", async () => {
  answering(ours({ results: [] }), { headers: { "Retry-After": "7" } });
  equal(await api("ping", { token: "T", instance: "here", body: { unsent: 0 } }), {
    status: 200,
    wait: 7,
    data: JSON.parse(ours({ results: [] })),
  });
  const [address, options] = asked.at(-1);
  equal(
    [address, options.method, options.headers.Authorization, options.credentials, options.redirect],
    ["/t/api/ping/", "POST", "Table T", "omit", "error"],
  );
});
test("an answer tells the server's time, and another's answer does not", async () => {
  const said = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
  answering(ours({ now: said(7) }));
  await api("ping", { token: "T", instance: "here", body: {} });
  answering(JSON.stringify({ app: "router", now: said(9) }));
  await throws(() => api("ping", { token: "T", instance: "here", body: {} }));
  equal(Math.round((now() - Date.now()) / 3_600_000), 7);
});
test("without a body it is only asked for", async () => {
  answering(ours());
  await api("state", { token: "T", instance: null });
  equal([asked.at(-1)[1].method, "body" in asked.at(-1)[1] && asked.at(-1)[1].body !== undefined], ["GET", false]);
});
test("a hotel's page, another program, another server and broken JSON are no connection", async () => {
  const wrong = [
    ["<h1>Sign in</h1>", { type: "text/html" }],
    ['{"app":"router"}'],
    [ours({ instance: "there" })],
    ["{"],
    ["null"],
  ];
  for (const [body, how] of wrong) {
    answering(body, how);
    equal((await throws(() => api("ping", { token: "T", instance: "here", body: {} }))) instanceof NoConnection, true);
  }
});
test("a refusal of ours is an answer", async () => {
  answering(ours(), { status: 401 });
  equal((await api("ping", { token: "T", instance: "here", body: {} })).status, 401);
});
test("a network that fails is no connection", async () => {
  window.fetch = async () => {
    throw new TypeError("network");
  };
  equal((await throws(() => api("ping", { token: "T", body: {} }))) instanceof NoConnection, true);
});
test("who answers late is waited for twice as long the next time, and said to be slow", async () => {
  const [begin, waits] = [window.setTimeout, []];
  window.setTimeout = (act, wait) => {
    waits.push(wait);
    return wait < 20_000 ? begin(act, 0) : begin(act, wait);
  };
  window.fetch = (_address, { signal }) =>
    new Promise((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason));
      begin(() => done(new Response(ours(), { headers: { "Content-Type": "application/json" } })), 100);
    });
  const ask = () => api("ping", { token: "T", instance: "here", body: {} });
  const late = [(await throws(ask)).isLate, (await throws(ask)).isLate];
  equal([late, (await ask()).status, waits], [[true, true], 200, [8000, 16_000, 32_000]]);
  window.setTimeout = begin;
});
test("a new uid is a random UUID", () => {
  const many = new Set(Array.from({ length: 200 }, newUid));
  equal(
    [
      many.size,
      [...many].every((uid) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uid)),
    ],
    [200, true],
  );
});
