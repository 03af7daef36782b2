// dimensions of arguments and results are cut one by one
sdy.mesh @m = <["x"=4, "y"=2, "z"=3, "w"=8]>
sdy.mesh @max = <[], device_ids=[3]>
func.func @main(
    %0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y", ?}p1]>},
    %1: tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p2, {"z", "y"}]>},
    %2: tensor<3x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"w"}p1, {"x":(1)2, "z", "y"}]>},
    %3: tensor<12x20xf32> {sdy.sharding = #sdy.sharding<@m, [{"w", "z"}, {"x", "y"}]>},
    %4: tensor<12x20xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "w"}p3, {"y", "z"}]>},
    %5: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"w":(2)2, "x"}, {"y", "w":(4)2, ?}]>},
    %6: tensor<?x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"w"}, {"y", "x"}]>},
    %7: tensor<0x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"w"}, {"x", "y"}]>},
    %8: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=8]>, [{"q"}, {}]>},
    %9: tensor<7xf32> {foo.bar = 1 : i32, sdy.sharding = #sdy.sharding<@m, [{"x", ?}], replicated={"y"}, unreduced={"z"}>},
    %10: tensor<7xf32> {sdy.sharding = #sdy.sharding<@max, []>},
    %11: tensor<f32> {sdy.sharding = #sdy.sharding<@m, []>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"w":(2)4, ?}]>}, tensor<7xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(2)2, ?}p1]>}) {
  %r = stablehlo.slice %9 [0:6] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"w"}]>]>} : (tensor<7xf32>) -> tensor<6xf32>
  %s = sdy.sharding_constraint %9 <@m, [{"x"}]> : tensor<7xf32>
  return %r, %s : tensor<6xf32>, tensor<7xf32>
}
// -----
// axes of size one
sdy.mesh @m = <["a"=1, "b"=2, "c"=4]>
func.func @main(%0: tensor<3x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {}]>}, %1: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "c"}, {}]>}, %2: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"b", "a", "c"}p1, {}]>}) { return }
// -----
// calls wherever they stand
sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<6xf32>, %i: tensor<i32>) -> tensor<6xf32> {
  %0 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}p1]>]>} : (tensor<6xf32>) -> tensor<6xf32>
  %1 = "stablehlo.case"(%i) ({
    %2 = func.call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y", "x", ?}]>]>} : (tensor<6xf32>) -> tensor<6xf32>
    stablehlo.return %2 : tensor<6xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<i32>) -> tensor<6xf32>
  func.call @g(%1) : (tensor<6xf32>) -> ()
  return %1 : tensor<6xf32>
}
func.func private @f(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<6xf32> { return %a : tensor<6xf32> }
func.func private @g(%a: tensor<6xf32>) { return }
// -----
// results of a declaration
sdy.mesh @m = <["x"=4]>
func.func private @f() -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>})
// -----
// a nested module keeps its shardings
module {
  sdy.mesh @m = <["x"=4]>
  module @inner {
    sdy.mesh @m = <["x"=4]>
    func.func @f(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) { return }
  }
}
// -----
// manual computations: block arguments by local shape, results by global shape
sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<6x8xf32>, %b: tensor<12xf32>) -> (tensor<6x8xf32>, tensor<12xf32>) {
  %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@m, [{"y", "x"}, {}]>, <@m, [{"y", "x"}]>] out_shardings=[<@m, [{"y", "x", ?}, {}]>, <@m, [{"y", "x"}]>] manual_axes={"y"} (%p: tensor<3x8xf32>, %q: tensor<6xf32>) {
    sdy.return %p, %q : tensor<3x8xf32>, tensor<6xf32>
  } : (tensor<6x8xf32>, tensor<12xf32>) -> (tensor<6x8xf32>, tensor<12xf32>)
  %1:2 = sdy.named_computation<"n">(%0#0, %0#1) in_shardings=[<@m, [{"x"}, {}]>, <@m, [{"y"}]>] out_shardings=[<@m, [{"x"}, {}]>, <@m, [{"y"}]>] (%p: tensor<6x8xf32>, %q: tensor<12xf32>) {
    sdy.return %p, %q : tensor<6x8xf32>, tensor<12xf32>
  } : (tensor<6x8xf32>, tensor<12xf32>) -> (tensor<6x8xf32>, tensor<12xf32>)
  %2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} %1#0 : tensor<6x8xf32>
  return %2, %1#1 : tensor<6x8xf32>, tensor<12xf32>
}
// -----
// nested manual computations, replicated and unreduced axes
sdy.mesh @m = <["x"=4, "y"=2, "z"=2]>
func.func @main(%a: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", "x", ?}p1, {}], replicated={"z"}>] out_shardings=[<@m, [{"y", "x", ?}p1, {}], replicated={"z"}>] manual_axes={"y"} (%p: tensor<3x8xf32>) {
    %1 = sdy.manual_computation(%p) in_shardings=[<@m, [{"x"}, {"z"}]>] out_shardings=[<@m, [{"x"}, {"z"}]>] manual_axes={"z"} (%q: tensor<3x4xf32>) {
      sdy.return %q : tensor<3x4xf32>
    } : (tensor<3x8xf32>) -> tensor<3x8xf32>
    sdy.return %1 : tensor<3x8xf32>
  } : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
// -----
// edges hold the shardings
// pipeline: builtin.module(sdy-add-data-flow-edges,sdy-update-non-divisible-input-output-shardings)
sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", "x"}, {}]>] out_shardings=[<@m, [{"y", "x", ?}, {}]>] manual_axes={"y"} (%p: tensor<3x8xf32>) {
    sdy.return %p : tensor<3x8xf32>
  } : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
