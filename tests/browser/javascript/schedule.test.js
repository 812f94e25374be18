import { equal, page, test } from "/tests/check.js";

page(`<div class="stops" tabindex="0">${Array.from({ length: 60 }, (_, at) => `<a ${at === 50 ? 'aria-current="page"' : ""}>Round&nbsp;${at}</a> `).join("")}</div>`);
const row = document.querySelector(".stops");
Object.assign(row.style, { whiteSpace: "nowrap", overflowX: "auto", width: "300px" });
await import("/js/schedule.js");

test("the chosen round is brought into view", () => equal(row.scrollLeft > 0, true));
