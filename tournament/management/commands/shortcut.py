"""`manage.py shortcut`: write a file to double-click that starts the site."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.serving.preparing import places, shortcut
from tournament.site.data_folder import start_words

FOLDERS = ("UPTOWN_DATA", "UPTOWN_BACKUPS")
ICON = Path("tournament") / "static" / "tournament" / "touch.png"


class Command(BaseCommand):
    help = "Make a file to double-click that starts the site, on the desktop and in the applications menu of Linux."
    # The checks read every page of the site, which this command never opens.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("start", nargs="?", choices=["serve", "venue"], default="serve")
        parser.add_argument("--folder", type=Path, help="where to put it, if not on the desktop")

    def handle(self, *args: Any, **options: Any) -> None:
        # A double-click sets no variables.
        chosen = {name: _absolute(os.environ[name]) for name in FOLDERS if os.environ.get(name)}
        made = shortcut(sys.platform, [*start_words(), options["start"]], settings.ROOT / ICON, chosen)
        folder = options["folder"]
        for place in [folder] if folder else places(sys.platform, Path.home(), os.environ):
            try:
                place.mkdir(parents=True, exist_ok=True)
                path = place / made.name
                path.write_bytes(made.content)
                path.chmod(0o755)
            except OSError as fault:
                raise CommandError(f"The shortcut could not be written: {fault}.") from fault
            self.stdout.write(str(path))


def _absolute(folders: str) -> str:
    """A folder, or several with the system's separator, as absolute paths for any start of the shortcut."""
    return os.pathsep.join(str(Path(folder).absolute()) for folder in folders.split(os.pathsep) if folder)
