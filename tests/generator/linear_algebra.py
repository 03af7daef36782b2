"""Linear algebra, Fourier transforms and random bits, as operations and as the custom calls that JAX makes of them."""

from __future__ import annotations

from tests.generator.body import Body
from tests.generator.families import makes
from tests.generator.types import Tensor, Value, int_list


def _matrix(body: Body, square: bool) -> Value:
    def fits(type: Tensor) -> bool:
        return type.rank >= 2 and type.element in ("f32", "f64") and (not square or type.shape[-1] == type.shape[-2])

    def make() -> Tensor:
        rng, palette = body.rng, body.program.palette
        batch = [rng.choice(palette) for _ in range(rng.choice((0, 1, 1, 2)))]
        rows, columns = rng.choice(palette), rng.choice(palette)
        return Tensor((*batch, rows, rows if square else columns), "f32")

    return body.pick_or_make(fits, make)


@makes("linear_algebra")
def cholesky(body: Body) -> None:
    x = _matrix(body, square=True)
    lower = ", lower = true" if body.chance(0.5) else ""
    body.pretty(f"stablehlo.cholesky {x}{lower}", [x], [x.type], str(x.type))


@makes("linear_algebra")
def triangular_solve(body: Body) -> None:
    a = _matrix(body, square=True)
    left = body.chance(0.5)
    other, size = body.rng.choice(body.program.palette), a.type.shape[-1]
    shape = [*a.type.shape[:-2], *((size, other) if left else (other, size))]
    b = body.value_of(a.type.with_shape(shape))
    transpose = body.rng.choice(("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"))
    properties = [
        f"left_side = {str(left).lower()}",
        f"lower = {body.rng.choice(('true', 'false'))}",
        f"transpose_a = #stablehlo<transpose {transpose}>",
        "unit_diagonal = false",
    ]
    body.generic("stablehlo.triangular_solve", [a, b], [b.type], properties)


@makes("linear_algebra")
def fft(body: Body) -> None:
    kind = body.rng.choice(("FFT", "IFFT", "RFFT", "IRFFT"))
    element = "f32" if kind == "RFFT" else "complex<f32>"
    x = body.pick_shaped(1, lambda candidate: candidate == element)
    rank = body.rng.randrange(1, min(3, x.type.rank) + 1)
    length = list(x.type.shape[-rank:])
    result = x.type
    if kind == "RFFT":
        result = Tensor((*x.type.shape[:-1], length[-1] // 2 + 1), "complex<f32>")
    elif kind == "IRFFT":
        length[-1] = 2 * (length[-1] - 1) + body.rng.randrange(2)
        if not length[-1]:
            return
        result = Tensor((*x.type.shape[:-1], length[-1]), "f32")
    body.functional(f"stablehlo.fft {x}, type = {kind}, length = {int_list(length)}", [x], [result])


@makes("linear_algebra")
def rng_bit_generator(body: Body) -> None:
    state = body.value_of(Tensor((2,), "ui64"))
    result = Tensor(body.random_type(1).shape, body.rng.choice(("ui32", "ui64", "ui8")))
    algorithm = body.rng.choice(("DEFAULT", "THREE_FRY", "PHILOX"))
    body.functional(f"stablehlo.rng_bit_generator {state}, algorithm = {algorithm}", [state], [state.type, result])


@makes("linear_algebra", 0.7)
def qr(body: Body) -> None:
    x = _matrix(body, square=False)
    *batch, rows, columns = x.type.shape
    target = body.rng.choice(("Qr", "QrDecompositionBlock"))
    results = [x.type, x.type.with_shape([*batch, min(rows, columns)])]
    made = body.functional(f"stablehlo.custom_call @{target}({x})", [x], results)
    if body.chance(0.5):
        head = f"stablehlo.custom_call @ProductOfElementaryHouseholderReflectors({made[0]}, {made[1]})"
        body.functional(head, made, [x.type])


@makes("linear_algebra", 0.7)
def eigh(body: Body) -> None:
    x = _matrix(body, square=True)
    body.functional(f"stablehlo.custom_call @Eigh({x})", [x], [x.type, x.type.with_shape(x.type.shape[:-1])])


@makes("linear_algebra", 0.7)
def top_k(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: element in ("f32", "bf16", "i32"))
    *batch, size = x.type.shape
    count = body.rng.randrange(1, size + 1)
    values, places = x.type.with_shape([*batch, count]), Tensor((*batch, count), "i32")
    if body.chance(0.3):
        body.pretty(f"chlo.top_k({x}, k = {count})", [x], [values, places], f"{x.type} -> ({values}, {places})")
        return
    attributes = [f"mhlo.attributes = {{k = {count} : i64, largest = true}}"]
    body.functional(f"stablehlo.custom_call @mhlo.topk({x})", [x], [values, places], attributes)


@makes("linear_algebra", 0.4)
def approximate_top_k(body: Body) -> None:
    x = body.pick_shaped(1, lambda element: element == "f32")
    places = body.value_of(x.type.with_element("i32"))
    first, second = body.value_of(x.type.scalar), body.value_of(Tensor((), "i32"))
    dim = body.rng.randrange(x.type.rank)
    shape = list(x.type.shape)
    shape[dim] = body.rng.randrange(1, shape[dim] + 1)
    target = body.rng.choice(("ApproxTopK", "PartialReduce"))
    operands = [x, places, first, second]
    results = [x.type.with_shape(shape), places.type.with_shape(shape)]
    body.functional(f"stablehlo.custom_call @{target}({', '.join(map(str, operands))})", operands, results)
