// Choosing another game loads its settings into the page of a new event. What was typed while they were loading stays,
// and open parts stay open.
const TYPED = 'input:not([type="hidden"], [type="radio"])';

function carryOver(old, next) {
  for (const fold of old.querySelectorAll("details[open]"))
    next.querySelector(`[data-fold="${fold.dataset.fold}"]`)?.setAttribute("open", "");
  for (const field of old.querySelectorAll(TYPED)) {
    const same = next.querySelector(`${TYPED}[name="${field.name}"]`);
    if (!same) continue;
    same.value = field.value;
    same.checked = field.checked;
  }
}

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.id === "settings") carryOver(target, fragment);
});
