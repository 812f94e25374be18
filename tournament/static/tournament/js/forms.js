// Forms as the server sent them ahead, and the number under which a form's hand is known.
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

// A page that came beside another answer has forms without the token that says they are ours; nothing where none is known.
export function withToken(html) {
  const token = document.querySelector('[name="csrfmiddlewaretoken"]');
  if (!token) return null;
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const form of holder.content.querySelectorAll("form")) form.prepend(token.cloneNode());
  return holder.innerHTML;
}

// A piece of the page that was sent ahead. What depends on who deals first stands in it once for everybody: one stays.
export function made(html, first) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const one of holder.content.querySelectorAll("[data-first]"))
    if (one.dataset.first !== String(first)) one.remove();
  inOrder(holder.content);
  const token = document.querySelector('[name="csrfmiddlewaretoken"]');
  for (const form of holder.content.querySelectorAll("form")) if (token) form.prepend(token.cloneNode());
  for (const key of holder.content.querySelectorAll('[name="client_key"]')) key.value = newUid();
  return holder.content;
}

// Whoever deals, the questions come from the dealer's left on.
function inOrder(form) {
  const said = form.querySelector(".asked");
  const asks =
    said?.dataset.order
      .trim()
      .split(" ")
      .map((name) => form.querySelector(`[data-asks="${name}"]`)) ?? [];
  said?.after(...asks);
  said?.remove();
}

export function putInto(box, content) {
  box.replaceChildren(content);
  window.htmx?.process(box);
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}
