"""Programs outside of Python that some tests need. Where one is absent the test is skipped and says so; the recipe
sets REQUIRE_BROWSER and REQUIRE_OFFICE, under which absence is a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest


def program(name: str, required_by: str) -> str:
    """The path of a program, or skip the test (fail it where the program is required)."""
    found = shutil.which(name)
    if found:
        return found
    reason = f"{name} is not installed on this machine"
    if os.environ.get(required_by) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def recalculated(content: bytes) -> Path:
    """A workbook after LibreOffice has computed every formula and saved it anew."""
    return recalculated_all([content])[0]


def recalculated_all(contents: Iterable[bytes]) -> list[Path]:
    """The same for many workbooks, by one start of the program."""
    office = program("soffice", "REQUIRE_OFFICE")
    folder = Path(tempfile.mkdtemp())
    files = []
    for number, content in enumerate(contents):
        files.append(folder / f"{number}.xlsx")
        files[-1].write_bytes(content)
    command = [office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore", "--convert-to"]
    command += ["xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out"), *map(str, files)]
    subprocess.run(command, check=True, capture_output=True, timeout=180 + 30 * len(files))
    return [folder / "out" / file.name for file in files]
