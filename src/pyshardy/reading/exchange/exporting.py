"""Converts a program with ``sdy`` operations to the exchange form: the inverse of ``importing``.

Shardings become strings in frontend attributes and, if GSPMD can express them, ``mhlo.sharding`` beside them, for
readers that know only that; constraints, groups and barriers become custom calls, manual computations functions between
two of them (``manual_functions``). Named computations become functions, and reshards constraints, since the form has
neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.dialects.func import (
    arguments_attributes,
    function_type,
    is_declaration,
    result_attributes,
    with_entry_attributes,
)
from pyshardy.dialects.sdy.dataflow import SHARDING as SDY_SHARDING
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.sdy.placement import meshes
from pyshardy.ir import rewriting
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module, ModuleKind, run_passes
from pyshardy.passes.call_graph import ORIGINAL_FUNC_NAME
from pyshardy.passes.exporting.remove_propagation_debug_info import remove_debug_attributes
from pyshardy.passes.importing.inline_meshes import inline_mesh_of_groups
from pyshardy.reading.exchange import names
from pyshardy.reading.exchange.gspmd_text import gspmd_text_of
from pyshardy.reading.exchange.manual_functions import make_functions
from pyshardy.reading.exchange.marker_calls import custom_call, with_string
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

_RULE = "sdy.sharding_rule"
_CONSTRAINTS = ("sdy.sharding_constraint", "sdy.reshard")


def exported(module: ModuleKind) -> ModuleKind:
    """The program of ``module`` in the exchange form; ``module`` stays as it is.

    Raises:
        PyshardyError: it has an operation of ``sdy`` that the form has no counterpart for; the diagnostic names it.
    """
    made = module.copy()
    if any(op.name == "sdy.named_computation" for op in made.op.walk()):
        run_passes(made, "builtin.module(sdy-export-named-computations)")
    ExchangeExport(made).run()
    return made


class ExchangeExport:
    """The export of one program; ``known_meshes`` are those that it names."""

    def __init__(self, module: Module) -> None:
        self.root = module.op
        self.context = module.context
        self.known_meshes = meshes(module.op)

    def run(self) -> None:
        """Rewrites everything and verifies."""
        remove_debug_attributes(self.root)
        inside = {op for one in self.root.walk() if one.name == "sdy.manual_computation" for op in one.walk()}
        for op in list(self.root.walk()):
            if op.name == "func.func":
                self._convert_function(op)
            else:
                self._convert(op, op in inside)
        make_functions(self.root)
        self._write_meshes()
        if not verify(self.root, self.context):
            raise self.context.failure()

    # --- attributes ---------------------------------------------------------------------------------------------------

    def _write_meshes(self) -> None:
        for op in self.root.walk():
            inline_mesh_of_groups(op, self.known_meshes)
        written = {}
        for op in [one for one in self.root.body if one.name == "sdy.mesh"]:
            mesh = op.properties.get("mesh")
            if op.symbol_name is not None and mesh is not None:
                written[op.symbol_name] = mesh
            rewriting.erase(op)
        if written:
            rewriting.set_attributes(
                self.root, with_string(self.root.attributes, names.MESHES, DictionaryAttr(written))
            )

    def _mesh(self, sharding: TensorSharding) -> Mesh | None:
        mesh = sharding.mesh_or_ref
        return mesh if isinstance(mesh, Mesh) else self.known_meshes.get(mesh)

    def _gspmd(self, shardings: Sequence[TensorSharding], *, single: bool) -> str | None:
        """The text of ``shardings`` in GSPMD's syntax; None if GSPMD cannot express one of them."""
        found = []
        for one in shardings:
            mesh = self._mesh(one)
            text = gspmd_text_of(one, mesh) if mesh is not None else None
            if text is None:
                return None
            found.append(text)
        return found[0] if single and len(found) == 1 else "{" + ", ".join(found) + "}"

    def _convert_function(self, func: Operation) -> None:
        original = func.attributes.get(ORIGINAL_FUNC_NAME)
        if original is not None:
            kept = func.attributes.without(ORIGINAL_FUNC_NAME)
            rewriting.set_attributes(func, kept.with_(names.ORIGINAL_FUNCTION, original))
        arguments = [
            self._converted_entry(arguments_attributes(func, index), is_named=True)
            for index in range(len(function_type(func).inputs))
        ]
        self._mark_results(func)
        results = [
            self._converted_entry(result_attributes(func, index), is_named=is_declaration(func))
            for index in range(len(function_type(func).results))
        ]
        properties = with_entry_attributes(func.properties, "arg_attrs", arguments)
        rewriting.set_properties(func, with_entry_attributes(properties, "res_attrs", results))

    def _converted_entry(self, entry: DictionaryAttr, *, is_named: bool) -> DictionaryAttr:
        sharding = entry.get(SDY_SHARDING)
        if not isinstance(sharding, TensorSharding):
            return entry
        kept = entry.without(SDY_SHARDING)
        if is_named:
            kept = with_string(kept, names.SHARDING, sharding)
        gspmd = self._gspmd([sharding], single=True)
        return kept if gspmd is None else kept.with_(names.GSPMD_SHARDING, StringAttr(gspmd))

    def _mark_results(self, func: Operation) -> None:
        """Writes the sharding of each result to a custom call before the return."""
        for block in func.regions[0].blocks:
            end = block.terminator
            for index, value in enumerate(end.operands):
                sharding = result_attributes(func, index).get(SDY_SHARDING)
                if end.name != "func.return" or not isinstance(sharding, TensorSharding):
                    continue
                strings = {names.SHARDING: TensorShardingPerValue([sharding])}
                marker = custom_call(names.RESULT_SHARDING, [value], [value.type], strings, end, effect=True)
                rewriting.insert_before(end, marker)
                rewriting.set_operand(end, index, marker.results[0])

    # --- operations ---------------------------------------------------------------------------------------------------

    def _convert(self, op: Operation, is_inside: bool) -> None:
        if op.name in _CONSTRAINTS:
            self._convert_constraint(op, is_inside)
        elif op.name == "sdy.sharding_group":
            self._replace(op, names.SHARDING_GROUP, {names.GROUP_ID: op.properties.entries["group_id"]}, effect=True)
        elif op.name == "sdy.propagation_barrier":
            direction = op.properties.entries["allowed_direction"]
            self._replace(op, names.BARRIER, {names.ALLOWED_DIRECTION: direction}, effect=True)
        elif op.name == "sdy.constant":
            made = rewriting.create(
                "stablehlo.constant", (), [op.results[0].type], op.properties, op.attributes, location=op.location
            )
            rewriting.insert_before(op, made)
            rewriting.replace_op(op, made.results)
            self._convert_attributes(made, is_inside)
        elif op.name in COLLECTIVES or op.name.endswith("data_flow_edge"):
            what = "of propagation alone" if op.name not in COLLECTIVES else "a collective of Shardy's"
            message = f"'{op.name}' is {what}, which the form of XLA has no counterpart for"
            self.context.emit("error", op.location, message)
            raise self.context.failure()
        else:
            self._convert_attributes(op, is_inside)

    def _convert_attributes(self, op: Operation, is_inside: bool) -> None:
        attributes = op.attributes
        sharding, rule = attributes.get(SDY_SHARDING), attributes.get(_RULE)
        if isinstance(sharding, TensorShardingPerValue):
            attributes = with_string(attributes.without(SDY_SHARDING), names.SHARDING, sharding)
            gspmd = None if is_inside else self._gspmd(sharding.shardings, single=len(op.results) == 1)
            if gspmd is not None:
                attributes = attributes.with_(names.GSPMD_SHARDING, StringAttr(gspmd))
        if rule is not None:
            attributes = with_string(attributes.without(_RULE), names.SHARDING_RULE, rule)
        if attributes is not op.attributes:
            rewriting.set_attributes(op, attributes)

    def _convert_constraint(self, op: Operation, is_inside: bool) -> None:
        sharding = op.properties.entries["sharding"]
        assert isinstance(sharding, TensorSharding)
        made = self._replace(op, names.CONSTRAINT, {names.SHARDING: TensorShardingPerValue([sharding])})
        gspmd = None if is_inside else self._gspmd([sharding], single=True)
        if gspmd is not None:
            rewriting.set_attributes(made, made.attributes.with_(names.GSPMD_SHARDING, StringAttr(gspmd)))

    def _replace(
        self, op: Operation, target: str, strings: Mapping[str, Attribute], *, effect: bool = False
    ) -> Operation:
        types = [result.type for result in op.results]
        made = custom_call(target, op.operands, types, strings, op, effect=effect)
        rewriting.insert_before(op, made)
        frontend = names.frontend_attributes(op.attributes)
        for name, value in frontend or ():
            if name != names.SHARDING:
                rewriting.set_attributes(made, with_string(made.attributes, name, value))
        rewriting.replace_op(op, made.results)
        return made
