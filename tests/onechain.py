"""One chain of middleware for all test clients: Django builds it again for every client, and WhiteNoise then lists and
reads the dates of every static file, which took longer than most pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.core.signals import setting_changed
from django.test.client import ClientHandler

PARTS = ("_view_middleware", "_template_response_middleware", "_exception_middleware", "_middleware_chain")


@contextmanager
def one_chain() -> Iterator[None]:
    """Every client asks the chain that the first one built; where a test changes a setting, a new one is built."""
    built: dict[tuple[str, ...], list[Any]] = {}
    build = ClientHandler.load_middleware

    def load(handler: ClientHandler, is_async: bool = False) -> None:
        key = tuple(settings.MIDDLEWARE)
        if key not in built:
            build(handler, is_async)
            built[key] = [getattr(handler, part) for part in PARTS]
        for part, value in zip(PARTS, built[key], strict=True):
            setattr(handler, part, value)

    def forget(**changed: Any) -> None:
        built.clear()

    setting_changed.connect(forget)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load)
        yield
    setting_changed.disconnect(forget)
