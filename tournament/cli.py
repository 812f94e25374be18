"""The command line of `manage.py` and `uptown`: `help` lists the commands, `version` says which program this is.

An old Python must be able to read this file and report that it is too old; so it uses only syntax of Python 3.6, and
imports everything else after the check.
"""

import os
import sys

NEEDED = (3, 11)
TOO_OLD = (
    "Uptown needs Python {}.{} or later, and this is Python {}.{}. Get a newer one from "
    "https://www.python.org/downloads/ and install Uptown again, as INSTALL.md says. Your events stay as they are."
)
NOT_THERE = (
    "Django is not installed here. Run the first command of README.md: it makes .venv and installs it. (No module {}.)"
)


def main() -> None:
    """Run the command line. Raises SystemExit with a sentence if that is not possible."""
    if sys.version_info[:2] < NEEDED:
        raise SystemExit(TOO_OLD.format(*NEEDED + sys.version_info[:2]))
    if sys.argv[1:2] == ["version"] or "--version" in sys.argv:
        from tournament import PROGRAM

        print(PROGRAM)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    if sys.argv[1:2] == ["demo"]:
        from tournament.site.data_folder import enter_demo

        enter_demo()
    _execute()


def _execute() -> None:
    try:
        from django.core.management import execute_from_command_line
    except ImportError as fault:
        raise SystemExit(NOT_THERE.format(fault.name)) from fault
    from django.core.exceptions import ImproperlyConfigured
    from django.db import DatabaseError

    from tournament.site.database import why_closed

    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, DatabaseError) as fault:
        words = why_closed(fault)
        if not words:
            raise
        raise SystemExit(words) from None
