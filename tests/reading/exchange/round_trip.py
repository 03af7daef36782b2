"""A program to the exchange form and back, beside what must come of it: ``python -m tests.reading.exchange.round_trip
COUNT --start SEED`` tries random programs.

The form has neither named computations, reshards, constants of Shardy nor names for meshes in shardings; ``expected``
makes of a program what the form can say.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace

import pyshardy
from pyshardy import Module
from tests.generator import Features, random_program

_REFUSED = "which the form of XLA has no counterpart for"


def expected(module: Module) -> str:
    """The text of ``module`` as far as the exchange form can say it."""
    made = module.copy()
    for op in list(made.op.body):
        op.attributes = op.attributes.without("stablehlo.mesh") if op.name == "sdy.mesh" else op.attributes
    pyshardy.run_passes(made, "builtin.module(sdy-export-named-computations)")
    return normalized(made)


def normalized(module: Module) -> str:
    """The text of ``module`` with inlined meshes named, and what the form does not tell apart made alike."""
    made = module.copy()
    pyshardy.run_passes(made, "builtin.module(sdy-inline-meshes)")
    text = made.text(generic=True)
    text = text.replace('"sdy.reshard"', '"sdy.sharding_constraint"').replace('"sdy.constant"', '"stablehlo.constant"')
    text = re.sub(r"sym_name = \"[^\"]*\"|callee = @[\w.]+", "name", text)
    return "\n".join(line for line in text.splitlines() if '"sdy.mesh"' not in line)


def round_trip(text: str) -> tuple[str, str] | None:
    """What must come of the program ``text``, and what does come; None if the form has no counterpart for it."""
    module = pyshardy.parse(text)
    try:
        exported = str(module.to_xla())
    except pyshardy.PyshardyError as error:
        if _REFUSED not in str(error):
            raise
        return None
    assert "sdy." not in re.sub(r'"(?:\\.|[^"\\])*"', "", exported).replace("xla.sdy.", ""), exported
    return expected(module), normalized(pyshardy.parse(exported))


def main() -> None:
    """Tries random programs and shows the first that does not come back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args()
    features = replace(Features(), propagation_barriers=0.3, sharding_groups=0.3, manual_computations=0.8)
    refused = 0
    for seed in range(options.start, options.start + options.count):
        found = round_trip(random_program(seed, features))
        if found is None:
            refused += 1
        elif found[0] != found[1]:
            wanted, got = (one.splitlines() for one in found)
            pairs = [(a, b) for a, b in zip(wanted, got, strict=False) if a != b]
            print(f"seed {seed} differs:\n{pairs[0] if pairs else (len(wanted), len(got))}")
            raise SystemExit(1)
    print(f"{options.count} programs, {refused} of them refused, the others came back equal")


if __name__ == "__main__":
    main()
