"""How fast paper and spreadsheets are made: `python -m tests.benchmarks papers`.

An event of 500 teams and 6 games each (1,500 games) is printed whole: every score sheet as one PDF, and the workbook.
Beside each, in the same run, the same amount of raw work: the same drawing calls on a bare reportlab canvas, the same
cells written by bare openpyxl. The goal is at most 1.5 times that, and memory that grows with the file alone.
Each figure is the median of five runs.

`python -m tests.benchmarks papers --beside` starts the site instead, with ten tablets in play: each sends a hand about
every two seconds while four books of 60 teams and one of 80 are asked for at once. The goal: the slowest hand is
within a second.
"""

from __future__ import annotations

import http.client
import io
import os
import random
import resource
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import openpyxl
from django.conf import settings
from django.contrib.auth.models import User
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from tests.benchmarks import hand
from tests.benchmarks.hall import machine
from tests.beside import beside
from tests.evenings import evening_text, write_evening
from tests.factories import signed_in
from tests.journeys.server import Connection
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.lettering import register_fonts
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import draw_score_sheet, score_sheets

TABLETS, BOOKS = 10, (60, 60, 60, 60, 80)
SLOWEST = 1.0
# Seconds for which the tablets play before the first press.
ALONE = 20
# Seconds between two hands of a tablet, at least and at most.
PAUSE = 1.0, 3.0
RUNS = int(os.environ.get("BENCHMARK_RUNS", "5"))
TEAMS, ROUNDS = 500, 6
GOAL = 1.5


def main() -> int:
    return beside_books() if "--beside" in sys.argv else beside_raw_work()


def beside_books() -> int:
    """Hands from tablets while books are made, on the site's own server."""
    keys, cookie, slugs = hand.evening(TABLETS), *printing()
    alone: list[float] = []
    busy: list[float] = []
    wrong: list[str] = []
    books: list[str] = []
    asked_for, over = threading.Event(), threading.Event()

    def tablet(token: str, messages: Any) -> None:
        send, chance, number = hand.hand_sender(token, messages), random.Random(token), 0
        line = Connection("127.0.0.1", hand.PORT)
        line.open()
        send(line, number)
        while not over.wait(chance.uniform(*PAUSE)):
            number, start = number + 1, time.perf_counter()
            if not send(line, number):
                wrong.append(token)
            (busy if asked_for.is_set() else alone).append(time.perf_counter() - start)
        line.close()

    def press(slug: str) -> None:
        asked_for.wait()
        start, presses, status = time.perf_counter(), 0, 503
        while status == 503:
            presses += 1
            line = http.client.HTTPConnection("127.0.0.1", hand.PORT, timeout=600)
            line.request("GET", f"/desk/{slug}/papers/book.pdf", headers={"Cookie": cookie})
            answer = line.getresponse()
            status, size = answer.status, len(answer.read())
            time.sleep(int(answer.headers.get("Retry-After", 0)))
        taken = time.perf_counter() - start
        books.append(f"{slug}: {status}, {size / 1e6:.1f} MB after {taken:.1f} s, pressed {presses} times")
        if len(books) == len(slugs):
            over.set()

    everybody = [*(partial(tablet, *key) for key in keys), *(partial(press, slug) for slug in slugs)]
    with hand.serving(), beside(everybody):
        time.sleep(ALONE)
        asked_for.set()
    print(f"{machine()}; {TABLETS} tablets in play, {len(slugs)} books asked for at once, clients here too")
    print(*books, sep="\n")
    for words, waits in (("before", alone), ("meanwhile", busy)):
        middle, most = statistics.median(waits), max(waits)
        print(f"{words}: {len(waits)} hands, half within {middle * 1000:.0f} ms, the slowest {most * 1000:.0f} ms")
    print(f"errors: {len(wrong)}; the goal for the slowest: {SLOWEST * 1000:.0f} ms")
    return 0 if max(busy) <= SLOWEST and not wrong else 1


def printing() -> tuple[str, list[str]]:
    """The events whose books are asked for, and the cookie of their director."""
    dana = User.objects.get(username="dana")
    events = [write_evening(evening_text(teams, seed=seed), dana) for seed, teams in enumerate(BOOKS)]
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={signed_in(dana).cookies[name].value}", [event.slug for event in events]


def beside_raw_work() -> int:
    """How long papers take beside the same raw work, and what they hold."""
    event = write_evening(evening_text(TEAMS, ROUNDS))
    sheets = list(event_sheets(event))
    started = time.perf_counter()
    whole = whole_book(event)
    print(f"machine: {machine()}; median of {RUNS}; {len(sheets):,} sheets, {TEAMS} teams")
    print(f"reading the book (not timed below): {time.perf_counter() - started:.1f} s")
    ratios = [papers(sheets), workbook(whole, sheets)]
    memory(sheets)
    return 0 if max(ratios) <= GOAL else 1


def papers(sheets: list[Any]) -> float:
    """All score sheets as one PDF, and the same calls on a bare canvas."""
    calls = recorded_calls(sheets)
    return compared("score sheets (PDF)", lambda: score_sheets(sheets), lambda: drawn(calls))


def drawn(calls: Iterable[tuple[str, tuple[Any, ...]]]) -> bytes:
    register_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=LETTER, invariant=1, pageCompression=1)
    for name, values in calls:
        getattr(canvas, name)(*values)
    canvas.save()
    return file.getvalue()


def recorded_calls(sheets: list[Any]) -> list[tuple[str, tuple[Any, ...]]]:
    """Every drawing call that the sheets need, in order."""
    calls: list[tuple[str, tuple[Any, ...]]] = []
    names = ("setFont", "setFillColor", "setStrokeColor", "setLineWidth", "drawString", "line", "rect", "showPage")

    class Recorder:
        def __init__(self, canvas: Canvas) -> None:
            self._canvas = canvas

        def __getattr__(self, name: str) -> Any:
            if name in (*names, "circle", "roundRect"):
                return lambda *values, **named: calls.append((name, (*values, *named.values())))
            return getattr(self._canvas, name)

    recording: Any = Papers("recording")
    recording.canvas = recording.pen.canvas = Recorder(recording.canvas)
    for sheet in sheets:
        draw_score_sheet(recording, sheet, "UTC")
    return calls


def workbook(whole: Any, sheets: list[Any]) -> float:
    """The whole workbook, and the same cells by bare openpyxl."""
    pages: list[tuple[str, list[list[tuple[Any, str]]]]] = [
        (page.title, [[(cell.value, cell.number_format) for cell in row] for row in page.iter_rows()])
        for page in openpyxl.load_workbook(io.BytesIO(event_workbook(whole, sheets)))
    ]
    print(f"the workbook has {sum(len(row) for _, rows in pages for row in rows):,} cells")

    def raw() -> bytes:
        book = openpyxl.Workbook()
        for title, rows in pages:
            page = book.create_sheet(title)
            for number, row in enumerate(rows, start=1):
                for column, (value, number_format) in enumerate(row, start=1):
                    cell = page.cell(number, column, value)
                    if number_format != "General":
                        cell.number_format = number_format
        file = io.BytesIO()
        book.save(file)
        return file.getvalue()

    return compared("workbook", lambda: event_workbook(whole, sheets), raw)


def compared(words: str, ours: Callable[[], bytes], raw: Callable[[], bytes]) -> float:
    """Run both in turn and print the ratio of their medians."""
    times: dict[str, list[float]] = {"ours": [], "raw": []}
    for _ in range(RUNS):
        for name, work in (("ours", ours), ("raw", raw)):
            started = time.process_time()
            content = work()
            times[name].append(time.process_time() - started)
    own, bare = statistics.median(times["ours"]), statistics.median(times["raw"])
    print(f"{words}: {own:.2f} s, raw {bare:.2f} s, ratio {own / bare:.2f} (goal {GOAL}), {len(content) / 1e6:.1f} MB")
    return own / bare


def memory(sheets: list[Any]) -> None:
    """What four times as many sheets add at the peak, beside bare reportlab: it holds the pages until the file ends."""
    calls = recorded_calls(sheets)
    for words, work in (
        ("score sheets", lambda times: score_sheets(sheet for _ in range(times) for sheet in sheets)),
        ("bare reportlab", lambda times: drawn(call for _ in range(times) for call in calls)),
    ):
        once, fourfold = (peak(work, times) for times in (1, 4))
        print(f"{words}: {len(sheets):,} sheets {once:.0f} MB, four times as many {fourfold - once:+.0f} MB")


def peak(work: Callable[[int], bytes], times: int) -> float:
    """The most memory that a piece of work held in a process of its own, in MB."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        size = len(work(times))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        os.write(writer, f"{memory} {size}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    return float(os.read(reader, 100).split()[0])
