// The entry form after the hand that was just kept, and the number under which a form's hand is known.
import { newUid } from "./talk.js";

// The form's own key, so that the form and the queue can never write the same hand twice.
export function uidFor(form, sheet, items) {
  const key = form.querySelector('[name="client_key"]')?.value;
  const free = key?.length === 36 && !items.some((item) => item.uid === key);
  return free && !sheet.changed ? key : newUid();
}

// What is being typed, to be taken along; nothing while nobody has begun.
export function typedIn(form) {
  if (!form?.querySelector("input:checked")) return {};
  const { csrfmiddlewaretoken, ...typed } = Object.fromEntries(new FormData(form));
  return typed;
}

// The form of the hand after it, as the server sent it ahead; the same form, emptied, where it sent none.
export function nextForm(form, html) {
  if (!html) return form.reset();
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const next = holder.content.querySelector("form");
  const token = form.querySelector('[name="csrfmiddlewaretoken"]');
  if (token) next.prepend(token.cloneNode());
  next.querySelector('[name="client_key"]').value = newUid();
  form.replaceWith(next);
  window.htmx?.process(next);
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
  return undefined;
}
