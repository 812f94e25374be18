"""Long works of a hosted site stand in line: a kept queue in PostgreSQL, from which workers take them.

The queue is procrastinate's, in the site's own database: what stands there is as safe as a hand that was recorded.
"""

from __future__ import annotations

QUEUE, TASK = "works", "work"


def line_up(key: str) -> None:
    """Put a work at the end of the line."""
    # Only a hosted site has the package.
    from procrastinate.contrib.django import app

    app.configure_task(TASK, queue=QUEUE).defer(key=key)
