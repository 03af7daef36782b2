// allow-unregistered
// attributes of operations, arguments, results
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {foo.bar = 1 : i32, sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  %0 = stablehlo.negate %a {other = #sdy.sharding<@m, [{"x"}]>, sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
  %1 = "foo.op"(%0) ({
    %3 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
    "foo.yield"(%3) : (tensor<8xf32>) -> ()
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.0> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
sdy.mesh @n = <["x"=2]>
func.func private @f(tensor<8xf32> {sdy.sharding = #sdy.sharding<@n, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@n, [{"x"}]>})
module @inner {
  sdy.mesh @m = <["x"=2]>
  func.func @g(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) { return }
}
// -----
// a constraint has lost its mesh
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@m, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// so has a manual computation
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%p: tensor<4xf32>) {
    sdy.return %p : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// a gather has lost the sharding of its operand
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.all_gather [{"x"}] %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// inlined meshes need no mesh operation
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.reshard %a <mesh<["x"=2]>, [{"x"}]> : tensor<8xf32>
  %1 = sdy.all_gather [{"x"}] %0 out_sharding=<mesh<["x"=2]>, [{}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
