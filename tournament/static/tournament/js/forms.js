// Forms that the server sent ahead, and the number of a form's hand.
import { newUid } from "./api.js";

// The form's own key, so that the form and the queue can never write the same hand twice.
export function uidFor(form, sheet, items) {
  const key = form.querySelector('[name="client_key"]')?.value;
  const free = key?.length === 36 && !items.some((item) => item.uid === key);
  return free && !sheet.changed ? key : newUid();
}

// What is being typed, to be carried over; nothing if nobody has begun.
export function typedIn(form) {
  if (!form?.querySelector("input:checked")) return {};
  const { csrfmiddlewaretoken, ...typed } = Object.fromEntries(new FormData(form));
  return typed;
}

// Completes a page that came with another answer: its forms get our CSRF token, and the form of the next hand is
// inserted if it was sent ahead. Returns nothing if a part of it is unknown.
export function wholePage(html, ahead) {
  const token = document.querySelector('[name="csrfmiddlewaretoken"]');
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const box = holder.content.querySelector("#next-hand[data-sent]");
  const state = JSON.parse(holder.content.querySelector("#table-state")?.dataset.state ?? "null");
  const form = box && ahead.key === state.coming && ahead.forms[state.hands - ahead.from];
  if (!token || (box && !form)) return null;
  for (const inner of holder.content.querySelectorAll("form")) inner.prepend(token.cloneNode());
  box?.replaceChildren(render(form, state.dealer));
  return holder.innerHTML;
}

// A part of the page that was sent ahead. It has one version for each first dealer; one of them is kept.
export function render(html, first) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const node of holder.content.querySelectorAll("[data-first]"))
    if (node.dataset.first !== String(first)) node.remove();
  inOrder(holder.content);
  const token = document.querySelector('[name="csrfmiddlewaretoken"]');
  for (const form of holder.content.querySelectorAll("form")) if (token) form.prepend(token.cloneNode());
  for (const key of holder.content.querySelectorAll('[name="client_key"]')) key.value = newUid();
  return holder.content;
}

// Whoever deals, the questions begin at the dealer's left.
function inOrder(form) {
  const order = form.querySelector(".asked");
  const asks =
    order?.dataset.order
      .trim()
      .split(" ")
      .map((name) => form.querySelector(`[data-asks="${name}"]`)) ?? [];
  order?.after(...asks);
  order?.remove();
}

export function putInto(box, content) {
  box.replaceChildren(content);
  window.htmx?.process(box);
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}
