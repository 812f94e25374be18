// The server's clock. A tablet in a hall without internet may have lost its own, and what is said about time ends games:
// so every age and every time left is counted from the offset between the two.
const KEPT = "uptown-clock";
let offset = kept();

function kept() {
  try {
    return Number(localStorage.getItem(KEPT)) || 0;
  } catch {
    return 0;
  }
}

export const now = () => Date.now() + offset;

// What the server said just now.
export function heard(moment) {
  if (!Number.isFinite(moment)) return;
  offset = moment - Date.now();
  try {
    localStorage.setItem(KEPT, String(offset));
  } catch {
    // A tablet that stores nothing asks again on its next page.
  }
}
