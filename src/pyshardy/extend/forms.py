"""Checks the pretty forms of a plugin, and reports errors that its functions raise with their location."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from types import GeneratorType
from typing import TYPE_CHECKING, Any, NoReturn

from pyshardy.dialects.assembly import Assembly
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.opdef import OpDef
from pyshardy.ir.operation import Operation
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.plugins import PluginProblem, failure_text, place_of_failure

if TYPE_CHECKING:
    from pyshardy.ir.explicit_stack import Steps
    from pyshardy.ir.parsing.parser import OperationState, Parser
    from pyshardy.ir.printing.printer import Printer


def form_problems(row: OpDef) -> Iterator[str]:
    """What is wrong with the pretty form of ``row``, as sentences."""
    if (row.parse is None) != (row.print_ is None):
        yield "parse and print_ go together"
    for function in (row.parse, row.print_):
        form = getattr(function, "__self__", None)
        problem = form.problem() if isinstance(form, Assembly) else None
        if problem is not None:
            yield problem


def guard_form(row: OpDef) -> None:
    """Has the functions of the pretty form of ``row`` say their place if they raise an error."""
    parse, print_ = row.parse, row.print_
    if parse is None or print_ is None:
        return

    def guarded_parse(parser: Parser, state: OperationState) -> Steps | None:
        def fail(problem: Exception) -> NoReturn:
            parser.error(f"cannot be read: its parse{_place(problem, parse)} {failure_text(problem)}")

        return _watched(lambda: parse(parser, state), fail)

    def guarded_print(printer: Printer, op: Operation) -> Steps | None:
        def fail(problem: Exception) -> NoReturn:
            raise PluginProblem(
                f"print_ of op '{op.name}'{_place(problem, print_)} {failure_text(problem)}"
            ) from problem

        return _watched(lambda: print_(printer, op), fail)

    row.parse, row.print_ = guarded_parse, guarded_print


def _place(problem: Exception, function: Callable[..., object]) -> str:
    form = getattr(function, "__self__", None)
    return f" ({form.text!r})" if isinstance(form, Assembly) else place_of_failure(problem, function)


def _watched(function: Callable[[], Steps | None], fail: Callable[[Exception], NoReturn]) -> Steps | None:
    try:
        steps = function()
    except (ParseError, PyshardyError, PluginProblem, RecursionError):
        raise
    except Exception as problem:
        fail(problem)
    return _watched_steps(steps, fail) if isinstance(steps, GeneratorType) else steps


def _watched_steps(steps: Generator[Any, Any, Any], fail: Callable[[Exception], NoReturn]) -> Generator[Any, Any, Any]:
    try:
        return (yield from steps)
    except (ParseError, PyshardyError, PluginProblem, RecursionError):
        raise
    except Exception as problem:
        fail(problem)
