"""The judge of the differential tests: what the real Shardy passes make of a program, and whether pyshardy agrees.

`run_reference` asks the process in `reference_process.py`; `compare` asks both sides and names the outcome;
`run_references` and `compare_all` do so for many at a time, which takes less time. "Equal" means that both results are
the same generic text once MLIR's own parser and printer have seen ours, and that both print the same pretty text. (The
generic text is the stricter one: the short form of a reduction hides attributes.)
"""

from __future__ import annotations

import atexit
import difflib
import re
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import pyshardy
from tests.differential.reference_process import read_message, write_message

_MESSAGE = re.compile(r"^[^\n]*?:\d+:\d+: error: ", re.MULTILINE)
# A function without any attributes on its arguments may have a list of empty dictionaries or no list: no difference.
_EMPTY_ATTRIBUTES = re.compile(r"(?:arg|res)_attrs = \[(?:\{\}(?:, )?)*\], ")
# The reference lists the sources of one axis in one step in the order of addresses.
_STEP = re.compile(r"(\{step-\d+ = \[)(\{[^{}]*\}(?:, \{[^{}]*\})+)(?=\]\})")
_VALUE = re.compile(r"%(?:arg)?\d+")
_DIFF_LINES = 60
_SECONDS = 60


@dataclass(frozen=True)
class ReferenceResult:
    """What became of one run of the reference.

    `text` is the resulting module in generic form, `pretty` in pretty form, `diagnostics` are lines
    `FILE:LINE:COL: severity: message`. `normalized` is the caller's own text after MLIR has read it and printed it in
    generic form, `normalized_error` the complaint if MLIR could not read it. If asked for, `uses` holds the uses of
    every value in order (see `reference_process`), and the two texts come with locations as well. `printed` is what
    passes wrote to standard error, `printings` the result once more for each way of `printing` that was asked for.
    """

    ok: bool = False
    crashed: bool = False
    text: str = ""
    pretty: str = ""
    text_with_locations: str = ""
    pretty_with_locations: str = ""
    diagnostics: list[str] = field(default_factory=list)
    normalized: str = ""
    normalized_error: str = ""
    uses: list[list[list[int]]] = field(default_factory=list)
    printed: str = ""
    printings: list[str] = field(default_factory=list)

    @property
    def first_error(self) -> str:
        """The text of the first error, without its place; empty if there is none."""
        return next((_MESSAGE.sub("", line, count=1) for line in self.diagnostics if _MESSAGE.match(line)), "")


class Verdict(Enum):
    """How a comparison came out."""

    EQUAL = "equal"
    DIFFERENT = "different"
    PRINTED_DIFFERENTLY = "equal, but printed differently"
    BOTH_FAILED = "both failed alike"
    FAILED_DIFFERENTLY = "both failed, with different first errors"
    REFERENCE_CRASHED = "reference crashed"
    ONLY_OURS_FAILED = "only ours failed"
    ONLY_REFERENCE_FAILED = "only the reference failed"
    REFERENCE_REJECTS_ITSELF = "reference rejects its own output"
    OURS_UNREADABLE = "MLIR cannot read our output"
    OURS_BROKE = "ours broke with an internal error"


_AGREEMENTS = frozenset(
    {Verdict.EQUAL, Verdict.BOTH_FAILED, Verdict.REFERENCE_CRASHED, Verdict.REFERENCE_REJECTS_ITSELF}
)


@dataclass(frozen=True)
class Outcome:
    """A verdict and its evidence: a unified diff (reference first), or the messages of the two sides."""

    verdict: Verdict
    detail: str = ""

    @property
    def agrees(self) -> bool:
        """True unless pyshardy did something that the reference did not; a crash of the reference proves nothing."""
        return self.verdict in _AGREEMENTS

    def __str__(self) -> str:
        return f"{self.verdict.value}\n{self.detail}" if self.detail else self.verdict.value


class _Process:
    """The reference process, started when first asked and again after it was lost."""

    def __init__(self) -> None:
        self._popen: subprocess.Popen[bytes] | None = None

    def ask(self, request: dict[str, object]) -> dict[str, Any]:
        process = self._popen
        if process is None or process.poll() is not None:
            script = Path(__file__).with_name("reference_process.py")
            process = subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._popen = process
        assert process.stdin is not None and process.stdout is not None
        write_message(process.stdin, request)
        answer = read_message(process.stdout)
        if answer is None:
            raise RuntimeError(f"the reference process ended with status {process.wait()}")
        return answer

    def stop(self) -> None:
        if self._popen is not None and self._popen.stdin is not None:
            self._popen.stdin.close()
            self._popen.wait()


_PROCESS = _Process()
atexit.register(_PROCESS.stop)


def _request(
    text: str,
    pipeline: str,
    *,
    allow_unregistered: bool = False,
    verify: bool = True,
    seconds: int = _SECONDS,
    also_normalize: str | None = None,
    uses: bool = False,
    debug_info: bool = False,
    printing: Sequence[Mapping[str, object]] = (),
    tree_directory: str = "",
) -> dict[str, object]:
    return {
        "text": text,
        "pipeline": pipeline,
        "allow_unregistered": allow_unregistered,
        "verify": verify,
        "seconds": seconds,
        "also_normalize": also_normalize,
        "uses": uses,
        "debug_info": debug_info,
        "printing": list(printing),
        "tree_directory": tree_directory,
    }


def run_reference(text: str, pipeline: str, **options: Any) -> ReferenceResult:
    """Runs the real passes on `text`.

    Args:
      text: a module as MLIR text.
      pipeline: the passes in MLIR's textual form, `builtin.module(symbol-dce,func.func(...))`.
      options: any of
        allow_unregistered: accept operations of dialects that MLIR does not know.
        verify: run the verifier after each pass (true).
        seconds: time limit; a run that exceeds it counts as crashed.
        also_normalize: our own result, to be read and printed by MLIR in the same go.
        uses: also tell the order of the uses of every value.
        debug_info: also print the result with locations.
        printing: also print the result with each of these options of `Operation.get_asm`.
        tree_directory: print before and after every pass into files below this directory.
    """
    return ReferenceResult(**_PROCESS.ask(_request(text, pipeline, **options)))


def run_references(runs: Sequence[tuple[str, str]]) -> list[ReferenceResult]:
    """What `run_reference` gives for each text and pipeline of `runs`. One child runs all of them, unless it dies: then
    each has its own."""
    answer = _PROCESS.ask({"requests": [_request(*run) for run in runs], "seconds": _SECONDS})
    if "answers" in answer:
        return [ReferenceResult(**one) for one in answer["answers"]]
    return [run_reference(*run) for run in runs]


@dataclass(frozen=True)
class _OurResult:
    text: str | None = None
    pretty: str = ""
    error: str = ""
    first_error: str = ""
    broke: str = ""


def _run_ours(text: str, pipeline: str, allow_unregistered: bool) -> _OurResult:
    try:
        with _time_limit(_SECONDS):
            module = _parsed(text, allow_unregistered).copy()
            if pipeline:
                pyshardy.run_passes(module, pipeline)
            return _OurResult(text=module.text(generic=True), pretty=str(module))
    except pyshardy.PyshardyError as error:
        first = next((each.message for each in error.diagnostics if each.severity == "error"), "")
        return _OurResult(error=str(error), first_error=first)
    except Exception:  # whatever it is, it is a finding
        return _OurResult(broke=traceback.format_exc(limit=-8))


@lru_cache(maxsize=1)
def _parsed(text: str, allow_unregistered: bool) -> pyshardy.Module:
    """The program of ``text``, which nobody may change: to copy it for each pipeline takes an eighth of the time of
    reading it again."""
    return pyshardy.parse(text, filename="-", allow_unregistered=allow_unregistered)


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    def expire(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"no result after {seconds} s")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _first_line(message: str) -> str:
    return message.split("\n", 1)[0].strip()


def _diff(reference: str, ours: str) -> str:
    """A unified diff that leaves numbers of values out if something else differs too: they follow from it."""
    return _plain_diff(_VALUE.sub("%", reference), _VALUE.sub("%", ours)) or _plain_diff(reference, ours)


def _plain_diff(reference: str, ours: str) -> str:
    lines = difflib.unified_diff(reference.splitlines(), ours.splitlines(), "reference", "ours", lineterm="", n=2)
    shown = list(lines)
    rest = len(shown) - _DIFF_LINES
    return "\n".join(shown[:_DIFF_LINES] + ([f"... {rest} more lines"] if rest > 0 else []))


def _canonical(text: str) -> str:
    """`text` without the differences that are none."""
    return _EMPTY_ATTRIBUTES.sub("", _STEP.sub(_sorted_step, text))


def _sorted_step(step: re.Match[str]) -> str:
    return step[1] + ", ".join(sorted(re.findall(r"\{[^{}]*\}", step[2])))


# What the reference says of programs that its own passes have made; docs/differences.md lists them.
_REJECTED_BY_ITSELF = (
    "'sdy.all_reduce' op unknown axis name",
    "which is already bound by a parent sdy.manual_computation op",
    "'sdy.collective_permute' op result mesh name is different but same device ids as operand",
    "failed to legalize operation 'sdy.reshard' that was explicitly marked illegal",
)


def _judge(reference: ReferenceResult, ours: _OurResult) -> Outcome:
    said = "\n".join(reference.diagnostics)
    if ours.broke:
        return Outcome(Verdict.OURS_BROKE, ours.broke)
    if reference.crashed:
        return Outcome(Verdict.REFERENCE_CRASHED, said)
    if ours.text is None and reference.ok:
        return Outcome(Verdict.ONLY_OURS_FAILED, ours.error)
    if ours.text is None:
        if _first_line(reference.first_error) == _first_line(ours.first_error):
            return Outcome(Verdict.BOTH_FAILED)
        return Outcome(Verdict.FAILED_DIFFERENTLY, f"reference: {said}\nours: {ours.error}")
    if not reference.ok:
        known = any(message in said for message in _REJECTED_BY_ITSELF)
        return Outcome(Verdict.REFERENCE_REJECTS_ITSELF if known else Verdict.ONLY_REFERENCE_FAILED, said)
    if reference.normalized_error:
        return Outcome(Verdict.OURS_UNREADABLE, reference.normalized_error)
    expected, got = _canonical(reference.text), _canonical(reference.normalized)
    if expected != got:
        return Outcome(Verdict.DIFFERENT, _diff(expected, got))
    if _canonical(reference.pretty).strip() != _canonical(ours.pretty).strip():
        return Outcome(Verdict.PRINTED_DIFFERENTLY, _diff(reference.pretty, ours.pretty))
    return Outcome(Verdict.EQUAL)


def compare(text: str, pipeline: str, *, allow_unregistered: bool = False) -> Outcome:
    """Runs `pipeline` on both sides and says whether the resulting modules (or the first errors) are the same."""
    reference = run_reference(text, pipeline, allow_unregistered=allow_unregistered)
    return _compared(text, pipeline, reference, allow_unregistered)


def compare_all(runs: Mapping[str, tuple[str, str]]) -> dict[str, Outcome]:
    """`compare` for each text and pipeline of `runs`, by the names that those have there."""
    references = run_references(list(runs.values()))
    return {
        name: _compared(*run, reference, False) for (name, run), reference in zip(runs.items(), references, strict=True)
    }


def assert_agree(runs: Mapping[str, tuple[str, str]]) -> None:
    """All outcomes of `compare_all` agree.

    Raises:
        AssertionError: some do not; it says which, with their evidence.
    """
    wrong = [f"{name}: {outcome}" for name, outcome in compare_all(runs).items() if not outcome.agrees]
    assert not wrong, "\n\n".join(wrong)


def _compared(text: str, pipeline: str, reference: ReferenceResult, allow_unregistered: bool) -> Outcome:
    ours = _run_ours(text, pipeline, allow_unregistered)
    if ours.text is not None and reference.ok:
        if _canonical(ours.text).rstrip() == _canonical(reference.text).rstrip():
            # What MLIR itself has printed need not be read by it again.
            reference = replace(reference, normalized=reference.text)
        else:
            reference = run_reference(text, pipeline, allow_unregistered=allow_unregistered, also_normalize=ours.text)
    return _judge(reference, ours)
