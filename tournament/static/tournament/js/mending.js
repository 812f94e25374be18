// Somebody may edit a list's preview while an earlier change is still being read. That answer would undo what was typed
// since, so it is dropped, and the pressed button is sent when the field is left.
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
