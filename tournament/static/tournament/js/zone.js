// Before the first event of a site only the browser knows where it is held, and so which day it is there.
const field = document.getElementById("id_time_zone");
const day = document.getElementById("id_date");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && [...field.options].some((option) => option.value === zone)) field.value = zone;
if (day && !day.value) {
  const now = new Date();
  day.value = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}
// The page says what is folded: the server is asked once everything on it listens.
addEventListener("load", () => field?.dispatchEvent(new Event("change", { bubbles: true })));
