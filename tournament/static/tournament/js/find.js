// A field that filters a list by the words typed; Enter opens the entry if only one is left. Without this file the list
// is unfiltered.
const field = document.querySelector("[data-find]");
const input = field?.querySelector("input");
// Looked up every time, because a part of the page may have been replaced.
const listed = () => [...document.querySelectorAll(field.dataset.find)];

const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
// A number matches only the rule with that number: 3 does not match 32.
const fits = (text, word) => (/^\d+$/.test(word) ? text.split(/\W+/).includes(word) : text.includes(word));

const textOf = (item) => plain([...item.children].map((part) => part.textContent).join(" "));

function show() {
  const words = plain(input.value).split(/\s+/).filter(Boolean);
  for (const item of listed()) item.hidden = !words.every((word) => fits(textOf(item), word));
  field.querySelector("[data-none]").hidden = listed().some((item) => !item.hidden);
  for (const head of document.querySelectorAll("[data-between]")) head.hidden = words.length > 0;
}

if (field) {
  field.hidden = false;
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const left = listed().filter((item) => !item.hidden);
    if (event.key === "Enter" && input.value.trim() && left.length === 1) left[0].click();
  });
}
