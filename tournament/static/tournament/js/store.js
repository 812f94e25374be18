// What this tablet keeps of its own: everything that was written on it, in order, until well after the event.
// Nothing is deleted when it is sent; an item goes from “pending” to what the server answered.
import { openDB } from "../vendor/idb.js";

const NAME = "uptown";
const KEEP_DAYS = 30;
let opened = null;
let place = "";

// A tablet goes from one event to another, and in another installation the numbers of games begin anew: what was written
// belongs to its place, and is shown and sent only there. So do the facts.
export function enter({ instance, event }) {
  place = `${instance}/${event}`;
}

// What was kept or read here and has no answer yet: a browser may lose what it stores while the page stands open.
const unanswered = new Map();

// What is gone from the disk is put back as it was.
async function restored() {
  const db = await database();
  for (const [uid, item] of unanswered) {
    const stored = await db.getFromIndex("items", "uid", uid);
    if (!stored) await db.put("items", item);
    else if (stored.state !== "pending") unanswered.delete(uid);
  }
  return db;
}

const inPlace = (items) => items.filter((item) => item.place === place);

function database() {
  opened ??= openDB(NAME, 1, {
    upgrade(db) {
      const items = db.createObjectStore("items", { keyPath: "n", autoIncrement: true });
      items.createIndex("uid", "uid", { unique: true });
      items.createIndex("state", "state");
      items.createIndex("game", "game");
      db.createObjectStore("facts");
    },
    blocking: () => forget(true),
    terminated: () => forget(false),
  }).catch((fault) => {
    opened = null;
    throw fault;
  });
  return opened;
}

function forget(close) {
  if (close)
    opened?.then(
      (db) => db.close(),
      () => {},
    );
  opened = null;
}

// Resolves when the item is on the disk, and rejects when it is not: only then may a form be cleared. After a sleep Safari
// loses its connection to the disk, once: a new one is tried. A first try that arrived late shows itself by its uid.
export async function keep(written) {
  const item = { ...written, place };
  try {
    return await added(item);
  } catch (fault) {
    if (fault.name === "ConstraintError") throw fault;
    forget(true);
    const there = await (await database()).getFromIndex("items", "uid", item.uid);
    return there ?? added(item);
  }
}

async function added(item) {
  const db = await restored();
  const change = db.transaction("items", "readwrite", { durability: "strict" });
  const [n] = await Promise.all([change.store.add(item), change.done]);
  unanswered.set(item.uid, { ...item, n });
  return { ...item, n };
}

export async function pending(most) {
  return (await inState("pending")).slice(0, most);
}

export async function countPending() {
  return (await inState("pending")).length;
}

export async function countElsewhere() {
  return (await (await database()).countFromIndex("items", "state", "pending")) - (await countPending());
}

// Every place of which something is kept.
export async function places() {
  const items = await (await database()).getAll("items");
  return [...new Set(items.map((item) => item.place))].map((place) => {
    const [instance, event] = place.split("/");
    return { instance, event };
  });
}

export async function ofGame(game) {
  return inPlace(await (await restored()).getAllFromIndex("items", "game", game));
}

export async function inState(state) {
  const items = await (await restored()).getAllFromIndex("items", "state", state);
  if (state === "pending") for (const item of items) unanswered.set(item.uid, item);
  return inPlace(items);
}

export async function all() {
  return inPlace(await (await database()).getAll("items"));
}

// Note an answer. What was decided meanwhile by another tab's answer is the same: the server answers alike.
export async function mark(uid, answer) {
  const db = await database();
  const change = db.transaction("items", "readwrite", { durability: "strict" });
  const item = await change.store.index("uid").get(uid);
  if (item) await change.store.put({ ...item, ...answer });
  await change.done;
  if (answer.state !== "pending") unanswered.delete(uid);
}

export async function fact(name) {
  return (await database()).get("facts", `${place} ${name}`);
}

export async function setFact(name, value) {
  return (await database()).put("facts", value, `${place} ${name}`);
}

// Items of events that were over a month ago make room; what was never answered stays.
export async function tidy() {
  const db = await database();
  const before = Date.now() - KEEP_DAYS * 86_400_000;
  const change = db.transaction("items", "readwrite");
  for await (const cursor of change.store) {
    if (cursor.value.state !== "pending" && cursor.value.at < before && cursor.value.at > 0) await cursor.delete();
  }
  await change.done;
}
