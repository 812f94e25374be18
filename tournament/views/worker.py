"""The script that opens the tablet's page without a network, with the one list of files that it needs."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.request import Request
from tournament.wire.storage import SOURCES, asked

PAGE = ("base.html", "tablet/table.html")


@require_safe
def worker(request: Request) -> HttpResponse:
    """The worker of the tablet's page; another version of any file makes another worker."""
    files, version = shell(settings.DEBUG)
    context = {"version": version, "files": json.dumps(files), "page": reverse("tablet")}
    response = render(request, "tablet/sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=2)
def shell(fresh: bool) -> tuple[list[str], str]:
    """The address of every file of the tablet's page, and a version of all of them together."""
    names = asked(*PAGE)
    addresses = [static(name) for name in names]
    content = b"".join((SOURCES / name).read_bytes() for name in names)
    return addresses, hashlib.sha256(content + "".join(addresses).encode()).hexdigest()[:12]
