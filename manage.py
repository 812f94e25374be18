#!/usr/bin/env python
"""The command line of Uptown: `python manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    if sys.argv[1:2] == ["demo"]:
        from tournament.place import enter_demo

        enter_demo()
    try:
        from django.core.management import execute_from_command_line
    except ImportError as fault:
        raise SystemExit(
            "Django is not installed here. Run the first command of README.md: it makes .venv and installs it."
        ) from fault
    from django.core.exceptions import ImproperlyConfigured
    from django.db import OperationalError

    from tournament.database import why_closed

    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, OperationalError) as fault:
        words = why_closed(fault)
        if not words:
            raise
        raise SystemExit(words) from None


if __name__ == "__main__":
    main()
