"""Names and scopes as paths of components, or steps, and patterns over them: ``params['layers'][3]['wq']`` is
``params/layers/3/wq``.

Frameworks write the same name in several ways; a path has one form. In a pattern ``*`` matches anything within a step,
``**`` any number of steps.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate
from operator import or_

Path = tuple[str, ...]

_STEP = re.compile(
    r"""\[(?P<quote>['"])(?P<key>.*?)(?P=quote)\]"""
    r"""|\[(?:<flat index )?(?P<index>[^\]>]*)>?\]"""
    r"""|\.?(?P<field>[^.\[\]]+)"""
)


def path_of_name(name: str) -> Path:
    """The steps of a framework's name of an argument or a result.

    >>> path_of_name("params['layers'][3]['wq']")
    ('params', 'layers', '3', 'wq')
    >>> path_of_name("state.params['w'].value"), path_of_name("[0][0].mu['w']")
    (('state', 'params', 'w', 'value'), ('0', '0', 'mu', 'w'))
    >>> path_of_name("%arg3"), path_of_name("result 1")
    (('arg3',), ('result', '1'))
    """
    text = name.removeprefix("%")
    if text.startswith("result "):
        text = re.sub(r"^result (\d+)$", r"result[\1]", text)
    found = [key or index or field for _, key, index, field in _STEP.findall(text)] or [text]
    if "/" in text:
        found = [step for one in found for step in one.split("/")]
    return tuple(filter(None, found))


def path_of_scope(scope: str) -> Path:
    """The steps of a scope; slashes in brackets belong to a step.

    >>> path_of_scope("jit(step)/transpose(jvp(a/b))/mlp")
    ('jit(step)', 'transpose(jvp(a/b))', 'mlp')
    """
    steps, depth = [""], 0
    for letter in scope:
        depth += (letter == "(") - (letter == ")")
        if letter == "/" and depth <= 0:
            steps.append("")
        else:
            steps[-1] += letter
    return tuple(filter(None, steps))


_WRAPPED = re.compile(r"(?:jit|jvp|vmap|pmap|checkpoint|remat)\((.*)\)")


def plain_scope(scope: Path) -> Path:
    """The scope as its author wrote it: without the compiled function around everything, and without the wrappers that
    JAX puts around steps of the forward pass (``jvp(mlp)``); ``transpose(…)`` stays, as that is another computation.

    >>> plain_scope(("jit(step)", "jvp()", "jit(mlp)", "attention"))
    ('mlp', 'attention')
    """
    rest = scope[1:] if scope and scope[0].startswith("jit(") else scope
    steps = []
    for step in rest:
        while (found := _WRAPPED.fullmatch(step)) is not None:
            step = found[1]
        steps.append(step)
    return tuple(filter(None, steps))


def path_of_pattern(pattern: str) -> Path:
    """The steps of a pattern for an argument or a result: written as a path, or as the name with stars in it.

    >>> path_of_pattern("params/**/wq") == path_of_pattern("params[**]['wq']")
    True
    """
    if "[" in pattern:
        return path_of_name(pattern)
    return tuple(filter(None, pattern.split("/")))


def alternatives(pattern: str) -> list[str]:
    """The expansions of the braces of ``pattern``, in their order; braces may be nested, and contain a comma.

    >>> alternatives("{params,m}/w{q,k}")
    ['params/wq', 'params/wk', 'm/wq', 'm/wk']
    """
    begin = pattern.find("{")
    if begin < 0:
        return [pattern]
    parts, depth, start = [], 0, begin + 1
    for place in range(begin, len(pattern)):
        letter = pattern[place]
        depth += (letter == "{") - (letter == "}")
        if (letter == "," and depth == 1) or depth == 0:
            parts.append(pattern[start:place])
            start = place + 1
        if depth == 0:
            break
    if depth or len(parts) < 2:
        return [pattern]
    return [
        pattern[:begin] + one + rest
        for part in parts
        for one in alternatives(part)
        for rest in alternatives(pattern[start:])
    ]


def matches(pattern: Path, path: Path) -> bool:
    """Whether ``pattern`` matches ``path``; the time grows with the product of both lengths.

    >>> matches(("params", "**", "w*"), ("params", "w")), matches(("params", "*", "w"), ("params", "a", "b", "w"))
    (True, False)
    """
    if pattern and pattern[-1] != "**" and not (path and step_matches(pattern[-1], path[-1])):
        return False
    # The prefixes of the path that the pattern up to here matches.
    reached = [True] + [False] * len(path)
    for step in pattern:
        if step == "**":
            reached = list(accumulate(reached, or_))
        else:
            reached = [False] + [
                before and step_matches(step, name) for before, name in zip(reached, path, strict=False)
            ]
    return reached[-1]


@cache
def step_matches(pattern: str, step: str) -> bool:
    """Whether ``pattern`` matches ``step``, where each ``*`` matches any text."""
    first, *others = pattern.split("*")
    if not others:
        return step == pattern
    *between, last = others
    if not step.startswith(first) or len(step) < len(first) + len(last) or not step.endswith(last):
        return False
    place, end = len(first), len(step) - len(last)
    for part in between:
        # The first occurrence of a part leaves the most text for those after it.
        place = step.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True
