// The picture on a card leads to /t/#CODE: first remove the code from the address bar, then fill in the field.
// Nothing is sent until somebody presses the button.
import "./leftover.js";

function take() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const field = document.getElementById("code");
  field.value = code.slice(0, 20).replace(/^(\w{4})(\w{4})$/, "$1-$2");
  // Not every browser can focus an element before the style sheets are loaded.
  const ready = () => document.querySelector("#pairing button").focus();
  if (document.readyState === "complete") ready();
  else addEventListener("load", ready, { once: true });
}

// A second card's link in the same tab changes only the part after the “#”.
addEventListener("hashchange", take);
take();
