import { recalled, remember } from "/js/remember.js";
import { equal, test } from "/tests/check.js";

test("what is remembered is found again, as text", () => {
  equal([recalled("uptown-x"), remember("uptown-x", 3), recalled("uptown-x")], [null, true, "3"]);
});
test("a browser that stores nothing breaks nothing", () => {
  Object.defineProperty(window, "localStorage", {
    get: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  equal([remember("uptown-x", 4), recalled("uptown-x")], [false, null]);
});
