"""The files of the site as browsers get them: joined, compressed, under names that hold a hash of what is in them.

They are made from the sources before the first answer, once for each version of the program, in the data folder: the
program's own folder may be read-only. The files of the version before stay until the next one, for pages still open.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tournament.wire.joining import joined, needed

SOURCES = Path(__file__).parents[1] / "static"
NAMED = re.compile(r"""\{% static ['"](?P<name>[^'"]+)['"]""")
JOINED = {".css", ".js"}
# What a start that was killed left half done.
STALE_SECONDS = 3600
NOT_WRITTEN = "The site’s files could not be written to %s (%s). Pages come without them, but load more slowly."


class SiteFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Knows the name under which a browser finds a file; while the program is changed, that of its source."""

    support_js_module_import_aggregation = True
    keep_only_hashed_files = True

    def __init__(self, location: Path | None = None, **options: Any) -> None:
        place = location or made_files()
        self.plain = place is None
        super().__init__(location=place or SOURCES, **options)

    def stored_name(self, name: str) -> str:
        return name if self.plain else super().stored_name(name)

    def create_compressor(self, **options: Any) -> Any:
        # A hall without https speaks no other one, and two of everything would be made for little.
        return super().create_compressor(**{**options, "use_brotli": False})


@cache
def made_files() -> Path | None:
    """The folder with the files of this version; None in a development run, or where nothing can be written."""
    return None if settings.DEBUG else make(settings.STATIC_FOLDER)


def make(root: Path, sources: Path = SOURCES) -> Path | None:
    """Make the files of this version in a folder of their own, unless they are there."""
    folder = root / _version(sources)
    try:
        if not folder.is_dir():
            root.mkdir(parents=True, exist_ok=True)
            _make(folder, sources)
        # Which version was there before this one is seen by when each was last begun.
        os.utime(folder)
        _clear(root, folder)
    except OSError as fault:
        logging.getLogger(__name__).warning(NOT_WRITTEN, folder, fault.strerror)
    return folder if folder.is_dir() else None


def kept(folder: Path) -> list[Path]:
    """The folders of all versions that are kept, this one last."""
    return [*_others(folder.parent, folder), folder]


def asked(*templates: str) -> list[str]:
    """The files that some templates name; where they are not joined, with everything that these import."""
    names = _named(settings.PAGES / name for name in templates)
    if made_files() is None:
        names = {path.relative_to(SOURCES).as_posix() for name in names for path in needed(SOURCES / name)}
    return sorted(names)


def used(sources: Path = SOURCES) -> list[str]:
    """The files of the site: all that lies there, of style sheets and scripts those that a template names."""
    names = _named(settings.PAGES.rglob("*.html"))
    found = (path.relative_to(sources).as_posix() for path in sources.rglob("*") if path.is_file())
    return sorted(name for name in found if name in names or Path(name).suffix not in {*JOINED, ".md"})


def _named(templates: Iterable[Path]) -> set[str]:
    return {name for one in templates for name in NAMED.findall(one.read_text(encoding="utf-8"))}


def _version(sources: Path) -> str:
    """A hash of all that the files are made from, and of what makes them."""
    everything = hashlib.sha256(f"{used(sources)} {version('django')} {version('whitenoise')}".encode())
    for path in sorted([*sources.rglob("*"), *Path(__file__).parent.glob("*.py")]):
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
        # Another start was quicker.
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
    """Remove all versions but this one and the one before, and what starts that were killed have left."""
    stale = [path for path in root.glob(".*") if time.time() - _begun(path) > STALE_SECONDS]
    for path in [*_others(root, folder)[:-1], *stale]:
        shutil.rmtree(path, ignore_errors=True)


def _others(root: Path, folder: Path) -> list[Path]:
    """The folders of other versions, the one that was begun last at the end."""
    found = [path for path in root.glob("[!.]*") if path.is_dir() and path != folder]
    return sorted(found, key=_begun)


def _begun(path: Path) -> float:
    # Another start may just have removed it.
    with suppress(OSError):
        return path.stat().st_mtime
    return time.time()
