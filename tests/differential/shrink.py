"""Makes a disagreement small: `python -m tests.differential.shrink SEED --pipeline NAME`, or `--file PROGRAM`.

Works on MLIR's generic text, where one line is one operation. As long as both sides disagree in the same way,
operations are deleted, replaced by constants or earlier values, shardings dropped, results no longer returned.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.differential.fuzz import pipeline_of, program_of
from tests.differential.pipelines import PIPELINES
from tests.differential.reference import Outcome, Verdict, compare, run_reference

_RESULTS = re.compile(r"^\s*(%[\w]+)(?::(\d+))? = ")
_TYPED = re.compile(r"(%\w+): (tensor<[^>]*>{1,2})")
_PRIORITY = re.compile(r"(?<=\})p\d+")
_OPENING, _CLOSING = "<([{", ">)]}"


def _split(text: str) -> list[str]:
    """Splits at the commas that stand inside no bracket."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING and text[at - 1] != "-":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _balanced_end(text: str, start: int) -> int:
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in _OPENING:
            depth += 1
        elif text[at] in _CLOSING and text[at - 1] != "-":
            depth -= 1
            if not depth:
                return at + 1
    return len(text)


def _operations(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The line ranges of all operations inside the module, last first: users go before what they use."""
    for start in range(len(lines) - 1, 0, -1):
        line = lines[start]
        if not line.lstrip().startswith(("%", '"')):
            continue
        end = start + 1
        if line.endswith("({"):
            indent = line[: len(line) - len(line.lstrip())] + "})"
            while not lines[end].startswith(indent):
                end += 1
            end += 1
        yield start, end


def _result_types(last_line: str) -> list[str]:
    written = last_line.rsplit(" -> ", 1)[-1]
    return _split(written[1:-1]) if written.startswith("(") else [written]


def _zero(type: str) -> str:
    element = type[len("tensor<") : -1].rsplit("x", 1)[-1] if "complex" not in type else "complex"
    zeros = {"complex": "(0.000000e+00,0.000000e+00)", "i1": "false"}
    return zeros.get(element, "0.000000e+00" if element[0] in "fb" else "0")


def _without_operations(lines: list[str]) -> Iterator[list[str]]:
    for start, end in _operations(lines):
        yield lines[:start] + lines[end:]


def _with_constants(lines: list[str]) -> Iterator[list[str]]:
    for start, end in _operations(lines):
        match = _RESULTS.match(lines[start])
        if match is None or '"stablehlo.constant"' in lines[start]:
            continue
        types = _result_types(lines[end - 1])
        names = [match[1]] if match[2] is None else [f"{match[1]}_{index}" for index in range(int(match[2]))]
        constants = [
            f'{name} = "stablehlo.constant"() <{{value = dense<{_zero(type)}> : {type}}}> : () -> {type}'
            for name, type in zip(names, types, strict=False)
        ]
        rest = "\n".join(lines[end:])
        if match[2] is not None:
            rest = re.sub(rf"{match[1]}#(\d+)", rf"{match[1]}_\1", rest)
        yield [*lines[:start], *constants, *rest.split("\n")]


def _with_earlier_values(lines: list[str]) -> Iterator[list[str]]:
    known: list[tuple[str, str]] = []
    for start, line in enumerate(lines):
        known += _TYPED.findall(line) if line.lstrip().startswith("^") else []
        match = _RESULTS.match(line)
        if match is None or match[2] is not None or line.endswith("({"):
            continue
        type = _result_types(line)[0]
        for name, other in known:
            if other == type:
                rest = re.sub(rf"{match[1]}\b", name, "\n".join(lines[start + 1 :]))
                yield [*lines[:start], *rest.split("\n")]
        known.append((match[1], type))


def _without_shardings(lines: list[str]) -> Iterator[list[str]]:
    for number, line in enumerate(lines):
        for match in re.finditer(r"sdy\.sharding(_rule)? = #sdy\.\w+(?=<)", line):
            end = _balanced_end(line, match.end())
            end += 2 if line.startswith(", ", end) else 0
            yield [*lines[:number], line[: match.start()] + line[end:], *lines[number + 1 :]]
        for match in _PRIORITY.finditer(line):
            yield [*lines[:number], line[: match.start()] + line[match.end() :], *lines[number + 1 :]]


def _without_returned_values(lines: list[str]) -> Iterator[list[str]]:
    header = -1
    for number, line in enumerate(lines):
        if '"func.func"' in line:
            header = number
        elif '"func.return"' in line:
            values = _split(line[line.index("(") + 1 : line.index(")")])
            for index in range(len(values) if len(values) > 1 else 0):
                yield _drop_result(lines, header, number, values, index)


def _drop_result(lines: list[str], header: int, number: int, values: list[str], index: int) -> list[str]:
    def without(items: list[str]) -> str:
        return ", ".join(items[:index] + items[index + 1 :])

    types = _split(lines[number][lines[number].index(": (") + 3 : lines[number].rindex(") ->")])
    line, start = lines[header], lines[header].index("function_type = ") + len("function_type = ")
    arrow = _balanced_end(line, start)
    results = arrow + len(" -> ")
    end = _balanced_end(line, results) if line[results] == "(" else _balanced_end(line, line.index("<", results))
    line = f"{line[:results]}({without(types)}){line[end:]}"
    found = line.find("res_attrs = [")
    if found >= 0:
        open_ = found + len("res_attrs = ")
        close = _balanced_end(line, open_)
        line = f"{line[:open_]}[{without(_split(line[open_ + 1 : close - 1]))}]{line[close:]}"
    returned = f'"func.return"({without(values)}) : ({without(types)}) -> ()'
    return [*lines[:header], line, *lines[header + 1 : number], returned, *lines[number + 1 :]]


_STEPS = (
    _without_operations,
    _without_returned_values,
    _without_shardings,
    _with_earlier_values,
    _with_constants,
)


def _signature(outcome: Outcome) -> tuple[Verdict, str]:
    """What a smaller program must show as well."""
    lines = outcome.detail.strip().splitlines() or [""]
    if outcome.verdict is Verdict.OURS_BROKE:
        return outcome.verdict, lines[-1].split(":")[0]
    if outcome.verdict in (Verdict.ONLY_OURS_FAILED, Verdict.ONLY_REFERENCE_FAILED):
        return outcome.verdict, re.sub(r"\d+|'[^']*'|\"[^\"]*\"", "#", lines[0])
    return outcome.verdict, ""


def shrink(text: str, pipeline: str) -> str:
    """Returns a small program on which both sides disagree as they do on `text`; `text` itself if they agree on it."""
    wanted = _signature(compare(text, pipeline))
    if wanted[0] is Verdict.EQUAL:
        return text
    generic = run_reference(text, "builtin.module()").text
    lines = (generic or text).strip().split("\n")
    changed = True
    while changed:
        changed = False
        for step in _STEPS:
            smaller = _first_that_disagrees(step(lines), pipeline, wanted)
            while smaller is not None:
                lines, changed = smaller, True
                smaller = _first_that_disagrees(step(lines), pipeline, wanted)
    return "\n".join(lines) + "\n"


def _first_that_disagrees(
    candidates: Iterator[list[str]], pipeline: str, wanted: tuple[Verdict, str]
) -> list[str] | None:
    for candidate in candidates:
        text = "\n".join(candidate)
        if run_reference(text, "builtin.module()").ok and _signature(compare(text, pipeline)) == wanted:
            return candidate
    return None


def main() -> int:
    """Prints the small program, in pretty form, and how the two sides disagree on it."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.shrink", description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--pipeline", choices=PIPELINES, help="defaults to the one whose turn it is at the seed")
    parser.add_argument("--operations", type=int, metavar="N")
    parser.add_argument("--file", type=Path, help="a program instead of a random one")
    options = parser.parse_args()
    pipeline = PIPELINES[options.pipeline] if options.pipeline else pipeline_of(options.seed)
    text = options.file.read_text() if options.file else program_of(options.seed, pipeline, options.operations)
    small = shrink(text, pipeline.text)
    print(run_reference(small, "builtin.module()").pretty or small)
    print(pipeline.text)
    print(compare(small, pipeline.text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
