import { contractAsked } from "/js/contract.js";
import { equal, page, test } from "/tests/check.js";

const seat = (place, chosen) => `<fieldset class="ask" data-place="${place}" data-layout="row">
  ${["pass", "1"].map((bid) => `<input type="radio" name="bid-${place}" value="${bid}"${bid === chosen ? " checked" : ""}>`).join("")}
  </fieldset>`;

// Which of the buttons can be pressed, with these bids; `said` is what the server says of them.
function offered(bids, { mayPlay = "", said = "", passed = true } = {}) {
  const thrown = `<button form="void-hand" data-passed ${mayPlay} hidden>All passed: the next player deals</button>`;
  page(`<form id="entry" data-cards="5">${bids.map((bid, place) => seat(place, bid)).join("")}
    <fieldset class="ask contract"><p class="muted"></p><input name="play" value=""><p class="ask-words"></p>
    <button form="lock">Play</button>${passed ? thrown : ""}<button type="button" hidden>Keep the bids</button></fieldset>
    <div id="effect">${said}</div></form>`);
  contractAsked(document.getElementById("entry"));
  return [...document.querySelectorAll("button")].filter((one) => !one.hidden).map((one) => one.textContent);
}

test("a hand that all passed is not played: what becomes of it is offered instead", () => {
  equal(offered(["pass", "1", "pass", "pass"]), ["Play"]);
  equal(offered(["pass", "pass", "pass", "pass"]), ["All passed: the next player deals"]);
});
test("where the sheet has such a hand played, both are offered; where it knows no other way, it is played", () => {
  const all = ["pass", "pass", "pass", "pass"];
  equal(offered(all, { mayPlay: "data-may-play" }), ["Play", "All passed: the next player deals"]);
  equal(offered(all, { passed: false }), ["Play"]);
});
test("bids that the server has refused are not played, until one is changed", () => {
  const said = "<p data-at-bids>A double board needs a board before it.</p>";
  equal(offered(["1", "1", "1", "1"], { said }), []);
  document.querySelector("input").dispatchEvent(new Event("change", { bubbles: true }));
  contractAsked(document.getElementById("entry"));
  equal(document.querySelector("[form=lock]").hidden, false);
});
