// What a hand does, said before it is recorded and without the server: from the outcomes that the server sent.
import { outcomeOf, scoreWords } from "./ledger.js";
import { soFar } from "./outcomes.js";
import { factsOf } from "./written.js";

export function effectOf(facts, state, outcomes, sheet) {
  const box = document.getElementById("effect");
  if (!box || !facts) return;
  const result = outcomeOf(facts, state, outcomes);
  const line = document.createElement("p");
  line.className = "effect-words";
  if (!result) say(line, "No connection: the points will show later.", []);
  else if (sheet.changed) say(line, result.headline, ["Not yet confirmed: hands before it are still on this tablet."]);
  else {
    line.classList.add(`is-${result.outcome}`);
    say(line, result.headline, result.lines);
  }
  box.replaceChildren(line);
}

// With a connection, too, nobody has to be asked for what is known here; true where that is so. What beside it may be
// refused, or what ends with the time that was called, the server knows.
export function sayAtOnce(form, { state, outcomes }) {
  if (!state.outcomes || state.timed) return false;
  const facts = factsOf(form);
  const box = document.getElementById("effect");
  const plain =
    facts && Object.keys(facts).every((key) => key === "entry" || state.fields.some((field) => field.key === key));
  if (facts && (!plain || !outcomeOf(facts, state, outcomes))) return false;
  if (facts) effectOf(facts, state, outcomes, { changed: false });
  else {
    const words = soFar(form, state);
    if (!words) return !box.querySelector("strong");
    const line = Object.assign(document.createElement("p"), { className: "effect-words is-" });
    say(line, words, []);
    box.replaceChildren(line);
  }
  return true;
}

// Said where “Record” was pressed too early.
export function incomplete() {
  const line = document.createElement("p");
  line.className = "effect-words is-refused";
  say(line, "Not recorded: something is not chosen yet.", []);
  document.getElementById("effect")?.replaceChildren(line);
}

function say(line, headline, more) {
  const strong = document.createElement("strong");
  strong.textContent = headline;
  line.append(strong);
  for (const text of more) {
    const span = document.createElement("span");
    span.textContent = text;
    line.append(span);
  }
}

// An item in words, for the list of what is on this tablet.
export function kept(kind, fields, state, outcomes, sheet) {
  const side = (index) => state.sides[index]?.name ?? "";
  switch (kind) {
    case "hand":
      return `Line ${fields.position}: ${handWords(fields.facts, state, outcomes)}`;
    case "void":
      return `Line ${fields.position}: void hand`;
    case "undo":
      return `Undo of line ${fields.position}`;
    case "seat":
      return `${side(fields.side)} seated`;
    case "dealer":
      return `${state.seats[fields.seat]} deals first`;
    case "call":
      return "The director is called";
    case "uncall":
      return "The director is no longer needed";
    case "unsign":
      return `Signature for ${side(fields.side)} taken back`;
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

// What everybody said with whose it is: every seat's, or every side's where sides bid or take tricks as one.
function listWords(lists, state) {
  const name = (index, count) => (count === state.sides.length ? state.sides[index].name : state.seats[index]);
  const each = (answers) =>
    answers.map((answer, index) => `${name(index, answers.length)} ${String(answer).replaceAll("-", " ")}`).join(", ");
  return lists.map(([key, answers]) => `${key}: ${each(answers)}`).join("; ");
}
