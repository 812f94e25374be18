// “Print one thing” offers only the games and kinds of file that the chosen thing has. The server checks the same.
const form = document.querySelector(".one-paper");
const { thing, of, as } = form.elements;

function offer() {
  const { whole, each } = thing.selectedOptions[0].dataset;
  for (const option of of.options) option.disabled = !(option.value ? each : whole);
  choose(of);
  const kinds = (of.value ? each : whole).split(" ");
  for (const option of as.options) option.disabled = !kinds.includes(option.value);
  choose(as);
}

// A choice that is no longer available gives way to the first one that is.
function choose(select) {
  if (!select.selectedOptions[0]?.disabled) return;
  const next = [...select.options].find((option) => !option.disabled);
  if (next) select.value = next.value;
}

form.addEventListener("change", offer);
offer();
