// The server's last page, kept so that a reload without a network shows it and not an older one.
const NAME = "page";

export async function remember(html, state, store) {
  const before = await store.fact(NAME);
  if (before && before.stamp >= state.stamp) return;
  await store.setFact(NAME, { html, stamp: state.stamp, device: state.device });
}

// The newer of the page that arrived and the stored one, if both are of the same tablet.
export async function freshest(table, store) {
  const state = JSON.parse(document.getElementById("table-state")?.dataset.state ?? "null");
  if (!state) return;
  store.enter(state);
  const kept = await store.fact(NAME);
  if (!kept || kept.device !== state.device || kept.stamp <= state.stamp) return;
  const holder = document.createElement("template");
  holder.innerHTML = kept.html;
  const newer = holder.content.getElementById("table");
  if (!newer) return;
  table.replaceWith(newer);
  window.htmx?.process(newer);
}
