import { equal, page, test } from "/tests/check.js";

page('<p id="signed-out" hidden></p>');
await import("/js/signed_out.js");
const words = document.getElementById("signed-out");
const after = (xhr) => document.dispatchEvent(new CustomEvent("htmx:afterRequest", { detail: { xhr } }));

test("a poll that is answered 401 says that the sign-in has ended, and another answer takes it back", () => {
  const hidden = [{ status: 401 }, { status: 0 }, undefined, { status: 200 }].map((xhr) => {
    after(xhr);
    return words.hidden;
  });
  equal(hidden, [false, false, false, true]);
});
