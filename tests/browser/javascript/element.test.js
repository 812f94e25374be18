import { element } from "/js/element.js";
import { equal, test } from "/tests/check.js";

test("a piece has a class and a text where they are given, and nothing else", () => {
  equal(element("p", "notice bad", "Ask the desk").outerHTML, '<p class="notice bad">Ask the desk</p>');
  equal(element("ul").outerHTML, "<ul></ul>");
});

test("a name is never read as HTML", () => {
  equal(element("span", "wrap", "<b>Aces</b>").innerHTML, "&lt;b&gt;Aces&lt;/b&gt;");
});
