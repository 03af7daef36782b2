"""``explain`` and ``conflicts`` as functions of a program.

For several questions use an ``Explainer``, which partitions the program once.
"""

from __future__ import annotations

from pyshardy.analysis.why.conflicts import Conflicts, find_conflicts
from pyshardy.analysis.why.explainer import Explainer
from pyshardy.analysis.why.explanation import Explanation
from pyshardy.module import Module


def explain(module: Module, *what: str, edits: bool | None = None, chlo_rules: bool = True) -> list[Explanation]:
    """Explains the tensors or collectives that ``what`` names (docs/explain.md): one answer for each, several for a
    name with a star in it. Edits are tried unless ``edits`` is false; for a name with a star only if it is true.

    Raises:
        UnknownSubject: a name matches nothing in the program, or without a star several tensors.
        PyshardyError: the program cannot be propagated or partitioned.

    >>> from pyshardy import parse
    >>> module = parse('''
    ... sdy.mesh @mesh = <["x"=2]>
    ... func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    ...   %0 = stablehlo.tanh %a : tensor<8x4xf32>
    ...   return %0 : tensor<8x4xf32>
    ... }''')
    >>> (answer,) = explain(module, "%0")
    >>> answer.dimensions[0].chains[0].origin.text
    'argument %arg0'
    """
    explainer = Explainer(module, chlo_rules=chlo_rules)
    return [answer for one in what for answer in explainer.explain(one, edits=edits)]


def conflicts(module: Module, *, edits: bool | None = None, chlo_rules: bool = True) -> Conflicts:
    """The conflicts between axes, grouped by the pair of annotations that they come from (docs/explain.md). Edits are
    tried for the causes that move the most bytes, for all if ``edits`` is true, for none if it is false.

    Raises:
        PyshardyError: the program cannot be propagated or partitioned.
    """
    return find_conflicts(Explainer(module, chlo_rules=chlo_rules), edits=edits)
