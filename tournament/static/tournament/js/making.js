// A button that makes a file says so until the file is ready. A page does not notice a download, so the answer sets a
// cookie; a file that is shown in place of the page needs none.
const COOKIE = "uptown_file";
const LOOK = 300;

function making(button) {
  if (!button || button.dataset.file) return;
  button.dataset.file = button.textContent;
  button.textContent = "Making the file…";
  // biome-ignore lint/suspicious/noDocumentCookie: Safari reads them asynchronously only since 18.4
  document.cookie = `${COOKIE}=; max-age=0; path=/`;
  const looking = setInterval(() => document.cookie.includes(`${COOKIE}=`) && ready(), LOOK);
  addEventListener("pageshow", ready, { once: true });

  function ready() {
    clearInterval(looking);
    removeEventListener("pageshow", ready);
    button.textContent = button.dataset.file;
    button.dataset.file = "";
  }
}

document.addEventListener("submit", (event) => making(event.submitter?.closest("[data-file]")));
document.addEventListener("click", (event) => making(event.target.closest("a[data-file]")));
