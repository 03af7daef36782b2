func.func @f(%a: tensor<10x8xf32>, %b: tensor<5x1xi32>, %c: tensor<5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<3x10x8xf32>, %b: tensor<3x5x1xi32>, %c: tensor<3x5x8xf32>) {
  %r = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = true, unique_indices = false}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<3x10x8xf32>, tensor<3x5x1xi32>, tensor<3x5x8xf32>) -> tensor<3x10x8xf32>
  return
}
// -----
func.func @f(%a: tensor<10x8xf32>, %b: tensor<10x8xf32>, %c: tensor<5x1xi32>, %d: tensor<5x8xf32>, %e: tensor<5x8xf32>) {
  %r:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<10x8xf32>, tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>, tensor<5x8xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}
