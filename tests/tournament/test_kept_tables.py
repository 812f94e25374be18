"""The tables that a run of the tests keeps for the next one are those of the migrations that their name refers to."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.quick import MIGRATIONS, KeptTables, has_tables, keep, kept_tables


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))


@pytest.fixture
def named(folder: Path, tmp_path: Path) -> KeptTables:
    return kept_tables(folder, tmp_path / "build")


def keep_tables_of(applied: list[tuple[str, str]], named: KeptTables) -> None:
    with closing(sqlite3.connect(":memory:")) as tables:
        tables.execute("CREATE TABLE django_migrations (app text, name text)")
        tables.executemany("INSERT INTO django_migrations VALUES (?, ?)", applied)
        tables.commit()
        keep(tables, named)


def test_an_edited_a_new_and_a_renamed_migration_give_another_name(folder: Path, named: KeptTables) -> None:
    first = min(folder.glob("0*.py"))
    names = {named.file, kept_tables(folder, named.file.parent).file}
    assert names == {named.file}
    first.write_text(first.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    names.add(kept_tables(folder, named.file.parent).file)
    shutil.copy(first, folder / "9999_new.py")
    names.add(kept_tables(folder, named.file.parent).file)
    (folder / "9999_new.py").rename(folder / "9999_renamed.py")
    names.add(kept_tables(folder, named.file.parent).file)
    assert len(names) == 4


def test_kept_tables_are_loaded_only_if_their_migrations_made_them(named: KeptTables) -> None:
    assert not has_tables(named)
    keep_tables_of(sorted(named.migrations), named)
    assert has_tables(named)
    keep_tables_of(sorted(named.migrations)[:-1], named)
    assert not has_tables(named)
    named.file.write_bytes(b"half of a file")
    assert not has_tables(named)


def test_older_tables_go_when_newer_ones_are_kept(folder: Path, named: KeptTables) -> None:
    keep_tables_of(sorted(named.migrations), named)
    first = min(folder.glob("0*.py"))
    first.write_text(first.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    newer = kept_tables(folder, named.file.parent)
    keep_tables_of(sorted(newer.migrations), newer)
    assert list(named.file.parent.iterdir()) == [newer.file]
