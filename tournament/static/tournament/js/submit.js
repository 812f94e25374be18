// Sends a form as if its button had been pressed. Safari has this built in only since iPadOS 16.
export function submit(form, button) {
  if (form.requestSubmit) form.requestSubmit(button);
  else (button ?? form.querySelector("button:not([type=button])"))?.click();
}
