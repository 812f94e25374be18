"""The entry point for any WSGI server."""

import os

from django.core.wsgi import get_wsgi_application

from tournament.serving.site import take_short_turns

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
take_short_turns()
application = get_wsgi_application()
