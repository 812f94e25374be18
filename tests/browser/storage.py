"""What a tablet keeps in its browser, asked from a test."""

from __future__ import annotations

# Whether the page knows the hands to come: it asks for them later, and without a network they are all there is.
KNOWS_AHEAD = """(done) => {
  const ask = indexedDB.open("uptown");
  ask.onerror = () => done(true);
  ask.onsuccess = () => {
    const db = ask.result;
    const answer = (known) => { db.close(); done(known); };
    if (!db.objectStoreNames.contains("facts")) return answer(false);
    const now = JSON.parse(document.getElementById("table-state")?.dataset.state ?? "null");
    const got = db.transaction("facts").objectStore("facts").get(`${now?.instance}/${now?.event} ahead`);
    got.onsuccess = () => answer(got.result !== undefined && got.result.key === now?.coming);
    got.onerror = () => answer(false);
  };
}"""
