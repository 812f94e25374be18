import { nextForm, typedIn, uidFor } from "/js/forms.js";
import { equal, page, test } from "/tests/check.js";

const KEY = "11111111-2222-4333-8444-555555555555";
const form = (key = KEY) => page(`<form><input name="csrfmiddlewaretoken" value="t"><input name="client_key" value="${key}"><input name="books" value="9"></form>`).firstChild;

test("the form's own key is used once", () => {
  equal(uidFor(form(), { changed: false }, []), KEY);
  equal(uidFor(form(), { changed: false }, [{ uid: KEY }]) === KEY, false);
  equal(uidFor(form(), { changed: true }, []) === KEY, false);
  equal(uidFor(form(""), { changed: false }, []).length, 36);
});
test("what is typed is taken along once somebody has begun, and never the token", () => {
  const made = form();
  equal([typedIn(made), typedIn(null)], [{}, {}]);
  made.insertAdjacentHTML("beforeend", '<input type="radio" name="seat" value="2" checked>');
  equal(typedIn(made), { client_key: KEY, books: "9", seat: "2" });
});
test("the next form comes as it was sent ahead, with a key of its own", () => {
  nextForm(form(), '<form id="entry"><input name="client_key" value=""><b>Hand 2</b></form>');
  const made = document.querySelector("form");
  equal([made.textContent, made.querySelector('[name="csrfmiddlewaretoken"]').value], ["Hand 2", "t"]);
  equal(made.querySelector('[name="client_key"]').value.length, 36);
});
test("where none was sent the same form is emptied", () => {
  const made = form();
  made.querySelector('[name="books"]').value = "13";
  nextForm(made, undefined);
  equal([made.isConnected, made.querySelector('[name="books"]').value], [true, "9"]);
});
