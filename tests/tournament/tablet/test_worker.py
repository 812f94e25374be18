"""What the tablet keeps to open its page without a network: every file of the page, joined with what it imports."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from tournament.site.static_files import NAMED, SOURCES, SiteFiles, asked, needed
from tournament.views.tablet import PAGE, shell


def test_every_script_of_the_page_and_what_it_imports_is_kept() -> None:
    modules = {path.name for path in needed(SOURCES / "tournament/js/table.js")}
    assert {"queue.js", "element.js", "idb.js", "swapGuard.js"} <= modules
    scripts = [name for name in asked(*PAGE) if "/js/" in name]
    assert scripts == ["tournament/js/site.js", "tournament/js/table.js"]
    assert isinstance(staticfiles_storage, SiteFiles)
    kept = "".join(staticfiles_storage.open(staticfiles_storage.stored_name(name)).read().decode() for name in scripts)
    assert {name for name in modules if f"// {name}\n" not in kept} == set()
    addresses, _ = shell()
    assert len(addresses) == len(asked(*PAGE)) and set(map(staticfiles_storage.url, scripts)) <= set(addresses)
    assert [one for one in addresses if not re.search(r"\.[0-9a-f]{12}\.\w+$", one)] == []


def test_nothing_is_kept_that_no_page_of_the_table_needs() -> None:
    kinds = [name.rsplit("/", 1)[-1] for name in asked(*PAGE)]
    assert sorted(kinds) == [
        "htmx.min.js",
        "icon.svg",
        "site.js",
        "table.js",
        "touch.png",
        "uptown-sans.woff2",
        "uptown-serif.woff2",
        "uptown.css",
    ]


def test_no_part_of_the_page_asks_for_a_file_that_is_not_kept() -> None:
    parts = [path for one in ("tablet", "components") for path in (settings.ROOT / "templates" / one).glob("*.html")]
    asking = {path.name: found for path in parts if (found := NAMED.findall(path.read_text(encoding="utf-8")))}
    assert asking == {"table.html": ["tournament/js/table.js"], "pair.html": ["tournament/js/pairing.js"]}


def test_a_page_on_the_home_screen_of_an_ipad_has_its_picture(client: Client, db: None) -> None:
    address = staticfiles_storage.url("tournament/touch.png")
    assert f'<link rel="apple-touch-icon" href="{address}">' in client.get("/t/").content.decode()
    assert client.get(address).getvalue()[:4] == b"\x89PNG"
