"""What a random program may contain: the one knob that callers of the generator turn.

Fields that end the word "how often" are relative weights of what stands in a function's body; the others are
probabilities between 0 and 1. `program.py` reads all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True)
class Features:
    """Weights and probabilities of the things in a random program; zero switches a thing off."""

    operations: int = 12
    """Typical number of operations in a function body."""

    elementwise: float = 3.0
    shapes: float = 2.0
    constants: float = 0.5
    contractions: float = 1.5
    reductions: float = 1.2
    indexing: float = 0.8
    linear_algebra: float = 0.4
    custom_calls: float = 0.4
    collectives: float = 0.25
    unknown_operations: float = 0.1
    constraints: float = 0.7
    reshards: float = 0.1
    sharding_collectives: float = 0.0
    """Chains of Shardy's own collectives, each behind a reshard."""
    propagation_barriers: float = 0.0
    sharding_groups: float = 0.0
    optimization_barriers: float = 0.2
    loops: float = 0.3
    branches: float = 0.25
    calls: float = 0.5
    named_computations: float = 0.2
    manual_computations: float = 0.3
    iota_indexing: float = 0.0
    """Gathers and scatters whose indices along dimension 0 count 0, 1, 2, …"""

    argument_shardings: float = 0.6
    result_shardings: float = 0.3
    operation_shardings: float = 0.12
    sharding_rules: float = 0.03
    divisible: float = 0.7
    """Probability that an axis goes only where it divides the dimension."""
    sub_axes: float = 0.25
    priorities: float = 0.3
    """Probability that a program uses priorities at all."""
    replicated_axes: float = 0.15
    forgotten_manual_axes: float = 0.05
    """Probability that a sharding of a manual computation does not mention a manual axis that it does not use."""
    unreduced_axes: float = 0.04
    device_ids: float = 0.15
    second_mesh: float = 0.12
    odd_meshes: float = 0.03
    """Probability that an empty or a maximal mesh is around as well."""
    equal_meshes: float = 0.0
    """Probability that the main mesh is there under a second name as well, somewhere in the module."""
    inlined_meshes: float = 0.0
    """Probability that a program has meshes without a name, and that a sharding carries a mesh that has one."""
    size_one_axes: float = 0.0
    """Probability that a mesh gets a further axis of size 1."""
    binary_meshes: float = 0.0
    """Probability that a mesh has axes of size 2, 4 and 8 only, and up to five of them."""
    crowded_dimensions: float = 0.0
    """Probability that an axis joins those of the first dimension."""
    shuffled_manual_axes: float = 0.0
    """Probability that the manual axes of a computation are listed in any order."""
    shuffled_functions: float = 0.0
    """Probability that functions stand in any order."""
    tangled_groups: float = 0.0
    """Probability that a value joins any sharding group of its shape, however many groups it is in."""
    mesh_axes_groups: float = 0.0
    """Probability that the replica groups of a collective are given by axes of a mesh."""
    copied_functions: float = 0.0
    """Probability that a function says of which function it is a copy, and on which thread it runs."""
    decorations: float = 0.06
    """Probability that an operation or argument carries an attribute that has nothing to do with shardings."""
    uncalled_functions: float = 0.08
    """Probability that a program has a private function that nobody calls."""
    dead_operations: float = 0.0
    """Probability that a value which nobody used is left unused."""
    generic_form: float = 0.12

    def only(self, **kept: float) -> Features:
        """Returns these features with every weight of a body at zero but element-wise operations and those given."""
        off = {field.name: 0.0 for field in fields(self)[2:_FIRST_PROBABILITY]}
        return replace(self, **{**off, **kept})  # type: ignore[arg-type]


_FIRST_PROBABILITY = [field.name for field in fields(Features)].index("argument_shardings")
