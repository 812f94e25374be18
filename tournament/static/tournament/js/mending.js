// A list's preview is mended while an earlier change of it is still being read. The answer to that one would undo what
// was typed since: it is left, and what was pressed goes along when the field is left.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt, formData } = detail.requestConfig ?? {};
  const form = elt?.closest("#new-event, #roster");
  const isReplaced = ({ id, name }) => name.startsWith("cell-") || detail.serverResponse.includes(`id="${id}"`);
  const isTyped = (field) => formData.has(field.name) && formData.get(field.name) !== field.value && isReplaced(field);
  if (!form || ![...form.querySelectorAll("textarea, [name^=cell-]")].some(isTyped)) return;
  detail.shouldSwap = false;
  const value = formData.get("mend");
  if (value) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "mend", value }));
});
