"""Constants and iotas: each device makes its own part."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from tests.passes.partitioning.program_text import CONVERT, P, Q, of, on
from tests.passes.partitioning.simulated import same_results


def test_constants_and_iotas_of_every_kind_are_each_devices_own() -> None:
    values = ", ".join(map(str, range(24)))
    same_results(
        CONVERT,
        f"""
        sdy.mesh @m = <["p"=2, "q"=3]>
        func.func @main() -> (tensor<24xi32> {on('"q", "p"')}, tensor<24xi32> {on(Q)}, tensor<6xf32> {on(Q)}, tensor<600xbf16> {on('"p", "q"')}, tensor<12x6xf32> {on(P, Q)}) {{
          %0 = sdy.constant {of('"q", "p"')} dense<[{values}]> : tensor<24xi32>
          %1 = stablehlo.constant {of(Q)} dense<[{values}]> : tensor<24xi32>
          %2 = stablehlo.constant {of(Q)} dense<2.0> : tensor<6xf32>
          %3 = stablehlo.iota dim = 0 {of('"p", "q"')} : tensor<600xbf16>
          %4 = stablehlo.iota dim = 1 {of(P, Q)} : tensor<12x6xf32>
          return %0, %1, %2, %3, %4 : tensor<24xi32>, tensor<24xi32>, tensor<6xf32>, tensor<600xbf16>, tensor<12x6xf32>
        }}
        """,
    )
