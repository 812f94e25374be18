"""What a person may read anywhere: gathered from templates, Python and scripts, for readers and for the test of words.

`python -m tests.sentences` prints it, one text a line, with the place where it is.

Whatever is filled in later is written as “…”. Docstrings, comments and names of the program are left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

FILLED = "…"
FOLDERS = ("scoring", "tournament")
# Tags inside a sentence; any other tag begins a new sentence.
INLINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "s", "small", "span", "strong", "time", "u"}
READ_ALOUD = {"alt", "aria-label", "content", "data-ask", "placeholder", "title"}
TEMPLATE_TAG = re.compile(r"{#.*?#}|{%\s*comment.*?endcomment\s*%}|{%.*?%}|{{.*?}}", re.DOTALL)
# What a tag itself says: a label given to a part of the page, or what is shown where nothing is known.
TAG_TEXT = re.compile(r'(?<!date:)"((?=[A-Z])[^"\n]*)"|(?:default|default_if_none|yesno|words)[:=]"([^"\n]* [^"\n]*)"')
OTHERWISE = re.compile(r"{%\s*(else|elif)\b")
# A literal of a script; `${…}` in it is filled in later.
SCRIPT_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
SCRIPT_COMMENT = re.compile(r"^\s*//.*$|(?<=[;{}]) +//.*$", re.MULTILINE)
FIRST_LETTER = re.compile(r"[A-Z][a-z’]|[A-Z] |[“‘…(]")
# Where a template of `words` is filled in, or a text by its `format`.
TEMPLATE_FIELD = re.compile(r"\{\w+(?::[\w, ]+)?\}")
# Commands for the database and types, which begin like sentences.
FOR_MACHINES = re.compile(
    r"^(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|WITH|BEGIN|VACUUM)\b|[_{}<>=;\\]|^[A-Z]\w*\.\w|://"
)


class Sentence(NamedTuple):
    """A text and its place: the file relative to the project's folder, and the line."""

    path: str
    line: int
    text: str


def sentences() -> list[Sentence]:
    """Every text that a person may read, by file and line."""
    root = Path(__file__).parents[1]
    rows: list[Sentence] = []
    for path in sorted((root / "templates").rglob("*.html")):
        rows += _named(root, path, template_texts(path.read_text(encoding="utf-8")))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                rows += _named(root, path, python_texts(path.read_text(encoding="utf-8")))
    for path in sorted((root / "tournament/static/tournament/js").glob("*.js")):
        rows += _named(root, path, script_texts(path.read_text(encoding="utf-8")))
    return rows


def _named(root: Path, path: Path, texts: Iterator[tuple[int, str]]) -> list[Sentence]:
    return [Sentence(path.relative_to(root).as_posix(), line, text) for line, text in texts]


def template_texts(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a template, with what is read aloud and what a field shows before anything is typed."""
    reader = _Page()
    reader.feed(TEMPLATE_TAG.sub(_filled, source))
    reader.close()
    reader.end()
    yield from reader.texts
    for tag in TEMPLATE_TAG.finditer(source):
        for match in () if tag[0].startswith(("{#", "{% comment")) else TAG_TEXT.finditer(tag[0]):
            text = match[1] or match[2]
            if _is_read(text):
                yield source.count("\n", 0, tag.start()) + 1, _one_line(text)


def _filled(tag: re.Match[str]) -> str:
    """A tag of the template as the reader of the page sees it; its lines are kept."""
    newlines = "\n" * tag[0].count("\n")
    if OTHERWISE.match(tag[0]):
        return " | " + newlines
    return (FILLED if tag[0].startswith("{{") else "") + newlines


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[int, str]] = []
        self.parts: list[str] = []
        self.line = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE:
            self.end()
        for name, value in attrs:
            if name in READ_ALOUD and value and any(character.isalpha() for character in value):
                self.texts.append((self.getpos()[0], _one_line(value)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in INLINE:
            self.end()

    def handle_data(self, data: str) -> None:
        if not self.parts:
            self.line = self.getpos()[0]
        self.parts.append(data)

    def end(self) -> None:
        """What was read since the last block is one text."""
        text = _one_line("".join(self.parts))
        self.parts = []
        if any(character.isalpha() for character in text) and '="' not in text:
            self.texts.append((self.line, text))


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a module: what begins like a sentence or a label."""
    tree = ast.parse(source)
    silent = {id(one) for node in ast.walk(tree) for one in _unread(node)}
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, ast.expr):
            continue
        text = _literal(node)
        if text is not None and _is_read(text):
            yield node.lineno, _one_line(text)


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, and the parts of a text that is given as a whole."""
    if isinstance(node, ast.Expr):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    if isinstance(node, ast.FunctionDef | ast.AnnAssign | ast.arg):
        annotation = getattr(node, "returns", None) or getattr(node, "annotation", None)
        yield from ast.walk(annotation) if annotation else ()


def _literal(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return TEMPLATE_FIELD.sub(FILLED, node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (value.value if isinstance(value, ast.Constant) else FILLED for value in node.values)
        return "".join(str(part) for part in parts)
    return None


def _is_read(text: str) -> bool:
    """Whether a literal is for people: a sentence, a label, or a part of one with a blank in it."""
    if FOR_MACHINES.search(text.replace("{}", "")):
        return False
    words = " " in text.strip() and any(character.isalpha() for character in text)
    return words or bool(FIRST_LETTER.match(text))


def script_texts(source: str) -> Iterator[tuple[int, str]]:
    source = SCRIPT_COMMENT.sub("", source)
    for match in SCRIPT_TEXT.finditer(source):
        text = re.sub(r"\$\{[^}]*\}", FILLED, match[1] if match[1] is not None else match[2])
        if " " in text.strip() and not FOR_MACHINES.search(text) and re.search(r"[a-z]{2}", text):
            yield source.count("\n", 0, match.start()) + 1, _one_line(text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    for sentence in sentences():
        print(f"{sentence.path}:{sentence.line}\t{sentence.text}")
