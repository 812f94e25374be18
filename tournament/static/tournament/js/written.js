// What a form says, as an item for the queue: facts of the game document, exactly typed. Nothing is scored here.
const PASS = "pass";
const FIRST_SIX = "first-six";

export function kindOf(form) {
  if (form.dataset.kind) return form.dataset.kind;
  const noun = /\/(entries|undos|seats|calls|signatures)\/$/.exec(form.getAttribute("action") ?? "")?.[1];
  if (noun === "entries") return form.querySelector('[name="entry"][value="void"]') ? "void" : "hand";
  if (noun === "seats") return form.querySelector('[name="dealer"]') ? "dealer" : "seat";
  return { undos: "undo", calls: "call", signatures: "sign" }[noun] ?? null;
}

// The fields of an item; null while the form is not complete.
export function fieldsOf(kind, form, submitter, local) {
  const data = new FormData(form);
  // Safari knows no second argument of FormData before iPadOS 16.4: what the pressed button says is added here.
  if (submitter?.name) data.append(submitter.name, submitter.value);
  switch (kind) {
    case "hand": {
      const facts = factsOf(form, data);
      return facts && { position: local.position, facts };
    }
    case "void":
      return data.has("rule") ? { position: local.position, rule: data.get("rule") } : null;
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
      return data.get("name") && data.get("side") && {
        ...numbered(data, "side"),
        name: data.get("name"),
        lines: local.lines.map((line) => line.key),
        ...(data.has("pin") && { pin: data.get("pin") }),
      };
    default:
      return null;
  }
}

// What is absent is not 0: the first seat would deal.
function numbered(data, name, called = name) {
  return data.get(name) ? { [called]: Number(data.get(name)) } : null;
}

// The entry of the game document, or null while something is not chosen.
export function factsOf(form, data = new FormData(form)) {
  return form.classList.contains("by-bidder") ? bidderFacts(data) : turnFacts(form, data);
}

function bidderFacts(data) {
  if (!["seat", "bid", "books"].every((name) => data.get(name))) return null;
  const facts = { entry: "hand", seat: Number(data.get("seat")), bid: data.get("bid"), books: Number(data.get("books")) };
  for (const name of ["trump", "direction"]) if (data.get(name)) facts[name] = data.get(name);
  return facts;
}

function turnFacts(form, data) {
  // Asked from the dealer's left on, written by seat.
  const asked = (field) => [...new Set([...form.querySelectorAll(`input[name^="${field}-"]`)].map((one) => one.name))].sort();
  const bids = asked("bid").map((name) => data.get(name));
  const takers = asked("tricks");
  const thrownIn = bids.length > 0 && bids.every((bid) => bid === PASS) && !takers.some((name) => data.has(name));
  const tricks = takers.map((name) => (thrownIn ? 0 : data.has(name) ? Number(data.get(name)) : null));
  if (bids.includes(null) || tricks.includes(null)) return null;
  const facts = { entry: "hand", cards: Number(data.get("cards")), bids, tricks, ...besideFacts(form, data) };
  if (!bids.includes(FIRST_SIX)) return facts;
  return data.get("first_six") ? { ...facts, first_six: data.get("first_six") === "yes" } : null;
}

// What scores nothing and may be written all the same: trumps, and a first round of bidding with its dealer.
function besideFacts(form, data) {
  const said = data.get("trump") ? { trump: data.get("trump") } : {};
  const round = form.querySelector(".calls");
  const calls = [...(round?.querySelectorAll("select") ?? [])].map((call) => call.value);
  if (!calls.some(Boolean)) return said;
  return { ...said, auction: calls.map((call) => call || PASS), dealer: Number(round.dataset.dealer) };
}
