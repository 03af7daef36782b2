func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>, %c: tensor<3x5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = false}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<3x10x8xf32>, tensor<3x5x1xi32>, tensor<3x5x8xf32>) -> tensor<3x10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>, %c: tensor<3x5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = false}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<3x10x8xf32>, tensor<3x5x1xi32>, tensor<3x5x8xf32>) -> tensor<3x10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<i64>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<i64>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<f32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>, %c: tensor<3x5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = false}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<3x10x8xf32>, tensor<3x5x1xi32>, tensor<3x5x8xf32>) -> tensor<3x10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<f32>, %c: tensor<5x1xi32>, %d: tensor<5x8xf32>, %e: tensor<5x8xf32>) {
  %r:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<10x8xf32>, tensor<f32>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<5x8xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<10x8xf32>, %c: tensor<5x1xi32>, %d: tensor<5x8xf32>, %e: tensor<f32>) {
  %r:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<10x8xf32>, tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<f32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0, %r0 : tensor<f32>, tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> f32 stablehlo.return %q : f32 }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ stablehlo.return }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r:2 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<10x8xf32>, %c: tensor<5x1xi32>, %d: tensor<5x8xf32>, %e: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<10x8xf32>, tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<10x8xf32>, %c: tensor<5x1xi32>, %d: tensor<5x8xf32>, %e: tensor<5x8xf32>) {
  %r:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f64>, %x2: tensor<f64>, %x3: tensor<f64>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f64> stablehlo.return %q, %q : tensor<f64>, tensor<f64> }) : (tensor<10x8xf32>, tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<5x8xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<10x8xf32>, %c: tensor<5x1xi32>, %d: tensor<5x8xf32>, %e: tensor<5x8xf32>) {
  %r:3 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<10x8xf32>, tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<5x8xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>, tensor<10x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({}) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xcomplex<f32>>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xcomplex<f32>>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<i64>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<i64>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<i64>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<i64>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xui8>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xui8>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32>  }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<2xf32>): %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: !stablehlo.token, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: f32, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<?xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<2xf32>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<bf16>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<?xf32> stablehlo.return %q : tensor<?xf32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<2xf32> stablehlo.return %q : tensor<2xf32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<bf16> stablehlo.return %q : tensor<bf16> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f64>, %x1: tensor<f32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %q = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<i1> stablehlo.return %q : tensor<i1> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<i32>): %q0 = "stablehlo.custom_call"() <{call_target_name = "x"}> : () -> tensor<f32> stablehlo.return %q0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x0xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x0xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>, %c: tensor<3x5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted, unique_indices = false}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<3x10x8xf32>, tensor<3x5x1xi32>, tensor<3x5x8xf32>) -> tensor<3x10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 2], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], input_batching_dims = [1, 0], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [2, 3], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x8xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x8xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x5x9x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x5x9x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<3x4x8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<3x4x8x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8x6xf32>, %b: tensor<3x5x2xi32>, %c: tensor<?x4x?x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3x10x8x6xf32>, tensor<3x5x2xi32>, tensor<?x4x?x6xf32>) -> tensor<3x10x8x6xf32>
  return
}
