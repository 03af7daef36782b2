"""Running nested work without Python's call stack.

Operations nest to any depth, so parsers and printers of operations with regions are generators: they yield the work on
a region (another generator) and get its result back. The stack is a list here, with a limit of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

Steps = Generator[Any, Any, None]
"""The reading or printing of an operation, step by step."""

REGION_DEPTH_LIMIT = 200
"""How deep regions may nest. The deepest programs of practice stay under 20."""


def run(first: Generator[Any, Any, Any], on_too_deep: Callable[[], Exception]) -> Any:
    """Runs ``first`` and everything it yields; the value it returns. Raises ``on_too_deep()`` beyond the limit."""
    stack = [first]
    value: Any = None
    while True:
        try:
            nested = stack[-1].send(value)
        except StopIteration as stop:
            stack.pop()
            if not stack:
                return stop.value
            value = stop.value
        else:
            if nested is None:
                value = None
                continue
            if len(stack) > 2 * REGION_DEPTH_LIMIT:
                raise on_too_deep()
            stack.append(nested)
            value = None
