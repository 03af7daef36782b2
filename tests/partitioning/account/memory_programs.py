"""Small programs whose memory is counted: their parts, and the bytes that they need besides arguments and results."""

from __future__ import annotations

from pyshardy import parse
from pyshardy.ir.operation import Block
from pyshardy.partitioning.account.memory import memory_of
from pyshardy.partitioning.account.memory_model import XLA_CPU, MemoryModel

ROW = "tensor<256xf32>"
SQUARE = "tensor<16x16xf32>"
BYTES = 1024
LARGE, LARGE_BYTES = "tensor<64x64xf32>", 16384
"""Large enough for XLA's CPU backend to reduce it by a library."""
ON_CHIPS = MemoryModel()
"""Nothing is copied."""
SMALL = 16
"""Scalars may take so many bytes."""
PRODUCT = f"contracting_dims = [1] x [0] : ({SQUARE}, {SQUARE}) -> {SQUARE}"
ZERO = "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"


def body_of(arguments: str, results: str, body: str) -> Block:
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    return next(op for op in module.op.body if op.symbol_name == "main").body


def extra_bytes(arguments: str, results: str, body: str, model: MemoryModel = XLA_CPU) -> int:
    """The bytes of the peak besides arguments and results."""
    module = parse(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}")
    memory = memory_of(module.op, next(op for op in module.op.body if op.symbol_name == "main"), model)
    assert sum(one.bytes for one in memory.live_at_peak) + memory.reserved == memory.peak
    return memory.peak - memory.arguments - memory.results


def summed(value: str, type: str = SQUARE) -> str:
    """The sum of ``value``, returned."""
    dimensions = list(range(type.count("x")))
    return f"""
  %sum = stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = {dimensions}
      : ({type}, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>"""
