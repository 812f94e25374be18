// The picture on a card leads to /t/#CODE: take the code out of the address bar first thing, then fill the field.
// Nothing is sent before somebody presses the button.
import "./leftover.js";

function take() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const field = document.getElementById("code");
  field.value = code.slice(0, 20).replace(/^(\w{4})(\w{4})$/, "$1-$2");
  // Before the style sheets are there nothing can be focused in every browser.
  const ready = () => document.querySelector("#pairing button").focus();
  if (document.readyState === "complete") ready();
  else addEventListener("load", ready, { once: true });
}

// A second card's link in the same tab changes only what stands behind the “#”.
addEventListener("hashchange", take);
take();
