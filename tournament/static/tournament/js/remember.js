// A choice or fact that the next page can read, if the browser can store anything.
export function recalled(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// False if it is not stored.
export function remember(name, value) {
  try {
    localStorage.setItem(name, String(value));
    return true;
  } catch {
    return false;
  }
}
