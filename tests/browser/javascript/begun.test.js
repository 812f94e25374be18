import { dropBegun, giveBegun, keepBegun } from "/js/begun.js";
import * as store from "/js/store.js";
import { equal, page, test } from "/tests/check.js";

const STATE = { instance: "A", event: "open", game: 7 };
const radios = (name) => [1, 2].map((value) => `<input type="radio" name="${name}" value="${value}">`).join("");
const form = (position) =>
  page(
    `<form id="entry" data-game="7"><input name="position" value="${position}">${radios("bid-0")}${radios("bid-1")}</form>`,
  );
const chosen = () => [...document.querySelectorAll("input:checked")].map((one) => `${one.name} ${one.value}`);
async function begun() {
  form(3);
  document.querySelectorAll("input[type=radio]")[1].checked = true;
  document.querySelectorAll("input[type=radio]")[2].checked = true;
  await keepBegun(STATE, store);
}

test("the bids that were written before play are there again after a reload, and on this tablet's next page", async () => {
  store.enter(STATE);
  await begun();
  form(3);
  await giveBegun(STATE, store);
  equal(chosen(), ["bid-0 2", "bid-1 1"]);
});
test("they belong to their hand, their game and their event", async () => {
  await begun();
  form(4);
  await giveBegun(STATE, store);
  equal(chosen(), []);
  form(3);
  await giveBegun({ ...STATE, game: 8 }, store);
  store.enter({ ...STATE, event: "other" });
  await giveBegun(STATE, store);
  equal(chosen(), []);
  store.enter(STATE);
});
test("what was answered meanwhile, and a hand that is recorded, are left alone", async () => {
  await begun();
  form(3);
  document.querySelector("input[type=radio]").checked = true;
  await giveBegun(STATE, store);
  equal(chosen(), ["bid-0 1"]);
  await dropBegun(store);
  form(3);
  await giveBegun(STATE, store);
  equal(chosen(), []);
});
