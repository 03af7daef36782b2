"""Programs whose layers stand in several stacks or series: of other depth, one reading the other, weight by weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.folding.programs import ROWS, SQUARE, dot, on_four_devices


def two_stacks(first: int, second: int) -> str:
    """An encoder of ``first`` layers and a decoder of ``second``, each of whose layers reads what the encoder made, and
    both of which have their weights updated."""
    along = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    across = '{sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}'
    encoder, decoder = [f"%e{n}" for n in range(first)], [f"%d{n}" for n in range(second)]
    body = []
    for n, weight in enumerate(encoder):
        body += [
            dot(f"%a{n}", f"%x{n}", weight),
            f"%b{n} = stablehlo.tanh %a{n} : {SQUARE}",
            f"%x{n + 1} = stablehlo.add %x{n}, %b{n} : {SQUARE}",
        ]
    body.append(f"%x = stablehlo.sqrt %x{first} : {SQUARE}")
    for n, weight in enumerate(decoder):
        body += [
            dot(f"%f{n}", f"%y{n}", weight),
            dot(f"%g{n}", f"%f{n}", "%x"),
            f"%h{n} = stablehlo.logistic %g{n} : {SQUARE}",
            f"%i{n} = stablehlo.cosine %h{n} : {SQUARE}",
            f"%j{n} = stablehlo.multiply %i{n}, %h{n} : {SQUARE}",
            f"%y{n + 1} = stablehlo.add %y{n}, %j{n} : {SQUARE}",
        ]
    for weight in (*encoder, *decoder):
        body += [
            f"{weight}_0 = stablehlo.multiply {weight}, %rate : {SQUARE}",
            f"{weight}_1 = stablehlo.subtract {weight}, {weight}_0 : {SQUARE}",
        ]
    arguments = [f"%x0: {SQUARE} {along}", f"%y0: {SQUARE} {along}", f"%rate: {SQUARE}"]
    arguments += [f"{weight}: {SQUARE} {across}" for weight in (*encoder, *decoder)]
    returned = [f"%y{second}", *(f"{weight}_1" for weight in (*encoder, *decoder))]
    types = [SQUARE] * len(returned)
    return on_four_devices(arguments, types, body, returned)


def clipped(count: int) -> str:
    """Layers with two weights of one shape, and an update that divides by the norm of all weights: first all are
    converted, then their squares are added up, one after the other, then each is updated. Only in the forward pass
    are operations of a layer more like those of the next layer than like each other."""
    names = [f"{kind}{n}" for n in range(count) for kind in "ab"]
    half = SQUARE.replace("f32", "bf16")
    forward = [
        f"""%h{n} = stablehlo.dot_general %y{n}, %a{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}
        %t{n} = stablehlo.tanh %h{n} : {ROWS}
        %y{n + 1} = stablehlo.dot_general %t{n}, %b{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}"""
        for n in range(count)
    ]
    converted = [f"%c{name} = stablehlo.convert %{name} : ({SQUARE}) -> {half}" for name in names]
    squares = [
        f"""%f{name} = stablehlo.convert %c{name} : ({half}) -> {SQUARE}
        %s{name} = stablehlo.multiply %f{name}, %f{name} : {SQUARE}
        %r{name} = stablehlo.reduce(%s{name} init: %zero) applies stablehlo.add across dimensions = [0, 1]
            : ({SQUARE}, tensor<f32>) -> tensor<f32>"""
        for name in names
    ]
    totals = [
        f"%n{name} = stablehlo.add %{before}, %r{name} : tensor<f32>"
        for before, name in zip(["first", *(f"n{name}" for name in names)], names, strict=False)
    ]
    updates = [
        f"""%d{name} = stablehlo.broadcast_in_dim %n{names[-1]}, dims = [] : (tensor<f32>) -> {SQUARE}
        %u{name} = stablehlo.divide %{name}, %d{name} : {SQUARE}"""
        for name in names
    ]
    weights = [f'%{name}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}' for name in names]
    returned = [f"%y{count}", *(f"%u{name}" for name in names)]
    types = [ROWS] + [SQUARE] * len(names)
    return on_four_devices(
        [f"%y0: {ROWS}", *weights],
        types,
        [
            "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
            "%first = stablehlo.constant dense<1.0> : tensor<f32>",
            *forward,
            *converted,
            *squares,
            *totals,
            *updates,
        ],
        returned,
    )


def summed_together(count: int) -> str:
    """As many layers of an encoder as of a decoder, with three weights a layer and two, and one sum of the squares of
    all: of a value in front, of those of the encoder, of seven more, and of those of the decoder."""
    layers = range(count)
    body = []
    for n in layers:
        body += [
            f"%a{n} = stablehlo.add %y{n}, %u{n} : {SQUARE}",
            f"%b{n} = stablehlo.multiply %a{n}, %v{n} : {SQUARE}",
            f"%y{n + 1} = stablehlo.subtract %b{n}, %w{n} : {SQUARE}",
        ]
    for n in layers:
        body += [
            f"%c{n} = stablehlo.maximum %z{n}, %s{n} : {SQUARE}",
            f"%z{n + 1} = stablehlo.minimum %c{n}, %t{n} : {SQUARE}",
        ]
    others = [f"k{n}" for n in range(6)]
    names = ["y0", *(f"{name}{n + (name == 'y')}" for n in layers for name in "aby"), *others, "z0"]
    names += [f"{name}{n + (name == 'z')}" for n in layers for name in "cz"]
    for name in names:
        body += [
            f"%p{name} = stablehlo.multiply %{name}, %{name} : {SQUARE}",
            f"%r{name} = stablehlo.reduce(%p{name} init: %zero) applies stablehlo.add across dimensions = [0, 1]"
            f" : ({SQUARE}, tensor<f32>) -> tensor<f32>",
        ]
    sums = [f"m{name}" for name in names]
    body += [
        f"%{made} = stablehlo.add %{before}, %r{name} : tensor<f32>"
        for before, made, name in zip(["zero", *sums], sums, names, strict=False)
    ]
    shardings = dict(
        zip("uvwst", ('[{"x"}, {}]', "[{}, {}]", '[{}, {"y"}]', '[{"x"}, {"y"}]', "[{}, {}]"), strict=True)
    )
    weights = [
        f"%{name}{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, {shardings[name]}>}}"
        for n in layers
        for name in "uvwst"
    ]
    arguments = [f"%{name}: {SQUARE}" for name in ("y0", "z0", *others)]
    return on_four_devices(
        [*arguments, *weights],
        [SQUARE, SQUARE, "tensor<f32>"],
        ["%zero = stablehlo.constant dense<0.0> : tensor<f32>", *body],
        [f"%y{count}", f"%z{count}", f"%{sums[-1]}"],
    )


def attending(count: int) -> str:
    """As many layers of an encoder as of a decoder, each of which reads what the last layer of the encoder makes."""
    weights = ", ".join(
        f'%{kind}{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"x"}}]>}}'
        for n in range(count)
        for kind in "ab"
    )
    encoder = [
        f"""%h{n} = stablehlo.dot_general %e{n}, %a{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}
        %e{n + 1} = stablehlo.tanh %h{n} : {ROWS}"""
        for n in range(count)
    ]
    decoder = [
        f"""%k{n} = stablehlo.dot_general %e{count}, %b{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}
        %d{n + 1} = stablehlo.add %d{n}, %k{n} : {ROWS}"""
        for n in range(count)
    ]
    return "\n".join(
        [
            'sdy.mesh @mesh = <["x"=2, "y"=2]>',
            f'func.func @main(%e0: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}}, %d0: {ROWS},',
            f"    {weights}) -> {ROWS} {{",
            *encoder,
            *decoder,
            f"return %d{count} : {ROWS}",
            "}",
        ]
    )


def _forward_and_backward(count: int) -> list[str]:
    """The layers, from ``%x0``, and the gradients ``%d0`` and on of their weights, from ``%gN`` behind the last."""
    body = []
    for n in range(count):
        body += [
            f"%h{n} = stablehlo.dot_general %x{n}, %w{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}",
            f"%x{n + 1} = stablehlo.tanh %h{n} : {ROWS}",
        ]
    for n in reversed(range(count)):
        body += [
            f"%a{n} = stablehlo.multiply %g{n + 1}, %x{n + 1} : {ROWS}",
            f"%d{n} = stablehlo.dot_general %x{n}, %a{n}, contracting_dims = [0] x [0] : ({ROWS}, {ROWS}) -> {SQUARE}",
            f"%g{n} = stablehlo.dot_general %a{n}, %w{n}, contracting_dims = [1] x [1] : ({ROWS}, {SQUARE}) -> {ROWS}",
        ]
    return body


def sorted_by_name(count: int) -> str:
    """A training step whose weights are sorted by their names, so that layer 10 follows layer 1: so they are given,
    updated after their moments, and returned."""
    order = sorted(range(count), key=str)
    across = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, jax.buffer_donor = true}'
    body = [f"%{name} = stablehlo.constant dense<0.{digit}> : tensor<f32>" for name, digit in (("k", 9), ("r", 1))]
    body += _forward_and_backward(count)
    scaled = "stablehlo.broadcast_in_dim %{}, dims = [] : (tensor<f32>) -> " + SQUARE
    for n in order:
        body += [
            f"%b{n} = {scaled.format('k')}",
            f"%c{n} = stablehlo.multiply %m{n}, %b{n} : {SQUARE}",
            f"%e{n} = stablehlo.add %c{n}, %d{n} : {SQUARE}",
        ]
    body.append(f"%last = stablehlo.negate %g0 : {ROWS}")
    for n in order:
        body += [
            f"%o{n} = {scaled.format('r')}",
            f"%p{n} = stablehlo.multiply %e{n}, %o{n} : {SQUARE}",
            f"%q{n} = stablehlo.subtract %w{n}, %p{n} : {SQUARE}",
        ]
    arguments = [f"%{kind}{n}: {SQUARE} {across}" for kind in "wm" for n in order]
    arguments += [f'%x0: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}', f"%g{count}: {ROWS}"]
    returned = [f"%{kind}{n}" for kind in "qe" for n in order]
    types = [*[SQUARE] * len(returned), ROWS]
    return on_four_devices(arguments, types, body, [*returned, "%last"])


def normed(order: Sequence[int], others: Mapping[int, str] | None = None) -> str:
    """A training step whose gradients are divided by the norm of all of them, which is added up in that ``order``;
    weights of layers in ``others`` have these shardings."""
    count, across = len(order), '[{"x"}, {"y"}]'
    shardings = {**dict.fromkeys(order, across), **(others or {})}
    body = ["%zero = stablehlo.constant dense<0.0> : tensor<f32>"]
    body += _forward_and_backward(count)
    total = "zero"
    for n in order:
        body += [
            f"%s{n} = stablehlo.multiply %d{n}, %d{n} : {SQUARE}",
            f"%r{n} = stablehlo.reduce(%s{n} init: %zero) applies stablehlo.add across dimensions = [0, 1] : "
            f"({SQUARE}, tensor<f32>) -> tensor<f32>",
            f"%t{n} = stablehlo.add %{total}, %r{n} : tensor<f32>",
        ]
        total = f"t{n}"
    body.append(f"%norm = stablehlo.sqrt %{total} : tensor<f32>")
    for n in order:
        body += [
            f"%o{n} = stablehlo.broadcast_in_dim %norm, dims = [] : (tensor<f32>) -> {SQUARE}",
            f"%p{n} = stablehlo.divide %d{n}, %o{n} : {SQUARE}",
            f"%q{n} = stablehlo.subtract %w{n}, %p{n} : {SQUARE}",
        ]
    arguments = [f"%w{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, {shardings[n]}>}}" for n in order]
    arguments += [f'%x0: {ROWS} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}', f"%g{count}: {ROWS}"]
    types = [*[SQUARE] * count, ROWS]
    return on_four_devices(arguments, types, body, [*(f"%q{n}" for n in order), "%g0"])


def meeting(order: Sequence[int]) -> str:
    """Layers that read each other, and an update of each in that ``order``, which asks for the rows of its weight and
    the columns of what the next weight is added to: whichever layer is visited first has its way."""
    rows, columns = ("{sdy.sharding = #sdy.sharding<@mesh, " + one + ">}" for one in ('[{"x"}, {?}]', '[{?}, {"x"}]'))
    layers = range(len(order))
    body = []
    for n in layers:
        body += [
            f"%h{n} = stablehlo.dot_general %x{n}, %w{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}",
            f"%x{n + 1} = stablehlo.tanh %h{n} : {ROWS}",
            f"%s{n} = stablehlo.sine %u{n} : {SQUARE}",
            f"%p{n} = stablehlo.add %s{n - 1}, %w{n} : {SQUARE}"
            if n
            else f"%p0 = stablehlo.add %first, %w0 : {SQUARE}",
        ]
    for n in order:
        body += [
            f"%a{n} = stablehlo.add %v{n}, %w{n} : {SQUARE}",
            f"%b{n} = stablehlo.multiply %n{n}, %u{n} : {SQUARE}",
        ]
    arguments = [f"%x0: {ROWS}", f"%first: {SQUARE}"]
    for n in layers:
        arguments += [f"%w{n}: {SQUARE}", f"%u{n}: {SQUARE}", f"%v{n}: {SQUARE} {rows}", f"%n{n}: {SQUARE} {columns}"]
    returned = [f"%{kind}{n}" for kind in "pab" for n in layers]
    types = [ROWS, *[SQUARE] * len(returned)]
    return on_four_devices(arguments, types, body, [f"%x{len(order)}", *returned])


def wide_updates(order: Sequence[int], shared: str = "") -> str:
    """Layers that keep rows for their update, which needs much memory at work and stands in that ``order``: but for
    the first two of it, which are sharded. If ``shared`` is given, each update is also multiplied by that constant."""
    wide, first = "tensor<32x4096xf32>", order[:2]
    layers = range(len(order))
    body = ["%zero = stablehlo.constant dense<0.0> : tensor<f32>"]
    if shared:
        body.append(f"%c = stablehlo.constant dense<{shared}> : tensor<f32>")
    for n in layers:
        body += [
            f"%h{n} = stablehlo.dot_general %x{n}, %k, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}",
            f"%x{n + 1} = stablehlo.tanh %h{n} : {ROWS}",
            f"%z{n} = stablehlo.dot_general %y{n}, %k, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}",
        ]
    for n in order:
        weight = f"%w{n}"
        if shared:
            weight = f"%e{n}"
            body += [
                f"%d{n} = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> {SQUARE}",
                f"%e{n} = stablehlo.multiply %w{n}, %d{n} : {SQUARE}",
            ]
        body += [
            f"%t{n} = stablehlo.dot_general {weight}, %wide, contracting_dims = [1] x [0] : "
            f"({SQUARE}, {wide}) -> {wide}",
            f"%s{n} = stablehlo.dot_general %t{n}, %wide, contracting_dims = [1] x [1] : ({wide}, {wide}) -> {SQUARE}",
            f"%r{n} = stablehlo.reduce(%z{n} init: %zero) applies stablehlo.add across dimensions = [0, 1] : "
            f"({ROWS}, tensor<f32>) -> tensor<f32>",
            f"%b{n} = stablehlo.broadcast_in_dim %r{n}, dims = [] : (tensor<f32>) -> {SQUARE}",
            f"%q{n} = stablehlo.add %s{n}, %b{n} : {SQUARE}",
        ]
    shardings = {n: '[{"x", "y"}, {}]' if n in first else "[{}, {}]" for n in layers}
    arguments = [f"%wide: {wide}", f"%k: {SQUARE}", f"%x0: {ROWS}", *(f"%y{n}: {ROWS}" for n in order)]
    arguments += [f"%w{n}: {SQUARE} {{sdy.sharding = #sdy.sharding<@mesh, {shardings[n]}>}}" for n in order]
    types = [ROWS, *[SQUARE] * len(order)]
    return on_four_devices(arguments, types, body, [f"%x{len(order)}", *(f"%q{n}" for n in order)])


def growing(order: Sequence[int], *, shared: bool = False) -> str:
    """Layers for each of which a value is made, in that ``order``, that is kept until all are, so that memory grows
    from one to the next; to make it takes much memory at work. If they are ``shared``, all read a value of no layer."""
    wide, layers = "tensor<32x4096xf32>", range(len(order))
    body = ["%zero = stablehlo.constant dense<0.0> : tensor<f32>", f"%s = stablehlo.exponential %given : {SQUARE}"]
    for n in layers:
        body += [
            f"%h{n} = stablehlo.dot_general %x{n}, %w{n}, contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}",
            f"%x{n + 1} = stablehlo.tanh %h{n} : {ROWS}",
        ]
    for n in order:
        body += [
            f"%t{n} = stablehlo.dot_general %w{n}, %wide, contracting_dims = [1] x [0] : ({SQUARE}, {wide}) -> {wide}",
            f"%d{n} = stablehlo.dot_general %t{n}, %wide, contracting_dims = [1] x [1] : ({wide}, {wide}) -> {SQUARE}",
            dot(f"%e{n}", f"%d{n}", "%s" if shared else "%given"),
        ]
    body += [
        f"%r{n} = stablehlo.reduce(%e{n} init: %zero) applies stablehlo.add across dimensions = [0, 1] : "
        f"({SQUARE}, tensor<f32>) -> tensor<f32>"
        for n in order
    ]
    sharded = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    arguments = [f"%wide: {wide}", f"%x0: {ROWS}", f"%given: {SQUARE}", *(f"%w{n}: {SQUARE} {sharded}" for n in order)]
    types = [ROWS, *["tensor<f32>"] * len(order)]
    return on_four_devices(arguments, types, body, [f"%x{len(order)}", *(f"%r{n}" for n in order)])


def clipped_moments(count: int, *, chained: bool = False) -> str:
    """Gradients that are clipped layer by layer, and read by the update of one moment, then by that of another. The
    first multiplies them by a number that each layer broadcasts; if it is ``chained``, by one that is computed from
    that of the layer before."""
    layers = range(count)
    clipped = [
        f"""%s{n} = stablehlo.multiply %g{n}, %norm : {SQUARE}
        %c{n} = stablehlo.select %small, %g{n}, %s{n} : tensor<i1>, {SQUARE}"""
        for n in layers
    ]
    first = [
        f"""%b{n} = stablehlo.broadcast_in_dim %rate, dims = [] : (tensor<f32>) -> {SQUARE}
        %e{n} = stablehlo.cosine %{(f"k{n - 1}" if n else "norm") if chained else f"b{n}"} : {SQUARE}
        %f{n} = stablehlo.negate %e{n} : {SQUARE}
        %h{n} = stablehlo.sine %f{n} : {SQUARE}
        %k{n} = stablehlo.add %b{n}, %h{n} : {SQUARE}
        %a{n} = stablehlo.multiply %k{n}, %c{n} : {SQUARE}
        %p{n} = stablehlo.add %m{n}, %a{n} : {SQUARE}"""
        for n in layers
    ]
    second = [
        f"""%d{n} = stablehlo.multiply %c{n}, %c{n} : {SQUARE}
        %q{n} = stablehlo.add %v{n}, %d{n} : {SQUARE}"""
        for n in layers
    ]
    arguments = [f"%{kind}{n}: {SQUARE}" for kind in "gmv" for n in layers]
    returned = [f"%{kind}{n}" for kind in "pq" for n in layers]
    types = ", ".join([SQUARE] * len(returned))
    return "\n".join(
        [
            f"func.func @main(%small: tensor<i1>, %norm: {SQUARE}, {', '.join(arguments)}) -> ({types}) {{",
            "%rate = stablehlo.constant dense<0.1> : tensor<f32>",
            *clipped,
            *first,
            *second,
            f"return {', '.join(returned)} : {types}",
            "}",
        ]
    )


def reading_beside(order: Sequence[int], *, twice: bool = False) -> str:
    """A training step with updates in that ``order``. The forward pass adds to the rows of a layer what is updated with
    those of the layer below, and makes rows that the backward pass of the layer below reads: a kernel of that update
    computes what it makes of them. If they are read ``twice``, so does the update of their own layer. Much memory is
    needed between the passes."""
    count = len(order)
    wide, large = "tensor<32x16384xf32>", "tensor<64x16384xf32>"
    product = f"contracting_dims = [1] x [0] : ({ROWS}, {SQUARE}) -> {ROWS}"
    body = []
    for n in range(count):
        body += [
            f"%h{n} = stablehlo.dot_general %x{n}, %w{n}, {product}",
            f"%s{n} = stablehlo.add %h{n}, %{f'v{n - 1}' if n else 'x0'} : {ROWS}",
            f"%x{n + 1} = stablehlo.tanh %s{n} : {ROWS}",
            f"%u{n} = stablehlo.dot_general %x{n + 1}, %w{n}, {product}",
        ]
    body += [
        f"%l = stablehlo.dot_general %x{count}, %wide, contracting_dims = [1] x [0] : ({ROWS}, {wide}) -> {large}",
        f"%u{count} = stablehlo.dot_general %l, %wide, contracting_dims = [1] x [1] : ({large}, {wide}) -> {ROWS}",
    ]
    for n in reversed(range(count)):
        body += [
            f"%e{n} = stablehlo.multiply %u{n + 1}, %g{n + 1} : {ROWS}",
            f"%a{n} = stablehlo.multiply %g{n + 1}, %x{n + 1} : {ROWS}",
            f"%d{n} = stablehlo.dot_general %x{n}, %a{n}, contracting_dims = [0] x [0] : ({ROWS}, {ROWS}) -> {SQUARE}",
            f"%g{n} = stablehlo.dot_general %a{n}, %w{n}, contracting_dims = [1] x [1] : ({ROWS}, {SQUARE}) -> {ROWS}",
        ]
    for n in order:
        body += [
            f"%q{n} = stablehlo.sine %d{n} : {SQUARE}",
            f"%p{n} = stablehlo.add %v{n}, %e{n} : {ROWS}",
            f"%r{n} = stablehlo.add %p{n}, %{'u' if twice else 'p'}{n} : {ROWS}",
        ]
    arguments = [f"%{name}: {type}" for name, type in (("x0", ROWS), (f"g{count}", ROWS), ("wide", wide))]
    for n in order:
        arguments += [f"%{name}{n}: {type} {{jax.buffer_donor = true}}" for name, type in (("w", SQUARE), ("v", ROWS))]
    returned = [f"%{kind}{n}" for kind in "qr" for n in order]
    types = ", ".join([*[SQUARE] * count, *[ROWS] * count])
    return "\n".join(
        [
            f"func.func @main({', '.join(arguments)}) -> ({types}) {{",
            *body,
            f"return {', '.join(returned)} : {types}",
            "}",
        ]
    )
