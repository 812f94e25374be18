// The hall in one window: pages of this site in frames, each scaled to its space.
const NARROW = "(max-width: 759px)";
// Pages that a frame may show; every other page opens in its own window.
const FRAMED = /^\/(desk\/[^/]+\/|t\/table\/|e\/[^/]+\/(board|teams\/\d+)\/)$/;
const note = document.querySelector("#hall-note");

function fit(figure) {
  const [view, frame] = [figure.querySelector(".hall-view"), figure.querySelector("iframe")];
  const { width, height } = figure.dataset;
  const scale = Math.min(view.clientWidth / width, view.clientHeight / height);
  if (!scale) return;
  frame.width = Math.round(view.clientWidth / scale);
  frame.height = Math.round(view.clientHeight / scale);
  frame.style.transform = `scale(${scale})`;
}

// Null if the browser refused to show the frame's page.
function pageIn(frame) {
  try {
    return frame.contentDocument?.location.pathname.startsWith("/") ? frame.contentDocument : null;
  } catch {
    return null;
  }
}

function leadOut(event) {
  const link = event.target.closest?.("a[href]");
  if (link && !FRAMED.test(new URL(link.href).pathname)) link.target = "_blank";
}

function arrived(frame) {
  const page = pageIn(frame);
  if (page) {
    page.addEventListener("click", leadOut, true);
    frame.dataset.shown = page.location.pathname;
  } else if (frame.dataset.shown) {
    delete frame.dataset.shown;
    note.hidden = false;
    frame.src = frame.dataset.src;
  } else {
    // Not even its own page opens: the sign-in or the tablet's key has ended. This page says what to do.
    location.reload();
  }
}

function open(figure) {
  const frame = figure.querySelector("iframe");
  frame.addEventListener("load", () => arrived(frame));
  frame.src = frame.dataset.src;
  new ResizeObserver(() => fit(figure)).observe(figure.querySelector(".hall-view"));
}

function openAll() {
  for (const figure of document.querySelectorAll("figure:has(iframe:not([src]))")) open(figure);
}

const narrow = matchMedia(NARROW);
if (!narrow.matches) openAll();
narrow.addEventListener("change", () => narrow.matches || openAll());
