"""Every script with logic in it has tests of its own, which run in Chromium on the real module, DOM and IndexedDB.

They need no site: files come from disk under an address of their own. `ledger.js` is tested by `ledger.test.js`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STATIC = ROOT / "tournament" / "static" / "tournament"
SITE = "http://localhost"
TESTED = sorted(path.name.removesuffix(".test.js") for path in HERE.glob("*.test.js"))
# Scripts that only tie a page together: the test in a browser that would fail without each of them.
ON_PAGES = {
    "connection": "tests/browser/test_looks.py::test_a_desk_without_a_connection_keeps_what_was_typed",
    "arrival": "tests/browser/test_offline.py::test_a_game_is_finished_and_signed_without_a_network",
    "entry": "tests/browser/test_tablet.py::test_a_hand_takes_at_most_six_keys_and_no_pointer",
    "find": "tests/browser/test_desk.py::test_a_ruling_is_found_by_its_words_or_its_number",
    "hall": "tests/browser/test_first_visit.py::test_the_hall_fits_the_window",
    "state": "tests/browser/test_first_visit.py::test_a_whole_game_without_a_network_from_the_first_minute",
    "keeping": "tests/browser/test_offline.py::test_a_game_is_finished_and_signed_without_a_network",
    "mending": "tests/browser/test_lists.py::test_what_is_typed_while_a_column_is_read_stays",
    "making": "tests/browser/test_desk.py::test_the_pressed_button_says_that_its_file_is_being_made",
    "pairing": "tests/browser/test_tablet.py::test_a_tablet_is_bound_by_the_picture_on_its_card",
    "papers": "tests/browser/test_desk.py::test_one_line_offers_only_what_there_is",
    "practice": "tests/browser/test_tablet.py::test_a_hand_takes_at_most_six_keys_and_no_pointer",
    "queue": "tests/browser/test_offline.py::test_a_game_is_finished_and_signed_without_a_network",
    "phone": "tests/browser/test_looks.py::test_a_phone_remembers_its_team",
    "site": "tests/browser/test_looks.py::test_a_desk_without_a_connection_keeps_what_was_typed",
    "table": "tests/browser/test_offline.py::test_a_game_is_finished_and_signed_without_a_network",
    "wall": "tests/browser/test_wall.py::test_nothing_on_the_wall_is_cut_or_covered",
    "zone": "tests/browser/test_journey.py::test_24_teams_from_nothing_to_round_1_in_at_most_25_clicks",
}
TYPES = {".js": "text/javascript", ".html": "text/html"}


@pytest.fixture(scope="module")
def chromium(launch: Callable[..., Any]) -> Iterator[Any]:
    browser = launch()
    yield browser
    browser.close()


def serve(route: Any) -> None:
    """A file of the site or of these tests; anything else is not there."""
    path = urlsplit(route.request.url).path
    if path == "/":
        route.fulfill(body="<!doctype html><title>Tests</title><body></body>", content_type="text/html")
        return
    folder = {"js": STATIC, "vendor": STATIC, "tests": HERE.parent}.get(path.split("/")[1])
    wanted = (folder or HERE) / path[1:].replace("tests/", f"{HERE.name}/", 1)
    if not wanted.is_file():
        route.fulfill(status=404, body="", content_type="text/plain")
        return
    route.fulfill(body=wanted.read_text(encoding="utf-8"), content_type=TYPES[wanted.suffix])


@pytest.mark.parametrize("name", TESTED)
def test_script(chromium: Any, name: str) -> None:
    page = chromium.new_context().new_page()
    page.route("**/*", serve)
    page.goto(f"{SITE}/")
    results = page.evaluate(
        f"""async () => {{
          await import("/tests/{name}.test.js");
          return (await import("/tests/check.js")).run();
        }}"""
    )
    page.context.close()
    assert results, "no test was found in it"
    assert {words: fault for words, fault in results.items() if fault} == {}


def test_every_script_is_tested_here_or_on_a_page() -> None:
    scripts = {path.stem for path in (STATIC / "js").glob("*.js")}
    assert set(TESTED) & set(ON_PAGES) == set()
    assert set(TESTED) | set(ON_PAGES) == scripts


@pytest.mark.parametrize("name", sorted(ON_PAGES))
def test_the_test_on_a_page_is_there(name: str) -> None:
    file, _, function = ON_PAGES[name].partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert function in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
