// This tablet: its key, its battery, and the worker it uses without a network.

// The key of the tablet that the page was made for. It is fetched once and kept; no page or address contains it.
export async function keyOf(state, store) {
  // A browser that stores nothing fetches it every time.
  const stored = await store.fact("device").catch(() => null);
  const epoch = await store.fact("epoch").catch(() => null);
  if (stored && (!state || stored.device === state.device))
    return { token: stored.token, instance: state?.instance ?? stored.instance, epoch };
  if (!state) return { token: null };
  const csrf = document.querySelector('[name="csrfmiddlewaretoken"]')?.value;
  if (!csrf) return { token: null };
  try {
    const answer = await fetch("/t/table/key/", {
      method: "POST",
      headers: { "X-CSRFToken": csrf },
      redirect: "error",
    });
    const data = await answer.json();
    if (!answer.ok || data.app !== "uptown") return { token: null };
    await store
      .setFact("device", { device: state.device, token: data.token, instance: state.instance })
      .catch(() => {});
    return { token: data.token, instance: state.instance, epoch };
  } catch {
    return { token: null };
  }
}

export async function battery() {
  try {
    const manager = await navigator.getBattery();
    return Math.round(manager.level * 100);
  } catch {
    return null;
  }
}

// Workers need a secure address. There the page opens without a network; elsewhere it must stay open.
export async function registerWorker() {
  const mode = (is) => {
    document.body.dataset.mode = is;
    showMode();
  };
  if (!window.isSecureContext || !navigator.serviceWorker) return mode("open");
  try {
    await navigator.serviceWorker.register("/sw.js", { scope: "/t/" });
  } catch {
    return mode("open");
  }
  mode((await storage("persisted")) ? "offline" : "window");
  // Firefox asks the people at the table; this waits for their answer.
  if (await storage("persist")) mode("offline");
}

// Whether the browser promises to keep stored data. A private window never does, and closing it loses everything.
async function storage(asked) {
  try {
    return Boolean(await navigator.storage?.[asked]?.());
  } catch {
    return false;
  }
}

const MODES = {
  offline: "This page also opens without a connection. What you write is kept on this tablet until the desk has it.",
  window:
    "This page also opens without a connection. What you write is kept on this tablet until the desk has it. A private " +
    "window must stay open until then.",
  open: "Without a connection, what you write is kept on this tablet. Do not close or reload this page then.",
};
const REFUSED = "This tablet cannot store what you write: it goes to the desk at once, and needs a connection.";

// During a game this is shown only when it matters: without a connection, or with unsent lines.
let matters = false;

export function showMode(now = matters) {
  matters = now;
  const line = document.getElementById("mode");
  const words = MODES[document.body.dataset.mode];
  if (!line || !words) return;
  line.textContent = document.body.classList.contains("is-storeless") ? REFUSED : words;
  line.hidden = false;
  line.classList.toggle("quiet", !matters && line.textContent !== REFUSED);
}
