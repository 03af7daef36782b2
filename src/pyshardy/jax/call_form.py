"""The form of a call: which arguments are static, which are passed by name, and what each tensor is called.

A plan is made for one form of call. ``f(x, y)`` and ``f(x, y=y)`` are two trees to JAX and one to a person, so a call
is converted to the planned form here.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from pyshardy.jax.problems import AnotherCall

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class CallForm:
    """A planned call: ``count`` positional arguments, ``keywords`` by name, both with the static ones, whose values
    are ``statics`` by position or name; ``parameters`` are the names of the function's positional parameters."""

    count: int
    keywords: tuple[str, ...]
    statics: Mapping[int | str, Any]
    parameters: tuple[str, ...]

    @property
    def is_plain(self) -> bool:
        """Whether positional arguments are handed on as they are."""
        return not self.statics and not self.keywords

    def dynamic(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Arguments:
        """The arguments of a call that are not static, in the planned form.

        Raises:
            AnotherCall: other arguments are given, or another value of a static one.
        """
        values, named = list(args), dict(kwargs)
        while len(values) < self.count and (name := self._parameter(len(values))) in named:
            values.append(named.pop(name))
        while len(values) > self.count and self._parameter(len(values) - 1) in self.keywords:
            named[self._parameter(len(values) - 1)] = values.pop()
        if len(values) != self.count or named.keys() != set(self.keywords):
            raise AnotherCall(
                f"the plan is for a call with {_shown(self.count, self.keywords)}, and this one has "
                f"{_shown(len(values), tuple(named))}: give the same arguments, or plan for these"
            )
        for place, planned in self.statics.items():
            given = values[place] if isinstance(place, int) else named[place]
            if not (given is planned or given == planned):
                name = self._parameter(place) if isinstance(place, int) else place
                raise AnotherCall(
                    f"{name} is static, and the plan is for {name}={planned!r}, not {given!r}: plan for that value, or "
                    "use pyshardy.jax.jit, which does"
                )
        kept = tuple(value for index, value in enumerate(values) if index not in self.statics)
        return kept, {name: value for name, value in named.items() if name not in self.statics}

    def names(self, tree: Any) -> tuple[str, ...]:
        """What the leaves of ``tree``, the arguments that are not static, are called: ``params['w']``."""
        return tuple(self.name(path) for path, _ in jax.tree_util.tree_flatten_with_path(_numbered(tree))[0])

    def name(self, path: Sequence[Any]) -> str:
        """What the leaf at ``path`` of the dynamic ``(args, kwargs)`` is called."""
        kind, which, *rest = path
        inside: str = jax.tree_util.keystr(tuple(rest))
        if kind.idx == 1:
            return f"{which.key}{inside}"
        positions = [index for index in range(self.count) if index not in self.statics]
        return self._parameter(positions[which.idx]) + inside

    def _parameter(self, index: int) -> str:
        return self.parameters[index] if index < len(self.parameters) else f"args[{index}]"


def _numbered(tree: Any) -> Any:
    return jax.tree.unflatten(tree, range(tree.num_leaves))


def _shown(count: int, keywords: tuple[str, ...]) -> str:
    named = f" and {', '.join(f'{name}=' for name in sorted(keywords))}" if keywords else ""
    return f"{count} positional argument{'' if count == 1 else 's'}{named}"


def call_form(jitted: Any, statics: tuple[Any, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> CallForm:
    """The form of the call ``jitted(*args, **kwargs)``. ``statics`` are the static positions and names as they were
    given; what the jitted function itself says of them comes first."""
    known = getattr(jitted, "_jit_info", None)
    numbers = getattr(known, "static_argnums", None) or _listed(statics[0])
    names = getattr(known, "static_argnames", None) or _listed(statics[1])
    parameters = _parameters(jitted)
    positions = {number % len(args) if number < 0 and args else number for number in numbers}
    positions |= {parameters.index(name) for name in names if name in parameters}
    by_name = set(names) | {parameters[number] for number in positions if number < len(parameters)}
    found: dict[int | str, Any] = {index: args[index] for index in sorted(positions) if index < len(args)}
    found |= {name: kwargs[name] for name in sorted(by_name & kwargs.keys())}
    return CallForm(len(args), tuple(sorted(kwargs)), found, parameters)


def by_position(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Arguments:
    """A call with all arguments by position that may be, as far as they follow each other."""
    values, named, parameters = list(args), dict(kwargs), _parameters(function)
    while len(values) < len(parameters) and parameters[len(values)] in named:
        values.append(named.pop(parameters[len(values)]))
    return tuple(values), named


def _listed(given: Any) -> tuple[Any, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, int | str) else tuple(given)


def _parameters(function: Any) -> tuple[str, ...]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ()
    named = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(name for name, one in signature.parameters.items() if one.kind in named)
