"""Requests one after another, for a test database that is a single connection."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

TURN = threading.Lock()


class OneAtATime:
    """Outermost middleware of the browser tests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with TURN:
            return self.get_response(request)
