"""pyshardy: the tensor partitioner Shardy in pure Python.

``load`` a file or ``parse`` text to a ``Module``, ``run_passes`` on it, ``propagate`` its shardings, ``partition`` it
into the program of one device, print it with ``str``. Names resolve when they are used: importing the package is cheap.
"""

# As that of ``typing``; nothing is imported here, as a command cannot answer Ctrl-C before this file has been read.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from pyshardy.analysis.cost.custom_calls import custom_call_cost
    from pyshardy.analysis.cost.hardware import Hardware
    from pyshardy.analysis.cost.hardware_files import HardwareProblem, hardware
    from pyshardy.api.cost import Cost
    from pyshardy.api.module import Module
    from pyshardy.api.plan import Plan, partition
    from pyshardy.api.programs import load, parse, propagate
    from pyshardy.api.search import SearchResult, search
    from pyshardy.folding.passes import run_passes
    from pyshardy.interpreter.host_callbacks import use_callbacks
    from pyshardy.ir.diagnostics import Diagnostic, PyshardyError
    from pyshardy.ir.input_files import InputFileError
    from pyshardy.partitioning.localizing.registry import localizes
    from pyshardy.propagation.auto_partitioner import clear_auto_partitioner, set_auto_partitioner
    from pyshardy.reading.sharding_files.strategies import Shardings, load_shardings
    from pyshardy.report.strategy_comparison import StrategyComparison, compare
    from pyshardy.rules.builder import RuleBuilder
    from pyshardy.rules.registry import custom_call_rule, sharding_rule
    from pyshardy.sharding.axes import AxisRef
    from pyshardy.sharding.mesh import Mesh
    from pyshardy.sharding.plain import ShardingProblem, tensor_sharding
    from pyshardy.sharding.rule import FactorKind, OpShardingRule
    from pyshardy.sharding.tensor import DimSharding, TensorSharding

__version__ = "0.2.0"

_HOMES = {
    "AxisRef": "pyshardy.sharding.axes",
    "Cost": "pyshardy.api.cost",
    "StrategyComparison": "pyshardy.report.strategy_comparison",
    "Diagnostic": "pyshardy.ir.diagnostics",
    "FactorKind": "pyshardy.sharding.rule",
    "DimSharding": "pyshardy.sharding.tensor",
    "Hardware": "pyshardy.analysis.cost.hardware",
    "HardwareProblem": "pyshardy.analysis.cost.hardware_files",
    "InputFileError": "pyshardy.ir.input_files",
    "Mesh": "pyshardy.sharding.mesh",
    "Module": "pyshardy.api.module",
    "OpShardingRule": "pyshardy.sharding.rule",
    "Plan": "pyshardy.api.plan",
    "PyshardyError": "pyshardy.ir.diagnostics",
    "SearchResult": "pyshardy.api.search",
    "ShardingProblem": "pyshardy.sharding.plain",
    "RuleBuilder": "pyshardy.rules.builder",
    "Shardings": "pyshardy.reading.sharding_files.strategies",
    "TensorSharding": "pyshardy.sharding.tensor",
    "clear_auto_partitioner": "pyshardy.propagation.auto_partitioner",
    "compare": "pyshardy.report.strategy_comparison",
    "custom_call_cost": "pyshardy.analysis.cost.custom_calls",
    "custom_call_rule": "pyshardy.rules.registry",
    "hardware": "pyshardy.analysis.cost.hardware_files",
    "load": "pyshardy.api.programs",
    "load_shardings": "pyshardy.reading.sharding_files.strategies",
    "localizes": "pyshardy.partitioning.localizing.registry",
    "parse": "pyshardy.api.programs",
    "partition": "pyshardy.api.plan",
    "propagate": "pyshardy.api.programs",
    "run_passes": "pyshardy.folding.passes",
    "search": "pyshardy.api.search",
    "set_auto_partitioner": "pyshardy.propagation.auto_partitioner",
    "sharding_rule": "pyshardy.rules.registry",
    "tensor_sharding": "pyshardy.sharding.plain",
    "use_callbacks": "pyshardy.interpreter.host_callbacks",
}

_OLD_NAMES = {"Found": "SearchResult"}

__all__ = [
    "AxisRef",
    "Cost",
    "Diagnostic",
    "DimSharding",
    "FactorKind",
    "Hardware",
    "HardwareProblem",
    "InputFileError",
    "Mesh",
    "Module",
    "OpShardingRule",
    "Plan",
    "PyshardyError",
    "RuleBuilder",
    "SearchResult",
    "ShardingProblem",
    "Shardings",
    "StrategyComparison",
    "TensorSharding",
    "clear_auto_partitioner",
    "compare",
    "custom_call_cost",
    "custom_call_rule",
    "hardware",
    "load",
    "load_shardings",
    "localizes",
    "parse",
    "partition",
    "propagate",
    "run_passes",
    "search",
    "set_auto_partitioner",
    "sharding_rule",
    "tensor_sharding",
    "use_callbacks",
]


def __getattr__(name: str) -> object:
    if name == "jax":
        return _module("pyshardy.jax")
    if name in _OLD_NAMES:
        import warnings

        warnings.warn(f"pyshardy.{name} is called pyshardy.{_OLD_NAMES[name]}", DeprecationWarning, stacklevel=2)
        name = _OLD_NAMES[name]
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pyshardy' has no attribute {name!r}")
    return getattr(_module(home), name)


def _module(name: str) -> object:
    """The module of that name. While it is imported, no garbage is looked for: what it makes lives on."""
    import gc
    import sys

    if name in sys.modules or not gc.isenabled():
        __import__(name)
        return sys.modules[name]
    gc.disable()
    try:
        __import__(name)
        return sys.modules[name]
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
