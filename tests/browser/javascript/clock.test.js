import { heard, now } from "/js/clock.js";
import { equal, test } from "/tests/check.js";

const HOUR = 3_600_000;
const off = () => Math.round((now() - Date.now()) / HOUR);

test("the server's clock goes before the tablet's own, and what is no time changes nothing", () => {
  heard(Date.now() + 5 * HOUR);
  heard(NaN);
  equal([off(), Math.round(Number(localStorage.getItem("uptown-clock")) / HOUR)], [5, 5]);
  heard(Date.now() - 5 * HOUR);
  equal(off(), -5);
});
