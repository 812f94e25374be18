// Before something is sent after a long while, the server is asked whether the sign-in is still awake. If not, a box
// over the page takes the password, and what was on its way goes on: nothing that was typed or chosen is lost.
// Without this file the server asks on a page of its own.
import { submit } from "./submit.js";

const box = document.querySelector("#again");
const form = box.querySelector("form");
const QUIET = 5 * 60 * 1000;
let asleep = false;
let touched = Date.now();
let asking = null;

const isPoll = (verb, path) => verb === "get" && /[?&]version=/.test(path);
const due = () => asleep || Date.now() - touched > QUIET;

function awake(token) {
  asleep = false;
  touched = Date.now();
  for (const field of document.querySelectorAll('[name="csrfmiddlewaretoken"]')) field.value = token;
}

// Whether what was asked for may go on its way: the sign-in is awake, or the password was right.
async function goOn() {
  try {
    const said = await (await fetch(box.dataset.state, { cache: "no-store" })).json();
    if (!said.asks) awake(said.token);
    return !said.asks || (await opened(said));
  } catch {
    // No connection: the page says so itself when it tries.
    return true;
  }
}

function opened(said) {
  const words = box.querySelector(".again-why");
  const wrong = box.querySelector("[role=alert]");
  const { name, password, code } = form.elements;
  words.textContent = said.why;
  wrong.hidden = true;
  name.readOnly = said.asks === "password";
  if (said.name) name.value = said.name;
  code.closest(".field").hidden = !said.code;
  let { token } = said;
  box.showModal();
  password.focus();
  return new Promise((done) => {
    const end = (right) => {
      box.close();
      if (!password.closest("[hidden]")) password.value = "";
      form.onsubmit = box.oncancel = null;
      done(right);
    };
    form.onsubmit = async (event) => {
      event.preventDefault();
      const sent = new URLSearchParams({
        name: name.value,
        password: password.value,
        code: code.value,
        csrfmiddlewaretoken: token,
      });
      const answer = await fetch(box.dataset.state, { method: "POST", body: sent }).catch(() => null);
      if (answer?.ok) {
        awake((await answer.json()).token);
        end(true);
        return;
      }
      if (answer?.status === 422) ({ token } = await answer.json());
      wrong.textContent = refused(answer?.status);
      wrong.hidden = false;
      password.select();
    };
    box.oncancel = () => end(false);
    box.querySelector("[data-cancel]").onclick = () => end(false);
  });
}

function refused(status) {
  if (status === 422) return "Wrong name or password.";
  if (status === 429) return "Too many tries. Please wait a minute, then try again.";
  return "No connection: try again when it is back.";
}

// One question at a time, whatever was pressed meanwhile.
function ask(then) {
  if (asking) return;
  asking = goOn().then((right) => {
    asking = null;
    if (right) then();
  });
}

function hold(event, then) {
  event.preventDefault();
  event.stopImmediatePropagation();
  ask(then);
}

document.addEventListener(
  "submit",
  (event) => {
    if (event.target === form || !due()) return;
    const { target, submitter } = event;
    hold(event, () => {
      touched = Date.now();
      submit(target, submitter);
    });
  },
  true,
);

// A page or a file of the desk. What everybody may see asks for nothing.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const here = link?.origin === location.origin && !/^\/(e|practice|sign-in|trust)\//.test(link.pathname);
    const stays = link?.pathname === location.pathname && link.search === location.search && link.hash;
    if (!plain || !here || stays || !due()) return;
    hold(event, () => {
      touched = Date.now();
      link.click();
    });
  },
  true,
);

document.addEventListener("htmx:confirm", (event) => {
  const { verb, path, issueRequest } = event.detail;
  if (isPoll(verb, path) || !due()) return;
  event.preventDefault();
  ask(() => issueRequest(true));
});

// A page that asks for news gets none once its sign-in has ended: it says so, and leaves what was typed alone.
const ended = document.querySelector("#signed-out");

document.addEventListener("htmx:afterRequest", ({ detail: { xhr, requestConfig } }) => {
  if (!xhr?.status) return;
  if (ended) ended.hidden = xhr.status !== 401;
  if (isPoll(requestConfig.verb, requestConfig.path)) asleep = xhr.getResponseHeader("Sitting") === "asleep";
  else touched = Date.now();
});
