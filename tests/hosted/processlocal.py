"""The control of the chaos run: the site as one process alone may have it, with counts and sessions of its own."""

from __future__ import annotations

from django.conf import settings

settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"

from tournament.wsgi import application as application  # noqa: E402 - the settings come first
