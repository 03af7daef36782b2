func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<0x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<0x8xf32>, tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<4x8xf32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 9>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xbf16>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x8xbf16>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x0xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32, #stablehlo.bounds<?, 8>>, %b: tensor<4x?xf32, #stablehlo.bounds<?, 8>>, %c: tensor<f32>, %d: tensor<f32>) {
  %r:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({ ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> %r1 = stablehlo.add %x1, %y1 : tensor<f32> stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32> }) : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>, tensor<4x?xf32, #stablehlo.bounds<?, 8>>, tensor<f32>, tensor<f32>) -> (tensor<?xf32, #stablehlo.bounds<11>>, tensor<8xf32>)
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({ ^bb0(%x0: tensor<f32>, %y0: tensor<f32>): %r0 = stablehlo.add %x0, %y0 : tensor<f32> stablehlo.return %r0 : tensor<f32> }) : (tensor<?x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi8>, %i: tensor<i32>) {
  %0 = stablehlo.reduce(%a init: %i) across dimensions = [1] : (tensor<4x8xi8>, tensor<i32>) -> tensor<4xi32>
   reducer(%x: tensor<i32>, %y: tensor<i32>) {
    stablehlo.return %x : tensor<i32>
  }
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %i: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [] : (tensor<0x8xf32>, tensor<f32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<?x?xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<?x?xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x?xf32, #stablehlo.bounds<7, 9>>, %b: tensor<4x8xi32>) {
  %r:2 = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<?x?xf32, #stablehlo.bounds<7, 9>>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %r : tensor<i1> }) : (tensor<4x8xf32>) -> tensor<?x8xf32>
  return
}
