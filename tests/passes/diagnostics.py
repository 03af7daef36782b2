"""Programs that import and export passes refuse or warn about, each with the passes and with what is said, and where."""

# ruff: noqa: E501 (programs have long lines)

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

_CALLING_ITSELF = """\
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    """
_TWO_FUNCTIONS = """\
    module {
      func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
        return %a : tensor<8xf32>
      }
      func.func @g(%a: tensor<8xf32>) -> tensor<8xf32> {
        return %a : tensor<8xf32>
      }
    }
    """
_LOOKUP = "1:1: error: Failed to lookup function: main"
_REDUCED = "This is an invalid transition from unreduced to reduced."


@dataclass(frozen=True)
class Refusal:
    """`expected` are the errors and warnings, `LINE:COLUMN: severity: text`; `is_shared` says that the reference says the
    same (it crashes on the others, or has no such pass)."""

    name: str
    passes: str
    program: str
    expected: tuple[str, ...]
    is_shared: bool = True

    @property
    def text(self) -> str:
        """The program, not indented."""
        return dedent(self.program)


REFUSALS = (
    Refusal(
        "dce-of-a-function",
        "func.func(symbol-dce)",
        _TWO_FUNCTIONS,
        tuple(
            f"{line}:3: error: 'func.func' op  was scheduled to run under SymbolDCE, but does not define a symbol table"
            for line in (2, 5)
        ),
    ),
    Refusal(
        "cycle-in-flatten",
        "sdy-flatten-call-graph",
        _CALLING_ITSELF,
        (
            "7:8: error: function @f calls itself, directly or through others, so its body cannot be copied to each "
            "call",
        ),
        is_shared=False,
    ),
    Refusal(
        "cycle-in-import",
        "sdy-import-func-calls",
        _CALLING_ITSELF,
        (
            "7:8: error: function @f calls itself, directly or through others, so its body cannot be copied to each "
            "call",
        ),
        is_shared=False,
    ),
    Refusal(
        "called-twice",
        "sdy-import-func-calls",
        """\
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
          %1 = call @f(%0) : (tensor<8xf32>) -> tensor<8xf32>
          return %1 : tensor<8xf32>
        }
        func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
          return %a : tensor<8xf32>
        }
        """,
        ("3:8: warning: function @f has multiple call ops, we need to clone the function body for each call",),
    ),
    Refusal(
        "edges-twice",
        "sdy-add-data-flow-edges,sdy-add-data-flow-edges",
        """\
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        (
            "2:8: error: 'sdy.data_flow_edge' op expected input of sdy.data_flow_edge to not be defined by an "
            "SdyDialect op (other than an sdy.named_computation).",
        ),
    ),
    Refusal(
        "function-edges-twice",
        "sdy-add-func-data-flow-edges,sdy-add-func-data-flow-edges",
        """\
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
          return %a : tensor<8xf32>
        }
        """,
        (
            "5:1: error: 'sdy.func_data_flow_edge' op expected operand of sdy.func_data_flow_edge to be a result of "
            "call op.",
        ),
    ),
    Refusal(
        "manual-axes-without-shardings",
        "sdy-manual-axes-cleanup",
        """\
        func.func @main() {
          sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
            %c = stablehlo.constant dense<1> : tensor<i32>
            sdy.return
          } : () -> ()
          return
        }
        """,
        (
            "2:3: error: op has manual_axes when there are no in/out shardings and the body is not empty. This isn't "
            "allowed at this stage, please contact the Shardy team or file a bug.",
        ),
    ),
    Refusal(
        "group-of-two-shapes",
        "sdy-sharding-group-import",
        """\
        func.func @main(%a: tensor<8xf32>, %b: tensor<4xf32>) {
          sdy.sharding_group %a group_id=3 : tensor<8xf32>
          sdy.sharding_group %b group_id=3 : tensor<4xf32>
          return
        }
        """,
        ("3:3: error: ShardingGroupOps values must have the same shape for groupId: 3",),
    ),
    Refusal(
        "group-in-and-out-of-a-computation",
        "sdy-sharding-group-import",
        """\
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          sdy.sharding_group %a group_id=3 : tensor<8xf32>
          %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={} (%b: tensor<8xf32>) {
            sdy.sharding_group %b group_id=3 : tensor<8xf32>
            sdy.return %b : tensor<8xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        ("5:5: error: ShardingGroupOps values cannot cross ManualComputationOp boundaries for groupId: 3",),
    ),
    *(
        Refusal(f"no-main-in-{name}", passes, _TWO_FUNCTIONS, (_LOOKUP,), is_shared=False)
        for name, passes in (
            ("func-edges", "sdy-add-func-data-flow-edges"),
            ("func-results", "sdy-propagate-to-func-results"),
            ("sub-axes", "sdy-remove-sub-axes-in-input-output-shardings"),
            ("propagate", "sdy-basic-propagate"),
        )
    ),
    Refusal(
        "shardings-left-without-their-mesh",
        "sdy-drop-sharding-and-mesh",
        """\
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.sharding_constraint %a <@m, [{"x"}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        ("3:8: error: 'sdy.sharding_constraint' op unknown mesh: @m",),
    ),
    Refusal(
        "results-unreduced-differently",
        "func.func(sdy-insert-explicit-reshards)",
        """\
        sdy.mesh @m = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) -> (tensor<8xf32>, tensor<8xf32>) {
          %0:2 = stablehlo.custom_call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"x"}>, <@m, [{}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
          return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
        }
        """,
        ("3:10: error: 'stablehlo.custom_call' op has results that are unreduced over different axes",),
        is_shared=False,
    ),
    Refusal(
        "unreduced-axis-dropped",
        "func.func(sdy-verify-unreduced-axes)",
        """\
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
          %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        (
            "3:8: error: 'stablehlo.negate' op dropped unreduced axis 'x' without a blessed operation (e.g., "
            f"sdy.reshard). {_REDUCED}",
        ),
        is_shared=False,
    ),
    Refusal(
        "tuples",
        "sdy-user-priority-propagate",
        """\
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = stablehlo.tuple %a : tuple<tensor<8xf32>>
          return %a : tensor<8xf32>
        }
        """,
        ("2:8: error: Shardy propagation doesn't support tuples: 'tuple<tensor<8xf32>>'",),
    ),
    Refusal(
        "dynamic-shapes",
        "sdy-user-priority-propagate",
        """\
        func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.negate %a : tensor<?xf32>
          return %0 : tensor<?xf32>
        }
        """,
        ("2:8: error: Shardy propagation only supports ranked tensors with a static shape. type: 'tensor<?xf32>'",),
    ),
    Refusal(
        "edges-of-computations-twice",
        "sdy-import-func-calls,sdy-import-func-calls",
        """\
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
          return %a : tensor<8xf32>
        }
        """,
        (
            "2:8: error: 'sdy.data_flow_edge' op expected input of sdy.data_flow_edge to not be defined by an "
            "SdyDialect op (other than an sdy.named_computation).",
        ),
    ),
    Refusal(
        "groups-before-their-import",
        "sdy-user-priority-propagate",
        """\
        func.func @main(%a: tensor<8xf32>) {
          sdy.sharding_group %a group_id=0 : tensor<8xf32>
          sdy.sharding_group %a group_id=1 : tensor<8xf32>
          return
        }
        """,
        ("3:3: error: Value can only map to one sharding group id after import.",),
        is_shared=False,
    ),
    Refusal(
        "hidden-symbol-uses",
        "symbol-dce",
        """\
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = "other.op"(%a) ({
            "other.end"() : () -> ()
          }) : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        (
            "1:1: error: operation contains potentially unknown symbol table, meaning that we can't reliable compute "
            "symbol uses",
        ),
    ),
    Refusal(
        "origins-without-edges",
        "sdy-user-priority-propagate{debug-sharding-origins=true}",
        """\
        sdy.mesh @m = <["x"=2]>
        func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={} (%b: tensor<8xf32>) {
            sdy.return %b : tensor<8xf32>
          } : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """,
        (
            "3:8: error: 'sdy.manual_computation' op sharding origins stand on data-flow edges, which are missing here; "
            "run sdy-add-data-flow-edges first",
        ),
        is_shared=False,
    ),
)
