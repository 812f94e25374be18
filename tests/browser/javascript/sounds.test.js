import { refused } from "/js/sounds.js";
import { equal, test } from "/tests/check.js";

const felt = [];
const heard = [];
Object.defineProperty(navigator, "vibrate", { value: (pattern) => felt.push(pattern) });
const ended = (status) => document.dispatchEvent(new CustomEvent("htmx:beforeSwap", { detail: { xhr: { status } } }));
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function begin(...when) {
  heard.push(this.frequency.value);
  return start.apply(this, when);
};

test("a refusal is felt and heard", () => {
  refused();
  equal([felt.length, heard.length], [1, 1]);
});
test("so is a form that the server refuses, and nothing else", () => {
  for (const status of [200, 204, 302, 404, 500, 503]) ended(status);
  equal([felt.length, heard.length], [1, 1]);
  ended(409);
  ended(422);
  equal([felt.length, heard.length], [3, 3]);
});
test("a tap wakens what is heard later, as Safari wants it", () => {
  const wakened = [];
  const resume = AudioContext.prototype.resume;
  AudioContext.prototype.resume = async function counted() {
    wakened.push(this.state);
  };
  Object.defineProperty(AudioContext.prototype, "state", { configurable: true, get: () => "suspended" });
  document.body.click();
  AudioContext.prototype.resume = resume;
  delete AudioContext.prototype.state;
  equal(wakened, ["suspended"]);
});
test("switched off, nothing is heard or felt", () => {
  document.documentElement.classList.add("mode-silent");
  refused();
  equal([felt.length, heard.length], [3, 3]);
});
