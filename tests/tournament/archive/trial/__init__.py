"""The site's migrations with two more, which lead away from today's tables and back again."""

from pathlib import Path

import tournament.migrations

__path__ = [str(Path(__file__).parent), *tournament.migrations.__path__]
