// Scatters: dimension numbers, and bodies that do or do not combine by one reduction.
func.func @rows(%arg0: tensor<8x6x4xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6x4xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<5x1xi32>, tensor<5x6x4xf32>) -> tensor<8x6x4xf32>
  return
}
func.func @partial(%arg0: tensor<8x6x4xf32>, %arg1: tensor<5x3xi32>, %arg2: tensor<5x3x1xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<5x3xi32>, tensor<5x3x1xf32>) -> tensor<8x6x4xf32>
  return
}
func.func @no_index_vector(%arg0: tensor<8x6x4xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5x6x4xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<5xi32>, tensor<5x6x4xf32>) -> tensor<8x6x4xf32>
  return
}
func.func @batching(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x5x1xi32>, %arg2: tensor<8x5x4xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<8x5x1xi32>, tensor<8x5x4xf32>) -> tensor<8x6x4xf32>
  return
}
func.func @batching_replace(%arg0: tensor<8x6x4xf32>, %arg1: tensor<8x5x1xi32>, %arg2: tensor<8x5x4xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<8x6x4xf32>, tensor<8x5x1xi32>, tensor<8x5x4xf32>) -> tensor<8x6x4xf32>
  return
}
func.func @two_inputs(%arg0: tensor<8x6xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<5x1xi32>, %arg3: tensor<5x6xf32>, %arg4: tensor<5x6xf32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %1 = stablehlo.add %arg5, %arg7 : tensor<f32>
    %2 = stablehlo.add %arg6, %arg8 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<8x6xf32>, tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return
}
func.func @scalar(%arg0: tensor<8x6xf32>, %arg1: tensor<2xi32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<2xi32>, tensor<f32>) -> tensor<8x6xf32>
  return
}
func.func @inserted_one(%arg0: tensor<1x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<1x6xf32>
  return
}
func.func @replace(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @subtract(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.subtract %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @maximum_swapped(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.maximum %arg4, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @same_twice(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg3 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @negated(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    %2 = stablehlo.negate %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @unused(%arg0: tensor<8x6xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.negate %arg3 : tensor<f32>
    %2 = stablehlo.minimum %arg3, %arg4 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  return
}
func.func @booleans_and(%arg0: tensor<8x6xi1>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xi1>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
    %1 = stablehlo.and %arg3, %arg4 : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x6xi1>, tensor<5x1xi32>, tensor<5x6xi1>) -> tensor<8x6xi1>
  return
}
func.func @booleans_xor(%arg0: tensor<8x6xi1>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xi1>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
    %1 = stablehlo.xor %arg3, %arg4 : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x6xi1>, tensor<5x1xi32>, tensor<5x6xi1>) -> tensor<8x6xi1>
  return
}
func.func @integers_or(%arg0: tensor<8x6xi32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x6xi32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = stablehlo.or %arg3, %arg4 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<8x6xi32>, tensor<5x1xi32>, tensor<5x6xi32>) -> tensor<8x6xi32>
  return
}
func.func @mixed(%arg0: tensor<8x6xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<5x1xi32>, %arg3: tensor<5x6xf32>, %arg4: tensor<5x6xf32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %1 = stablehlo.add %arg5, %arg7 : tensor<f32>
    %2 = stablehlo.multiply %arg6, %arg8 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<8x6xf32>, tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return
}
func.func @crossed(%arg0: tensor<8x6xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<5x1xi32>, %arg3: tensor<5x6xf32>, %arg4: tensor<5x6xf32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %1 = stablehlo.add %arg5, %arg8 : tensor<f32>
    %2 = stablehlo.add %arg6, %arg7 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<8x6xf32>, tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return
}
func.func @exchanged(%arg0: tensor<8x6xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<5x1xi32>, %arg3: tensor<5x6xf32>, %arg4: tensor<5x6xf32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %1 = stablehlo.add %arg5, %arg7 : tensor<f32>
    %2 = stablehlo.add %arg6, %arg8 : tensor<f32>
    stablehlo.return %2, %1 : tensor<f32>, tensor<f32>
  }) : (tensor<8x6xf32>, tensor<8x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return
}
func.func @random_0(%arg0: tensor<1xi1>, %arg1: tensor<1xi1>, %arg2: tensor<4x1x1xi32>, %arg3: tensor<4x1xi1>, %arg4: tensor<4x1xi1>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<i1>, %arg6: tensor<i1>, %arg7: tensor<i1>, %arg8: tensor<i1>):
    %1 = stablehlo.add %arg5, %arg7 : tensor<i1>
    %2 = stablehlo.add %arg6, %arg8 : tensor<i1>
    stablehlo.return %1, %2 : tensor<i1>, tensor<i1>
  }) : (tensor<1xi1>, tensor<1xi1>, tensor<4x1x1xi32>, tensor<4x1xi1>, tensor<4x1xi1>) -> (tensor<1xi1>, tensor<1xi1>)
  return
}
func.func @random_1(%arg0: tensor<12x6xf32>, %arg1: tensor<12x6xf32>, %arg2: tensor<1x12xi32>, %arg3: tensor<12x8x6xf32>, %arg4: tensor<12x8x6xf32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %1 = stablehlo.add %arg5, %arg7 : tensor<f32>
    %2 = stablehlo.add %arg6, %arg8 : tensor<f32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
  }) : (tensor<12x6xf32>, tensor<12x6xf32>, tensor<1x12xi32>, tensor<12x8x6xf32>, tensor<12x8x6xf32>) -> (tensor<12x6xf32>, tensor<12x6xf32>)
  return
}
func.func @random_2(%arg0: tensor<16x16x2xi1>, %arg1: tensor<12x3xi32>, %arg2: tensor<12x16x2xi1>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [2, 0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
    %1 = stablehlo.and %arg4, %arg3 : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<16x16x2xi1>, tensor<12x3xi32>, tensor<12x16x2xi1>) -> tensor<16x16x2xi1>
  return
}
func.func @random_3(%arg0: tensor<8xi32>, %arg1: tensor<4x1xi32>, %arg2: tensor<3x4xi32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    %1 = stablehlo.minimum %arg3, %arg4 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<8xi32>, tensor<4x1xi32>, tensor<3x4xi32>) -> tensor<8xi32>
  return
}
func.func @random_4(%arg0: tensor<8x3x16xi1>, %arg1: tensor<8x3x16xi1>, %arg2: tensor<2x8x16xi32>, %arg3: tensor<8x16xi1>, %arg4: tensor<8x16xi1>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], input_batching_dims = [2], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<i1>, %arg6: tensor<i1>, %arg7: tensor<i1>, %arg8: tensor<i1>):
    %1 = stablehlo.maximum %arg7, %arg5 : tensor<i1>
    %2 = stablehlo.maximum %arg8, %arg6 : tensor<i1>
    stablehlo.return %1, %2 : tensor<i1>, tensor<i1>
  }) : (tensor<8x3x16xi1>, tensor<8x3x16xi1>, tensor<2x8x16xi32>, tensor<8x16xi1>, tensor<8x16xi1>) -> (tensor<8x3x16xi1>, tensor<8x3x16xi1>)
  return
}
func.func @random_5(%arg0: tensor<16xi32>, %arg1: tensor<16xi32>, %arg2: tensor<i32>, %arg3: tensor<16xi32>, %arg4: tensor<16xi32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>):
    %1 = stablehlo.multiply %arg7, %arg5 : tensor<i32>
    %2 = stablehlo.multiply %arg6, %arg8 : tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }) : (tensor<16xi32>, tensor<16xi32>, tensor<i32>, tensor<16xi32>, tensor<16xi32>) -> (tensor<16xi32>, tensor<16xi32>)
  return
}
func.func @random_6(%arg0: tensor<8xi1>, %arg1: tensor<0x8xi32>, %arg2: tensor<8xi1>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [1]>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
    %1 = stablehlo.multiply %arg3, %arg4 : tensor<i1>
    %2 = stablehlo.add %1, %1 : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8xi1>, tensor<0x8xi32>, tensor<8xi1>) -> tensor<8xi1>
  return
}
func.func @random_7(%arg0: tensor<16xf32>, %arg1: tensor<0x16x16x16xi32>, %arg2: tensor<16x16x16xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [1]>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.subtract %arg4, %arg3 : tensor<f32>
    %2 = stablehlo.add %1, %1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<16xf32>, tensor<0x16x16x16xi32>, tensor<16x16x16xf32>) -> tensor<16xf32>
  return
}
func.func @random_8(%arg0: tensor<1x1xi32>, %arg1: tensor<1x1xi32>, %arg2: tensor<1x1x0x6xi32>, %arg3: tensor<1x1x6xi32>, %arg4: tensor<1x1x6xi32>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>):
    %1 = stablehlo.or %arg7, %arg5 : tensor<i32>
    %2 = stablehlo.or %arg6, %arg8 : tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }) : (tensor<1x1xi32>, tensor<1x1xi32>, tensor<1x1x0x6xi32>, tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> (tensor<1x1xi32>, tensor<1x1xi32>)
  return
}
func.func @random_9(%arg0: tensor<8x1x1x6xi1>, %arg1: tensor<8x1x1x6xi1>, %arg2: tensor<i32>, %arg3: tensor<1xi1>, %arg4: tensor<1xi1>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0, 1, 3], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
  ^bb0(%arg5: tensor<i1>, %arg6: tensor<i1>, %arg7: tensor<i1>, %arg8: tensor<i1>):
    %1 = stablehlo.multiply %arg5, %arg7 : tensor<i1>
    %2 = stablehlo.or %arg8, %arg6 : tensor<i1>
    stablehlo.return %1, %2 : tensor<i1>, tensor<i1>
  }) : (tensor<8x1x1x6xi1>, tensor<8x1x1x6xi1>, tensor<i32>, tensor<1xi1>, tensor<1xi1>) -> (tensor<8x1x1x6xi1>, tensor<8x1x1x6xi1>)
  return
}
func.func @random_10(%arg0: tensor<6x2x1xi1>, %arg1: tensor<6x2x1xi32>, %arg2: tensor<1x6x2xi1>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
    %1 = stablehlo.xor %arg3, %arg4 : tensor<i1>
    %2 = stablehlo.not %1 : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<6x2x1xi1>, tensor<6x2x1xi32>, tensor<1x6x2xi1>) -> tensor<6x2x1xi1>
  return
}
func.func @random_11(%arg0: tensor<6xf32>, %arg1: tensor<0x12x6xi32>, %arg2: tensor<12x6xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [2]>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<0x12x6xi32>, tensor<12x6xf32>) -> tensor<6xf32>
  return
}
