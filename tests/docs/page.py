"""Runs what a page of the documentation shows, and compares or renews what it says comes out.

In a page, all blocks ``python`` are one program, in their order; a block ``text`` behind one is what it prints. A block
whose first line is ``# NAME`` or ``// NAME``, with a name of a file, is that file, or ``# more of NAME`` its end; one
of Python can be imported, too. In a block ``console`` a line ``$ pyshardy …`` or ``$ sdy-opt …`` is a command, which a
backslash at the end continues, and the lines up to the next one are what it prints; a command that nothing stands under
may print what it likes. ``# exit code 1`` behind a command says that it fails, and what it says on standard error is
shown, too. What a command writes into ``images`` is a picture that the page shows. ``python -m tests.docs.page PAGE…``
writes into pages what comes out and pictures; ``--check`` only compares.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from difflib import unified_diff
from pathlib import Path
from types import ModuleType
from typing import Any

from pyshardy.cli import main as command
from pyshardy.cli import sdy_opt

ROOT = Path(__file__).parents[2]
# Pages show what is found where there is time.
os.environ.setdefault("PYSHARDY_CLOCK", "off")
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|//) (more of )?([\w-]+\.\w+)$")
_STATUS = re.compile(r"# exit code (\d+)$")
_PROGRAMS = {"pyshardy": command.run, "sdy-opt": sdy_opt.run}
_MEASURED = re.compile(r"(?<=partitioned in )\d+\.\d+ s|(?<=tried in )\d+\.\d+ s|(?<=, )\d+\.\d+ s$")
"""What a command measures of itself; times that the cost model expects are to be as they are shown."""


def renewed(page: str, pictures: Path | None = None) -> str:
    """``page`` with the output of everything in it as it is now; its pictures go to the directory ``pictures``.

    Raises:
        AssertionError: a command ends otherwise than the page says, or a picture is not shown or not there.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = ""

    def run(found: re.Match[str]) -> str:
        nonlocal printed
        indent, language, body = found.groups()
        lines = [line.removeprefix(indent) for line in body.splitlines()]
        named = _FILE.match(lines[0]) if lines else None
        if named:
            with Path(named[2]).open("a" if named[1] else "w") as file:
                print(*lines, sep="\n", file=file)
        if language == "python":
            printed = _output_of_code("\n".join(lines) + "\n", namespace)
        elif language == "text" and printed:
            lines, printed = _kept_time(printed.splitlines(), lines), ""
        elif language == "console":
            lines = [line for group in _commands(lines) for line in _run_command(*group)]
        text = "\n".join(f"{indent}{line}".rstrip() for line in lines)
        return f"{indent}```{language}\n{text}\n{indent}```"

    with _workplace():
        after = _BLOCK.sub(run, page)
        for picture in Path("images").iterdir():
            assert f"images/{picture.name})" in page, f"the page does not show the picture {picture.name}"
            if pictures is not None:
                shutil.copy(picture, pictures)
            assert (ROOT / "docs" / "images" / picture.name).exists(), f"docs/images has no {picture.name}"
        return after


@contextmanager
def _workplace() -> Iterator[None]:
    """A directory to write into, with the examples in it."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "examples").symlink_to(ROOT / "examples")
        (Path(directory) / "images").mkdir()
        os.chdir(directory)
        try:
            yield
        finally:
            os.chdir(before)


def _output_of_code(code: str, namespace: dict[str, Any]) -> str:
    named = re.match(r"# (\w+\.py)\n", code)
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, named[1] if named else "page.py", "exec"), namespace)
    if named:
        # Not from the file: what ran once, as it does for a reader, is not to run again.
        name = named[1].removesuffix(".py")
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__dict__.update({**namespace, "__name__": name})
    return out.getvalue()


def _commands(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        last = start
        while lines[last].endswith("\\"):
            last += 1
        yield "\n".join(lines[start : last + 1]), lines[last + 1 : end]


def _run_command(line: str, shown: list[str]) -> list[str]:
    program, *arguments = shlex.split(line.removeprefix("$ ").replace("\\\n", ""), comments=True)
    assert program in _PROGRAMS, f"a page shows the command {program}, which is not run"
    said = _STATUS.search(line)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(out if said else io.StringIO()):
        status = _PROGRAMS[program](arguments)
        out.flush()
    assert status == (int(said[1]) if said else 0), f"{line} ends with {status}"
    if not any(shown):
        return [line, *shown]
    printed = out.buffer.getvalue().decode()
    ending = [""] if shown[-1] == "" else []
    return [line, *_kept_time([one.rstrip() for one in printed.splitlines()], shown), *ending]


def _kept_time(printed: list[str], shown: list[str]) -> list[str]:
    """``printed``, with the measured seconds that were shown where nothing else differs."""
    known = {_MEASURED.sub("", line): line for line in shown}
    return [known.get(_MEASURED.sub("", line), line) for line in printed]


def main(arguments: list[str]) -> int:
    """Renews pages, or with ``--check`` says what is not so; the exit code is 1 if something is not."""
    check = "--check" in arguments
    status = 0
    for path in (Path(name) for name in arguments if name != "--check"):
        before = path.read_text()
        after = renewed(before, None if check else ROOT / "docs" / "images")
        if not check:
            path.write_text(after)
        elif before != after:
            status = 1
            sys.stdout.writelines(
                unified_diff(before.splitlines(True), after.splitlines(True), str(path), "what is so")
            )
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
