// What the tests of the scripts are written with: `test(words, act)` and `equal(found, wanted)`, compared as a whole.
const found = [];

export function test(words, act) {
  found.push([words, act]);
}

export function equal(got, wanted) {
  const [one, two] = [got, wanted].map((value) => JSON.stringify(sorted(value)));
  if (one !== two) throw new Error(`${one} instead of ${two}`);
}

export async function throws(act) {
  try {
    await act();
  } catch (fault) {
    return fault;
  }
  throw new Error("nothing was thrown");
}

// A piece of a page to try a script on.
export function page(html) {
  document.body.innerHTML = html;
  return document.body;
}

// Every test by its words: "" where it passed, else what was wrong.
export async function run() {
  const results = {};
  for (const [words, act] of found) {
    try {
      await act();
      results[words] = "";
    } catch (fault) {
      results[words] = String(fault?.message ?? fault);
    }
  }
  return results;
}

function sorted(value) {
  if (value === undefined) return "(undefined)";
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
