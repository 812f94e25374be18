"""`python -m tests.tournament.reports.cells` keeps where the cells of a new rule sheet, or of a new VERSION, are.

What `sheet_cells.json` has already is never replaced: sheets that were printed lie on tables.
"""

from __future__ import annotations

import json
import os

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    django.setup()
    from tests.tournament.reports.test_sheet_cells import KEPT, LAYOUTS, written
    from tournament.queries.sheetcells import VERSION

    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    places = {name: written(layout) for name, layout in LAYOUTS.items()}
    kept[str(VERSION)] = places | kept.get(str(VERSION), {})
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
