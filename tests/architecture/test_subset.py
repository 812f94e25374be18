"""The subset that runs after each change has something of every folder of tests."""

from __future__ import annotations

from tests.subset import LEFT_OUT, QUICK, ROOT, is_quick


def test_every_folder_of_tests_is_in_the_quick_subset_or_has_its_reason() -> None:
    files = list((ROOT / "tests").rglob("test_*.py"))
    folders = {file.parent.relative_to(ROOT).as_posix() for file in files}
    quick = {file.parent.relative_to(ROOT).as_posix() for file in files if is_quick(file)}
    assert sorted(folders - quick) == sorted(LEFT_OUT), "Name a file of it in QUICK of tests/subset.py, or a reason"


def test_what_the_quick_subset_names_is_there() -> None:
    assert [name for name in QUICK if not (ROOT / name).exists()] == []
