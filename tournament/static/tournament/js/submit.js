// Sends a form as if its button had been pressed. Safari can do that by itself only from iPadOS 16 on.
export function submit(form, button) {
  if (form.requestSubmit) form.requestSubmit(button);
  else (button ?? form.querySelector("button:not([type=button])"))?.click();
}
