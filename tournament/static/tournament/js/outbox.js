// Sends stored items in order until the server has answered each one. It may be called any number of times.

import { api } from "./api.js";
import { answered, message } from "./item.js";
import { decided, offerAgain } from "./reconcile.js";

const BATCH = 50;
const BATCH_SIGNS = 48_000;
const FIRST_WAIT = 1;
const LONGEST_WAIT = 30;
const HEARTBEAT = 15;
const UNREADABLE = "The tablet sent something this version cannot read. Write the hand on paper.";

export class Outbox {
  // `key()` gives token and instance; `changed(what)` is called for every answer: "answered", "lost", "refused",
  // "idle", "slow", "unreadable". `ahead()` is the key of the forms that the server does not need to send again.
  constructor({ store, key, battery, changed, ahead = () => null, send = api }) {
    Object.assign(this, { store, key, battery, changed, ahead, send, offered: false, page: null });
    Object.assign(this, { most: BATCH, failures: 0, heard: -Infinity, timer: 0, busy: null, state: "idle" });
  }

  start() {
    const go = () => this.drain();
    addEventListener("online", go);
    addEventListener("pageshow", go);
    addEventListener("focus", go);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && go());
    setInterval(go, HEARTBEAT * 1000);
    return this.drain();
  }

  // One run at a time: a call during a run starts another run after it.
  drain() {
    if (this.busy) {
      this.goAgain = true;
      return this.busy;
    }
    this.busy = this.run().finally(() => {
      this.busy = null;
      if (this.goAgain) {
        this.goAgain = false;
        this.drain();
      }
    });
    return this.busy;
  }

  async run() {
    clearTimeout(this.timer);
    try {
      const key = await this.key();
      if (!key.token) return;
      let sent = await this.sendAll(key);
      // Every answer already showed that the server is there.
      if (!sent && (this.failures || performance.now() - this.heard > HEARTBEAT * 500)) await this.heartbeat(key);
      // Send what a restored server has lost at once: the page still shows it, and would count it twice.
      if (this.offered) sent += await this.sendAll(key);
      this.failures = 0;
      this.changed(this.state === "refused" ? "refused" : sent ? "answered" : "idle");
    } catch (fault) {
      // The connection or the tablet's storage failed. An answer that is late twice may never come.
      const lost = fault.isLate && this.failures < 2 ? "slow" : "lost";
      this.later(0);
      this.changed(fault instanceof DOMException ? "unreadable" : lost);
    }
  }

  async sendAll(key) {
    this.offered = false;
    let sent = 0;
    while (await this.step(key)) sent += 1;
    return sent;
  }

  // Sends one batch; true if there may be more.
  async step(key) {
    const items = await this.batch();
    if (!items.length) return false;
    const about = { unsent: await this.store.countPending(), battery: await this.battery() };
    const body = { items: items.map(message), ...about, page: true, ahead: this.ahead() };
    const answer = await this.send("submissions", { ...key, body });
    if (answer.status === 200) return this.take(items, answer.data);
    if (answer.status === 400 || answer.status === 413) return this.setAside(items);
    if (answer.status === 401 || answer.status === 403) return this.stop();
    this.later(answer.wait);
    throw new Error(`status ${answer.status}`);
  }

  // Sends from memory what this tablet cannot store, after what is stored; returns the server's answer, or null.
  async sendUnstored(item) {
    try {
      if (await this.waiting()) await this.drain();
      if (await this.waiting()) return null;
      const key = await this.key();
      const body = { items: [message(item)], battery: await this.battery(), page: true, ahead: this.ahead() };
      const answer = await this.send("submissions", { ...key, body });
      if (answer.status === 400 || answer.status === 413)
        return { state: "refused", code: "refused", text: UNREADABLE };
      const [result] = answer.status === 200 ? answer.data.results : [];
      if (!result) return null;
      this.page = answer.data.page ?? null;
      return answered(result, answer.data);
    } catch {
      return null;
    }
  }

  waiting() {
    return this.store.countPending().catch(() => 0);
  }

  async batch() {
    const items = [];
    let signs = 0;
    for (const item of await this.store.pending(this.most)) {
      signs += JSON.stringify(message(item)).length;
      if (items.length && signs > BATCH_SIGNS) break;
      items.push(item);
    }
    return items;
  }

  async take(items, data) {
    this.most = BATCH;
    this.state = "idle";
    this.heard = performance.now();
    this.page = data.page ?? null;
    const answers = new Map((data.results ?? []).map((answer) => [answer.uid, answer]));
    let count = 0;
    for (const item of items) {
      const answer = answers.get(item.uid);
      if (!answer) continue;
      count += 1;
      await this.store.mark(item.uid, answered(answer, data));
    }
    this.offered = await offerAgain(this, await this.key(), data.epoch);
    return count > 0;
  }

  // The server cannot read the batch: find the one item that it cannot read, and set aside only that one.
  async setAside(items) {
    if (items.length > 1) {
      this.most = Math.ceil(items.length / 2);
      return true;
    }
    await this.store.mark(items[0].uid, { state: "refused", code: "refused", text: UNREADABLE });
    this.most = BATCH;
    return true;
  }

  stop() {
    this.state = "refused";
    return false;
  }

  async heartbeat(key) {
    const body = { unsent: 0, battery: await this.battery() };
    const answer = await this.send("ping", { ...key, body });
    if (answer.status === 401 || answer.status === 403) return this.stop();
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    this.state = "idle";
    this.offered = await offerAgain(this, key, answer.data.epoch);
    await decided(this, key);
    return false;
  }

  later(seconds) {
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures);
    this.failures = Math.min(this.failures + 1, 6);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drain(), Math.max(seconds, longest * (0.5 + Math.random() / 2)) * 1000);
  }
}
