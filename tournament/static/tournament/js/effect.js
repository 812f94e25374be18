// Shows what a hand would do before it is recorded, without the server: from the outcomes that the server sent.
import { contractWords } from "./contract.js";
import { element } from "./element.js";
import { outcomeOf, scoreWords } from "./ledger.js";
import { soFar } from "./outcomes.js";
import { arrange } from "./stack.js";
import { factsOf } from "./written.js";

export function effectOf(facts, state, outcomes, sheet) {
  if (!facts) return;
  const result = outcomeOf(facts, state, outcomes);
  if (!result) say("", "No connection: the points will show later.");
  else if (sheet.changed) say("", result.headline, ["Not yet confirmed: hands before it are still on this tablet."]);
  else say(`is-${result.outcome}`, result.headline, result.lines);
}

// Returns true if the outcome is known here, so that even with a connection nobody has to be asked. Only the server
// knows what else might be refused, or whether the game ends with the time that was called.
export function sayAtOnce(form, { state, outcomes }) {
  if (!state.outcomes || state.timed) return false;
  const facts = factsOf(form);
  const plain =
    facts && Object.keys(facts).every((key) => key === "entry" || state.fields.some((field) => field.key === key));
  if (facts && (!plain || !outcomeOf(facts, state, outcomes))) return false;
  if (facts) effectOf(facts, state, outcomes, { changed: false });
  else {
    const words = soFar(form, state);
    if (!words) return !document.querySelector("#effect strong");
    say("is-", words);
  }
  return true;
}

// Shown if “Record” was pressed too early.
export const incomplete = () => say("is-refused", "Not recorded: something is not chosen yet.");

function say(tone, headline, more = []) {
  const line = element("p", `effect-words ${tone}`);
  const because = (at) => (at < more.length - 1 ? "because" : "");
  line.append(element("strong", "", headline), ...more.map((text, at) => element("span", because(at), text)));
  const box = document.getElementById("effect");
  box?.replaceChildren(line);
  // Longer words may need the space of answered questions.
  if (box?.closest("#entry")) arrange(box.closest("#entry"));
}

// An item in words, for the list of what is on this tablet.
export function kept(kind, fields, state, outcomes, sheet) {
  const side = (index) => state.sides[index]?.name ?? "";
  switch (kind) {
    case "hand":
      return `Line ${fields.position}: ${handWords(fields.facts, state, outcomes)}`;
    case "bids":
      return `Bids: ${contractWords(document.getElementById("entry"))}`;
    case "void":
      return `Line ${fields.position}: void hand`;
    case "undo":
      return `Undo of line ${fields.position}`;
    case "seat":
      return `${side(fields.side)} seated`;
    case "dealer":
      return `${state.seats[fields.seat]} deals first`;
    case "call":
      return "Call for the director";
    case "uncall":
      return "The director is no longer needed";
    case "unsign":
      return `Signature for ${side(fields.side)} undone`;
    case "sign":
      return `${fields.name} signed for ${side(fields.side)}${sheet.changed ? `. ${scoreWords(sheet, state)}` : ""}`;
    default:
      return kind;
  }
}

function handWords(facts, state, outcomes) {
  const lists = Object.entries(facts).filter(([, answers]) => Array.isArray(answers) && answers.length);
  if (lists.length) return listWords(lists, state);
  const result = outcomeOf(facts, state, outcomes);
  const wordsOf = ({ key, layout, short }) =>
    layout === "seats" ? state.seats[facts[key]] : `${short.toLowerCase()} ${facts[key]}`;
  const fields = state.fields ?? [];
  const who = fields.filter(({ layout }) => layout === "seats").map(wordsOf);
  return (result ? [...who, result.headline] : fields.map(wordsOf)).join(", ");
}

// What everybody said and who said it: by seat, or by side if sides bid or take tricks together.
function listWords(lists, state) {
  const name = (index, count) => (count === state.sides.length ? state.sides[index].name : state.seats[index]);
  const each = (answers) =>
    answers.map((answer, index) => `${name(index, answers.length)} ${String(answer).replaceAll("-", " ")}`).join(", ");
  return lists.map(([key, answers]) => `${key}: ${each(answers)}`).join("; ");
}
