"""One file instead of many: a style sheet with the sheets it imports, a script with the modules it needs.

The sources stay as they are; a browser can also run them one by one, as it does in a development run. A joined file can
be read: each source stands in it as it was written, under its name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

SHEET = re.compile(r'^@import url\("(?P<file>[^"]+)"\)(?: layer\((?P<layer>\w+)\))?;$', re.MULTILINE)
IMPORT = re.compile(r'^import (?:(?P<what>\{[^}]*\}|\* as \w+) from )?"(?P<file>\.{1,2}/[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
NAMED = re.compile(r"^export \{ ([\w, ]+) \};$", re.MULTILINE)
# What none of these took, so that a new way to write it is noticed when the files are made.
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# The script that every page loads first. What it holds is there once, and the other scripts take it from there.
SITE = "site.js"


def joined(path: Path) -> str:
    """A style sheet or a script with everything that it imports."""
    return _sheet(path) if path.suffix == ".css" else _script(path)


def needed(path: Path) -> list[Path]:
    """A file and everything that it imports, each after what it needs itself."""
    found: list[Path] = []
    _add(path, found, ())
    return found


def _add(path: Path, found: list[Path], trail: tuple[Path, ...]) -> None:
    if path in trail:
        raise ValueError(f"{path.name} imports itself, by way of {trail[-1].name}.")
    for one in _imports(path):
        _add(one, found, (*trail, path))
    if path not in found:
        found.append(path)


def _imports(path: Path) -> Iterator[Path]:
    pattern = {".css": SHEET, ".js": IMPORT}.get(path.suffix)
    for match in pattern.finditer(_read(path)) if pattern else ():
        yield _beside(path, match["file"])


def _sheet(path: Path) -> str:
    def whole(match: re.Match[str]) -> str:
        text = f"/* {match['file']} */\n{_sheet(path.parent / match['file'])}"
        return f"@layer {match['layer']} {{\n{text}}}" if match["layer"] else text

    return SHEET.sub(whole, _read(path))


def _script(path: Path) -> str:
    """Each module in a function of its own, which returns what the module exports, in the order of need."""
    site = path.with_name(SITE)
    shared = set(needed(site)) if path.name != SITE and site.exists() else set()
    modules = needed(path)
    if modules == [path]:
        return _read(path)
    parts = ['import * as site$ from "./site.js";\n'] if shared & set(modules) else []
    exports = ""
    for module in modules:
        if module not in shared:
            text, names = _module(module, lambda other: "site$" if other in shared else _variable(other))
            parts.append(f"// {module.name}\nconst {_variable(module)} = (() => {{\n{text}{_returned(names)}}})();\n")
            if names and path.name == SITE:
                exports += f"export const {{ {', '.join(names)} }} = {_variable(module)};\n"
    return "\n".join(parts) + exports


def _module(path: Path, holder: Callable[[Path], str]) -> tuple[str, list[str]]:
    """The text of a module as the inside of a function, and the names that it exports."""

    def taken(match: re.Match[str]) -> str:
        what, name = match["what"], holder(_beside(path, match["file"]))
        if what is None:
            return ""
        return f"const {what.removeprefix('* as ').replace(' as ', ': ')} = {name};"

    text = _read(path)
    names = EXPORT.findall(text) + [name for some in NAMED.findall(text) for name in some.split(", ")]
    text = NAMED.sub("", EXPORT.sub("", IMPORT.sub(taken, text)))
    if left := LEFT.search(text):
        raise ValueError(f"{path.name} cannot be joined with other scripts: {left[0]}")
    return text, names


def _beside(path: Path, file: str) -> Path:
    return Path(os.path.normpath(path.parent / file))


def _returned(names: list[str]) -> str:
    return f"return {{ {', '.join(names)} }};\n" if names else ""


def _variable(path: Path) -> str:
    return f"{path.stem}$"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
