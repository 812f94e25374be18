// The tablet's page around the form: ages and clocks that go on between polls, what drops down, a lost connection.
function ago(since) {
  const minutes = Math.floor((Date.now() - Date.parse(since)) / 60000);
  return minutes < 1 ? "just now" : minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

function left(until) {
  const seconds = Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000));
  return seconds ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left` : "time is up";
}

function tick() {
  for (const time of document.querySelectorAll("[data-since]")) time.textContent = ago(time.dataset.since);
  for (const time of document.querySelectorAll("[data-until]")) time.textContent = left(time.dataset.until);
  for (const notice of document.querySelectorAll("[data-from]")) {
    const { from, to } = notice.dataset;
    notice.hidden = Date.now() < Date.parse(from) || (to !== undefined && Date.now() >= Date.parse(to));
  }
}

function connection(lost) {
  const sign = document.getElementById("offline");
  if (sign) sign.hidden = !lost;
}

document.addEventListener("click", (event) => {
  for (const drop of document.querySelectorAll("details.drop[open]")) {
    if (!drop.contains(event.target)) drop.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const drop of document.querySelectorAll("details.drop[open]")) drop.open = false;
});
// What drops down is not left behind the bars at the foot.
document.addEventListener("toggle", (event) => {
  const drop = event.target;
  if (drop.open && drop.closest("#table") && !drop.closest(".table-foot")) drop.lastElementChild.scrollIntoView({ block: "nearest" });
}, true);
document.addEventListener("htmx:sendError", () => connection(true));
document.addEventListener("htmx:timeout", () => connection(true));
document.addEventListener("htmx:responseError", () => connection(true));
document.addEventListener("htmx:afterRequest", (event) => event.detail.successful && connection(false));
document.addEventListener("htmx:afterSettle", tick);
tick();
setInterval(tick, 1000);
