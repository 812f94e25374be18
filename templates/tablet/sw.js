// Opens the table's page without a network. It keeps one version of scripts and styles at a time, and only pages that
// are ours. It never touches what is sent.
const SHELL = "uptown-{{ version }}";
const PAGES = "uptown-pages";
const FILES = {{ files|safe }};
const SECONDS = 3;

self.addEventListener("install", (event) => {
  // The page has just loaded them, so they come from the browser's own cache.
  const files = caches.open(SHELL).then((cache) => cache.addAll(FILES));
  event.waitUntil(Promise.all([files, page(new Request("{{ page }}"))]));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("uptown-") && name !== SHELL && name !== PAGES;
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" || path.startsWith("/t/api/") || !request.url.startsWith(self.location.origin)) return;
  if (request.mode === "navigate" && path === "{{ page }}") event.respondWith(page(request));
  else if (FILES.includes(path)) event.respondWith(file(request, path));
});

async function page(request) {
  const cache = await caches.open(PAGES);
  try {
    const answer = await Promise.race([fetch(request), late()]);
    if (answer.ok && !answer.redirected && answer.headers.get("X-App") === "uptown") {
      await cache.put("{{ page }}", answer.clone());
      return answer;
    }
    // Our server says that this tablet no longer has a table: then the old page is wrong too.
    if (answer.headers.get("X-App") === "uptown" || answer.type === "opaqueredirect") return answer;
  } catch {
    // No network, or it is too slow: use the page that was kept.
  }
  return (await cache.match("{{ page }}")) ?? Response.error();
}

function late() {
  return new Promise((_, refuse) => setTimeout(() => refuse(new Error("late")), SECONDS * 1000));
}

async function file(request, path) {
  const cache = await caches.open(SHELL);
  return (await cache.match(path)) ?? fetch(request);
}
