"""A paper as a file of its own, and the text of files."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from pypdf import PdfReader

from tournament.reports.pdf.paper import Papers


def on_paper(draw: Callable[..., None], *args: Any) -> bytes:
    """What `draw` makes of these, in a file."""
    papers = Papers("Paper")
    draw(papers, *args)
    return papers.finish()


def pdf_pages(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def pdf_text(content: bytes) -> str:
    return "\n".join(pdf_pages(content))


def squeezed(text: str) -> str:
    """Without spaces and line ends: long names stand on several lines."""
    return "".join(text.split())
