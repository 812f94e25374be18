"""Clients that are signed in, and the text of pages and papers."""

from __future__ import annotations

import html
import io
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from pypdf import PdfReader


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def pdf_pages(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def pdf_text(content: bytes) -> str:
    return "\n".join(pdf_pages(content))


def squeezed(text: str) -> str:
    """Without spaces and line ends: long names stand on several lines."""
    return "".join(text.split())
