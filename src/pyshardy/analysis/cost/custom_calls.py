"""The cost of custom calls, by target: attention and matrix products of libraries and kernels, and registered targets.

``custom_call_cost`` registers the cost of a target. The package itself knows cuDNN's attention, matrix products of
cuBLAS and oneDNN, and kernels of Pallas and Triton whose name says that they are attention or a product. Bytes are
those of operands and results, unless a registered cost says otherwise. Causal masks are ignored: all scores count.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt, prod

from pyshardy.analysis.cost.operation_costs import asked_cost
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import static_shape
from pyshardy.plugins import check_names, claim
from pyshardy.rules.properties import string

Price = Callable[[Operation], "float | tuple[float, float] | None"]
"""The floating point operations of a custom call, or these and its bytes; None if it cannot say."""
_Known = Callable[[Operation], "float | None"]

_prices: dict[str, Price] = {}

_CUDNN = "__cudnn$fmha"
_PRODUCTS = ("__cublas$gemm", "__cublas$lt$matmul", "__onednn$matmul")
_KERNELS = ("tpu_custom_call", "__gpu$xla.gpu.triton", "triton_kernel_call", "mosaic_gpu")
_ATTENTION = ("attention", "flash", "fmha", "mha", "splash")
_FORWARD, _BACKWARD, _OF_QUERIES, _OF_KEYS = 2, 5, 3, 4
"""How many products attention takes: forward; backward, with scores made again; and its two kernels by themselves."""


def custom_call_cost(*targets: str) -> Callable[[Price], Price]:
    """Registers the decorated function as the price of ``stablehlo.custom_call``s of these targets. It gets the
    operation with the shapes of one device, and returns its floating point operations, or these and the bytes that it
    reads and writes; None leaves it unknown.

    >>> @custom_call_cost("my_kernel")
    ... def my_kernel(op):
    ...     rows, columns = op.operands[0].type.shape
    ...     return 8.0 * rows * columns
    """
    check_names("custom_call_cost", targets)

    def register(price: Price) -> Price:
        for target in targets:
            claim("price of custom call", target)
            _prices[target] = price
        return price

    return register


def custom_call_price(op: Operation) -> tuple[float, float | None] | None:
    """The floating point operations of a custom call and, where they are not those of operands and results, its bytes;
    None if nobody knows.

    Raises:
        PluginProblem: what was registered raises an error, or returns something else.
    """
    target = string(op, "call_target_name") or ""
    registered = _prices.get(target)
    if registered is not None:
        cost = asked_cost(registered, op, f"custom call @{target}")
        return None if cost is None else (cost.flops, cost.bytes)
    price = _known(target, op)
    found = price(op) if price is not None else None
    return None if found is None else (found, None)


def _known(target: str, op: Operation) -> _Known | None:
    if target.startswith(_CUDNN):
        return _attention_backward if target.endswith("Backward") else _attention_forward
    if target.startswith(_PRODUCTS):
        return _product
    if target not in _KERNELS:
        return None
    name = _kernel_name(op).lower()
    if any(word in name for word in _ATTENTION):
        if "dkv" in name:
            return lambda op: _attention(op, _OF_KEYS)
        if "dq" in name:
            return lambda op: _attention(op, _OF_QUERIES)
        return _attention_backward if "bwd" in name or "backward" in name else _attention_forward
    return _product if any(word in name for word in ("matmul", "gemm")) else None


def _kernel_name(op: Operation) -> str:
    """What the kernel is called, in whichever place its framework writes that."""
    found = op.attributes.get("kernel_name")
    if isinstance(found, StringAttr):
        return found.value
    config = op.properties.get("backend_config")
    if isinstance(config, DictionaryAttr):
        for key in ("name", "kernel_name"):
            named = config.get(key)
            if isinstance(named, StringAttr):
                return named.value
    return ""


def _attention_forward(op: Operation) -> float | None:
    return _attention(op, _FORWARD)


def _attention_backward(op: Operation) -> float | None:
    return _attention(op, _BACKWARD)


def _attention(op: Operation, products: int) -> float | None:
    """By the first two operands of rank 3 or 4, queries and keys, of which the sequence is the longest dimension
    between the first and the last. None if their ranks or last dimensions differ."""
    large = [shape for one in op.operands if len(shape := static_shape(one.type)) in (3, 4)]
    if len(large) < 2 or len(large[0]) != len(large[1]) or large[0][-1] != large[1][-1]:
        return None
    return 2.0 * products * prod(large[0]) * max(large[1][1:-1])


def _product(op: Operation) -> float | None:
    """By sizes alone: those of both operands and of the result determine what is contracted."""
    shapes = [static_shape(value.type) for value in (*op.operands[:2], *op.results[:1])]
    if len(shapes) < 3 or any(len(shape) < 2 for shape in shapes):
        return None
    left, right, result = shapes
    batch = prod(result[:-2])
    return 2.0 * prod(result) * isqrt(prod(left) * prod(right) // max(prod(result) * batch, 1))
