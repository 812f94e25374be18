"""manage.py score FILE|-: score a written game (or a list of them), as JSON."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from scoring.document import print_problem, print_score
from scoring.fields import parse_documents
from scoring.ledger import CannotScore, Problem


class Command(BaseCommand):
    help = "Score the game documents in FILE (“-”: standard input) and print the result as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a game document, or a list of them; “-” reads standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        printed, refused = score_text(read(options["file"]))
        # A lone surrogate in a name cannot be written as UTF-8; escaped it is still the same JSON.
        text = json.dumps(printed, ensure_ascii=False, indent=2) + "\n"
        write(text.encode("utf-8", "backslashreplace"))
        if refused:
            sys.exit(2)


def read(name: str) -> bytes | Problem:
    """The bytes of the file, or the problem of one that cannot be read."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as fault:
        return Problem("document", "", f"The file “{name}” cannot be read: {fault.strerror}.")


def score_text(content: bytes | Problem) -> tuple[Any, bool]:
    """The output, and whether anything in it could not be scored."""
    if isinstance(content, Problem):
        return {"problems": [print_problem(content)]}, True
    try:
        data = parse_documents(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        problem = Problem("document", "", "The document is not written in UTF-8.")
        return {"problems": [print_problem(problem)]}, True
    except CannotScore as refusal:
        return refused(refusal), True
    if not isinstance(data, list):
        printed = print_score(data)
        return printed, bool(printed["problems"])
    scored = [refused(one) if isinstance(one, CannotScore) else print_score(one) for one in data]
    return scored, any(one["problems"] for one in scored)


def refused(refusal: CannotScore) -> dict[str, Any]:
    """The output for a document that is not one."""
    return {"problems": [print_problem(problem) for problem in refusal.problems]}


def write(content: bytes) -> None:
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
