"""Partitions random programs and checks each on random inputs: `python -m tests.partitioning.fuzz 1000`.

The programs are those of `tests.generator`, with shardings that do not divide kept at the boundary. Prints each
disagreement with the operation that begins it, and the counts; exits with status 1 if there was one. `make
fuzz-partition N=3000` runs it. With `--chain` (`make fuzz-chain`) the passes of `sdy-partitioner` are tried instead.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from pyshardy import Module, Plan, PyshardyError, parse, partition, run_passes
from pyshardy.checking.check import TooLarge
from pyshardy.checking.inputs import in_their_types, random_inputs
from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.run import run
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.pipeline_text import expanded
from pyshardy.ir.types import FloatType, TensorType
from pyshardy.passes.propagation_pipeline import PropagationPipeline
from pyshardy.sharding.tensor import TensorShardingPerValue
from tests.generator import random_program
from tests.generator.features import Features
from tests.partitioning.chain import CHAIN, SeveralDeviceCounts, chain_plan

FEATURES = Features(named_computations=0.0, unknown_operations=0.0, custom_calls=0.0, collectives=0.0)
"""Without what one device cannot run by itself, and without what the reference's own pipeline refuses."""


class Verdict(Enum):
    """What came of one program."""

    AGREES = "agree"
    DIFFERS = "differ"
    FAILS = "cannot be partitioned"
    CRASHES = "crash"
    UNDEFINED = "have no defined result"
    NOT_RUN = "cannot be run by the interpreter"
    REFUSED = "are refused by propagation"


@dataclass(frozen=True)
class Finding:
    """The outcome for one random program."""

    seed: int
    verdict: Verdict
    detail: str = ""
    results: tuple[str, ...] = ()
    """What the check says of each result."""

    @property
    def is_wrong(self) -> bool:
        """Whether the partitioner is to blame."""
        return self.verdict in (Verdict.DIFFERS, Verdict.FAILS, Verdict.CRASHES)


def propagated_program(seed: int, features: Features = FEATURES) -> Module:
    """The random program after propagation.

    Raises:
        PyshardyError: propagation refuses it.
    """
    module = parse(random_program(seed, features), f"seed {seed}")
    pipeline = PropagationPipeline(update_non_divisible_input_output_shardings=False, inserts_reshards=seed % 2 == 0)
    return run_passes(module, expanded(pipeline))


def try_program(seed: int) -> Finding:
    """Partitions and checks the random program ``seed``. If it has a decomposition that the interpreter does not know,
    the program of that seed without any is tried, too."""
    finding = _try_program(seed, FEATURES)
    if finding.verdict is Verdict.NOT_RUN:
        return _try_program(seed, replace(FEATURES, linear_algebra=0.0))
    return finding


def _try_program(seed: int, features: Features) -> Finding:
    try:
        module = propagated_program(seed, features)
    except PyshardyError as error:
        return Finding(seed, Verdict.REFUSED, str(error).splitlines()[0])
    try:
        plan = partition(module, propagated=True, replica_groups="mesh-axes" if seed % 3 == 0 else "list")
        if seed % 4 == 0:
            partition(module, propagated=True, emit="manual")
    except PyshardyError as error:
        verdict = Verdict.UNDEFINED if "one number of devices" in str(error) else Verdict.FAILS
        return Finding(seed, verdict, str(error))
    except Exception:
        return Finding(seed, Verdict.CRASHES, traceback.format_exc(limit=-4))
    return _checked(seed, module, plan)


def try_chain(seed: int, passes: str = CHAIN) -> Finding:
    """Sends the random program ``seed`` through the passes of the partitioner, and checks what they make of it."""
    finding = _try_chain(seed, passes, FEATURES)
    if finding.verdict is Verdict.NOT_RUN:
        return _try_chain(seed, passes, replace(FEATURES, linear_algebra=0.0))
    return finding


def _try_chain(seed: int, passes: str, features: Features) -> Finding:
    try:
        module = run_passes(parse(random_program(seed, features), f"seed {seed}"), "sdy-propagation-pipeline")
    except PyshardyError as error:
        return Finding(seed, Verdict.REFUSED, str(error).splitlines()[0])
    try:
        plan = chain_plan(module, passes)
    except SeveralDeviceCounts:
        return Finding(seed, Verdict.UNDEFINED)
    except PyshardyError as error:
        verdict = Verdict.UNDEFINED if "which is not on mesh" in str(error) else Verdict.FAILS
        return Finding(seed, verdict, _first_error(error))
    except Exception:
        return Finding(seed, Verdict.CRASHES, traceback.format_exc(limit=-4))
    return _checked(seed, module, plan)


def _first_error(error: PyshardyError) -> str:
    """The first line that is an error; warnings stand before it."""
    lines = str(error).splitlines()
    return next((line for line in lines if "error:" in line), lines[0])


def _checked(seed: int, module: Module, plan: Plan) -> Finding:
    try:
        report = plan.check(seed)
    except (PyshardyError, TooLarge) as error:
        return Finding(seed, Verdict.NOT_RUN, str(error).splitlines()[0])
    except Exception:
        return Finding(seed, Verdict.CRASHES, traceback.format_exc(limit=-4))
    if not report.differs:
        return Finding(seed, Verdict.AGREES, results=tuple(one.verdict.value for one in report.results))
    if not is_defined(module) or _depends_on_order(plan, seed):
        return Finding(seed, Verdict.UNDEFINED)
    wrong = ", ".join(
        f"result {one.index} {one.type}: {one.reason}" for one in report.results if one.verdict.value == "different"
    )
    return Finding(seed, Verdict.DIFFERS, wrong)


def is_defined(module: Module) -> bool:
    """Whether every manual computation says along which of its axes its results differ, and nobody looks at the bits of
    a float, which depend on the order of a sum."""
    for op in module.op.walk():
        if op.name == "stablehlo.bitcast_convert" and _is_float(op.operands[0]) and not _is_float(op.results[0]):
            return False
        shardings = op.properties.get("out_shardings")
        if op.name != "sdy.manual_computation" or not isinstance(shardings, TensorShardingPerValue):
            continue
        for sharding in shardings:
            named = {axis.name for dim in sharding.dims for axis in dim.axes}
            if not set(manual_axes(op)) <= named:
                return False
    return True


def _depends_on_order(plan: Plan, seed: int) -> bool:
    """Whether a ``select_and_scatter`` has to choose between numbers and NaNs, or a reduction of finite numbers
    overflows: what comes out depends on the order in which they meet."""
    found = False

    def watch(name: str, evaluate: Evaluator) -> Evaluator:
        def watched(frame: Frame, op: Operation, operands: list[Array]) -> Sequence[Array]:
            nonlocal found
            results = evaluate(frame, op, operands)
            if name == "stablehlo.select_and_scatter":
                found |= bool(np.isnan(operands[0].astype(np.complex128)).any())
            else:
                found |= all(map(_is_finite, operands)) and not all(map(_is_finite, results))
            return results

        return watched if name in ("stablehlo.reduce", "stablehlo.select_and_scatter") else evaluate

    function = next(op for op in plan.source.op.body if op.symbol_name == plan.entry)
    inputs = in_their_types(function, random_inputs(plan.source.op, function, seed))
    run(plan.source, inputs, plan.entry, must_end=True, wrap=watch)
    return found


def _is_finite(array: Array) -> bool:
    return bool(np.isfinite(array.astype(np.complex128)).all())


def _is_float(value: Value) -> bool:
    return isinstance(value.type, TensorType) and isinstance(value.type.element, FloatType)


def main() -> int:
    """Runs as told on the command line and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.partitioning.fuzz", description=__doc__)
    parser.add_argument("count", type=int, help="number of programs")
    parser.add_argument("--start", type=int, default=0, metavar="SEED", help="seed of the first program")
    parser.add_argument("--stop-after", type=int, default=20, metavar="N", help="stop after N wrong ones")
    parser.add_argument("--chain", action="store_true", help="try the passes of sdy-partitioner")
    parser.add_argument("--compat", default="r1", choices=("r1", "r2"), help="an option of the chain")
    parser.add_argument("--print-program", action="store_true", help="only print the first program, propagated")
    options = parser.parse_args()
    if options.print_program:
        print(propagated_program(options.start), end="")
        return 0
    passes = f"{CHAIN}{{compat={options.compat}}}"
    attempt: Callable[[int], Finding] = (lambda seed: try_chain(seed, passes)) if options.chain else try_program
    verdicts: Counter[Verdict] = Counter()
    reasons: Counter[str] = Counter()
    results: Counter[str] = Counter()
    begun = time.perf_counter()
    wrong = 0
    for seed in range(options.start, options.start + options.count):
        finding = attempt(seed)
        verdicts[finding.verdict] += 1
        results.update(finding.results)
        if finding.verdict in (Verdict.NOT_RUN, Verdict.REFUSED, Verdict.FAILS):
            reasons[finding.detail.partition("error: ")[2] or finding.detail] += 1
        if finding.is_wrong:
            wrong += 1
            print(f"seed {seed}: {finding.verdict.value}: {finding.detail}", flush=True)
            if wrong >= options.stop_after:
                break
    counts = ", ".join(f"{count} {verdict.value}" for verdict, count in verdicts.most_common())
    print(f"{verdicts.total()} programs in {time.perf_counter() - begun:.0f} s: {counts}")
    print("results: " + ", ".join(f"{count} {verdict}" for verdict, count in results.most_common()))
    for reason, count in reasons.most_common(8):
        print(f"  {count} x {reason[:150]}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
