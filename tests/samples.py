"""Bring the demo's evenings to today's migration: python -m tests.samples

A sample evening is an event file like any other. To change one, import it on a site of your own, change it at the desk,
and export it in the place of the old one. After a migration this writes all of them as this version writes them, so
that the demo does not bring them forward at every start.
"""

from __future__ import annotations

import json
import os
import sys

import django


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    django.setup()
    from tournament.archive.earlier import brought_forward
    from tournament.reports.files import event_json
    from tournament.site.data_folder import FIXTURES

    for path in sorted((FIXTURES / "demo").glob("*.json")):
        path.write_bytes(event_json(brought_forward(json.loads(path.read_text(encoding="utf-8")))))
        print(f"{path.stem} is written.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
