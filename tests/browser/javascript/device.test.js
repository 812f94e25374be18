import { battery, keyOf, registerWorker, showMode } from "/js/device.js";
import * as store from "/js/store.js";
import { equal, page, test } from "/tests/check.js";

const STATE = { device: 3, instance: "here" };
function answering(body, status = 200) {
  window.fetch = async () => new Response(JSON.stringify(body), { status });
}

await store.setFact("epoch", "E");
test("without a form there is no key to ask with", async () => {
  page("");
  equal(await keyOf(STATE, store), { token: null });
});
test("a refused or foreign answer gives no key", async () => {
  page('<input name="csrfmiddlewaretoken" value="c">');
  answering({ app: "uptown", token: "T" }, 403);
  equal(await keyOf(STATE, store), { token: null });
  answering({ app: "router" });
  equal(await keyOf(STATE, store), { token: null });
});
test("the key is asked for once and kept", async () => {
  answering({ app: "uptown", token: "T" });
  equal(await keyOf(STATE, store), { token: "T", instance: "here", epoch: "E" });
  page("");
  equal(
    [await keyOf(STATE, store), await keyOf(null, store)],
    [
      { token: "T", instance: "here", epoch: "E" },
      { token: "T", instance: "here", epoch: "E" },
    ],
  );
});
test("bound to another table, the tablet asks for its new key", async () => {
  page('<input name="csrfmiddlewaretoken" value="c">');
  answering({ app: "uptown", token: "U" });
  equal(await keyOf({ ...STATE, device: 4 }, store), { token: "U", instance: "here", epoch: "E" });
});
test("a battery is a whole percentage, or nothing", async () => {
  navigator.getBattery = async () => ({ level: 0.456 });
  equal(await battery(), 46);
  navigator.getBattery = undefined;
  equal(await battery(), null);
});
test("the page says whether it opens without a connection", () => {
  page('<p id="mode" hidden></p>');
  showMode();
  equal(document.getElementById("mode").hidden, true);
  document.body.dataset.mode = "open";
  showMode();
  equal(document.getElementById("mode").textContent.includes("Do not close or reload this page"), true);
});
test("a window that may be private promises only what it keeps, until the browser says that it keeps all", async () => {
  page('<p id="mode" hidden></p>');
  const said = () => /private window/.test(document.getElementById("mode").textContent);
  const found = [];
  Object.defineProperty(navigator.serviceWorker, "register", { value: async () => {} });
  for (const [before, answer] of [
    [false, false],
    [false, true],
    [true, true],
  ]) {
    let whileAsked = null;
    Object.defineProperty(navigator, "storage", {
      configurable: true,
      value: {
        persisted: async () => before,
        persist: async () => {
          whileAsked = said();
          return answer;
        },
      },
    });
    await registerWorker();
    found.push([whileAsked, said()]);
  }
  equal(found, [
    [true, true],
    [true, false],
    [false, false],
  ]);
});
