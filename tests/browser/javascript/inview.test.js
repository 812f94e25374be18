import { equal, page, test } from "/tests/check.js";

const row = (name, at) =>
  `<div class="${name}" style="white-space:nowrap;overflow-x:auto;width:300px">${Array.from({ length: 60 }, (_, place) => `<a href="#" ${place === at ? 'aria-current="page"' : ""}>Round&nbsp;${place}</a> `).join("")}</div>`;
page(row("tabs", 50) + row("stops", 40) + row("rounds", 0));
await import("/js/inview.js");

const seen = (name) => {
  const [box, own] = [`.${name}`, `.${name} [aria-current]`].map((one) =>
    document.querySelector(one).getBoundingClientRect(),
  );
  return own.left >= box.left && own.right <= box.right;
};

test("the tab and the round that one is on are brought into view", () =>
  equal([seen("tabs"), seen("stops"), seen("rounds")], [true, true, true]));
test("what is in view is not moved", () => equal(document.querySelector(".rounds").scrollLeft, 0));
test("a row that was exchanged is looked at again", () => {
  document.querySelector(".tabs").scrollLeft = 0;
  document.dispatchEvent(new Event("htmx:afterSettle"));
  equal(seen("tabs"), true);
});
