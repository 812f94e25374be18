import { putInto, render, typedIn, uidFor, wholePage } from "/js/forms.js";
import { equal, page, test } from "/tests/check.js";

const KEY = "11111111-2222-4333-8444-555555555555";
const form = (key = KEY) =>
  page(
    `<form><input name="csrfmiddlewaretoken" value="t"><input name="client_key" value="${key}"><input name="books" value="9"></form>`,
  ).firstChild;

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
test("of what depends on the first dealer one stays, and forms get the page's token and keys of their own", () => {
  page('<form><input name="csrfmiddlewaretoken" value="t"></form>');
  const sent =
    '<b data-first="0">Ann</b><b data-first="3">Dee</b> deals<form><input name="client_key"></form><form><input name="client_key"></form>';
  const box = document.createElement("div");
  box.append(render(sent, 3));
  const keys = [...box.querySelectorAll('[name="client_key"]')].map((key) => key.value);
  equal(
    [box.textContent, [...box.querySelectorAll('[name="csrfmiddlewaretoken"]')].map((token) => token.value)],
    ["Dee deals", ["t", "t"]],
  );
  equal([keys.map((key) => key.length), keys[0] === keys[1]], [[36, 36], false]);
});
test("a piece takes the place of what stood there, and the page hears of it", () => {
  const box = page('<div id="next-hand"><p>old</p></div>').firstChild;
  const heard = [];
  document.addEventListener("htmx:afterSettle", () => heard.push(box.innerHTML), { once: true });
  putInto(box, render("<p>new</p>", 0));
  equal(heard, ["<p>new</p>"]);
});

const STATE = { coming: "k", hands: 3, dealer: 0 };
const answered = (box, state = STATE) =>
  `<div id="table"><div id="table-state" data-state='${JSON.stringify(state)}'></div>${box}<form></form></div>`;
const AHEAD = {
  key: "k",
  from: 2,
  forms: ["<form>third</form>", '<form>fourth<b data-first="0">Ann</b><b data-first="1">Bo</b></form>'],
};
const shown = (html) => [...page(html ?? "").querySelectorAll("form")].map((one) => one.textContent);

test("a page that comes beside an answer gets the form that was sent ahead, and its forms the token", () => {
  page('<form><input name="csrfmiddlewaretoken" value="t"></form>');
  const html = wholePage(answered('<section id="next-hand" data-sent></section>'), AHEAD);
  equal([html.match(/value="t"/g).length, shown(html)], [2, ["fourthAnn", ""]]);
});
test("a page with its own form stays as it is, and one whose form is not known is not shown", () => {
  const token = () => page('<form><input name="csrfmiddlewaretoken" value="t"></form>');
  token();
  equal(shown(wholePage(answered('<section id="next-hand"><form>own</form></section>'), AHEAD)), ["own", ""]);
  const sent = '<section id="next-hand" data-sent></section>';
  token();
  const unknown = [
    { ...STATE, coming: "another" },
    { ...STATE, hands: 4 },
  ].map((state) => wholePage(answered(sent, state), AHEAD));
  page("");
  equal([...unknown, wholePage(answered(sent), AHEAD)], [null, null, null]);
});
