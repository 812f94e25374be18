// A choice or a fact that the next page finds again, where the browser stores anything.
export function recalled(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// False where it is not stored.
export function remember(name, value) {
  try {
    localStorage.setItem(name, String(value));
    return true;
  } catch {
    return false;
  }
}
