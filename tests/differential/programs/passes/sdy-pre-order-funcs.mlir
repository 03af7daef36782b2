// declarations and meshes first
func.func private @ext(tensor<8xf32>) -> tensor<8xf32>
func.func private @b(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @c(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @a(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @ext(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @b(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @a(%2) : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
sdy.mesh @m1 = <["x"=2]>
func.func private @c(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @ext2(tensor<8xf32>) -> tensor<8xf32>
func.func private @a(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @c(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
sdy.mesh @m2 = <["x"=2]>
// -----
// twice
// pipeline: builtin.module(sdy-pre-order-funcs,sdy-pre-order-funcs)
func.func private @b(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @c(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @a(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @b(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @c(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @a(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @c(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// cycles and independent functions
func.func private @f1(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f2(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @f2(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f1(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f2(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @f3(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func @f4(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
