"""Converts a program in the exchange form to one with ``sdy`` operations.

The meshes of the module become ``sdy.mesh`` operations, strings on arguments and operations become shardings, custom
calls become constraints, groups and barriers; ``manual_bodies`` makes manual computations. Attributes and calls that
are only partly understood are an error that names them. If a program also has ``mhlo.sharding``, that is dropped from
the whole program, as XLA does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NoReturn, TypeVar

from pyshardy.dialects.func import (
    arguments_attributes,
    function_type,
    result_attributes,
    set_argument_attributes,
    set_result_attribute,
    set_result_attributes,
    with_entry_attributes,
)
from pyshardy.dialects.main_function import find_main_function
from pyshardy.dialects.sdy.dataflow import SHARDING as SDY_SHARDING
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute, quoted
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import I32, I64, TupleType
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.passes.call_graph import ORIGINAL_FUNC_NAME, SymbolTable
from pyshardy.reading.exchange import manual_bodies, names
from pyshardy.reading.exchange.attribute_strings import BadString, read_attribute
from pyshardy.reading.gspmd.markers import FULL_TO_SHARD, SHARD_TO_FULL, unspecified_dims
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.rule import OpShardingRule
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue

A = TypeVar("A", bound=Attribute)

_RULE = "sdy.sharding_rule"
_SHOWN = 120


def import_exchange(module: Module) -> bool:
    """Converts the parts of ``module`` in the exchange form, in place, and adds a note. Returns whether GSPMD's
    shardings are still to be read: if there was nothing in the exchange form, or the program asks for it.

    Raises:
        PyshardyError: a string holds no attribute, or a custom call does not have the form of its target; the
            diagnostic names it.
    """
    return ExchangeImport(module).run()


class ExchangeImport:
    """The import of one program."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.root = module.op
        self.context = module.context
        self.counts: Counter[str] = Counter()
        self._symbols = SymbolTable(module.op)
        self._mesh_names: dict[Mesh, str] = {}
        self._renamed: dict[str, str] = {}
        self._last_mesh: Operation | None = None
        self._read: dict[str, Attribute] = {}
        self._gspmd_alone = 0

    def run(self) -> bool:
        """Reads and rewrites everything, verifies, and notes what was read."""
        operations = list(self.root.walk())
        if not any(_has_exchange(op) for op in operations):
            return True
        self._make_meshes()
        keeps_gspmd = self._take(self.root, names.IMPORT_GSPMD) is not None
        self._untuple(operations)
        self._convert_tuple_arguments()
        for op in list(self.root.walk()):
            if op.name == "func.func":
                self._convert_function(op)
            else:
                self._convert(op)
        manual_bodies.make_manual_computations(self)
        self._refuse_unconverted(keeps_gspmd)
        if not keeps_gspmd:
            self._drop_gspmd()
        if not verify(self.root, self.context):
            raise self.context.failure()
        self._note()
        return keeps_gspmd

    def fail(self, op: Operation, what: str, why: str) -> NoReturn:
        """Refuses the program because of ``what`` on ``op``.

        Raises:
            PyshardyError: always.
        """
        self.context.emit("error", op.location, f"{what} cannot be read: {why}")
        raise self.context.failure()

    # --- strings ------------------------------------------------------------------------------------------------------

    def attribute(self, op: Operation, name: str, text: str, kind: type[A], wanted: str) -> A:
        """The attribute of ``kind`` in the string ``text``, the value of attribute ``name`` of ``op``.

        Raises:
            PyshardyError: it holds none, or one that is not ``wanted``.
        """
        found = self._read.get(text)
        if found is None:
            try:
                found = self._read[text] = read_attribute(text)
            except BadString as error:
                self.fail(op, _shown(name, text), str(error))
        if not isinstance(found, kind):
            self.fail(op, _shown(name, text), f"{wanted} is expected")
        return found

    def taken_attribute(self, op: Operation, name: str, kind: type[A], wanted: str) -> A | None:
        """The attribute of ``kind`` in the string of frontend attribute ``name`` of ``op``, which is removed; None if
        it is not there.

        Raises:
            PyshardyError: the string holds none, or one that is not ``wanted``.
        """
        text = self._take(op, name)
        return None if text is None else self.attribute(op, name, text, kind, wanted)

    def taken_shardings(self, op: Operation, name: str) -> list[TensorSharding] | None:
        """The shardings that the frontend attribute ``name`` of ``op`` lists, on meshes of the module; removed."""
        text = self._take(op, name)
        return None if text is None else self._shardings(op, name, text)

    def _shardings(self, op: Operation, name: str, text: str) -> list[TensorSharding]:
        found = self.attribute(op, name, text, Attribute, "a list of shardings")
        if isinstance(found, TensorSharding):
            return [self._named(op, name, text, found)]
        if not isinstance(found, TensorShardingPerValue):
            self.fail(op, _shown(name, text), "shardings (#sdy.sharding_per_value<[…]>) are expected")
        return [self._named(op, name, text, one) for one in found]

    def _named(self, op: Operation, name: str, text: str, sharding: TensorSharding) -> TensorSharding:
        mesh = sharding.mesh_or_ref
        if isinstance(mesh, Mesh):
            return sharding.replace(mesh_or_ref=self._name_of(mesh))
        known = self._renamed.get(mesh, mesh)
        found = self._symbols.lookup(known)
        if found is None or found.name != "sdy.mesh":
            self.fail(op, _shown(name, text), f"{names.MESHES} has no mesh @{mesh}")
        return sharding.replace(mesh_or_ref=known)

    def _take(self, op: Operation, name: str) -> str | None:
        """The text of the frontend attribute ``name`` of ``op``, which is removed."""
        frontend = names.frontend_attributes(op.attributes)
        found = frontend.get(name) if frontend is not None else None
        if frontend is None or found is None:
            return None
        if not isinstance(found, StringAttr):
            self.fail(op, f"{name} = {found}", "a string is expected")
        rewriting.set_attributes(op, names.with_frontend_attributes(op.attributes, frontend.without(name)))
        return found.value

    # --- meshes -------------------------------------------------------------------------------------------------------

    def _make_meshes(self) -> None:
        for op in self.root.body:
            mesh = op.properties.get("mesh") if op.name == "sdy.mesh" else None
            if isinstance(mesh, Mesh):
                self._mesh_names.setdefault(mesh, op.symbol_name or "")
                self._last_mesh = op
        text = self._take(self.root, names.MESHES)
        if text is None:
            return
        # The reference sorts meshes by name, so the first of equal meshes is the first by name.
        for name, entry in self.attribute(self.root, names.MESHES, text, DictionaryAttr, "a dictionary of meshes"):
            mesh = self._mesh_in(entry) if isinstance(entry, StringAttr) else entry
            if not isinstance(mesh, Mesh):
                self.fail(self.root, _shown(names.MESHES, text), f"'{name}' is no mesh (#sdy.mesh<…>)")
            known = self._mesh_names.get(mesh)
            if known is not None:
                self._renamed[name] = known
                continue
            made = self._insert_mesh(name, mesh)
            if made != name:
                self._renamed[name] = made

    def _mesh_in(self, entry: StringAttr) -> Attribute:
        """A mesh in the oldest version of this form: a string inside of the string, with axes without brackets."""
        bare = entry.value.removeprefix("#sdy.mesh<")
        text = entry.value if bare.startswith("[") else f"#sdy.mesh<[{bare.removesuffix('>')}]>"
        return self.attribute(self.root, names.MESHES, text, Attribute, "a mesh")

    def _name_of(self, mesh: Mesh) -> str:
        known = self._mesh_names.get(mesh)
        if known is not None:
            return known
        wanted = "empty_mesh" if mesh.is_empty else "mesh"
        return self._insert_mesh(f"maximal_mesh_{mesh.device_ids[0]}" if mesh.is_maximal else wanted, mesh)

    def _insert_mesh(self, name: str, mesh: Mesh) -> str:
        properties = DictionaryAttr({"sym_name": StringAttr(name), "mesh": mesh})
        op = rewriting.create("sdy.mesh", properties=properties, location=self.root.location)
        if self._last_mesh is not None:
            rewriting.insert_after(self._last_mesh, op)
        else:
            rewriting.prepend(self.root.body, op)
        self._last_mesh = op
        self._mesh_names[mesh] = made = self._symbols.insert(op)
        self.counts["mesh"] += 1
        return made

    # --- functions ----------------------------------------------------------------------------------------------------

    def _convert_function(self, func: Operation) -> None:
        original = func.attributes.get(names.ORIGINAL_FUNCTION)
        if original is not None:
            kept = func.attributes.without(names.ORIGINAL_FUNCTION)
            rewriting.set_attributes(func, kept.with_(ORIGINAL_FUNC_NAME, original))
        signature = function_type(func)
        for array, types, what in (
            ("arg_attrs", signature.inputs, "argument"),
            ("res_attrs", signature.results, "result"),
        ):
            read = arguments_attributes if array == "arg_attrs" else result_attributes
            entries = [self._converted_entry(func, read(func, index), what) for index in range(len(types))]
            properties = with_entry_attributes(func.properties, array, entries)
            if properties is not func.properties:
                rewriting.set_properties(func, properties)

    def _converted_entry(self, func: Operation, entry: DictionaryAttr, what: str) -> DictionaryAttr:
        frontend = names.frontend_attributes(entry)
        found = frontend.get(names.SHARDING) if frontend is not None else None
        if frontend is None or not isinstance(found, StringAttr):
            return entry
        shardings = self._shardings(func, names.SHARDING, found.value)
        if len(shardings) != 1:
            self.fail(func, _shown(names.SHARDING, found.value), f"one sharding of an {what} is expected")
        self.counts[what] += 1
        rest = names.with_frontend_attributes(entry, frontend.without(names.SHARDING))
        return rest.with_(SDY_SHARDING, shardings[0]).without(names.GSPMD_SHARDING)

    def _convert_tuple_arguments(self) -> None:
        """Reads shardings of the flattened arguments and results of a main function that had tuples."""
        self._take(self.root, names.USE_TUPLE_ARGUMENTS)
        for name, what in ((names.TUPLE_ARGUMENTS, "argument"), (names.TUPLE_RESULTS, "result")):
            shardings = self.taken_shardings(self.root, name)
            if shardings is None:
                continue
            main = find_main_function(self.root)
            if main is None:
                self.fail(self.root, name, "there is no main function")
            signature = function_type(main)
            types = signature.inputs if what == "argument" else signature.results
            if len(types) != len(shardings):
                counted = f"{len(types)} {what}{'s' if len(types) != 1 else ''}"
                self.fail(
                    self.root, name, f"it lists {len(shardings)} shardings, and @{main.symbol_name} has {counted}"
                )
            store = set_argument_attributes if what == "argument" else set_result_attributes
            store(main, SDY_SHARDING, dict(enumerate(shardings)))
            self.counts[what] += len(shardings)

    # --- operations ---------------------------------------------------------------------------------------------------

    def _untuple(self, operations: Iterable[Operation]) -> None:
        """Gives custom calls that XLA printed with a tuple result separate results."""
        for op in operations:
            if op.name != "stablehlo.custom_call" or len(op.results) != 1:
                continue
            type = op.results[0].type
            if not isinstance(type, TupleType) or not _is_flat(type):
                continue
            users = [user for user, _ in op.results[0].uses]
            if any(user.name != "stablehlo.get_tuple_element" for user in users):
                continue
            made = rewriting.create(
                op.name, op.operands, type.elements, op.properties, op.attributes, location=op.location
            )
            rewriting.insert_before(op, made)
            for user in users:
                index = user.properties.get("index")
                assert isinstance(index, IntegerAttr)
                rewriting.replace_op(user, [made.results[index.value]])
            rewriting.erase(op)

    def _convert(self, op: Operation) -> None:
        target = names.call_target(op) if op.name == "stablehlo.custom_call" else None
        if target == names.CONSTRAINT:
            self._convert_constraint(op)
        elif target == names.RESULT_SHARDING:
            self._convert_result_sharding(op)
        elif target == names.SHARDING_GROUP:
            self._convert_group(op)
        elif target == names.BARRIER:
            self._convert_barrier(op)
        elif op is not self.root:
            self._convert_attributes(op)

    def _convert_attributes(self, op: Operation) -> None:
        shardings = self.taken_shardings(op, names.SHARDING)
        if shardings is not None:
            rewriting.set_attributes(op, op.attributes.with_(SDY_SHARDING, TensorShardingPerValue(shardings)))
            self.counts["operation"] += 1
        rule = self.taken_attribute(
            op, names.SHARDING_RULE, OpShardingRule, "a sharding rule (#sdy.op_sharding_rule<…>)"
        )
        if rule is not None:
            rewriting.set_attributes(op, op.attributes.with_(_RULE, rule))
            self.counts["sharding rule"] += 1

    def _only_operand(self, op: Operation, target: str) -> Value:
        if len(op.operands) != 1:
            self.fail(op, f"@{target}", f"it has one operand, and {len(op.operands)} are given")
        return op.operands[0]

    def _one_sharding(self, op: Operation, target: str) -> TensorSharding | None:
        if len(op.results) != 1:
            self.fail(op, f"@{target}", f"it has one result, and here {len(op.results)}")
        shardings = self.taken_shardings(op, names.SHARDING)
        if shardings is None:
            return None
        if len(shardings) != 1:
            self.fail(op, f"@{target}", f"one sharding is expected, and {names.SHARDING} has {len(shardings)}")
        return shardings[0]

    def _convert_constraint(self, op: Operation) -> None:
        if names.frontend_attributes(op.attributes) is None and SDY_SHARDING not in op.attributes:
            return
        value, sharding = self._only_operand(op, names.CONSTRAINT), self._one_sharding(op, names.CONSTRAINT)
        if sharding is None:
            return
        open_dims = unspecified_dims(op)
        dims = [
            DimSharding(dim.axes, False, dim.priority) if index in open_dims else dim
            for index, dim in enumerate(sharding.dims)
        ]
        self._replace(op, "sdy.sharding_constraint", value, {"sharding": sharding.replace(dims=dims)})
        self.counts["constraint"] += 1

    def _convert_result_sharding(self, op: Operation) -> None:
        value, sharding = self._only_operand(op, names.RESULT_SHARDING), self._one_sharding(op, names.RESULT_SHARDING)
        if sharding is None:
            self.fail(op, f"@{names.RESULT_SHARDING}", f"it has no {names.SHARDING}")
        uses = [(user, index) for user, index in op.results[0].uses if user.name == "func.return"]
        if not uses and op.results[0].num_uses:
            self.fail(op, f"@{names.RESULT_SHARDING}", "its result is not returned from a function")
        for user, index in uses:
            func = user.parent_op
            assert func is not None
            set_result_attribute(func, index, SDY_SHARDING, sharding)
            set_result_attribute(func, index, names.GSPMD_SHARDING, None)
            self.counts["result"] += 1
        rewriting.replace_op(op, [value])

    def _convert_group(self, op: Operation) -> None:
        value = self._only_operand(op, names.SHARDING_GROUP)
        if op.results:
            self.fail(op, f"@{names.SHARDING_GROUP}", f"it has no results, and here {len(op.results)}")
        number = self._number(op, names.SHARDING_GROUP, names.GROUP_ID)
        self._replace(op, "sdy.sharding_group", value, {"group_id": IntegerAttr(number, I64)})
        self.counts["member of sharding groups"] += 1

    def _convert_barrier(self, op: Operation) -> None:
        value = self._only_operand(op, names.BARRIER)
        number = self._number(op, names.BARRIER, names.ALLOWED_DIRECTION)
        if number not in range(4):
            self.fail(op, f"@{names.BARRIER}", f"a direction is 0 to 3, and {names.ALLOWED_DIRECTION} is {number}")
        self._replace(op, "sdy.propagation_barrier", value, {"allowed_direction": IntegerAttr(number, I32)})
        self.counts["propagation barrier"] += 1

    def _number(self, op: Operation, target: str, name: str) -> int:
        found = self.taken_attribute(op, name, IntegerAttr, "a number")
        if found is None:
            self.fail(op, f"@{target}", f"it has no {name}")
        return found.value

    def _replace(self, op: Operation, name: str, value: Value, properties: dict[str, Attribute]) -> None:
        types = [result.type for result in op.results]
        frontend = names.frontend_attributes(op.attributes)
        kept = DictionaryAttr({}) if frontend is None else DictionaryAttr({names.FRONTEND_ATTRIBUTES: frontend})
        made = rewriting.create(name, [value], types, DictionaryAttr(properties), kept, location=op.location)
        rewriting.insert_before(op, made)
        rewriting.replace_op(op, made.results)

    # --- the rest of the program --------------------------------------------------------------------------------------

    def _drop_gspmd(self) -> None:
        for op in list(self.root.walk()):
            if names.GSPMD_SHARDING in op.attributes:
                self._gspmd_alone += SDY_SHARDING not in op.attributes
                rewriting.set_attributes(op, op.attributes.without(names.GSPMD_SHARDING))
                if names.call_target(op) == names.CONSTRAINT and len(op.operands) == len(op.results):
                    rewriting.replace_op(op, list(op.operands))
            elif op.name == "func.func":
                self._drop_gspmd_of_function(op)

    def _drop_gspmd_of_function(self, func: Operation) -> None:
        for array in ("arg_attrs", "res_attrs"):
            found = func.properties.get(array)
            if not isinstance(found, ArrayAttr):
                continue
            entries = [one for one in found.elements if isinstance(one, DictionaryAttr)]
            self._gspmd_alone += sum(names.GSPMD_SHARDING in one and SDY_SHARDING not in one for one in entries)
            dropped = [one.without(names.GSPMD_SHARDING) for one in entries]
            if dropped != entries:
                rewriting.set_properties(func, with_entry_attributes(func.properties, array, dropped))

    def _refuse_unconverted(self, keeps_gspmd: bool) -> None:
        for op in self.root.walk():
            target = names.call_target(op)
            if target is not None and target.startswith(names.PREFIX):
                self.fail(op, f"the custom call @{target}", "it is none that pyshardy knows")
            if target in (FULL_TO_SHARD, SHARD_TO_FULL) and not keeps_gspmd:
                self.fail(op, f"@{target}", f"it is GSPMD's, and the program has its shardings in {names.PREFIX}*")
            found = _exchange_attribute(op)
            if found is not None:
                self.fail(op, f"the attribute {found}", f"it is none that pyshardy knows on '{op.name}'")

    def _note(self) -> None:
        listed = ", ".join(f"{count} {_plural(name, count)}" for name, count in self.counts.items())
        self.module.notes.append(f"shardings in the form of XLA ({names.PREFIX}*) were read: {listed or 'none'}")
        if self._gspmd_alone:
            values = "1 value has" if self._gspmd_alone == 1 else f"{self._gspmd_alone} values have"
            self.module.notes.append(f"{values} {names.GSPMD_SHARDING} alone, which was left out, as XLA does")


def _is_flat(type: TupleType) -> bool:
    return not any(isinstance(one, TupleType) for one in type.elements)


def _has_exchange(op: Operation) -> bool:
    target = names.call_target(op)
    if target is not None and target.startswith(names.PREFIX):
        return True
    # The name of a function alone does not show that a program is in this form.
    return _exchange_attribute(op) not in (None, names.ORIGINAL_FUNCTION)


def _exchange_attribute(op: Operation) -> str | None:
    """The first attribute of ``op``, its arguments or its results whose name is one of this form."""
    dictionaries = [op.attributes]
    if op.name == "func.func":
        for array in ("arg_attrs", "res_attrs"):
            found = op.properties.get(array)
            if isinstance(found, ArrayAttr):
                dictionaries += [one for one in found.elements if isinstance(one, DictionaryAttr)]
    for one in dictionaries:
        for entries in (one, names.frontend_attributes(one) or ()):
            for name, _ in entries:
                if name.startswith(names.PREFIX):
                    return name
    return None


def _shown(name: str, text: str) -> str:
    text = quoted(text)
    return f"{name} = {text if len(text) <= _SHOWN else text[:_SHOWN] + ' …'}"


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    first, space, rest = name.partition(" of ")
    return f"{first}{'es' if first.endswith('sh') else 's'}{space}{rest}"
