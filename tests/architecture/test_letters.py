"""The bundled letters: their name, their licence, figures of one width, and every sign that a page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from tests.letters import CUTS

ROOT = Path(__file__).parents[2]
SANS, SERIF = (cut.file for cut in CUTS[:2])
# Signs that neither typeface draws; every system has them in a font of its own.
ELSEWHERE = set("★✕⟳")


@pytest.mark.parametrize("file", [cut.file for cut in CUTS], ids=lambda file: file.name)
def test_letters_that_were_cut_bear_a_name_of_their_own_and_keep_their_licence(file: Path) -> None:
    names = TTFont(file)["name"]
    own = [number for number in (1, 3, 4, 6, 16) if "Source" in (names.getDebugName(number) or "")]
    assert not own, f"Cut it again with a name of its own (tests/letters.py): {own}"
    has_licence = "Adobe" in names.getDebugName(0) and "Open Font License" in names.getDebugName(13)
    assert has_licence, "Keep the maker and the license in the font (tests/letters.py)."
    license_ = (file.parent / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in license_, "Put the license back beside the fonts."


@pytest.mark.parametrize("file", [cut.file for cut in CUTS], ids=lambda file: file.name)
def test_figures_are_of_one_width(file: Path) -> None:
    font = TTFont(file)
    widths = {font["hmtx"][font.getBestCmap()[ord(figure)]][0] for figure in "0123456789"}
    assert len(widths) == 1, f"Cut it again with the figures of tables (tests/letters.py): {widths}"


def test_every_sign_of_a_page_is_in_the_sans() -> None:
    letters = set(map(chr, TTFont(SANS).getBestCmap())) | ELSEWHERE
    pages = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "tournament/static/tournament/js").glob("*.js")]
    pages += [*(ROOT / "tournament/static/tournament/css").glob("*.css"), *(ROOT / "scoring").rglob("*.py")]
    missing = {
        (path.name, character)
        for path in pages
        for character in set(path.read_text(encoding="utf-8")) - letters - {"\n"}
    }
    assert not missing, f"Write another sign, or cut the typeface again with this one (tests/letters.py): {missing}"
    assert set("♠♥♦♣−×½ŁőŞ") <= letters, "Cut the typeface again with suits and accents (tests/letters.py)."


def test_both_typefaces_together_are_a_small_part_of_a_first_visit() -> None:
    size = SANS.stat().st_size + SERIF.stat().st_size
    assert size < 60_000, f"Cut fewer signs (tests/letters.py): a phone loads {size:,} bytes before it shows a page"
