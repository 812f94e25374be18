// A page that asks for news by itself gets none after its sign-in has ended: say so, and leave what was typed alone.
const words = document.querySelector("#signed-out");

document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr?.status) words.hidden = xhr.status !== 401;
});
