"""Programs of many layers: training steps, loops that are unrolled, calls, updates of many parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from tests.propagation.layered_programs import LayeredProgram

AXES = ("x", "y")
SQUARE = "tensor<32x32xf32>"
SMALL = "tensor<8x8xf32>"
ROWS, WIDE = "tensor<64x32xf32>", "tensor<64x64xf32>"


def on_four_devices(
    arguments: Iterable[str], types: Sequence[str], body: Iterable[str], returned: Iterable[str]
) -> str:
    """A program on a mesh of 2 x 2 devices that returns values of these ``types``, some with attributes."""
    plain = ", ".join(one.partition(" {")[0] for one in types)
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{",
            *body,
            f"return {', '.join(returned)} : {plain}",
            "}",
        ]
    )


def random_program(seed: int) -> str:
    return str(LayeredProgram(seed, 30 + seed % 15))


def perceptrons(layers: int, seed: int = 0, *, odd: int | None = None) -> str:
    """A training step of so many layers, which read their weights forward, backward, and where they are updated; the
    shardings are random, the same in each layer. Layer ``odd`` has a sharding of its own."""
    random = Random(seed)

    def sharding(rank: int) -> str:
        axes = list(AXES)
        random.shuffle(axes)
        dims = [f'{{"{axes.pop()}"}}' if axes and random.random() < 0.5 else "{}" for _ in range(rank)]
        return f"{{sdy.sharding = #sdy.sharding<@mesh, [{', '.join(dims)}]>}}"

    rows, up, down = "tensor<64x32xf32>", "tensor<32x96xf32>", "tensor<96x32xf32>"
    wide = "tensor<64x96xf32>"
    shardings = {"up": sharding(2), "down": sharding(2), "x": sharding(2), "odd": sharding(2)}
    arguments = [f"%x: {rows} {shardings['x']}", f"%rate: {up}"]
    forward, backward, updates, returned, results = ["  %y0 = stablehlo.tanh %x : " + rows], [], [], [], []
    for n in range(layers):
        arguments.append(f"%u{n}: {up} {shardings['odd' if n == odd else 'up']}")
        arguments.append(f"%d{n}: {down} {shardings['down']}")
        forward += [
            f"  %h{n} = stablehlo.dot_general %y{n}, %u{n}, contracting_dims = [1] x [0] : ({rows}, {up}) -> {wide}",
            f"  %t{n} = stablehlo.tanh %h{n} : {wide}",
            f"  %o{n} = stablehlo.dot_general %t{n}, %d{n}, contracting_dims = [1] x [0] : ({wide}, {down}) -> {rows}",
            f"  %y{n + 1} = stablehlo.add %y{n}, %o{n} : {rows}",
        ]
        m = layers - 1 - n
        backward += [
            f"  %a{m} = stablehlo.dot_general %g{m + 1}, %d{m}, contracting_dims = [1] x [1]"
            f" : ({rows}, {down}) -> {wide}",
            f"  %b{m} = stablehlo.multiply %a{m}, %t{m} : {wide}",
            f"  %c{m} = stablehlo.dot_general %y{m}, %b{m}, contracting_dims = [0] x [0] : ({rows}, {wide}) -> {up}",
            f"  %e{m} = stablehlo.dot_general %b{m}, %u{m}, contracting_dims = [1] x [1] : ({wide}, {up}) -> {rows}",
            f"  %g{m} = stablehlo.add %g{m + 1}, %e{m} : {rows}",
        ]
        updates += [
            f"  %p{n} = stablehlo.multiply %c{n}, %rate : {up}",
            f"  %q{n} = stablehlo.subtract %u{n}, %p{n} : {up}",
        ]
        returned.append(f"%q{n}")
        results.append(f"{up} {shardings['odd' if n == odd else 'up']}")
    body = [*forward, f"  %g{layers} = stablehlo.negate %y{layers} : {rows}", *backward, *updates]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=4]>',
            f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{",
            *body,
            f"  return {', '.join(returned)} : {', '.join([up] * layers)}",
            "}",
        ]
    )


def turned(layers: int) -> str:
    """Layers that are alike, and turn what they get: what is reversed is sharded in every other one."""
    square, sharded = "tensor<32x32xf32>", '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    body = [
        line
        for n in range(layers)
        for line in (
            f"  %t{n} = stablehlo.transpose %y{n}, dims = [1, 0] : ({square}) -> {square}",
            f"  %y{n + 1} = stablehlo.reverse %t{n}, dims = [0] : {square}",
        )
    ]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=4]>',
            f"func.func @main(%y0: {square} {sharded}) -> ({square} {sharded}) {{",
            *body,
            f"  return %y{layers} : {square}",
            "}",
        ]
    )


def layers(count: int, body: str, *, given: str = '{"x"}, {"y"}', extra: str = "") -> str:
    """So many layers of ``body``, which makes ``%y{next}`` of ``%y{n}`` and ``%w{n}``."""
    weights = [f'%w{n}: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}}' for n in range(count)]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=4]>',
            f"func.func @main(%y0: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{given}]>}}, {', '.join(weights)})",
            f"    -> {ROWS} {{",
            *[body.format(n=n, next=n + 1) for n in range(count)],
            f"  return %y{count} : {ROWS}",
            "}",
            extra,
        ]
    )


ROLLED = f"""
  %a{{n}} = stablehlo.slice %y{{n}} [63:64, 0:32] : ({ROWS}) -> tensor<1x32xf32>
  %b{{n}} = stablehlo.slice %y{{n}} [0:63, 0:32] : ({ROWS}) -> tensor<63x32xf32>
  %c{{n}} = stablehlo.concatenate %a{{n}}, %b{{n}}, dim = 0 : (tensor<1x32xf32>, tensor<63x32xf32>) -> {ROWS}
  %y{{next}} = stablehlo.add %c{{n}}, %w{{n}} : {ROWS}"""
"""A cluster in each layer."""

CALLED = f"""
  %a{{n}} = func.call @half(%y{{n}}) : ({ROWS}) -> {ROWS}
  %y{{next}} = stablehlo.add %a{{n}}, %w{{n}} : {ROWS}"""
HALF = f"""
func.func private @half(%a: {ROWS}) -> {ROWS} {{
  %0 = stablehlo.constant dense<0.5> : {ROWS}
  %1 = stablehlo.multiply %a, %0 : {ROWS}
  return %1 : {ROWS}
}}"""

SUMMED = f"""
  %z{{n}} = stablehlo.constant dense<0.0> : tensor<f32>
  %a{{n}} = stablehlo.dot_general %y{{n}}, %w{{n}}, contracting_dims = [1] x [1] : ({ROWS}, {ROWS}) -> {WIDE}
  %b{{n}} = stablehlo.reduce(%a{{n}} init: %z{{n}}) applies stablehlo.add across dimensions = [0]
      : ({WIDE}, tensor<f32>) -> tensor<64xf32>
  %c{{n}} = stablehlo.broadcast_in_dim %b{{n}}, dims = [0] : (tensor<64xf32>) -> {ROWS}
  %d{{n}} = stablehlo.transpose %y{{n}}, dims = [1, 0] : ({ROWS}) -> tensor<32x64xf32>
  %e{{n}} = stablehlo.transpose %y{{n}}, dims = [1, 0] : ({ROWS}) -> tensor<32x64xf32>
  %f{{n}} = stablehlo.add %d{{n}}, %e{{n}} : tensor<32x64xf32>
  %g{{n}} = stablehlo.transpose %f{{n}}, dims = [1, 0] : (tensor<32x64xf32>) -> {ROWS}
  %y{{next}} = stablehlo.add %c{{n}}, %g{{n}} : {ROWS}"""
"""Sums over devices, bodies, and operations that others share."""

PADDED = f"""
  %z{{n}} = stablehlo.constant dense<0.0> : tensor<f32>
  %a{{n}} = stablehlo.slice %y{{n}} [0:61, 0:32] : ({ROWS}) -> tensor<61x32xf32>
  %b{{n}} = stablehlo.reduce(%a{{n}} init: %z{{n}}) applies stablehlo.add across dimensions = [0]
      : (tensor<61x32xf32>, tensor<f32>) -> tensor<32xf32>
  %c{{n}} = stablehlo.broadcast_in_dim %b{{n}}, dims = [1] : (tensor<32xf32>) -> {ROWS}
  %y{{next}} = stablehlo.add %c{{n}}, %w{{n}} : {ROWS}"""
"""What has padding on some devices is masked."""

MODELS = {
    "rolled": layers(80, ROLLED),
    "rolled along the other axis": layers(80, ROLLED, given='{}, {"x"}'),
    "called": layers(80, CALLED, extra=HALF),
    "summed": layers(80, SUMMED),
    "padded": layers(80, PADDED),
    "turned": turned(160),
}


def forward_and_backward(
    count: int,
    forward: Callable[[int], list[str]],
    backward: Callable[[int], list[str]],
    *,
    weights: str = '{"x"}, {}',
    extra: str = "",
) -> str:
    """So many layers of squares: ``forward`` makes ``%y{n+1}`` of ``%y{n}`` and ``%w{n}``, ``backward`` makes ``%g{n}``
    of ``%g{n+1}``, and the result ``%d{n}``. Weights and results are sharded like
    ``weights``."""
    sharded = f"{{sdy.sharding = #sdy.sharding<@mesh, [{weights}]>}}"
    arguments = [
        f'%y0: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}}',
        *[f"%w{n}: {SQUARE} {sharded}" for n in range(count)],
    ]
    body = [line for n in range(count) for line in forward(n)]
    body += [f"%g{count} = stablehlo.negate %y{count} : {SQUARE}"]
    body += [line for n in reversed(range(count)) for line in backward(n)]
    results, names = [f"{SQUARE} {sharded}"] * count, [f"%d{n}" for n in range(count)]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{",
            *body,
            f"return {', '.join(names)} : {', '.join([SQUARE] * count)}",
            "}",
            extra,
        ]
    )


def gradients(n: int, made: str) -> list[str]:
    """Lines of the backward pass of layer ``n``: ``%g{n}`` and ``%d{n}`` of ``made``, what it makes of ``%g{n+1}``."""
    return [
        dot(f"%b{n}", f"%y{n}", made, "[0] x [0]"),
        dot(f"%g{n}", made, f"%w{n}", "[1] x [1]"),
        f"%d{n} = stablehlo.subtract %w{n}, %b{n} : {SQUARE}",
    ]


def dot(result: str, one: str, other: str, dims: str = "[1] x [0]") -> str:
    """A line that multiplies two matrices of that size."""
    return (
        f"{result} = stablehlo.dot_general {one}, {other}, contracting_dims = {dims} : ({SQUARE}, {SQUARE}) -> {SQUARE}"
    )


def gathered(count: int) -> str:
    """What is returned of each layer is scattered as it is returned; the weights are gathered forward and backward."""
    return forward_and_backward(
        count,
        lambda n: [
            dot(f"%h{n}", f"%y{n}", f"%w{n}"),
            f"%t{n} = stablehlo.tanh %h{n} : {SQUARE}",
            f"%u{n} = stablehlo.cosine %t{n} : {SQUARE}",
            dot(f"%v{n}", f"%u{n}", f"%w{n}"),
            f"%y{n + 1} = stablehlo.add %v{n}, %y{n} : {SQUARE}",
        ],
        lambda n: [
            dot(f"%a{n}", f"%g{n + 1}", f"%w{n}", "[1] x [1]"),
            f"%b{n} = stablehlo.multiply %a{n}, %t{n} : {SQUARE}",
            dot(f"%c{n}", f"%y{n}", f"%b{n}", "[0] x [0]"),
            f"%e{n} = stablehlo.sine %b{n} : {SQUARE}",
            f"%g{n} = stablehlo.add %e{n}, %g{n + 1} : {SQUARE}",
            f"%d{n} = stablehlo.subtract %w{n}, %c{n} : {SQUARE}",
        ],
    )


GATE = f"""
func.func private @gate(%a: {SQUARE}) -> {SQUARE} {{
  %0 = stablehlo.logistic %a : {SQUARE}
  %1 = stablehlo.multiply %a, %0 : {SQUARE}
  return %1 : {SQUARE}
}}
func.func private @gate_2(%a: {SQUARE}, %b: {SQUARE}) -> {SQUARE} {{
  %0 = stablehlo.logistic %a : {SQUARE}
  %1 = stablehlo.multiply %b, %0 : {SQUARE}
  return %1 : {SQUARE}
}}"""


def calling(count: int) -> str:
    """Functions are called forward and backward. Their copies are numbered: what is called backward is called after the
    number of all copies that were made forward."""
    return forward_and_backward(
        count,
        lambda n: [
            dot(f"%h{n}", f"%y{n}", f"%w{n}"),
            f"%t{n} = func.call @gate(%h{n}) : ({SQUARE}) -> {SQUARE}",
            f"%u{n} = stablehlo.cosine %t{n} : {SQUARE}",
            f"%y{n + 1} = stablehlo.add %u{n}, %y{n} : {SQUARE}",
        ],
        lambda n: [
            f"%b{n} = func.call @gate_2(%h{n}, %g{n + 1}) : ({SQUARE}, {SQUARE}) -> {SQUARE}",
            dot(f"%c{n}", f"%y{n}", f"%b{n}", "[0] x [0]"),
            dot(f"%e{n}", f"%b{n}", f"%w{n}", "[1] x [1]"),
            f"%g{n} = stablehlo.add %e{n}, %g{n + 1} : {SQUARE}",
            f"%d{n} = stablehlo.subtract %w{n}, %c{n} : {SQUARE}",
        ],
        weights='{}, {"y"}',
        extra=GATE,
    )


def with_layer_functions(count: int, *, twice: int | None = None) -> str:
    """Each layer calls functions of its own, forward and backward, as those are that JAX makes of what is compiled in
    each layer anew; the forward one calls another of its own, and one that all layers share. That of layer ``twice`` is
    called twice."""
    functions = [
        f"func.func private @shared(%a: {SQUARE}) -> {SQUARE} {{",
        f"  %0 = stablehlo.logistic %a : {SQUARE}",
        f"  return %0 : {SQUARE}",
        "}",
    ]
    for n in range(count):
        functions += [
            f"func.func private @f_{n}(%a: {SQUARE}, %w: {SQUARE}) -> {SQUARE} {{",
            f"  %0 = func.call @inner_{n}(%a, %w) : ({SQUARE}, {SQUARE}) -> {SQUARE}",
            f"  %1 = func.call @shared(%0) : ({SQUARE}) -> {SQUARE}",
            f"  %2 = stablehlo.add %1, %a : {SQUARE}",
            f"  return %2 : {SQUARE}",
            "}",
            f"func.func private @inner_{n}(%a: {SQUARE}, %w: {SQUARE}) -> {SQUARE} {{",
            "  " + dot("%0", "%a", "%w"),
            f"  return %0 : {SQUARE}",
            "}",
            f"func.func private @b_{n}(%g: {SQUARE}, %y: {SQUARE}, %w: {SQUARE}) -> ({SQUARE}, {SQUARE}) {{",
            "  " + dot("%0", "%g", "%w", "[1] x [1]"),
            f"  %1 = stablehlo.multiply %0, %y : {SQUARE}",
            "  " + dot("%2", "%y", "%1", "[0] x [0]"),
            f"  return %1, %2 : {SQUARE}, {SQUARE}",
            "}",
        ]
    types = f"({SQUARE}, {SQUARE}) -> {SQUARE}"
    return forward_and_backward(
        count,
        lambda n: [
            f"%y{n + 1} = func.call @f_{n}(%y{n}, %w{n}) : {types}",
            *([f"%again = func.call @f_{n}(%y{n}, %w{n}) : {types}"] if n == twice else []),
        ],
        lambda n: [
            f"%e{n}:2 = func.call @b_{n}(%g{n + 1}, %y{n}, %w{n}) : "
            f"({SQUARE}, {SQUARE}, {SQUARE}) -> ({SQUARE}, {SQUARE})",
            f"%g{n} = stablehlo.add %e{n}#0, %g{n + 1} : {SQUARE}",
            f"%d{n} = stablehlo.subtract %w{n}, %e{n}#1 : {SQUARE}",
        ],
        weights='{}, {"y"}',
        extra="\n".join(functions),
    )


def with_shared_functions(count: int) -> str:
    """Layers that call two functions, one forward and one backward, as ``jax.checkpoint`` of a compiled layer does."""
    forward, backward = f"({SQUARE}, {SQUARE}) -> {SQUARE}", f"({', '.join([SQUARE] * 3)}) -> ({SQUARE}, {SQUARE})"
    functions = f"""
func.func private @layer(%a: {SQUARE}, %w: {SQUARE}) -> {SQUARE} {{
  {dot("%0", "%a", "%w")}
  %1 = stablehlo.logistic %0 : {SQUARE}
  %2 = stablehlo.add %1, %a : {SQUARE}
  return %2 : {SQUARE}
}}
func.func private @checkpoint(%g: {SQUARE}, %y: {SQUARE}, %w: {SQUARE}) -> ({SQUARE}, {SQUARE}) {{
  %0:2 = stablehlo.optimization_barrier %g, %y : {SQUARE}, {SQUARE}
  %1 = func.call @layer(%0#1, %w) : {forward}
  {dot("%2", "%0#0", "%w", "[1] x [1]")}
  %3 = stablehlo.multiply %2, %1 : {SQUARE}
  {dot("%4", "%y", "%3", "[0] x [0]")}
  return %3, %4 : {SQUARE}, {SQUARE}
}}"""
    return forward_and_backward(
        count,
        lambda n: [f"%y{n + 1} = func.call @layer(%y{n}, %w{n}) : {forward}"],
        lambda n: [
            f"%e{n}:2 = func.call @checkpoint(%g{n + 1}, %y{n}, %w{n}) : {backward}",
            f"%g{n} = stablehlo.add %e{n}#0, %g{n + 1} : {SQUARE}",
            f"%d{n} = stablehlo.subtract %w{n}, %e{n}#1 : {SQUARE}",
        ],
        weights='{}, {"y"}',
        extra=functions,
    )


def reversed_around_calls(count: int) -> str:
    """A tensor that is reversed before layers and behind them, where each layer is a call of one function."""
    along = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    across = '{sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}'

    def turned(result: str, value: str) -> str:
        return f"{result} = stablehlo.reverse {value}, dims = [0] : {ROWS}"

    weights = ", ".join(f"%w{n}: {ROWS}" for n in range(count))
    calls = [f"%y{n + 1} = func.call @layer(%y{n}, %w{n}) : ({ROWS}, {ROWS}) -> {ROWS}" for n in range(count)]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=4]>',
            f"func.func @main(%r: {ROWS} {along}, %y0: {ROWS}, {weights}) -> ({ROWS} {along}, {ROWS}, {ROWS} {across})"
            " {",
            turned("%head", "%r"),
            *calls,
            turned("%t", "%r"),
            turned("%u", "%t"),
            turned("%tail", "%u"),
            f"return %head, %y{count}, %tail : {ROWS}, {ROWS}, {ROWS}",
            "}",
            f"func.func private @layer(%a: {ROWS}, %w: {ROWS}) -> {ROWS} {{",
            f"%0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [1] : ({ROWS}, {ROWS}) -> {WIDE}",
            f"%1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : ({WIDE}, {ROWS}) -> {ROWS}",
            *[f"%{n} = stablehlo.tanh %{n - 1} : {ROWS}" for n in range(2, 40)],
            f"return %39 : {ROWS}",
            "}",
        ]
    )


def masked(count: int) -> str:
    """Layers that read constants which stand before all of them, forward and backward."""
    text = gathered(count)
    head = f"""
      %scalar = stablehlo.constant dense<2.0> : tensor<f32>
      %scale = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> {SQUARE}
      %mask = stablehlo.constant dense<3.0> : {SQUARE}"""
    begin = text.index("{\n%h0") + 1
    text = text[:begin] + head + text[begin:]
    for n in range(count):
        text = text.replace(f"%u{n} = stablehlo.cosine %t{n} :", f"%u{n} = stablehlo.add %t{n}, %mask :")
        text = text.replace(f"%e{n} = stablehlo.sine %b{n} :", f"%e{n} = stablehlo.multiply %mask, %scale :")
    return text


CAPTURED = f"""
  %i{{n}} = stablehlo.constant dense<0> : tensor<i32>
  %c{{n}} = stablehlo.constant dense<3> : tensor<i32>
  %l{{n}}:2 = stablehlo.while(%k = %i{{n}}, %v = %y{{n}}) : tensor<i32>, {ROWS}
    cond {{{{
      %p = stablehlo.compare LT, %k, %c{{n}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }}}} do {{{{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %k, %one : tensor<i32>
      %turned = stablehlo.add %v, %w{{n}} : {ROWS}
      %more = stablehlo.multiply %turned, %v : {ROWS}
      stablehlo.return %next, %more : tensor<i32>, {ROWS}
    }}}}
  %y{{next}} = stablehlo.add %l{{n}}#1, %w{{n}} : {ROWS}"""
"""Loops that read from outside."""

ALL = {
    **{f"perceptrons {seed}": perceptrons(60, seed) for seed in range(4)},
    "rolled": layers(150, ROLLED),
    "padded": layers(150, PADDED),
    "summed": MODELS["summed"],
    "gathered": gathered(60),
    "calling": calling(60),
    "masked": masked(60),
}


def updates(count: int) -> str:
    """A step of gradient descent on so many parameters of one shape."""
    type = 'tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}'
    arguments = ", ".join(f"%p{n}: {type}, %g{n}: {type}" for n in range(count))
    lines = [
        f"""%b{n} = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
        %m{n} = stablehlo.multiply %b{n}, %g{n} : tensor<16x8xf32>
        %r{n} = stablehlo.subtract %p{n}, %m{n} : tensor<16x8xf32>"""
        for n in range(count)
    ]
    returned = ", ".join(f"%r{n}" for n in range(count))
    return f"""sdy.mesh @m = <["x"=4]>
      func.func @main({arguments}) -> ({", ".join(["tensor<16x8xf32>"] * count)}) {{
        %c = stablehlo.constant dense<0.1> : tensor<f32>
        {" ".join(lines)}
        return {returned} : {", ".join(["tensor<16x8xf32>"] * count)}
      }}"""


def squares(
    count: int, layer: str, *, head: str = "", tail: str = "", given: str = "{}, {}", result: str = "{}, {}"
) -> str:
    """A program of so many copies of ``layer``, in which ``{n}`` and ``{next}`` are the number of the layer and of the
    next one; ``%y0`` is what the first reads, and what the last makes is returned."""
    body = "\n".join(layer.format(n=n, next=n + 1) for n in range(count))
    return f"""
        sdy.mesh @mesh = <["x"=2, "y"=2]>
        func.func @main(%y0: {SMALL} {{sdy.sharding = #sdy.sharding<@mesh, [{given}]>}}, %s: {SMALL})
            -> ({SMALL} {{sdy.sharding = #sdy.sharding<@mesh, [{result}]>}}) {{
          {head}
          {body}
          {tail}
          return %y{count} : {SMALL}
        }}
    """


TANH = f"%y{{next}} = stablehlo.tanh %y{{n}} : {SMALL}"
WITH_SHARED = f"""
    %a{{n}} = stablehlo.add %y{{n}}, %s : {SMALL}
    %y{{next}} = stablehlo.multiply %a{{n}}, %a{{n}} : {SMALL}
"""


TURNED_BACK = f"""
    %t{{n}} = stablehlo.transpose %y{{n}}, dims = [1, 0] : ({SMALL}) -> {SMALL}
    %y{{next}} = stablehlo.reverse %t{{n}}, dims = [0] : {SMALL}
"""


def twice(count: int, second: str) -> str:
    """A program that goes through its layers twice, one time after the other, and adds a number of each layer to what
    it has; the second time ``second`` is done before, which makes ``%y{next}`` of ``%y{n}``. Columns of the result are
    sharded."""
    weights = ", ".join(f"%w{n}: tensor<f32>" for n in range(count))
    body = []
    for total, layer in (("s", ""), ("y", second)):
        for n in range(count):
            done = layer.format(n=n, next=n + 1).replace(f"%y{n + 1} =", f"%d{n} =")
            body += [
                f"%{total}w{n} = stablehlo.broadcast_in_dim %w{n}, dims = [] : (tensor<f32>) -> {SMALL}",
                done,
                f"%{total}{n + 1} = stablehlo.add {f'%d{n}' if done else f'%{total}{n}'}, %{total}w{n} : {SMALL}",
            ]
        body.append(f"%y0 = stablehlo.negate %s{count} : {SMALL}" if total == "s" else f"return %y{count} : {SMALL}")
    result = f'{SMALL} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{?}}]>}}'
    return "\n".join(
        ['sdy.mesh @mesh = <["x"=2, "y"=2]>', f"func.func @main(%s0: {SMALL}, {weights}) -> ({result}) {{", *body, "}"]
    )


def returning(count: int, *, times: int = 1, odd: int | None = None) -> str:
    """Layers with a weight each, that return what they make of it so many times; the results are sharded by turns, the
    last of layer ``odd`` otherwise."""
    body, arguments, results, values = [], [f"%y0: {SMALL}"], [], []
    for n in range(count):
        arguments.append(f"%w{n}: {SMALL}")
        body.append(f"%t{n} = stablehlo.tanh %w{n} : {SMALL}")
        body.append(f"%y{n + 1} = stablehlo.add %y{n}, %t{n} : {SMALL}")
        for time in range(times):
            dims = "{}, {?}" if time else '{}, {"y"}' if n == odd else '{}, {"x"}'
            results.append(f"{SMALL} {{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}")
            values.append(f"%t{n}")
    values, results = [*values, f"%y{count}"], [*results, SMALL]
    return on_four_devices(arguments, results, body, values)


def keeping_copies(layers: int) -> str:
    """Products of the forward pass that merge dimensions of their operand, which products of the backward pass merge as
    well: XLA's CPU backend keeps the operand in that form until then."""
    wide, narrow, weight = "tensor<4x8x16xf32>", "tensor<4x8x4xf32>", "tensor<16x16xf32>"
    body, before = [], "x"
    for n in range(layers):
        contracting = "contracting_dims = [2] x [0]"
        body += [
            f"  %s{n} = stablehlo.add %{before}, %k : {wide}",
            f"  %p{n} = stablehlo.dot_general %s{n}, %a{n}, {contracting} : ({wide}, tensor<16x4xf32>) -> {narrow}",
            f"  %q{n} = stablehlo.dot_general %p{n}, %b{n}, {contracting} : ({narrow}, tensor<4x16xf32>) -> {wide}",
            f"  %x{n} = stablehlo.add %s{n}, %q{n} : {wide}",
        ]
        before = f"x{n}"
    for n in reversed(range(layers)):
        both = f"({wide}, {wide}) -> {weight}"
        body += [
            f"  %g{n} = stablehlo.dot_general %{before}, %s{n}, contracting_dims = [0, 1] x [0, 1] : {both}",
            f"  %h{n} = stablehlo.multiply %{before}, %k : {wide}",
        ]
        before = f"h{n}"
    arguments = "".join(f", %a{n}: tensor<16x4xf32>, %b{n}: tensor<4x16xf32>" for n in range(layers))
    returned = ", ".join(f"%g{n}" for n in range(layers))
    types = ", ".join([weight] * layers)
    return (
        f"func.func @main(%x: {wide}, %k: {wide}{arguments}) -> ({types}) {{\n"
        + "\n".join(body)
        + f"\n  return {returned} : {types}\n}}"
    )


def gathered_once(count: int) -> str:
    """Layers that add up in a manual computation what one of them has gathered for all; what comes of it is not
    needed."""
    row, replicated = "tensor<36x36xf32>", '[<@mesh, [{}, {}], replicated={"x"}>]'
    body, before = [], "%x"
    for n in range(count):
        body += [
            f"%m{n} = sdy.manual_computation({before}) in_shardings={replicated} out_shardings={replicated}"
            f' manual_axes={{"x"}} (%i{n}: {row}) {{',
            f'%r{n} = "stablehlo.all_reduce"(%i{n}) <{{'
            "channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, "
            "replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({",
            f"^bb0(%a{n}: tensor<f32>, %b{n}: tensor<f32>):",
            f"%t{n} = stablehlo.add %a{n}, %b{n} : tensor<f32>",
            f"stablehlo.return %t{n} : tensor<f32>",
            f"}}) : ({row}) -> {row}",
            f"sdy.return %r{n} : {row}",
            f"}} : ({row}) -> {row}",
            f'%c{n} = sdy.sharding_constraint %s <@mesh, [{{}}, {{"y", "x", ?}}]> : {row}',
        ]
        before = f"%c{n}"
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f"func.func @main(%x: {row}, %s: {row})",
            f'    -> ({row} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{"x"}}]>}}) {{',
            *body,
            f"return {before} : {row}",
            "}",
        ]
    )
