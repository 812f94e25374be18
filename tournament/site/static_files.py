"""The site's files over the wire: joined, compressed, named by a hash of what is in them."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

# One file instead of many: a style sheet with the sheets it imports, a script with the modules it needs. The sources
# stay as they are; a browser can also load them one by one, as it does in a development run. A joined file can be read:
# it contains each source as it was written, under its name.


SHEET = re.compile(r'^@import url\("(?P<file>[^"]+)"\)(?: layer\((?P<layer>\w+)\))?;$', re.MULTILINE)
IMPORT = re.compile(r'^import (?:(?P<what>\{[^}]*\}|\* as \w+) from )?"(?P<file>\.{1,2}/[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
EXPORTED = re.compile(r"^export \{ ([\w, ]+) \};$", re.MULTILINE)
# Statements that none of these matched, so that new syntax is noticed when the files are made.
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# The script that every page loads first. Its modules are only there, and the other scripts import them from it.
SITE = "site.js"


def joined(path: Path) -> str:
    """A style sheet or a script with everything that it imports."""
    return _sheet(path) if path.suffix == ".css" else _script(path)


def needed(path: Path) -> list[Path]:
    """A file and everything that it imports, each after what it needs itself."""
    files: list[Path] = []
    _add(path, files, ())
    return files


def _add(path: Path, files: list[Path], trail: tuple[Path, ...]) -> None:
    if path in trail:
        raise ValueError(f"{path.name} imports itself, by way of {trail[-1].name}.")
    for imported in _imports(path):
        _add(imported, files, (*trail, path))
    if path not in files:
        files.append(path)


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
    """Each module in a function that returns what the module exports, in the order of need."""
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
            returned = f"return {{ {', '.join(names)} }};\n" if names else ""
            parts.append(f"// {module.name}\nconst {_variable(module)} = (() => {{\n{text}{returned}}})();\n")
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
    names = EXPORT.findall(text) + [name for some in EXPORTED.findall(text) for name in some.split(", ")]
    text = EXPORTED.sub("", EXPORT.sub("", IMPORT.sub(taken, text)))
    if left := LEFT.search(text):
        raise ValueError(f"{path.name} cannot be joined with other scripts: {left[0]}")
    return text, names


def _beside(path: Path, file: str) -> Path:
    return Path(os.path.normpath(path.parent / file))


def _variable(path: Path) -> str:
    return f"{path.stem}$"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# The files of the site as browsers get them: joined, compressed, under names with a hash of the content. They are made
# from the sources before the first answer, once for each version of the program, in the data folder: the program's own
# folder may be read-only. The files of the previous version stay until the next one, for pages still open.

SOURCES = Path(__file__).parents[1] / "static"
NAMED = re.compile(r"""\{% static ['"](?P<name>[^'"]+)['"]""")
JOINED = {".css", ".js"}
# Left half done by a start that was killed.
STALE_SECONDS = 3600
NOT_WRITTEN = "The site’s files could not be written to %s (%s). Pages come without them, but load more slowly."


class SiteFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Knows the name under which a browser finds a file; while developing, that of its source."""

    support_js_module_import_aggregation = True
    keep_only_hashed_files = True

    def __init__(self, location: Path | None = None, **options: Any) -> None:
        folder = location or made_files()
        self.plain = folder is None
        super().__init__(location=folder or SOURCES, **options)

    def stored_name(self, name: str) -> str:
        return name if self.plain else super().stored_name(name)

    def create_compressor(self, **options: Any) -> Any:
        # A hall without https uses no other encoding, and a second one would be useless.
        return super().create_compressor(**{**options, "use_brotli": False})


@cache
def made_files() -> Path | None:
    """The folder with the files of this version; None in a development run, or where nothing can be written."""
    return None if settings.DEBUG else make(settings.STATIC_FOLDER)


def make(root: Path, sources: Path = SOURCES) -> Path | None:
    """Create the files of this version in their own folder, unless they are there."""
    folder = root / _version(sources)
    try:
        if not folder.is_dir():
            root.mkdir(parents=True, exist_ok=True)
            _make(folder, sources)
        # The time of each version's last start shows which one came before this one.
        os.utime(folder)
        _clear(root, folder)
    except OSError as fault:
        logging.getLogger(__name__).warning(NOT_WRITTEN, folder, fault.strerror)
    return folder if folder.is_dir() else None


def version_folders(folder: Path) -> list[Path]:
    """The folders of all versions that are kept, this one last."""
    return [*_others(folder.parent, folder), folder]


def asked(*templates: str) -> list[str]:
    """The files that some templates name; if they are not joined, with everything that these import."""
    names = _named(settings.PAGES / name for name in templates)
    if made_files() is None:
        names = {path.relative_to(SOURCES).as_posix() for name in names for path in needed(SOURCES / name)}
    return sorted(names)


def used(sources: Path = SOURCES) -> list[str]:
    """The files of the site: everything there, but only those style sheets and scripts that a template names."""
    names = _named(settings.PAGES.rglob("*.html"))
    names_there = (path.relative_to(sources).as_posix() for path in sources.rglob("*") if path.is_file())
    return sorted(name for name in names_there if name in names or Path(name).suffix not in {*JOINED, ".md"})


def _named(templates: Iterable[Path]) -> set[str]:
    return {name for template in templates for name in NAMED.findall(template.read_text(encoding="utf-8"))}


def _version(sources: Path) -> str:
    """A hash of everything that the files are made from, and of the code that makes them."""
    everything = hashlib.sha256(f"{used(sources)} {version('django')} {version('whitenoise')}".encode())
    for path in sorted([*sources.rglob("*"), Path(__file__)]):
        if path.is_file():
            everything.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return everything.hexdigest()[:16]


def _make(folder: Path, sources: Path) -> None:
    """All or nothing: the folder gets its name when everything in it is on the disk."""
    making = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        names, storage = used(sources), SiteFiles(making)
        for name in names:
            _write(making / name, sources / name)
        for _, _, outcome in storage.post_process({name: (storage, name) for name in names}):
            if isinstance(outcome, Exception):
                raise outcome
        for path in making.rglob("*.*"):
            _flush(path)
        making.rename(folder)
    except OSError:
        # Another start was faster.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write(to: Path, source: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix in JOINED:
        to.write_text(joined(source), encoding="utf-8")
    else:
        shutil.copyfile(source, to)


def _flush(path: Path) -> None:
    if path.is_file():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _clear(root: Path, folder: Path) -> None:
    """Remove all versions but this one and the previous one, and remains of starts that were killed."""
    stale = [path for path in root.glob(".*") if time.time() - _begun(path) > STALE_SECONDS]
    for path in [*_others(root, folder)[:-1], *stale]:
        shutil.rmtree(path, ignore_errors=True)


def _others(root: Path, folder: Path) -> list[Path]:
    """The folders of other versions, the most recently started one last."""
    folders = [path for path in root.glob("[!.]*") if path.is_dir() and path != folder]
    return sorted(folders, key=_begun)


def _begun(path: Path) -> float:
    # Another start may just have removed it.
    with suppress(OSError):
        return path.stat().st_mtime
    return time.time()


# How files go over the wire: for a year.


class FilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """Serves the site's files: those of this version, and of the previous one for pages that are still open."""

    # A name holds the hash of the content, so its file never changes. A year is the longest that caches keep anything.
    FOREVER = 365 * 24 * 3600

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        if folder := made_files():
            for version_folder in version_folders(folder):
                self.add_files(str(version_folder), prefix=self.static_prefix)
        elif not self.autorefresh:
            self.add_files_from_finders()
