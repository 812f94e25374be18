import { settled } from "/js/typing.js";
import { equal, page, test } from "/tests/check.js";

const radios = (name, checked) =>
  [1, 2]
    .map((value) => `<input type="radio" name="${name}" value="${value}"${value === checked ? " checked" : ""}>`)
    .join("");
const entry = (position, seat, books) =>
  `<form id="entry" data-game="7"><input name="position" value="${position}">${radios("seat", seat)}${radios("books", books)}</form>`;
const chosen = () => [...document.querySelectorAll("input:checked")].map((one) => `${one.name} ${one.value}`);
const asking = (fields) => {
  const asked = new FormData();
  for (const [name, value] of Object.entries(fields)) asked.set(name, value);
  return asked;
};
const swap = (html, moment = "htmx:afterSettle", asked = asking({})) => {
  const table = document.getElementById("table");
  const detail = { target: table, shouldSwap: true, requestConfig: { verb: "get", formData: asked } };
  document.dispatchEvent(new CustomEvent("htmx:beforeSwap", { detail }));
  if (detail.shouldSwap) table.innerHTML = html;
  table.dispatchEvent(new CustomEvent(moment, { bubbles: true }));
};
const table = (html) => {
  page("");
  settled();
  return page(`<div id="table">${html}</div>`).firstChild;
};

test("answers are back the moment the new page stands there, before anybody can record without them", () => {
  table(entry(3, 2, 1));
  swap(entry(3, null), "htmx:afterSwap");
  equal(chosen(), ["seat 2", "books 1"]);
});
test("answers that were given while the page was on its way stay, and only for the same hand", () => {
  table(entry(3, 2));
  swap(entry(3, null));
  equal(chosen(), ["seat 2"]);
  swap(entry(4, null));
  equal(chosen(), []);
});
test("a page that was asked for with other answers is not shown: the next one is", () => {
  for (const asked of [{ seat: "1" }, { seat: "2", books: "1" }]) {
    table(entry(3, 2));
    swap(entry(4, 1, 1), "htmx:afterSwap", asking(asked));
    equal(chosen(), ["seat 2"]);
  }
  swap(entry(4, 2), "htmx:afterSwap", asking({ seat: "2", position: "3" }));
  equal([chosen(), document.querySelector("[name=position]").value], [["seat 2"], "4"]);
});
test("two pages that come one right after the other take nothing away", () => {
  const box = table(entry(3, 2));
  for (let count = 0; count < 2; count += 1) {
    const detail = { target: box, shouldSwap: true, requestConfig: { verb: "get", formData: asking({}) } };
    document.dispatchEvent(new CustomEvent("htmx:beforeSwap", { detail }));
    box.innerHTML = entry(3, null);
  }
  box.dispatchEvent(new CustomEvent("htmx:afterSettle", { bubbles: true }));
  equal(chosen(), ["seat 2"]);
});
test("what the page brings along is not overruled", () => {
  table(entry(3, 2, 1));
  swap(entry(3, 1));
  equal(chosen(), ["seat 1", "books 1"]);
});
test("what has its field only later is put back then, once", () => {
  table(entry(3, 2));
  swap("<p>first the page</p>");
  document.getElementById("table").innerHTML = entry(3);
  settled();
  equal(chosen(), ["seat 2"]);
  document.getElementById("table").innerHTML = entry(3);
  settled();
  equal(chosen(), []);
});
test("a form that was sent, and an answer that changes nothing on the page, take nothing along", () => {
  for (const detail of [
    { requestConfig: { verb: "post" }, shouldSwap: true },
    { requestConfig: { verb: "get" }, shouldSwap: false },
  ]) {
    const box = table(entry(3, 2));
    document.dispatchEvent(new CustomEvent("htmx:beforeSwap", { detail: { ...detail, target: box } }));
    box.innerHTML = entry(3, null);
    box.dispatchEvent(new CustomEvent("htmx:afterSettle", { bubbles: true }));
    equal(chosen(), []);
  }
});
test("what was unfolded stays open, and what was chosen there stays chosen", () => {
  const select = '<select name="auction-0"><option value=""></option><option value="2"></option></select>';
  const html = `<form id="entry" data-game="7"><input name="position" value="3"><details id="step-beside">${select}</details></form>`;
  table(html);
  document.querySelector("details").open = true;
  document.querySelector("select").value = "2";
  swap(html);
  equal([document.querySelector("details").open, document.querySelector("select").value], [true, "2"]);
  swap(html.replace('value="3"', 'value="4"'));
  equal([document.querySelector("details").open, document.querySelector("select").value], [false, ""]);
});
test("what a hand does is asked for again where the page came in between, and only there", () => {
  const asked = (html) => {
    table(html);
    let count = 0;
    document.getElementById("entry").addEventListener("change", () => count++);
    settled();
    return count;
  };
  const answered = entry(3, 2).replace("</form>", '<div id="effect"><strong>Aces +3</strong></div></form>');
  equal([entry(3, 2), entry(3, null), answered].map(asked), [1, 0, 0]);
});
test("what had dropped down stays down over a poll while it is about the same, and once only", () => {
  const drop = (id, open = "") => `<details class="drop" id="${id}" ${open}><summary>?</summary></details>`;
  const down = () => [...document.querySelectorAll("details[open]")].map(({ id }) => id);
  table(drop("drop-call", "open") + drop("drop-void-3"));
  swap(drop("drop-call") + drop("drop-void-3"), "htmx:afterSwap");
  equal(down(), ["drop-call"]);
  swap(drop("drop-uncall"), "htmx:afterSwap");
  equal(down(), []);
  swap(drop("drop-call"), "htmx:afterSwap");
  equal(down(), []);
});
