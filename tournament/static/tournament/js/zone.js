// Before a site's first event, only the browser knows the time zone, and so what day it is there.
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
// The folded lines show values that depend on it, so the server is asked once all scripts are ready.
addEventListener("load", () => field?.dispatchEvent(new Event("change", { bubbles: true })));
