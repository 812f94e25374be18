"""A file for the browser: its name in plain letters, its type, and never taken for a page."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

from django.http import HttpResponse

TYPES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
# A Mac's Safari shows a PDF by a plug-in inside a document of its own, which obeys what the answer says of plug-ins.
PLUG_IN = {"object-src": ["'self'"], "style-src": ["'self'", "'unsafe-inline'"]}


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
