"""Finds the sharding rule of an operation: the table of rule functions, and the memo of one run.

The families of ``rules`` fill the table by decorator and are loaded when the first rule is asked for; a user's package
adds rules for its own operations the same way, or names its module in the entry-point group ``pyshardy.rules`` (see
``rules.installed``). Passes and propagation ask a ``RuleTable``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple, TypeVar

from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.context import Context
from pyshardy.ir.opdef import CONSTANT_LIKE, DATA_FLOW, ELEMENTWISE, NO_SHARDING_RULE, TERMINATOR, OpDef
from pyshardy.ir.operation import Operation
from pyshardy.ir.registry import foreign_row, foreign_rows
from pyshardy.ir.types import TensorType, Type, tensor_shape
from pyshardy.ir.verifying.operation_diagnostics import bare_quoting_note
from pyshardy.plugins import check_names, claim, failure_text, is_from_outside, place_of, place_of_failure
from pyshardy.rules.builder import pointwise_rule
from pyshardy.rules.installed import load_installed_rules
from pyshardy.rules.properties import string
from pyshardy.sharding.rule import SHARDING_RULE, OpShardingRule, check_rule

RuleFunction = Callable[[Operation, bool], OpShardingRule | None]
"""(operation, conservative) → its rule, or None if nothing relates its dimensions."""

_Signature = tuple[str, DictionaryAttr, tuple[Type, ...], tuple[Type, ...]]

KnownRules = dict[_Signature, OpShardingRule | None]
"""Rules by how their operations were made."""

Function = TypeVar("Function", bound=RuleFunction)

FAMILIES = (
    "collectives",
    "convolution",
    "custom_calls",
    "dot",
    "gather_scatter",
    "linear_algebra",
    "pointwise",
    "random_bits",
    "reductions",
    "reshape",
    "reordering",
    "slicing",
    "windows",
    "without_rule",
)
"""The modules of this package that register rules."""

CUSTOM_CALL = "stablehlo.custom_call"


class _Entry(NamedTuple):
    function: RuleFunction
    looks_around: bool
    is_from_outside: bool
    """Whether somebody other than this package has registered it, or the row of a foreign dialect says it."""


def _made_entry(function: RuleFunction, looks_around: bool) -> _Entry:
    return _Entry(function, looks_around, is_from_outside(function))


_entries: dict[str, _Entry] = {}
_chlo_entries: dict[str, _Entry] = {}
_loaded = False
_only_new = False
"""Installed packages are loaded late and by themselves, so they add rules and replace none."""


def sharding_rule(*names: str, looks_around: bool = False) -> Callable[[Function], Function]:
    """Registers the decorated function as the rule of the operations called ``names``; a later one replaces an earlier.

    The function gets the operation and whether the rule should be conservative (no sharding passes through a dimension
    whose size changes), and returns a rule (see ``RuleBuilder``), or None if nothing relates the dimensions.
    ``looks_around`` says that the rule depends on more than name, properties and types: on producers, users or regions.
    """
    check_names("sharding_rule", names)
    _load_families()

    def register(function: Function) -> Function:
        for name in names:
            if not (_only_new and name in _entries):
                claim("sharding rule", name)
                _entries[name] = _made_entry(function, looks_around)
        return function

    return register


def custom_call_rule(*targets: str, looks_around: bool = False) -> Callable[[Function], Function]:
    """Registers the decorated function as the rule of ``stablehlo.custom_call``s of these targets."""
    check_names("custom_call_rule", targets)
    return sharding_rule(*(f"{CUSTOM_CALL} @{target}" for target in targets), looks_around=looks_around)


def _load(family: str) -> None:
    import_module(f"pyshardy.rules.{family}")


def _load_families() -> None:
    global _loaded
    if not _loaded:
        _loaded = True
        for family in FAMILIES:
            _load(family)


def _load_installed() -> list[str] | None:
    global _only_new
    _only_new = True
    try:
        return load_installed_rules()
    finally:
        _only_new = False


def _entry(op: Operation) -> _Entry | None:
    _load_families()
    found = _entries.get(op.name)
    if found is None and op.name == CUSTOM_CALL:
        found = _entries.get(f"{CUSTOM_CALL} @{string(op, 'call_target_name')}")
    if found is None and foreign_rows():
        row = foreign_row(op.name)
        return _entry_of_row(row) if row is not None else None
    return found


def _entry_of_row(row: OpDef) -> _Entry | None:
    """What the row of an operation from outside says: its rule, or that none is expected."""
    if row.rule is not None:
        # What is in regions is no part of what operations made alike have in common.
        return _Entry(row.rule, row.regions not in (0, (0, 0)), True)
    if row.traits & ELEMENTWISE and not row.traits & (CONSTANT_LIKE | NO_SHARDING_RULE):
        return _POINTWISE
    if row.collective is not None and not row.traits & NO_SHARDING_RULE:
        # The dimensions of one whose result is another tensor are its own matter.
        return _POINTWISE
    return _NONE if row.traits & (CONSTANT_LIKE | NO_SHARDING_RULE) else None


def _pointwise(op: Operation, conservative: bool) -> OpShardingRule | None:
    """None if the shapes are not alike: the verifier of the row says so."""
    shapes = {getattr(value.type, "shape", ()) for value in (*op.operands, *op.results)}
    return pointwise_rule(op) if len(shapes - {()}) <= 1 else None


def _no_rule(op: Operation, conservative: bool) -> OpShardingRule | None:
    return None


_POINTWISE = _Entry(_pointwise, False, True)
_NONE = _Entry(_no_rule, False, True)


def _chlo_entry(op: Operation) -> _Entry | None:
    if op.name.startswith("chlo."):
        # Few programs have any, and single passes never ask.
        _load("chlo")
    return _chlo_entries.get(op.name)


def register_chlo_rules(rules: Mapping[str, RuleFunction]) -> None:
    """Registers rules for operations that have none in Shardy's own passes (``Context.chlo_rules``)."""
    _chlo_entries.update((name, _made_entry(function, False)) for name, function in rules.items())


def looks_around(op: Operation) -> bool:
    """Whether the rule of ``op`` depends on more than its name, properties and types."""
    entry = _entry(op)
    return entry is not None and entry.looks_around


def has_rule_from_outside(op: Operation) -> bool:
    """Whether the rule of ``op`` is one that somebody other than this package has registered."""
    entry = _entry(op)
    return entry is not None and entry.is_from_outside


_ADVICE = (
    "no sharding passes through {subject}, because it has no sharding rule; give it the attribute sdy.sharding_rule, "
    "as in #sdy.op_sharding_rule<([i, j])->([i, j]) {{i=8, j=8}}, custom>, or register a rule for all of them with the "
    "decorator pyshardy.{decorator}"
)


class RuleTable:
    """The rules of one run, in conservative mode or not.

    Rules that depend on the operation alone are computed once per signature; what was ``known`` is taken, and what is
    computed joins it. Operations that nobody knows have no rule;
    the first such operation of a run and the first such custom call are warned about through ``context``, if given, and
    with ``context.remarks`` each name is remarked on once. CHLO's operations have rules if ``chlo_rules`` (by default:
    the context) says so.
    """

    __slots__ = ("_known", "chlo_rules", "conservative", "context")

    def __init__(
        self,
        context: Context | None = None,
        *,
        conservative: bool = False,
        chlo_rules: bool | None = None,
        known: KnownRules | None = None,
    ) -> None:
        self.context = context
        self.conservative = conservative
        by_context = context is not None and context.chlo_rules
        self.chlo_rules = by_context if chlo_rules is None else chlo_rules
        self._known: KnownRules = {} if known is None else known

    def rule(self, op: Operation) -> OpShardingRule | None:
        """The rule that ``op`` carries, else the registered one, else None."""
        carried = op.attributes.entries.get(SHARDING_RULE)
        if isinstance(carried, OpShardingRule):
            return carried
        return self.registered_rule(op)

    def registered_rule(self, op: Operation) -> OpShardingRule | None:
        """The registered rule of ``op``, whatever rule it carries."""
        operand_types = tuple([value.type for value in op.operands])
        key = (op.name, op.properties, operand_types, tuple([result.type for result in op.results]))
        try:
            return self._known[key]
        except KeyError:
            return self._compute(op, key)

    def outside_rule(self, op: Operation) -> OpShardingRule | None:
        """The rule that somebody outside of pyshardy has registered for ``op``. It says all that is known of the
        operation, where one of our own may say less than is true."""
        found = self.registered_rule(op)
        entry = _entry(op)
        return found if entry is not None and entry.is_from_outside else None

    def attach(self, op: Operation) -> OpShardingRule | None:
        """The rule of ``op``, which carries it from now on."""
        found = self.rule(op)
        if found is not None:
            rewriting.set_attributes(op, op.attributes.with_(SHARDING_RULE, found))
        return found

    def _compute(self, op: Operation, key: _Signature) -> OpShardingRule | None:
        entry = _entry(op)
        if entry is None and not op.traits & (TERMINATOR | DATA_FLOW):
            entry = self._installed_entry(op)
            if entry is None and self.chlo_rules:
                entry = _chlo_entry(op)
            if entry is None:
                self._warn_unknown(op)
        if entry is None:
            self._known[key] = None
            return None
        found = self._foreign(entry, op) if entry.is_from_outside else entry.function(op, self.conservative)
        if not entry.looks_around:
            self._known[key] = found
        return found

    def _foreign(self, entry: _Entry, op: Operation) -> OpShardingRule | None:
        """What a function from outside returns, if it is a rule of ``op``.

        Raises:
            PyshardyError: it is none, or the function raises an error.
        """
        # What a plugin's function returns is looked at here.
        function: Callable[[Operation, bool], object] = entry.function
        place = place_of(function)
        try:
            found = function(op, self.conservative)
        except (Exception, SystemExit) as error:
            problem, place = failure_text(error), place_of_failure(error, function)
        else:
            if found is None:
                return None
            if isinstance(found, OpShardingRule):
                types = [value.type for value in op.operands], [value.type for value in op.results]
                wrong = check_rule(found, *types)
                if wrong is None:
                    self._warn_of_sizes(op, found, place)
                    return found
                problem = f"returns {found}, which is wrong: {wrong}"
            else:
                problem = f"returns {type(found).__name__}, and an OpShardingRule or None is expected"
        context = self.context if self.context is not None else Context()
        since = len(context.diagnostics)
        context.emit("error", op.location, f"the sharding rule of {_subject(op)}{place} {problem}")
        raise context.failure(since)

    def _warn_of_sizes(self, op: Operation, rule: OpShardingRule, place: str) -> None:
        """Says if the row of a foreign dialect has a factor that is as large as no dimension that is all its own:
        nothing is wrong then, but such dimensions are not shared."""
        context = self.context
        if context is None or foreign_row(op.name) is None:
            return
        wrong = _size_of_nothing(rule, [value.type for value in (*op.operands, *op.results)])
        if wrong is not None and context.first_time(f"sizes of {op.name}"):
            context.emit("warning", op.location, f"the sharding rule of {_subject(op)}{place}: {wrong}")

    def _installed_entry(self, op: Operation) -> _Entry | None:
        problems = _load_installed()
        if problems is None:
            return None
        for problem in problems:
            if self.context is not None:
                self.context.emit("warning", None, problem)
        return _entry(op)

    def _warn_unknown(self, op: Operation) -> None:
        context = self.context
        if context is None or (foreign_row(op.name) is not None and not _makes_tensors(op)):
            return
        target = string(op, "call_target_name") if op.name == CUSTOM_CALL else None
        subject = _subject(op)
        if context.first_time(f"unknown {subject.split(' ')[0]}"):
            note = bare_quoting_note(context, op)
            context.emit("warning", op.location, f"{subject} is unknown to SDY sharding rule registry", [note])
        if context.remarks and context.first_time(f"without rule {subject}"):
            decorator = f'sharding_rule("{op.name}")' if target is None else f'custom_call_rule("{target}")'
            context.emit("remark", op.location, _ADVICE.format(subject=subject, decorator=decorator))


def _size_of_nothing(rule: OpShardingRule, types: Sequence[Type]) -> str | None:
    """What is odd where a factor is as large as no dimension that it has to itself."""
    sizes: dict[int, set[int]] = {}
    shared: set[int] = set()
    for mapping, type in zip(rule.tensor_mappings, types, strict=True):
        for dim, size in zip(mapping, tensor_shape(type), strict=False):
            if len(dim) == 1:
                sizes.setdefault(dim[0], set()).add(size)
            else:
                shared.update(dim)
    for factor, found in sizes.items():
        if factor not in shared and rule.factor_sizes[factor] not in found:
            has = " and ".join(map(str, sorted(found)))
            return f"factor {factor} has size {rule.factor_sizes[factor]}, and the dimensions that it is are of {has}"
    return None


def _makes_tensors(op: Operation) -> bool:
    return any(isinstance(result.type, TensorType) for result in op.results)


def _subject(op: Operation) -> str:
    target = string(op, "call_target_name") if op.name == CUSTOM_CALL else None
    return f"op '{op.name}'" if target is None else f"custom call @{target}"


def rule_for(op: Operation, *, conservative: bool = False, context: Context | None = None) -> OpShardingRule | None:
    """The rule that ``op`` carries, else the registered one, else None. For many operations keep a ``RuleTable``."""
    return RuleTable(context, conservative=conservative).rule(op)
