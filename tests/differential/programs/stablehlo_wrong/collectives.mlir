func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[-1, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = true, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<i64>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.all_gather"() <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : () -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = -1, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x0xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x0xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<1> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (f32) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_gather"(%a) <{all_gather_dim, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0, %r0 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0: "stablehlo.return"() : () -> () ^bb1: "stablehlo.return"() : () -> () }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.all_reduce"() <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r:2 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r:2 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r:3 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r:2 = "stablehlo.all_reduce"(%a, %b, %c) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({}) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<i64>) -> tensor<i64>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<2xf32>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<bf16>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<?xf32> stablehlo.return %q : tensor<?xf32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<bf16> stablehlo.return %q : tensor<bf16> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<1> : tensor<1x1xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle, use_global_device_ids}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<> : tensor<0x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[-1, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = true, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = true, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<i64>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.all_to_all"() <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : () -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<0> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<1> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<0> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x1xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x1xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (f32) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x8xf32, #stablehlo.bounds<6, ?>>) -> tensor<1xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<?x8xf32, #stablehlo.bounds<6, ?>>) -> tensor<1xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<i64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<0> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<0> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[-1, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.collective_broadcast"() <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<0> : tensor<2x2xi32>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<i64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<0> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<1> : tensor<1x1xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<0> : tensor<2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.collective_permute"() <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [-1, 2]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<0> : tensor<2x2xi32>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.cross-replica-sum"() <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cross-replica-sum"(%a) <{replica_groups}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[-1, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0, %r0 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = true, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({}) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<i64>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<2xf32>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<bf16>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<?xf32> stablehlo.return %q : tensor<?xf32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<bf16> stablehlo.return %q : tensor<bf16> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<f32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x0xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x0xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x1xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x1xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<0> : tensor<2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<1> : tensor<1x1xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x0xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (f32) -> tensor<4x4xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.reduce_scatter"() <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : () -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle, use_global_device_ids}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
