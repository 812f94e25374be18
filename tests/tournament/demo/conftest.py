"""The demo's site in this process, as its settings make it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tournament.demo import parts


@pytest.fixture
def demo_site(db: None, settings: Any) -> Any:
    """The settings of a demo; pages are asked for with a client that is made after this."""
    settings.DEMO = True
    settings.ROOT_URLCONF = parts.ROOT_URLCONF
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, *parts.MIDDLEWARE]
    settings.AUTHENTICATION_BACKENDS = [*parts.AUTHENTICATION_BACKENDS, *settings.AUTHENTICATION_BACKENDS]
    templates = copy.deepcopy(settings.TEMPLATES)
    templates[0]["OPTIONS"]["context_processors"] += parts.CONTEXT_PROCESSORS
    settings.TEMPLATES = templates
    return settings
