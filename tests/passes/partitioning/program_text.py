"""Programs on a mesh ``@m``, as the tests of these passes write them: their shardings, and those of one operation."""

from __future__ import annotations

from collections.abc import Sequence

CONVERT = "sdy-convert-global-to-local"


def on(*dims: str) -> str:
    """The attribute of an argument or a result of a function."""
    return f"{{sdy.sharding = #sdy.sharding<@m, {_dims(dims)}>}}"


def of(*dims: str) -> str:
    """The attribute of an operation with one result."""
    return f"{{sdy.sharding = #sdy.sharding_per_value<[<@m, {_dims(dims)}>]>}}"


def _dims(dims: Sequence[str]) -> str:
    return f"[{', '.join('{' + dim + '}' for dim in dims)}]"


def one_operation(operands: str, operation: str, result: str, attribute: str, mesh: str = '<["p"=2, "q"=2]>') -> str:
    """A function that returns the result ``%0`` of ``operation``, with ``attribute``."""
    return f"""
        sdy.mesh @m = {mesh}
        func.func @main({operands}) -> ({result} {attribute}) {{
          {operation}
          return %0 : {result}
        }}
        """


P, Q = '"p"', '"q"'
X = f"%x: tensor<8x6xf32> {on(P, Q)}"
