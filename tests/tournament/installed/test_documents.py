"""What a volunteer, an engineer and a lawyer read names what is there."""

from __future__ import annotations

import re
import subprocess

import pytest
from django.core.management import get_commands

from tests.halls import ROOT
from tournament import __version__

PAGES = sorted(page.name for page in ROOT.glob("*.md"))
GUIDE = ROOT / "CONTRIBUTING.md"
# An early one: a shallow clone does not have it.
EARLY = "531cc95"
# Where the guide for engineers names a file without its whole path.
NEAR = ("", "tournament/", "tournament/reports/", "tournament/static/tournament/", "tests/browser/javascript/")
PATH = re.compile(r"`([\w<>./-]+/[\w<>./-]*|[\w<>./-]+\.(?:py|md|toml|json|html))`")
ELSEWHERE = ("data/", "/", "bid_whist/", "spades/")
TYPED = re.compile(r"[/\\]bin/uptown\s+([a-z_]+)|Scripts\\uptown\s+([a-z_]+)")


def test_the_page_for_the_volunteer_names_this_version_and_commands_that_there_are() -> None:
    page = (ROOT / "INSTALL.md").read_text(encoding="utf-8")
    typed = {first or second for first, second in TYPED.findall(page)}
    assert {"demo", "shortcut", "backup", "restore", "changepassword"} <= typed <= get_commands().keys()
    assert f"uptown-{__version__}-py3-none-any.whl" in page
    # Lines that both of Windows' shells read as pasted.
    windows = [line for line in page.splitlines() if line.startswith(("py ", "uptown\\"))]
    assert len(windows) == 4 and not [line for line in windows if re.search(r"[&%$;]|~", line)]


def test_the_guide_for_engineers_names_files_that_there_are() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    named = {name for name in PATH.findall(guide) if not name.startswith(ELSEWHERE)}
    assert len(named) > 80
    missing = []
    for name in sorted(named):
        wanted = re.sub(r"<\w+>", "*", name).rstrip("/")
        where = NEAR if "/" in name else (*NEAR, "**/")
        if not any(next(ROOT.glob(folder + wanted), None) for folder in where):
            missing.append(name)
    assert missing == []


def test_the_guide_for_engineers_names_commits_that_there_are() -> None:
    known = subprocess.run(["git", "rev-list", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if EARLY not in known:
        pytest.skip("the history is not here")
    named = re.findall(r"`([0-9a-f]{7})`", GUIDE.read_text(encoding="utf-8"))
    assert len(named) > 10
    assert [name for name in named if f"\n{name}" not in known] == []


def test_the_readme_names_every_setting_and_no_other() -> None:
    """But for what the program's own commands say to the site that they start, and tests to the program."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tournament").rglob("*.py"))
    own = {"UPTOWN_DEMO", "UPTOWN_SITE", "UPTOWN_TRUST"}
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    assert set(re.findall(r"UPTOWN_\w+", table)) == set(re.findall(r"\bUPTOWN_\w+", sources)) - own


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_a_heading(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    lost = []
    for link in links:
        file, _, anchor = link.partition("#")
        target = ROOT / (file or page)
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    assert lost == []


def anchors(text: str) -> set[str]:
    """The headings of a page as a link names them."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_license_is_named_in_one_place() -> None:
    named = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    packages = list(dict.fromkeys(pinned))
    assert re.findall(r"^\| ([\w-]+) \| [\w.-]+(?: OR [\w.-]+)? \|$", named, re.MULTILINE)[1:] == packages
    vendored = [*ROOT.glob("tournament/static/tournament/vendor/*.js"), *ROOT.glob("tests/vendor/*.js")]
    assert len(vendored) == 3 and all(f"`{file.relative_to(ROOT).as_posix()}`" in named for file in vendored)
    fonts = {
        font.name.partition("-")[0].removesuffix(".ttf") for font in ROOT.glob("tournament/reports/pdf/fonts/*.ttf")
    }
    assert fonts == {"DejaVuSans", "UptownSans", "UptownSerif"} and "Uptown Sans and Uptown Serif" in named
    assert "nobody else may use" in named and "nobody else may use" in (ROOT / "README.md").read_text(encoding="utf-8")
