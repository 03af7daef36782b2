"""Random user-supplied sharding rules (`sdy.sharding_rule`) that the verifier accepts for given types."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.generator.types import Tensor

_LETTERS = "ijklmnopqrstuvwxyz"


def _symbol(index: int) -> str:
    return _LETTERS[index] if index < len(_LETTERS) else f"z_{index - len(_LETTERS) + 1}"


class _Factors:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.sizes: list[int] = []

    def for_dimension(self, size: int, used: set[int]) -> list[int]:
        """Returns the factors of one dimension and adds them to `used`, those of its tensor."""
        parts = [size]
        divisors = [d for d in range(2, size) if size % d == 0]
        if divisors and self._rng.random() < 0.15:
            first = self._rng.choice(divisors)
            parts = [first, size // first]
        return [self._factor(part, used) for part in parts]

    def _factor(self, size: int, used: set[int]) -> int:
        fitting = [f for f, other in enumerate(self.sizes) if other == size and f not in used]
        if fitting and self._rng.random() < 0.85:
            factor = fitting[0] if self._rng.random() < 0.8 else self._rng.choice(fitting)
        else:
            factor = len(self.sizes)
            self.sizes.append(size)
        used.add(factor)
        return factor


def _mapping(factors: _Factors, type: Tensor) -> list[list[int]]:
    used: set[int] = set()
    return [factors.for_dimension(size, used) for size in type.shape]


def _mappings_text(mappings: Sequence[Sequence[Sequence[int]]]) -> str:
    tensors = ("[" + ", ".join("".join(map(_symbol, dim)) for dim in tensor) + "]" for tensor in mappings)
    return "(" + ", ".join(tensors) + ")"


def random_rule(rng: Random, operands: Sequence[Tensor], results: Sequence[Tensor]) -> str:
    """Returns an attribute `sdy.sharding_rule = ...`; there must be at least one operand and one result."""
    factors = _Factors(rng)
    operand_mappings = [_mapping(factors, type) for type in operands]
    result_mappings = [_mapping(factors, type) for type in results]
    in_results = {factor for tensor in result_mappings for dim in tensor for factor in dim}
    kinds: dict[str, list[int]] = {"reduction": [], "need_replication": [], "permutation": []}
    for factor in range(len(factors.sizes)):
        allowed = ["need_replication", "permutation", *(["reduction"] * 2 if factor not in in_results else [])]
        if rng.random() < 0.3:
            kinds[rng.choice(allowed)].append(factor)
    kinds["blocked_propagation"] = [factor for factor in range(len(factors.sizes)) if rng.random() < 0.1]
    sizes = ", ".join(f"{_symbol(factor)}={size}" for factor, size in enumerate(factors.sizes))
    lists = "".join(f" {kind}={{{', '.join(map(_symbol, members))}}}" for kind, members in kinds.items() if members)
    custom = ", custom" if rng.random() < 0.7 else ""
    arrow = f"{_mappings_text(operand_mappings)}->{_mappings_text(result_mappings)}"
    return f"sdy.sharding_rule = #sdy.op_sharding_rule<{arrow}{f' {{{sizes}}}' if sizes else ''}{lists}{custom}>"
