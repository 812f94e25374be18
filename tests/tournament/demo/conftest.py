"""The demo's site in this process, as its settings make it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tournament import demo


@pytest.fixture
def demo_site(db: None, settings: Any) -> Any:
    """The settings of a demo; pages are asked for with a client that is made after this."""
    settings.DEMO = True
    settings.ROOT_URLCONF = demo.ROOT_URLCONF
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, *demo.MIDDLEWARE]
    settings.AUTHENTICATION_BACKENDS = [*demo.AUTHENTICATION_BACKENDS, *settings.AUTHENTICATION_BACKENDS]
    templates = copy.deepcopy(settings.TEMPLATES)
    templates[0]["OPTIONS"]["context_processors"] += demo.CONTEXT_PROCESSORS
    settings.TEMPLATES = templates
    return settings
