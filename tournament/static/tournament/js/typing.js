// Keeps what is being typed when the server's page replaces the one on screen: answers that were given while the page
// was on its way, and parts that were unfolded. begun.js keeps the answers, too. A drop-down stays open if it is about
// the same thing.
const GIVEN = "#entry :is(input:checked, select, details[open])";
let carried = [];
let dropped = [];

export function typed(box) {
  return [...box.querySelectorAll(GIVEN)].map((input) => ({
    place: placeOf(input),
    name: nameOf(input),
    value: input.value,
  }));
}

// Restores each answer that finds its field, unless that field was answered again.
export function giveBack(box, fields) {
  for (const field of fields) give(box, field);
}

// Called when the page has settled: some fields are added or shown only then. Other answers are forgotten.
export function settled() {
  giveBack(document, carried);
  carried = [];
  askAgain();
}

// Forgets these answers, both on the page and on their way to it.
export function forget(names) {
  carried = carried.filter(({ name }) => !names.includes(name));
  const form = document.getElementById("entry");
  const given = names.map((name) => form?.querySelector(`input[name="${name}"]:checked`)).filter(Boolean);
  for (const input of given) input.checked = false;
  if (given.length) form.dispatchEvent(new Event("change", { bubbles: true }));
}

// The previous page may have asked what the hand does without getting an answer.
function askAgain() {
  const form = document.getElementById("entry");
  const open = form?.querySelector("input:checked") && !form.querySelector("#effect strong");
  if (open) form.dispatchEvent(new Event("change"));
}

const nameOf = (field) => field.name || field.id;
const textOf = (input, name) => input.closest("form").querySelector(`[name="${name}"]`)?.value ?? "";

// The hand and game that a field belongs to.
function placeOf(input) {
  const form = input.closest("form");
  return [form.dataset.game, textOf(input, "position"), textOf(input, "cards")].join(" ");
}

function give(box, { place, name, value }) {
  const fields = [...box.querySelectorAll("#entry :is(input, select, details)")];
  const same = fields.filter((field) => nameOf(field) === name && placeOf(field) === place);
  const [beside] = same.filter((field) => field.matches("select, details"));
  const answer = same.find((field) => field.value === value);
  if (beside?.matches("details")) beside.open = true;
  else if (beside) beside.value ||= value;
  else if (answer && !same.some((field) => field.checked)) choose(answer);
}

function choose(answer) {
  answer.checked = true;
  answer.dispatchEvent(new Event("change", { bubbles: true }));
}

// Two pages may arrive in quick succession: what has not settled on the first goes on to the second.
function together(fields) {
  const isNewer = (field) => fields.some(({ place, name }) => place === field.place && name === field.name);
  return [...carried.filter((field) => !isNewer(field)), ...fields];
}

// The page was requested with the choices made at that time; it would undo any choice made or taken back since.
function overtaken(form, asked) {
  if (!form) return false;
  const now = new FormData(form);
  const radios = [...form.querySelectorAll("input[type=radio]")];
  return radios.some(({ name }) => asked.has(name) && asked.get(name) !== now.get(name));
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const ours = detail.target?.id === "table" && detail.requestConfig?.verb === "get";
  if (!ours || !detail.shouldSwap) return;
  // The next page is requested in a few seconds, with the choices made by then.
  if (overtaken(document.getElementById("entry"), detail.requestConfig.formData)) detail.shouldSwap = false;
  else {
    carried = together(typed(detail.target));
    dropped = [...detail.target.querySelectorAll("details.drop[open][id]")].map(({ id }) => id);
  }
});
// Runs at once, before anybody can tap “Record” on a form that has lost an answer, and again after settling.
for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) {
  document.addEventListener(moment, ({ target }) => {
    if (target.nodeType === 1) giveBack(document, carried);
  });
}
document.addEventListener("htmx:afterSwap", () => {
  for (const drop of dropped.map((id) => document.getElementById(id))) if (drop) drop.open = true;
  dropped = [];
});
