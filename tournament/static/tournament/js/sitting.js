// Who sits at the table, as this tablet last showed it. If the desk has changed that, the page says so until somebody
// at the table has read it, and answers that were begun for other players are asked again.
import { listed } from "./item.js";

const NAME = "sat";

// What has changed between two seatings of the same round at this table: in words, and whether others play now or a
// name is only spelled differently.
export function changesOf(then, now) {
  const teams = (sides) => sides.map(({ team }) => team);
  const [gone, came] = [without(then, teams(now)), without(now, teams(then))];
  const words = [];
  if (gone.length && came.length) words.push(`${listed(came)} instead of ${listed(gone)}`);
  else if (gone.length) words.push(`without ${listed(gone)}`);
  else if (came.length) words.push(`with ${listed(came)}`);
  else if (teams(then).join() !== teams(now).join()) words.push("the sides have changed places");
  for (const side of now) {
    const before = then.find(({ team }) => team === side.team);
    const others = before ? pairsOf(before, side).filter(([old, at]) => !isSame(old, at)) : [];
    words.push(
      ...others.map(([old, at]) => `${at[1]} instead of ${old[1]}${at[1] === side.name ? "" : ` for ${side.name}`}`),
    );
  }
  return { words, isOther: words.length > 0, written: words.length ? [] : written(then, now) };
}

const without = (sides, teams) => sides.filter(({ team }) => !teams.includes(team)).map(({ name }) => name);
const pairsOf = (then, now) => now.players.slice(0, then.players.length).map((at, seat) => [then.players[seat], at]);
// Compared by the player's row; if somebody was put back, by the name.
const isSame = (old, at) => old[0] === at[0] || old[1] === at[1];

// Names that are spelled differently now. The old spelling is not shown: somebody may have asked to remove it.
function written(then, now) {
  const names = now.flatMap((side, index) => [
    ...(side.name === then[index].name ? [] : [side.name]),
    ...pairsOf(then[index], side)
      .filter(([old, at]) => old[1] !== at[1])
      .map(([, at]) => at[1]),
  ]);
  return [...new Set(names)];
}

function sentence(read, shown, before) {
  const { words, isOther, written } = changesOf(read, shown);
  if (isOther) return `The desk changed who sits here: ${words.join("; ")}.`;
  if (written.length) return `The desk changed how a name is written: ${listed(written)}.`;
  return before && "The desk changed who sits here, and changed it back.";
}

// For a new page: what to say about who sits there, and whether the players differ from the previous page. If the
// browser cannot store it, it is remembered while the page is open.
let held = null;

export async function seen({ round, who }, store) {
  if (!who?.length) return { words: held?.words ?? "", isOther: false };
  const kept = (await store.fact(NAME).catch(() => null)) ?? held;
  const known = kept?.round === round && kept.shown.length;
  const isOther = Boolean(known && changesOf(kept.shown, who).isOther);
  held = known
    ? { round, read: kept.read, shown: who, words: sentence(kept.read, who, kept.words) }
    : { round, read: who, shown: who, words: "" };
  await store.setFact(NAME, held).catch(() => {});
  return { words: held.words, isOther };
}

export async function haveRead(store) {
  if (!held) return;
  held = { ...held, read: held.shown, words: "" };
  await store.setFact(NAME, held).catch(() => {});
}

export function sayMoved(words) {
  const box = document.getElementById("moved");
  if (!box) return;
  box.hidden = !words;
  box.firstElementChild.textContent = words;
}
