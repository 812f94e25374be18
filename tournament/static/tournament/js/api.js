// Talks to the server. Only JSON with our name in it counts as an answer; anything else is “no connection”, because a
// hotel's sign-in page answers 200 to everything.
import { heard } from "./clock.js";

const [SECONDS, LONGEST] = [8, 60];
// If an answer is late, wait twice as long the next time.
let patience = SECONDS;

export class NoConnection extends Error {}

// `epoch` is that of the server heard last: it tells a laptop that another one has taken over.
export async function api(path, { token, instance, epoch = null, body = null }) {
  const stop = new AbortController();
  const begun = performance.now();
  const timer = setTimeout(() => stop.abort(), patience * 1000);
  try {
    const answer = await fetch(`/t/api/${path}/`, {
      method: body === null ? "GET" : "POST",
      headers: {
        Authorization: `Table ${token}`,
        "Content-Type": "application/json",
        ...(epoch && { "X-Epoch": epoch }),
      },
      body: body === null ? undefined : JSON.stringify(body),
      credentials: "omit",
      redirect: "error",
      cache: "no-store",
      signal: stop.signal,
    });
    const data = await ours(answer, instance);
    patience = Math.max(SECONDS, (2 * (performance.now() - begun)) / 1000);
    return { status: answer.status, wait: Number(answer.headers.get("Retry-After")) || 0, data };
  } catch (fault) {
    const isLate = stop.signal.aborted;
    if (isLate) patience = Math.min(2 * patience, LONGEST);
    throw Object.assign(new NoConnection(String(fault)), { isLate });
  } finally {
    clearTimeout(timer);
  }
}

async function ours(answer, instance) {
  if (!(answer.headers.get("Content-Type") ?? "").startsWith("application/json")) throw new NoConnection("not JSON");
  const data = await answer.json();
  if (data?.app !== "uptown") throw new NoConnection("not our server");
  if (data.instance && instance && data.instance !== instance) throw new NoConnection("another server of ours");
  heard(Date.parse(data.now));
  return data;
}

// A random UUID without crypto.randomUUID, which plain http does not have.
export function newUid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
