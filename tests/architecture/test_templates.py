"""Templates can be read: no line is longer than a screen is wide."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TEMPLATES = (ROOT / "templates", ROOT / "tests/games/melds/templates")
WIDTH = 160


def test_no_line_of_a_template_is_longer_than_a_screen_is_wide() -> None:
    longer = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)}"
        for folder in TEMPLATES
        for path in sorted(folder.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > WIDTH
    ]
    assert not longer, f"Break these lines: {WIDTH} characters are what a screen shows: {longer}"
