// Turns a form into an item for the queue: facts of the game document, exactly typed. Nothing is scored here.
import { bidsOf } from "./contract.js";
import { isAsked } from "./stack.js";

const PASS = "pass";
// An answer's type in the game document, by the layout of its field; a number for all other layouts.
const READ = { row: String, grid: String, "yes-no": (text) => text === "yes" };

// The fields of an item; null while the form is not complete.
export function fieldsOf(kind, form, submitter, local) {
  const data = new FormData(form);
  // Before iPadOS 16.4 Safari does not know FormData's second argument, so the pressed button's value is added here.
  if (submitter?.name) data.append(submitter.name, submitter.value);
  switch (kind) {
    case "hand": {
      const facts = factsOf(form, data);
      return facts && { position: local.position, facts };
    }
    case "void":
      return data.has("rule") ? { position: local.position, rule: data.get("rule") } : null;
    case "bids": {
      const bids = bidsOf(document.getElementById("entry"));
      return bids && { position: local.position, bids, agreed: local.locked !== null };
    }
    case "undo":
      return local.last && { position: local.last.position, of: local.last.key };
    case "seat":
      return numbered(data, "side");
    case "dealer":
      return numbered(data, "dealer", "seat");
    case "call":
      return data.has("kind") ? { about: data.get("kind") } : null;
    case "uncall":
      return {};
    case "unsign":
      return numbered(data, "side");
    case "sign":
      return (
        data.get("name") &&
        data.get("side") && {
          ...numbered(data, "side"),
          name: data.get("name"),
          lines: local.lines.map((line) => line.key),
        }
      );
    default:
      return null;
  }
}

// A missing value must not become 0: the first seat would deal.
function numbered(data, name, called = name) {
  return data.get(name) ? { [called]: Number(data.get(name)) } : null;
}

// The entry of the game document, or null if something is not chosen: a loop over the form's questions.
export function factsOf(form, data = new FormData(form)) {
  const facts = { entry: "hand" };
  const asked = [...form.querySelectorAll("[data-field]")].filter((question) => isAsked(form, question));
  const spared = isThrownIn(asked, data);
  for (const question of asked) {
    const { field, place, layout, optional } = question.dataset;
    const text = data.get(nameOf(question));
    if (!text && optional === undefined && !(spared && isCounted(question))) return null;
    if (!text && optional !== undefined) continue;
    const answer = text ? (READ[layout] ?? Number)(text) : 0;
    // Asked in order from the dealer's left, written by seat.
    if (place === undefined) {
      facts[field] = answer;
    } else {
      facts[field] ??= [];
      facts[field][Number(place)] = answer;
    }
  }
  return { ...facts, ...firstRound(form) };
}

const nameOf = (question) => question.dataset.asks;
const isCounted = ({ dataset }) => dataset.layout === "count" && dataset.place !== undefined;

// If everybody passed and nobody wrote down tricks, there is nothing.
function isThrownIn(asked, data) {
  const bids = asked.filter((question) => question.dataset.place !== undefined && !isCounted(question));
  return (
    bids.length > 0 &&
    bids.every((question) => data.get(nameOf(question)) === PASS) &&
    !asked.some((question) => isCounted(question) && data.has(nameOf(question)))
  );
}

// A first round of bidding with its dealer scores nothing but may be written.
function firstRound(form) {
  const round = form.querySelector(".calls");
  const calls = [...(round?.querySelectorAll("select") ?? [])].map((call) => call.value);
  return calls.some(Boolean)
    ? { auction: calls.map((call) => call || PASS), dealer: Number(round.dataset.dealer) }
    : {};
}
