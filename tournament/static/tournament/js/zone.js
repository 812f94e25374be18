// An event is held where the browser that sets it up is, unless somebody says otherwise.
const field = document.getElementById("id_time_zone");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && field.value !== zone && [...field.options].some((option) => option.value === zone)) {
  field.value = zone;
  // The page says what is folded: the server is asked once everything on it listens.
  addEventListener("load", () => field.dispatchEvent(new Event("change", { bubbles: true })));
}
