"""What a demo's site has beside a club's, for the settings."""

from __future__ import annotations

ROOT_URLCONF = "tournament.demo.urls"
MIDDLEWARE = ["tournament.demo.frames.FramesMiddleware"]
AUTHENTICATION_BACKENDS = ["tournament.demo.people.OpenDoors"]
CONTEXT_PROCESSORS = ["tournament.demo.people.in_the_demo"]
