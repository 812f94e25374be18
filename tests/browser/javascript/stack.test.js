import { arrange, goOn, openAgain, opened, questions } from "/js/stack.js";
import { equal, page, test } from "/tests/check.js";

const radio = (name) => (value) =>
  `<label><input type="radio" name="${name}" value="${value}"><span>${value}</span></label>`;
const ask = (name, values, more = "") =>
  `<div class="ask turn" data-line="${name}" data-verb="bid" ${more}>${values.map(radio(name)).join("")}</div>`;

function form() {
  const asks = [
    ask("ann", ["pass", 4, "first-six"]),
    ask("cal", ["pass", 4]),
    ask("won", ["yes", "no"], 'data-when="first-six"'),
  ];
  const made = page(`<form><div class="lines"></div><div class="questions">${asks.join("")}</div></form>`).firstChild;
  goOn(made);
  return made;
}
const give = (made, name, value) => {
  made.querySelector(`[name="${name}"][value="${value}"]`).checked = true;
};
const isOpen = (made) => opened(made)?.dataset.line ?? null;
const lines = (made) => [...made.querySelectorAll(".line")].map((line) => line.textContent);

test("one question is open: the first without an answer, and a line stands for each", () => {
  const made = form();
  equal([isOpen(made), lines(made), made.className], ["ann", ["ann bid …", "cal bid …"], "stacked"]);
  give(made, "ann", 4);
  goOn(made);
  equal([isOpen(made), lines(made)], ["cal", ["ann bid 4", "cal bid …"]]);
  give(made, "cal", "pass");
  goOn(made);
  equal([isOpen(made), lines(made)], [null, ["ann bid 4", "cal bid pass"]]);
});
test("a question that was opened again stays open until it goes on", () => {
  const made = form();
  give(made, "ann", 4);
  give(made, "cal", 4);
  openAgain(made, questions(made)[0]);
  arrange(made);
  equal([isOpen(made), made.querySelector("[aria-current]").textContent], ["ann", "ann bid 4"]);
  goOn(made);
  equal(isOpen(made), null);
});
test("what depends on an answer is asked when that was given, and no longer when it was changed", () => {
  const made = form();
  give(made, "ann", "first-six");
  give(made, "cal", 4);
  goOn(made);
  equal([isOpen(made), lines(made).length], ["won", 3]);
  give(made, "ann", 4);
  goOn(made);
  equal([isOpen(made), lines(made).length], [null, 2]);
});
test("what is asked in red comes first", () => {
  const made = form();
  give(made, "ann", 4);
  made.querySelector(".ask").insertAdjacentHTML("afterbegin", '<p class="wrong">4 cannot be bid</p>');
  goOn(made);
  equal(isOpen(made), "ann");
});
test("where one side wins the bid all stand there as long as they have room", () => {
  const all = `<div class="lines"></div><div class="questions"><div class="ask" data-line="Won the bid">${radio("seat")(0)}</div></div>`;
  const made = page(`<form>${all}</form>`).firstChild;
  goOn(made);
  equal(made.className, "");
  made.querySelector(".ask").insertAdjacentHTML("beforeend", "<br>".repeat(400));
  goOn(made);
  equal(made.className, "stacked");
});
test("the focus goes along, to the answer that was given", () => {
  const made = form();
  made.insertAdjacentHTML("beforebegin", "<style>.stacked .ask:not(.open) { display: none }</style>");
  give(made, "cal", 4);
  made.querySelector('[name="ann"]').focus();
  openAgain(made, questions(made)[1]);
  equal([document.activeElement.name, document.activeElement.value], ["cal", "4"]);
});
test("the numbers that make the chosen bid, and those that set it, are marked as the server says", () => {
  const bids = `<div class="ask" data-line="The bid"><input type="radio" name="bid" value="3" data-need="9"><i>3</i><input type="radio" name="bid" value="4" data-need="10"><i>4</i></div>`;
  const pick = (books, made) =>
    `<label data-made="${made}"><input type="radio" name="books" value="${books}"><i>${books}</i></label>`;
  const books = `<div class="ask">${[9, 10].map((need) => `<span class="need" data-need="${need}" hidden></span>`).join("")}${pick(8, "")}${pick(9, "9 ")}${pick(10, "9 10 ")}</div>`;
  const made = page(`<form><div class="lines"></div><div class="questions">${bids}${books}</div></form>`).firstChild;
  const marks = () => [...made.querySelectorAll("[data-made]")].map((one) => one.className);
  const needs = () => [...made.querySelectorAll(".need")].map((one) => one.hidden);
  goOn(made);
  equal(
    [marks(), needs()],
    [
      ["", "", ""],
      [true, true],
    ],
  );
  give(made, "bid", 3);
  goOn(made);
  equal(
    [marks(), needs()],
    [
      ["sets", "makes", "makes"],
      [false, true],
    ],
  );
  give(made, "bid", 4);
  goOn(made);
  equal(
    [marks(), needs()],
    [
      ["sets", "sets", "makes"],
      [true, false],
    ],
  );
});
test("a question may be answered by typing", () => {
  const typed = `<div class="ask turn" data-line="Eagles" data-verb="meld"><input name="melds-0" inputmode="numeric"></div>`;
  const made = page(
    `<form><div class="lines"></div><div class="questions">${typed}${ask("ann", ["pass", 4])}</div></form>`,
  ).firstChild;
  goOn(made);
  equal([isOpen(made), lines(made)], ["Eagles", ["Eagles meld …", "ann bid …"]]);
  made.querySelector("input").value = "40";
  goOn(made);
  equal([isOpen(made), lines(made)], ["ann", ["Eagles meld 40", "ann bid …"]]);
});
