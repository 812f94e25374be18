// What every hand would score, as the server sent it for all tables in this situation; this inserts the names. Points,
// endings and sentences come from the server; nothing is scored here.
import { minus } from "./ledger.js";

const MARK = /\{(side|seat|changes|score) ?(\d*)\}/g;

// For the answers of a hand in field order: headline, reasons, what became of the bid, scores, over, ends, sets.
export function unfold(sent, { sides, seats, scores }) {
  const outcomes = {};
  if (!sent) return outcomes;
  const names = sides.map(({ name }) => name);
  const leads = sent.leads.map((lead) => ({ lead, words: saidOf(lead[0], names, seats, scores, sent.nobody) }));
  const [headlines, reasons, ends] = sent.hands;
  keys(sent.answers).forEach((key, index) => {
    const { lead, words } = leads[ends[index]];
    const [after, standing, outcome, over, byItself, sets] = lead;
    const why = fill(sent.reasons[reasons[index]], words);
    const lines = [why.charAt(0).toUpperCase() + why.slice(1), fill(standing, words)];
    outcomes[key] = [fill(sent.headlines[headlines[index]], words), lines, outcome, after, over, byItself, sets];
  });
  return outcomes;
}

// What is asked next, once a bid and its side are chosen; before that nothing.
export function soFar(form, { sides, fields = [], outcomes }) {
  const chosen = ({ key }) => form.querySelector(`input[name="${key}"]:checked`)?.value;
  const [seat, bid, taken] = ["seats", "grid", "count"].map((layout) => fields.find((part) => part.layout === layout));
  if (!seat || !bid || chosen(seat) === undefined || (taken && chosen(taken) !== undefined)) return "";
  return outcomes?.asks[chosen(bid)]?.replace("{who}", () => sides[chosen(seat) % sides.length].name) ?? "";
}

const keys = (answers) =>
  answers
    .reduce((keys, field) => keys.flatMap((key) => field.map((part) => [...key, part])), [[]])
    .map((key) => key.join("|"));

// A name like “Deb W.” at the end of a sentence has its own period.
const fill = (text, words) =>
  text.replace(MARK, (_, mark, index) => words[mark][Number(index)]).replace(/(?<!\.)\.\.(?!\.)/g, ".");

function saidOf(after, names, seats, scores, nobody) {
  const turned = names.map((name, side) => [name, after[side] - scores[side], after[side]]);
  const changes = turned.filter(([, change]) => change).map(([name, change]) => `${name} ${signed(change)}`);
  const score = turned.map(([name, , now]) => `${name} ${minus(now)}`).join(", ");
  return { side: names, seat: seats, changes: [changes.join(", ") || nobody], score: [score] };
}

const signed = (points) => (points > 0 ? `+${points}` : minus(points));
