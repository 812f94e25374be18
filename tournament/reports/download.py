"""A file for the browser: made by one at a time, its name in plain letters, its type, and never taken for a page."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from urllib.parse import quote

from django.http import HttpResponse

from tournament.refusals import Busy

TYPES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
# A Mac's Safari shows a PDF by a plug-in inside a document of its own, which obeys what the answer says of plug-ins.
PLUG_IN = {"object-src": ["'self'"], "style-src": ["'self'", "'unsafe-inline'"]}
# The tables go on meanwhile: so many wait behind the one whose file is being made.
MOST_WAITING = 3
BUSY = "Other files are being made right now. Please press the button again in a moment."
# Bytes of files that are remembered.
ROOM = 64 * 2**20
_files: dict[Hashable, bytes] = {}
_turn, _line = threading.Lock(), threading.BoundedSemaphore(1 + MOST_WAITING)


@contextmanager
def making_file() -> Iterator[None]:
    """Wait for one's turn to make a file. Raises Busy where too many wait already."""
    if not _line.acquire(blocking=False):
        raise Busy(BUSY)
    try:
        with _turn:
            yield
    finally:
        _line.release()


def file_of(key: Hashable, make: Callable[[], bytes]) -> bytes:
    """A file, made for the first who asks and the same bytes for everybody after. Raises Busy.

    The key names everything that decides what is in it, and is read before the file is made.
    """
    content = _files.get(key)
    if content is None:
        with making_file():
            content = _files.get(key)
            if content is None:
                content = _files[key] = make()
                while sum(map(len, _files.values())) > ROOM:
                    del _files[next(iter(_files))]
    return content


def download(content: bytes, name: str, kind: str, *, inline: bool = False) -> HttpResponse:
    """Answer with a file. `name` may hold anything that people call an event."""
    response = HttpResponse(content, content_type=TYPES[kind])
    if kind == "pdf":
        # As the decorator `csp_replace` of django-csp does it, for this answer alone.
        response._csp_replace = PLUG_IN  # type: ignore[attr-defined]
    how = "inline" if inline else "attachment"
    exact = quote(f"{name}.{kind}", safe="")
    response["Content-Disposition"] = f"{how}; filename=\"{plain_name(name)}.{kind}\"; filename*=UTF-8''{exact}"
    return response


def plain_name(name: str) -> str:
    """The name in ASCII letters, digits and hyphens; “file” where nothing of it is left."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", ascii_name).strip("-").lower()[:80] or "file"
