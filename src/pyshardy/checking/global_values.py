"""Values of the global program for running single parts: drawn at random instead of computed, where possible.

Floats are drawn at random for every definition, so that a part is tested even if the whole program would give it
constant inputs. Integers and booleans are indices, counters and choices, and programs rely on their values (an index is
in range, a column is 0), so they are computed from the values that were drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from pyshardy.checking.definitions import Definitions
from pyshardy.checking.dependence import numbers_of
from pyshardy.checking.inputs import Calls, Demand, demand_on, random_array
from pyshardy.checking.labels import Labels
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.evaluation import Evaluation
from pyshardy.interpreter.exact import residues
from pyshardy.interpreter.exact.numbers import ExactArray, approximation, from_parts, void
from pyshardy.interpreter.frame import Frame, Machine
from pyshardy.interpreter.number_systems import RESIDUES
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.operation import Operation, OpResult, Value
from pyshardy.ir.types import ComplexType, FloatType, IntegerType, TensorType, tensor_shape

_DRAWN = (FloatType, ComplexType, IntegerType)
_FINE = 1 << 20
"""Random floats are multiples of the reciprocal of this number."""
_LOOPS = frozenset({"stablehlo.while", "sdy.manual_computation", "stablehlo.custom_call"})


class Drawing(NamedTuple):
    """How floats are drawn, and whether booleans whose elements are all equal are drawn, too."""

    size: float = 1.0
    sign: int = 0
    chooses: bool = False


DRAWINGS = (Drawing(), Drawing(30.0, 0, True), Drawing(1.0, -1), Drawing(1 / 30, 1, True))
"""The drawings of a part, in order: floats of either sign, large ones, all negative, all positive and small."""


def is_loop(op: Operation) -> bool:
    """Whether the results of ``op`` are drawn because it may run for long, or cannot run by itself."""
    return op.name in _LOOPS


class CannotEvaluate(ValueError):
    """A part of a program cannot be run by itself."""


def run_alone(frame: Frame, op: Operation, evaluation: Evaluation) -> Sequence[Array]:
    """The results of one operation, whose operands ``frame`` holds.

    Raises:
        CannotEvaluate: the interpreter does not know what it computes, or refuses to.
    """
    context = frame.machine.context
    since = len(context.diagnostics)
    try:
        evaluate = evaluation.of(op, frame.machine.numbers)
        if evaluate is None:
            raise CannotEvaluate(f"no evaluator is registered for {op.name}")
        with np.errstate(all="ignore"):
            return evaluate(frame, op, [frame.values[value] for value in op.operands])
    except PyshardyError as error:
        message = error.diagnostics[0].message if error.diagnostics else str(error)
        raise CannotEvaluate(message) from None
    except CannotEvaluate:
        raise
    except Exception as error:
        raise CannotEvaluate(f"{op.name}: {error}") from None
    finally:
        del context.diagnostics[since:]


class GlobalValues:
    """The values of the global program in one drawing; each is the same whenever it is asked for."""

    def __init__(
        self, definitions: Definitions, labels: Labels, machine: Machine, calls: Calls, drawing: Drawing, seed: int
    ) -> None:
        self._definitions = definitions
        self._labels = labels
        self._calls = calls
        self._drawing = drawing
        self._seed = seed
        self._numbers: dict[Value, int] = {}
        self._known: dict[Value, Array] = {}
        self._drawn: dict[Value, Array] = {}
        self.machine = machine
        self._plain = machine.counting_in(RESIDUES).deciding(set())
        self._evaluation = Evaluation()

    def value(self, definition: Value) -> Array:
        """The value of the definition ``definition``.

        Raises:
            CannotEvaluate: an integer depends on something that cannot be run.
            UnknownInput: nothing can be drawn for a value of this type.
        """
        value = self._labels.root(definition)
        if value not in self._known and not self.is_drawn(value):
            for one in self._order(value):
                self._compute(one)
        found = self._known.get(value)
        return self._fresh(value) if found is None else found

    def forget(self) -> None:
        """Frees the values; they can be drawn again."""
        self._drawn.clear()

    def is_drawn(self, definition: Value) -> bool:
        """Whether the value is drawn instead of computed."""
        if self._definitions.is_constant(definition):
            return False
        if not isinstance(definition, OpResult) or isinstance(_element(definition), FloatType | ComplexType):
            return True
        if definition.owner.name in _LOOPS or not isinstance(_element(definition), IntegerType):
            return True
        return any(
            inner.name in _LOOPS for region in definition.owner.regions for block in region.blocks for inner in block
        )

    def _order(self, value: Value) -> Iterable[Value]:
        """``value`` after all values that it is computed from."""
        order: dict[Value, None] = {}
        waiting: list[tuple[Value, bool]] = [(value, False)]
        while waiting:
            one, ready = waiting.pop()
            if one in self._known or one in order:
                continue
            if ready:
                order[one] = None
                continue
            waiting.append((one, True))
            for source in self._definitions.sources(one):
                root = self._labels.root(source)
                if not self.is_drawn(root) and root not in self._known and root not in order:
                    waiting.append((root, False))
        return list(order)

    def _compute(self, value: Value) -> None:
        assert isinstance(value, OpResult)
        results = self.computed(value.owner, {})
        for result, found in zip(value.owner.results, results, strict=True):
            if self._labels.root(result) is result and not self.is_drawn(result):
                self._known[result] = self._chosen(result, found)

    def computed(self, op: Operation, given: dict[Value, Array], *, decides: bool = True) -> list[Array]:
        """The results of ``op`` on the values of its operands, or on those in ``given`` by root; ``decides`` says
        whether doubles are needed.

        Raises:
            CannotEvaluate: the interpreter refuses to run it.
        """
        frame = Frame(self.machine if decides else self._plain, 1, np.arange(1), whole=True)
        for operand in self._definitions.operands(op):
            root = self._labels.root(self._definitions.definition(operand))
            found = given.get(root)
            frame.values[operand] = (self.value(root) if found is None else found)[None]
        results = run_alone(frame, op, self._evaluation)
        if any(isinstance(one, tuple) for one in results):
            raise CannotEvaluate(f"{op.name} makes a tuple")
        return [one[0] for one in results]

    def _chosen(self, value: Value, found: Array) -> Array:
        """``found``, or in some drawings random booleans instead, if all of its elements are equal."""
        if not self._drawing.chooses or found.dtype != np.bool_ or self._definitions.is_constant(value):
            return found
        if not found.size or found.any() != found.all():
            return found
        return np.asarray(self._generator(value).integers(0, 2, found.shape)).astype(np.bool_)

    def _generator(self, value: Value) -> np.random.Generator:
        number = self._numbers.setdefault(value, len(self._numbers))
        return np.random.default_rng([self._seed, DRAWINGS.index(self._drawing), number])

    def _fresh(self, value: Value) -> Array:
        found = self._drawn.get(value)
        if found is None:
            found = self._drawn[value] = self._draw(value)
        return found

    def _draw(self, value: Value) -> Array:
        rng, element = self._generator(value), _element(value)
        is_static = not isinstance(value.type, TensorType) or value.type.has_static_shape
        if not is_static or (isinstance(value.type, TensorType) and not isinstance(element, _DRAWN)):
            raise CannotEvaluate(f"no value can be made up of type {value.type}")
        if isinstance(element, FloatType | ComplexType):
            demand = demand_on(value, self._calls)
            found = self._draw_floats(rng, tensor_shape(value.type), demand)
            if isinstance(element, ComplexType):
                found = from_parts(found, self._draw_floats(rng, tensor_shape(value.type), demand))
            return found if self.machine.numbers.is_exact else approximation(found)
        if isinstance(element, IntegerType) and element.signedness == "u" and element.width > 1:
            demand = demand_on(value, self._calls)
            if demand.limit is None:
                drawn = rng.integers(0, 1 << min(element.width, 63), tensor_shape(value.type))
                return np.asarray(drawn).astype(numpy_type(element))
        return random_array(rng, value, self._calls, negative=self._drawing.sign < 0)

    def _draw_floats(self, rng: np.random.Generator, shape: tuple[int, ...], demand: Demand) -> Any:
        """Multiples of a power of two, whose residues are quick to compute."""
        # Where all are negative, operands of square roots are, too: other operations read them as well.
        sign = self._drawing.sign or int(demand.positive)
        low, high = (-_FINE, _FINE) if not sign else (_FINE // 2, 3 * _FINE // 2)
        whole = rng.integers(low, high, shape, np.int32).astype(np.float64)
        if sign < 0:
            whole = -whole
        size = self._drawing.size * (3 / demand.terms) ** 0.5 if demand.terms > 3 else self._drawing.size
        unit = 2.0 ** round(np.log2(size)) / _FINE
        return ExactArray(whole * unit, residues.multiply(whole, residues.of_floats(np.array(unit))))


def without_doubles(values: Array) -> Array:
    """Exact numbers without their doubles, for values whose doubles are not read."""
    return cast(Array, ExactArray(void(values.residue), values.residue)) if isinstance(values, ExactArray) else values


def is_constant_array(values: Array) -> bool:
    """Whether all elements are equal, so that a permutation of them would not be noticed."""
    flat: Array = numbers_of(values)
    if not flat.size:
        return True
    return bool((flat == flat[0]).all() or (flat.dtype.kind in "fc" and np.isnan(flat).all()))


def _element(value: Value) -> object:
    return value.type.element if isinstance(value.type, TensorType) else value.type
