import { equal, page, test } from "/tests/check.js";

page(`<p id="signed-out" hidden></p>
  <dialog id="again" data-state="/nowhere/"><form method="dialog"><p class="again-why"></p><p role="alert" hidden></p>
  <input name="name"><input name="password"><div class="field" hidden><input name="code"></div><button>Confirm</button><button type="button" data-cancel>Cancel</button></form></dialog>
  <form id="act"></form>`);
await import("/js/again.js");
const words = document.getElementById("signed-out");
const poll = { verb: "get", path: "/desk/open/?round=1&version=3" };
const after = (xhr, requestConfig = poll) =>
  document.dispatchEvent(new CustomEvent("htmx:afterRequest", { detail: { xhr, requestConfig } }));
const answer = (status, sitting = null) => ({ status, getResponseHeader: () => sitting });

// How often the act went on its way at once.
let sent = 0;
const act = document.getElementById("act");
act.addEventListener("submit", (event) => {
  event.preventDefault();
  sent += 1;
});
function isHeld() {
  const before = sent;
  act.requestSubmit();
  return sent === before;
}

test("a poll that is answered 401 says that the sign-in has ended, and another answer takes it back", () => {
  const hidden = [answer(401), { status: 0 }, undefined, answer(200)].map((xhr) => {
    after(xhr);
    return words.hidden;
  });
  equal(hidden, [false, false, false, true]);
});

test("an act is held back once a poll was told that nobody is there, and not before", () => {
  const before = isHeld();
  after(answer(204, "asleep"));
  equal([before, isHeld()], [false, true]);
  after(answer(204));
  equal(isHeld(), false);
});
