// What this tablet stores: everything written on it, in order, until well after the event. Sending deletes nothing; an
// item goes from “pending” to the server's answer.
import { openDB } from "../vendor/idb.js";

const NAME = "uptown";
const KEEP_DAYS = 30;
let opened = null;
let place = "";

// A tablet moves from one event to another, and game numbers start over in another installation. Items and facts
// therefore belong to the place where they were written, and are shown and sent only there.
export function enter({ instance, event }) {
  place = `${instance}/${event}`;
}

// Items that were stored or read here and have no answer yet: a browser may lose its storage while the page is open.
const unanswered = new Map();

// Restores what is gone from the disk.
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

// Resolves when the item is on disk, and only then may a form be cleared; rejects if it is not. After a sleep Safari
// loses its connection to the disk once, so a new one is tried. The uid reveals a first try that arrived late.
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

// Every place with stored items.
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

// Notes an answer. If another tab has noted one already, it is the same: the server gives both the same answer.
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

// Deletes items of events that ended more than a month ago; items without an answer stay.
export async function tidy() {
  const db = await database();
  const before = Date.now() - KEEP_DAYS * 86_400_000;
  const change = db.transaction("items", "readwrite");
  for await (const cursor of change.store) {
    if (cursor.value.state !== "pending" && cursor.value.at < before && cursor.value.at > 0) await cursor.delete();
  }
  await change.done;
}
