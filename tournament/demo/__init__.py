"""The demo: a home page with open doors, the hall in one window, tables that play by themselves.

It is a layer above the site: a club's site loads only its player, for a rehearsal. This module has what it adds to the
settings.
"""

from __future__ import annotations

ROOT_URLCONF = "tournament.demo.urls"
MIDDLEWARE = ["tournament.demo.views.FramesMiddleware"]
AUTHENTICATION_BACKENDS = ["tournament.demo.evenings.OpenDoors"]
CONTEXT_PROCESSORS = ["tournament.demo.evenings.in_the_demo"]
