import { freshest, remember } from "/js/snapshot.js";
import * as store from "/js/store.js";
import { equal, page, test } from "/tests/check.js";

function table(stamp, words, device = 1) {
  const state = { stamp, device, instance: "laptop", event: "open" };
  store.enter(state);
  const made = page(`<div id="table"><p>${words}</p><div id="table-state"></div></div>`).firstChild;
  document.getElementById("table-state").dataset.state = JSON.stringify(state);
  return [made, state];
}
const shown = () => document.querySelector("#table p").textContent;

test("the newest page of the server is remembered", async () => {
  for (const [made, state] of [table(20, "new"), table(10, "old")]) await remember(made.outerHTML, state, store);
  equal((await store.fact("page")).stamp, 20);
});
test("an older page gives way to the one that is kept", async () => {
  const [made] = table(10, "old");
  await freshest(made, store);
  equal(shown(), "new");
});
test("a newer page stays, and so does one of another tablet", async () => {
  await freshest(table(30, "newer")[0], store);
  equal(shown(), "newer");
  await freshest(table(10, "other tablet", 2)[0], store);
  equal(shown(), "other tablet");
});
