"""Takes the pictures of the README from the demo: `python -m tests.pictures`; `--check` fails where they are old.

The hall moves: a hand is recorded on the tablet, the desk follows, the game is signed, projector and phone follow.
Chromium is needed; the samples are loaded into a folder of their own, which is gone afterwards.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from tests.halls import ROOT
from tests.journeys.server import Server
from tests.pictures.film import Box, Film
from tournament.site.data_folder import FIXTURES

PICTURES = ROOT / "fixtures" / "pictures"
# What the pictures were made of. A clone has no times: a digest says whether a page looks different since.
MADE_OF = PICTURES / "made-of.txt"
OLD = "The README's pictures show pages that were changed since. Take them again: python -m tests.pictures"
TEMPLATES, NAMED = ROOT / "templates", re.compile(r"""{%\s*(?:include|extends)\s+["']([^"']+)["']""")
# The pages, and the parts that no template names.
SHOWN = (
    "demo/hall.html desk/round.html board/board.html board/_board.html board/_table.html tablet/table.html"
    " public/team.html public/_team.html public/standings.html public/_standings.html components/stage.html"
    " components/sheet_line.html components/entry_form.html"
).split()
WINDOW, TABLET, PHONE = (1440, 900), (1180, 820), (390, 844)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars"]
# A page shows news at its next poll.
LOOK_MS, SETTLED_MS, NEWS_MS, SLOWEST_MS = 100, 3_000, 12_000, 120_000
# The camera goes near, and what it sees there is sharp.
SHARPNESS = 3
# The hand that ends the game of table 6, answer by answer; the desk says then how it ended.
HAND, ENDED = ("seat-1", "bid-3-no", "books-9"), "By points"


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        return print(OLD) or 1 if MADE_OF.read_text(encoding="ascii").strip() != made_of() else 0
    from playwright.sync_api import sync_playwright

    place = Path(tempfile.mkdtemp(prefix="uptown-pictures-"))
    server = _demo(place)
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=FLAGS)
            address = f"http://127.0.0.1:{server.port}"
            seated = _stills(chromium, address)
            size = _hall(
                _page(chromium, address, WINDOW, device_scale_factor=SHARPNESS, storage_state=seated),
                PICTURES / "hall.webp",
            )
            chromium.close()
    finally:
        server.kill()
        shutil.rmtree(place, ignore_errors=True)
    MADE_OF.write_text(made_of() + "\n", encoding="ascii")
    print(f"{PICTURES}: tablet.webp, standings.webp, hall.webp ({size:,} bytes)")
    return 0


def made_of() -> str:
    """The digest of the templates and style sheets that the pictures show, and of the evenings in them."""
    asked, templates = [*SHOWN], set[str]()
    while asked:
        if (name := asked.pop()) not in templates:
            templates.add(name)
            asked += NAMED.findall((TEMPLATES / name).read_text(encoding="utf-8"))
    styles = sorted((ROOT / "tournament" / "static" / "tournament" / "css").glob("*.css"))
    files = [*(TEMPLATES / name for name in sorted(templates)), *styles, *sorted((FIXTURES / "demo").iterdir())]
    return sha256("".join(file.read_text(encoding="utf-8") for file in files).encode()).hexdigest()


def _demo(place: Path) -> Server:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
    environment |= {"DJANGO_SETTINGS_MODULE": "tournament.settings"}
    subprocess.run(
        [sys.executable, "manage.py", "demo", "--no-serve"],
        cwd=ROOT,
        env=environment | {"UPTOWN_DATA": str(place)},
        check=True,
    )
    return Server(environment | {"UPTOWN_DATA": str(place / "demo"), "UPTOWN_DEMO": "1"})


def _stills(chromium: Any, address: str) -> Any:
    """A tablet before a hand is recorded, the finished evening on a phone. Gives the keys of the tablet, because only
    the first one at a table writes."""
    tablet = _page(chromium, address, TABLET)
    tablet.get_by_role("button", name="Open the tablet").click()
    for answer in HAND:
        _answer(tablet, answer).click()
    tablet.locator("#effect", has_text="rule").wait_for()
    _still(tablet, "tablet.webp")
    phone = _page(chromium, address, PHONE, device_scale_factor=4 / 3)
    phone.goto("/e/autumn-open/")
    _still(phone, "standings.webp")
    seated = tablet.context.storage_state()
    for page in (tablet, phone):
        page.context.close()
    return seated


def _still(page: Any, name: str) -> None:
    Image.open(BytesIO(page.screenshot())).save(PICTURES / name, quality=88, method=6)


def _hall(page: Any, path: Path) -> int:
    """A hand that ends a game, as all four screens show it; how many bytes the picture has."""
    page.get_by_role("button", name="Open the hall").click()
    page.wait_for_load_state("load")
    # Four pages ask for news every second or so: there is never a moment without a request.
    page.wait_for_timeout(SETTLED_MS)
    film = Film(page, WINDOW)
    tablet, desk = page.frame_locator("iframe[title^=Tablet]"), _frame(page, "Desk")
    near = _box(page.locator("figure.hall-tablet"))
    film.shot("One evening in one window: desk, tablet, projector and a player’s phone", 2200)
    for answer in HAND:
        _tap(film, _answer(tablet, answer), "Four taps record a hand", 750, near)
    tablet.locator("#effect", has_text="rule").wait_for()
    film.shot("Every point says why, by the rule of the sheet", 3200, near=_box(tablet.locator("#effect"), 30))
    _tap(film, tablet.locator("#record"), "Every point says why, by the rule of the sheet", 500, near)
    _until(page, lambda: ENDED in _text(desk))
    film.shot("The desk follows", 2600, near=_box(page.locator("figure.hall-desk")))
    for side in (0, 1):
        button = tablet.locator(f".sign-side.side-{side} .choices button").first
        _tap(film, button, "Both sides sign on the tablet", 800, near)
        button.wait_for(state="detached", timeout=SLOWEST_MS)
    film.shot("Both sides sign on the tablet", 1400, near=near)
    # Both ask every few seconds; the projector may just have turned its page.
    page.wait_for_timeout(NEWS_MS)
    film.shot("A signed game is on every phone …", 2400, near=_box(page.locator("figure.hall-phone")))
    film.shot("… and on the projector", 2400, near=_box(page.locator("figure.hall-board")))
    film.shot("Everybody knows where to sit next", 2600)
    return film.save(path)


def _tap(film: Film, what: Any, words: str, ms: int, near: Box) -> None:
    """A finger comes down, and what it did is seen."""
    box = _box(what)
    film.shot(words, ms // 2, near=near, finger=(box.x + box.width / 2, box.y + box.height / 2))
    what.click()
    film.shot(words, ms, near=near)


def _answer(page: Any, answer: str) -> Any:
    return page.locator(f'label:has([id="{answer}"])')


def _box(what: Any, beside: float = 0) -> Box:
    """Where something is in the window, with something of what is beside it."""
    what.wait_for(timeout=SLOWEST_MS)
    box = what.bounding_box()
    x, y = box["x"] - beside, box["y"] - beside
    return Box(x, y, box["width"] + 2 * beside, box["height"] + 2 * beside)


def _frame(page: Any, title: str) -> Any:
    return page.locator(f"iframe[title^='{title}']").element_handle().content_frame()


def _text(frame: Any) -> str:
    return str(frame.locator("main, #board").first.inner_text())


def _until(page: Any, holds: Any) -> None:
    for _ in range(SLOWEST_MS // LOOK_MS):
        if holds():
            return
        page.wait_for_timeout(LOOK_MS)
    raise SystemExit("The hall did not follow.")


def _page(chromium: Any, address: str, size: tuple[int, int], **options: Any) -> Any:
    viewport = {"width": size[0], "height": size[1]}
    page = chromium.new_context(viewport=viewport, base_url=address, **options).new_page()
    page.set_default_timeout(SLOWEST_MS)
    page.goto("/")
    return page


if __name__ == "__main__":
    sys.exit(main())
