import "/js/settings.js";
import { equal, page, test } from "/tests/check.js";

const settings = (inside) => `<div id="settings">${inside}</div>`;
const money = (open, amount) =>
  `<details data-fold="money"${open}><input name="fee_cents" value="${amount}"></details>`;

// What htmx says before it puts a part of an answer in its place.
function swap(html, id = "settings") {
  const target = document.getElementById(id);
  const fragment = document.createRange().createContextualFragment(html);
  target.dispatchEvent(new CustomEvent("htmx:oobBeforeSwap", { bubbles: true, detail: { target, fragment } }));
  return fragment;
}

test("an amount that was typed after the question was sent stays", () => {
  page(settings(money("", "20")));
  document.querySelector("input").value = "25";
  equal(swap(settings(money("", "20"))).querySelector("input").value, "25");
});
test("a tick that was set meanwhile stays", () => {
  const tick = '<input type="checkbox" name="keep_apart">';
  page(settings(tick));
  document.querySelector("input").checked = true;
  equal(swap(settings(tick)).querySelector("input").checked, true);
});
test("what stood open stands open, and nothing else does", () => {
  const paper = '<details data-fold="paper"></details>';
  page(settings(money(" open", "") + paper));
  const made = swap(settings(money("", "") + paper));
  equal(
    [...made.querySelectorAll("details")].map((fold) => fold.open),
    [true, false],
  );
});
test("the game, its sheet and what goes along hidden are those of the answer", () => {
  page(
    settings('<input type="radio" name="game" value="spades" checked><input type="hidden" name="shown" value="old">'),
  );
  const made = swap(
    settings('<input type="radio" name="game" value="spades"><input type="hidden" name="shown" value="new">'),
  );
  equal([made.querySelector("[type=radio]").checked, made.querySelector("[name=shown]").value], [false, "new"]);
});
test("a question that the game does not have is left alone", () => {
  page(settings(money("", "20")));
  equal(swap(settings("")).querySelectorAll("input").length, 0);
});
test("another part of an answer is put in its place as it came", () => {
  page(`<div id="other">${money("", "20")}</div>`);
  document.querySelector("input").value = "25";
  equal(swap(`<div id="other">${money("", "20")}</div>`, "other").querySelector("input").value, "20");
});
