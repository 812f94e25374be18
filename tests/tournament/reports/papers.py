"""A paper as a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tournament.reports.pdf.paper import Papers


def on_paper(draw: Callable[..., None], *args: Any) -> bytes:
    """What `draw` makes of these, in a file."""
    papers = Papers("Paper")
    draw(papers, *args)
    return papers.finish()
