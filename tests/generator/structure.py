"""Operations with regions of operations: loops, branches, named and manual computations; and barriers and calls."""

from __future__ import annotations

from collections.abc import Sequence

from tests.generator.body import Body, Scope
from tests.generator.families import makes
from tests.generator.types import Siblings, Tensor, Value, function_type

_MAX_DEPTH = 4


def _types(values: Sequence[Value]) -> list[Tensor]:
    return [value.type for value in values]


def _names(values: Sequence[Value]) -> str:
    return ", ".join(map(str, values))


def _typed_list(values: Sequence[Value]) -> str:
    return ", ".join(f"{value}: {value.type}" for value in values)


def _pick_several(body: Body, count: int) -> list[Value]:
    return [body.pick_shaped() for _ in range(count)]


def _parameters(scope: Scope, types: Sequence[Tensor]) -> list[Value]:
    values = [Value(scope.fresh("p"), type, Siblings()) for type in types]
    for value in values:
        value.siblings.used = True
    return values


def _fill(body: Body, low: int, high: int) -> None:
    body.program.fill(body, body.rng.randrange(low, high + 1))


def _yield_exactly(body: Body, types: Sequence[Tensor], first: Value | None = None) -> list[Value]:
    """Returns values of the given types in which everything that the block computed takes part.

    `first` is the first of them, unless something has to be folded into it.
    """
    results = [] if first is None else [first]
    for type in types[len(results) :]:
        own = [value for value in body.own if value.type == type and value not in results]
        unused = [value for value in own if not value.siblings.used]
        chosen = body.rng.choice(unused or own) if own else body.value_of(type)
        body.use([chosen])
        results.append(chosen)
    for loose in body.unused():
        if results and not loose.siblings.used:
            at = body.rng.randrange(len(results))
            results[at] = body.fold_into(results[at], loose)
            body.use([results[at]])
    return results


def _yield_loose(body: Body, at_most: int) -> list[Value]:
    """Returns what nobody used (folding the surplus), at least one value."""
    loose = body.unused()
    if not loose:
        loose = [body.pick_shaped()]
    kept = loose[:at_most]
    body.use(kept)
    for value in loose[at_most:]:
        kept[-1] = body.fold_into(kept[-1], value)
        body.use([kept[-1]])
    return kept


# --- loops ---


@makes("loops")
def while_loop(body: Body) -> None:
    if body.depth > _MAX_DEPTH:
        return
    counter = body.value_of(Tensor((), "i32"))
    inits = [counter, *_pick_several(body, body.rng.randrange(1, 4))]
    types = _types(inits)
    parameters = _parameters(body.scope, types)
    cond = Body(body.scope, body.depth + 1, [*body.values, *parameters])
    limit = cond.constant(Tensor((), "i32"), 3)
    types_of_compare = "(tensor<i32>, tensor<i32>) -> tensor<i1>"
    test = f"stablehlo.compare LT, {parameters[0]}, {limit}, SIGNED : {types_of_compare}"
    flag = cond.emit(test, [limit], [Tensor((), "i1")])[0]
    cond.line(f"stablehlo.return {flag} : tensor<i1>")
    do = Body(body.scope, body.depth + 1, [*body.values, *parameters])
    one = do.constant(Tensor((), "i32"), 1)
    next_counter = do.emit(f"stablehlo.add {parameters[0]}, {one} : tensor<i32>", [one], [one.type])[0]
    body.use([next_counter])
    _fill(do, 1, 4)
    results = _yield_exactly(do, types[1:], parameters[1] if do.chance(0.15) else None)
    everything = [next_counter, *results]
    do.line(f"stablehlo.return {_names(everything)} : {', '.join(map(str, types))}")
    sharding = body.operation_sharding(types)
    bindings = ", ".join(f"{parameter} = {init}" for parameter, init in zip(parameters, inits, strict=True))
    attributes = f" attributes {{{', '.join(sharding)}}}" if sharding else ""
    indent = "  " * body.depth
    inner = "\n".join([f"{indent}cond {{", *cond.lines, f"{indent}}} do {{", *do.lines, f"{indent}}}"])
    listed = ", ".join(map(str, types))
    body.emit(f"stablehlo.while({bindings}) : {listed}{attributes}\n{inner}", inits, types)


# --- branches ---


@makes("branches", 2)
def case(body: Body) -> None:
    index = body.value_of(Tensor((), "i32"))
    _branches(body, "stablehlo.case", index, body.rng.choice((1, 2, 2, 3)))


@makes("branches", 0.3)
def if_(body: Body) -> None:
    _branches(body, "stablehlo.if", body.value_of(Tensor((), "i1")), 2)


def _branches(body: Body, name: str, index: Value, count: int) -> None:
    if body.depth > _MAX_DEPTH:
        return
    types: list[Tensor] | None = None
    regions = []
    for _ in range(count):
        branch = Body(body.scope, body.depth + 1, body.values)
        _fill(branch, 1, 3)
        results = _yield_loose(branch, 3) if types is None else _yield_exactly(branch, types)
        types = _types(results)
        branch.line(f"stablehlo.return {_names(results)} : {', '.join(map(str, types))}")
        regions.append(branch.lines)
    body.generic(name, [index], types or [], (), regions)


# --- barriers ---


@makes("optimization_barriers")
def optimization_barrier(body: Body) -> None:
    operands = _pick_several(body, body.rng.randrange(1, 4))
    listed = ", ".join(map(str, _types(operands)))
    sharding = body.attribute_dictionary(body.operation_sharding(_types(operands)))
    if body.chance(0.15):
        token = body.scope.fresh("t")
        body.line(f"{token} = stablehlo.create_token : !stablehlo.token")
        text = f"stablehlo.optimization_barrier {_names(operands)}, {token} : {listed}, !stablehlo.token"
        body.emit(text, operands, _types(operands), hidden=1)
        return
    text = f"stablehlo.optimization_barrier{sharding} {_names(operands)} : {listed}"
    body.emit(text, operands, _types(operands))


# --- isolated computations ---


def _isolated(
    body: Body, types: Sequence[Tensor], taken: Sequence[str], size: tuple[int, int], *, manual: bool = False
) -> Body:
    scope = Scope(body.program, taken, body.scope)
    if manual:
        scope.computation = scope
    parameters = [scope.add_argument(type) for type in types]
    inner = Body(scope, body.depth + 1, parameters)
    _fill(inner, *size)
    return inner


@makes("named_computations")
def named_computation(body: Body) -> None:
    if body.depth > _MAX_DEPTH:
        return
    operands = _pick_several(body, body.rng.randrange(0, 4))
    inner = _isolated(body, _types(operands), body.scope.taken, (1, 4))
    results = _yield_loose(inner, 3)
    inner.line(f"sdy.return {_names(results)} : {', '.join(map(str, _types(results)))}")

    def shardings(word: str, values: Sequence[Value]) -> str:
        present = values and body.chance(0.3)
        return f" {word}=[{', '.join(body.sharding(value.type) for value in values)}]" if present else ""

    name = body.rng.choice(("foo", "bar", "block"))
    head = f'sdy.named_computation<"{name}">({_names(operands)})'
    head += shardings("in_shardings", operands) + shardings("out_shardings", results)
    _emit_isolated(body, head, inner, operands, _types(results))


def _emit_isolated(body: Body, head: str, inner: Body, operands: Sequence[Value], results: Sequence[Tensor]) -> None:
    lines = "\n".join(inner.lines)
    tail = function_type(_types(operands), results)
    text = f"{head} ({_typed_list(inner.scope.arguments)}) {{\n{lines}\n{'  ' * body.depth}}} : {tail}"
    body.emit(text, operands, results)


@makes("manual_computations")
def manual_computation(body: Body) -> None:
    if body.depth > _MAX_DEPTH:
        return
    rng, maker = body.rng, body.program.shardings
    mesh = maker.meshes[0]
    available = [name for name, _ in mesh.axes if name not in body.scope.taken]
    if not available:
        return
    manual = [name for name in available if body.chance(0.6)] if body.chance(0.9) else available
    operands = _pick_several(body, rng.randrange(1, 4))
    taken = body.scope.taken
    ins = [maker.manual_sharding(mesh, operand.type.shape, manual, taken) for operand in operands]
    locals_ = [operand.type.with_shape(local) for operand, (_, local) in zip(operands, ins, strict=True)]
    inner = _isolated(body, locals_, [*taken, *manual], (1, 5), manual=True)
    results = _yield_loose(inner, 3)
    inner.line(f"sdy.return {_names(results)} : {', '.join(map(str, _types(results)))}")
    outs, types = [], []
    for result in results:
        sharding, type = _global(body, result.type, manual)
        outs.append(sharding)
        types.append(type)
    head = f"sdy.manual_computation({_names(operands)}) in_shardings=[{', '.join(str(s) for s, _ in ins)}] "
    quoted = ", ".join(f'"{name}"' for name in maker.manual_order(manual))
    head += f"out_shardings=[{', '.join(outs)}] manual_axes={{{quoted}}}"
    _emit_isolated(body, head, inner, operands, types)


def _global(body: Body, local: Tensor, manual: Sequence[str]) -> tuple[str, Tensor]:
    """Chooses a global type for a local one: each manual axis multiplies at most one dimension."""
    rng, maker = body.rng, body.program.shardings
    mesh = maker.meshes[0]
    spread = [name for name in manual if local.rank and body.chance(0.7)]
    places = [rng.randrange(local.rank) for _ in spread]
    shape = list(local.shape)
    for name, place in zip(spread, places, strict=True):
        shape[place] *= mesh.sizes([name])
    text = maker.spread_sharding(mesh, shape, list(zip(spread, places, strict=True)), manual, body.scope.taken)
    return str(text), local.with_shape(shape)


# --- calls ---


@makes("calls")
def call(body: Body) -> None:
    known = [f for f in body.program.functions if set(f.taken) >= set(body.scope.taken)]
    if known and body.chance(0.6):
        function = body.rng.choice(known)
    elif body.program.may_add_function() and body.depth <= _MAX_DEPTH:
        function = body.program.add_function(body.scope.taken)
    else:
        return
    operands = [body.value_of(type) for type in function.operands]
    word = "call" if body.depth == 2 and body.chance(0.7) else "func.call"
    body.functional(f"{word} @{function.name}({_names(operands)})", operands, function.results)
