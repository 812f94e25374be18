"""What a volunteer, an engineer and a lawyer read names what is there."""

from __future__ import annotations

import re

import pytest
from django.core.management import get_commands

from tests.halls import ROOT
from tournament import __version__

PAGES = sorted(str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))
# Where the guide for engineers names a file without its whole path.
NEAR = ("", "tournament/", "tournament/reports/", "tournament/static/tournament/", "tests/browser/javascript/")
PATH = re.compile(r"`([\w<>./-]+/[\w<>./-]*|[\w<>./-]+\.(?:py|md|toml|json|html))`")
ELSEWHERE = ("data/", "/", "bid_whist/", "spades/")
TYPED = re.compile(r"[/\\]bin/uptown\s+([a-z_]+)|Scripts\\uptown\s+([a-z_]+)")


def test_the_page_for_the_volunteer_names_this_version_and_commands_that_there_are() -> None:
    page = (ROOT / "INSTALL.md").read_text(encoding="utf-8")
    typed = {first or second for first, second in TYPED.findall(page)}
    gone = typed - get_commands().keys()
    assert not gone, f"INSTALL.md has people type commands that are gone: correct or delete them: {gone}"
    wheel = f"uptown-{__version__}-py3-none-any.whl"
    assert wheel in page, f"INSTALL.md names another version: write {wheel} in its lines"
    shells = [
        line for line in page.splitlines() if line.startswith(("py ", "uptown\\")) and re.search(r"[&%$;]|~", line)
    ]
    assert not shells, (
        f"INSTALL.md: only one of Windows' shells reads these lines as pasted: write them plainer: {shells}"
    )


def test_the_guide_for_engineers_names_files_that_there_are() -> None:
    named = set(PATH.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    missing = []
    for name in sorted(name for name in named if not name.startswith(ELSEWHERE)):
        wanted = re.sub(r"<\w+>", "*", name).rstrip("/")
        where = NEAR if "/" in name else (*NEAR, "**/")
        if not any(next(ROOT.glob(folder + wanted), None) for folder in where):
            missing.append(name)
    assert not missing, f"CONTRIBUTING.md names files that are gone: write their new names, or delete them: {missing}"


def test_the_readme_names_every_setting_and_no_other() -> None:
    """But for what the program's own commands say to the site that they start."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tournament").rglob("*.py"))
    own = {"UPTOWN_DEMO", "UPTOWN_SITE", "UPTOWN_TRUST"}
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    named, read = set(re.findall(r"UPTOWN_\w+", table)), set(re.findall(r"\bUPTOWN_\w+", sources)) - own
    assert not read - named, f"The table of settings in README.md lacks these: add a row for each: {read - named}"
    assert not named - read, f"No code reads these settings: delete their rows in README.md: {named - read}"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_a_heading(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    lost = []
    for link in links:
        file, _, anchor = link.partition("#")
        target = (ROOT / page).parent / file if file else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    assert not lost, f"{page}: correct or delete links that lead nowhere: {lost}"


def anchors(text: str) -> set[str]:
    """The headings of a page as a link names them."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_license_is_named_in_one_place() -> None:
    licenses = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    rows = re.findall(r"^\| ([\w-]+) \| [\w.-]+(?: OR [\w.-]+)? \|$", licenses, re.MULTILINE)[1:]
    assert rows == list(dict.fromkeys(pinned)), (
        "LICENSES.md: one row for each package of requirements.txt, in its order"
    )
    vendored = [*ROOT.glob("tournament/static/tournament/vendor/*.js"), *ROOT.glob("tests/vendor/*.js")]
    files = {file.relative_to(ROOT).as_posix() for file in vendored}
    unnamed = {file for file in files if f"`{file}`" not in licenses}
    fonts = {font.name for font in ROOT.glob("tournament/reports/pdf/fonts/*.ttf")}
    assert fonts and files
    unnamed |= {font for font in fonts if re.sub(r"(?<=[a-z])(?=S)", " ", re.split(r"[-.]", font)[0]) not in licenses}
    assert not unnamed, f"LICENSES.md: name the license of these files: {unnamed}"
