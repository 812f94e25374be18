// The picture on a card leads to /t/#CODE: take the code out of the address bar first thing, then fill the field.
// Nothing is sent before somebody presses the button.
const code = decodeURIComponent(location.hash.slice(1));
if (code) {
  history.replaceState(null, "", location.pathname);
  const field = document.getElementById("code");
  field.value = code.slice(0, 20).replace(/^(\w{4})(\w{4})$/, "$1-$2");
  document.querySelector("#pairing button").focus();
}
