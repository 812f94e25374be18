"""The version is the same on pages, in files, on the command line and in the list of changes."""

from __future__ import annotations

import ast
import datetime
import io
import re
import subprocess
import sys
import tomllib

import pytest
from django.conf import settings
from django.test import Client
from openpyxl import load_workbook
from pypdf import PdfReader

from tests.halls import ROOT
from tests.sure import sure
from tournament import PROGRAM, __version__
from tournament.command import NEEDED
from tournament.models import Event
from tournament.reports.excel.cells import finished, new_book
from tournament.reports.pdf.paper import Papers

OLD = """
import runpy, sys
sys.version_info = (3, 8, 2, "final", 0)
sys.argv = ["manage.py", "serve"]
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.parametrize("words", [["version"], ["--version"], ["serve", "--version"]])
def test_the_command_line_says_the_version_of_this_program(words: list[str]) -> None:
    said = subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == f"{PROGRAM}\n"


def test_pages_say_it_below_and_a_table_s_page_does_not(client: Client, event: Event) -> None:
    foot = f"<span>{PROGRAM}</span></footer>"
    for path in ("/", f"/e/{event.slug}/", "/sign-in/", "/t/"):
        assert foot in client.get(path).content.decode(), path
    for path in ("/practice/", f"/e/{event.slug}/board/"):
        assert PROGRAM not in client.get(path).content.decode(), path


def test_papers_and_workbooks_say_what_wrote_them() -> None:
    papers = Papers("A paper")
    papers.next_page()
    assert sure(PdfReader(io.BytesIO(papers.finish())).metadata).creator == PROGRAM
    book = new_book("Columbus Open")
    book.create_sheet("Standings")
    found = load_workbook(io.BytesIO(finished(book))).properties
    assert (found.creator, found.title, found.language) == (PROGRAM, "Columbus Open", "en-US")


def test_the_newest_change_is_of_this_version_and_dated() -> None:
    changes = (settings.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (version, date), *_ = re.findall(r"^## (\S+), (.+)$", changes, re.MULTILINE)
    assert version == __version__
    assert datetime.datetime.strptime(date, "%B %d, %Y") > datetime.datetime(2026, 11, 1)


@pytest.mark.parametrize("file", ["manage.py", "tournament/__init__.py", "tournament/command.py"])
def test_an_old_python_can_read_what_tells_it_that_it_is_too_old(file: str) -> None:
    ast.parse((ROOT / file).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_is_told_in_a_sentence_where_to_get_a_newer_one() -> None:
    done = subprocess.run([sys.executable, "-c", OLD], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(
        "Uptown needs Python 3.11 or later, and this is Python 3.8. Get a newer one from https"
    )


def test_the_wheel_asks_for_the_same_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, NEEDED))
