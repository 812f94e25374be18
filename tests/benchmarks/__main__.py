"""Run a benchmark on a site of its own: `python -m tests.benchmarks NAME`, and behind it what it says of itself."""

from __future__ import annotations

import sys
from importlib import import_module

from tests.benchmarks.hall import open_site

if __name__ == "__main__":
    name = sys.argv.pop(1)
    open_site(has_tables=name != "figures", ROOT_URLCONF="tests.benchmarks.bare")
    # Only now can models be imported.
    sys.exit(import_module(f"tests.benchmarks.{name}").main())
