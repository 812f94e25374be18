"""The script that opens the tablet's page without a network, with the one list of files that it needs."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

FOLDER = settings.ROOT / "tournament" / "static"
SCRIPTS = (
    "ahead device effect element entry finger forms here item known ledger modes near outbox pinpad queue signing"
    " snapshot sounds stage store tablet talk turns typing"
)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The worker of the tablet's page; another version of any file makes another worker."""
    names, version = shell(settings.DEBUG)
    context = {"version": version, "files": json.dumps([static(name) for name in names]), "page": reverse("tablet")}
    response = render(request, "tablet/sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=2)
def shell(fresh: bool) -> tuple[tuple[str, ...], str]:
    """Every file of the tablet's page by its name, and a version of all of them together."""
    paths = [*_files("css/*.css"), *_files("vendor/*.js"), *_files("icon.svg")]
    paths += [path for path in _files("js/*.js") if path.stem in {*SCRIPTS.split(), "unsent", "written"}]
    content = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
    return tuple(path.relative_to(FOLDER).as_posix() for path in paths), content[:12]


def _files(pattern: str) -> list[Path]:
    return sorted((FOLDER / "tournament").glob(pattern))
