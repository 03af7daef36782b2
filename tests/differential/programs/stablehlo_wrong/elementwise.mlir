func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.abs"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi4>) {
  %r = "stablehlo.abs"(%a) : (tensor<4x8xi4>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.abs"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.abs"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.abs"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.abs"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.abs"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.abs %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>) {
  %0 = stablehlo.abs %a : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi4>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi4>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.add"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.add"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.add"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  "stablehlo.add"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.add"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<?x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.add %arg0, %arg1 : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<?x8xf32, #stablehlo.bounds<3, ?>>) {
  %0 = stablehlo.add %a, %b : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<?x8xf32, #stablehlo.bounds<3, ?>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<7x8xf32>) {
  %0 = stablehlo.add %a, %b : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<7x8xf32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<i64>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<4x8xi1>, tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.and"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.and"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.and"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  "stablehlo.and"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.and"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xi1>, %arg1: tensor<i64>) {
  %0 = stablehlo.and %arg0, %arg1 : (tensor<4x8xi1>, tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.atan2"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.atan2"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.atan2"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.atan2"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.atan2"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.atan2 %arg0, %arg1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.cbrt"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.cbrt"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.cbrt"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cbrt"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.cbrt %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.ceil"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.ceil"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.ceil"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.ceil"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.ceil"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.ceil"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.ceil %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<i64>, %c: tensor<f32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<i64>, tensor<f32>) -> tensor<i64>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<1x4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<0x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<0x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<4x8xf32>, %c: tensor<0xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4x8xf32>, tensor<0xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<1x4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<1x4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<1x4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<0x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<0xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<0xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<0xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (tensor<0xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32, %c: f32) {
  %r = "stablehlo.clamp"(%a, %b, %c) : (f32, f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<f32>, %b: tensor<f32>) {
  %r = "stablehlo.clamp"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) {
  %0 = stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x7xf32>, %b: tensor<?x8xf32>) {
  %0 = stablehlo.clamp %a, %b, %a : (tensor<?x7xf32>, tensor<?x8xf32>, tensor<?x7xf32>) -> tensor<8x9xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (f32, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type}> : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.compare"(%a, %b) <{comparison_direction}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.compare EQ, %arg0, %arg1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf64>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf64>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: f32, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) : (f32, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a) : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.complex"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.complex"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf64>) {
  %0 = stablehlo.complex %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x8xf64>) -> tensor<4x8xcomplex<f32>>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.convert"(%a) : (tensor<f32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.convert"(%a) : (f32) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.convert"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.convert"() : () -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.convert"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.convert"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.convert %arg0 : (tensor<f32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.cosine"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.cosine"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.cosine"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.cosine"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.cosine %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.count_leading_zeros"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) : (tensor<4x8xi32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.count_leading_zeros"() : () -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  "stablehlo.count_leading_zeros"(%a) : (tensor<4x8xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.count_leading_zeros"(%a) ({ stablehlo.return }) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.count_leading_zeros %arg0 : (tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.divide"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.divide"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.divide"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.divide"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.divide"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.divide %arg0, %arg1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.exponential"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.exponential"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.exponential"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.exponential"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.exponential %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = stablehlo.exponential %a : (tensor<4xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.exponential_minus_one"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.exponential_minus_one"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.exponential_minus_one"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.exponential_minus_one"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.exponential_minus_one %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.floor"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.floor"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.floor"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.floor"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.floor"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.floor"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.floor %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.imag"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf64>) {
  %r = "stablehlo.imag"(%a) : (tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.imag"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.imag"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.imag %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.is_finite"(%a) : (tensor<f32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.is_finite"(%a) : (f32) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.is_finite"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.is_finite"() : () -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.is_finite"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.is_finite"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.is_finite %arg0 : (tensor<f32>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.log"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.log"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.log"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.log"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.log %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.log_plus_one"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.log_plus_one"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.log_plus_one"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.log_plus_one"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.log_plus_one %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.logistic"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.logistic"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.logistic"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.logistic"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.logistic %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<0x8xf32>) {
  %r = "stablehlo.maximum"(%a, %b) : (tensor<?x8xf32>, tensor<0x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.maximum"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.maximum"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<?x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<0x8xf32>) {
  %r = "stablehlo.minimum"(%a, %b) : (tensor<?x8xf32>, tensor<0x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.minimum"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.minimum"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<?x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.minimum %arg0, %arg1 : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32>, %b: tensor<0x8xf32>) {
  %r = "stablehlo.multiply"(%a, %b) : (tensor<?x8xf32>, tensor<0x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.multiply"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.multiply"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<?x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.multiply %arg0, %arg1 : (tensor<?x8xf32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<?x8xf32, #stablehlo.bounds<3, ?>>) {
  %0 = stablehlo.multiply %a, %b : (tensor<4x8xf32>, tensor<?x8xf32, #stablehlo.bounds<3, ?>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<?x8xf32, #stablehlo.bounds<3, ?>>) {
  %0 = stablehlo.multiply %a, %b : (tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<?x8xf32, #stablehlo.bounds<3, ?>>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.negate"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.negate"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.negate"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.negate"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.negate"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.negate"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.negate %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.not"(%a) : (tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.not"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.not"(%a) : (tensor<4x8xi1>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.not"() : () -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  "stablehlo.not"(%a) : (tensor<4x8xi1>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.not"(%a) ({ stablehlo.return }) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.not %arg0 : (tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<i64>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<4x8xi1>, tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.or"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.or"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.or"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  "stablehlo.or"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.or"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xi1>, %arg1: tensor<i64>) {
  %0 = stablehlo.or %arg0, %arg1 : (tensor<4x8xi1>, tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<i64>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.popcnt"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.popcnt"(%a) : (tensor<4x8xi32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.popcnt"() : () -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  "stablehlo.popcnt"(%a) : (tensor<4x8xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.popcnt"(%a) ({ stablehlo.return }) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<i64>) {
  %0 = stablehlo.popcnt %arg0 : (tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.power"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.power"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.power"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.power"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.power"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.power %arg0, %arg1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.real"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf64>) {
  %r = "stablehlo.real"(%a) : (tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.real"(%a) : (f32) -> tensor<4x8xf32>
  return
}
// -----
func.func @f() {
  %r = "stablehlo.real"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.real %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = true}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = true, mantissa_bits = 10 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf64>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.reduce_precision"() <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.reduce_precision"(%a) <{exponent_bits, mantissa_bits = 10 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.reduce_precision %arg0, format = e5m10 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.remainder"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.remainder"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.remainder"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.remainder"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.remainder"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.remainder %arg0, %arg1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.round_nearest_afz"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_afz"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.round_nearest_afz"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.round_nearest_afz"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_afz"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.round_nearest_afz %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.round_nearest_even"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.round_nearest_even"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.round_nearest_even"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.round_nearest_even"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.round_nearest_even %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.rsqrt"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.rsqrt"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.rsqrt"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.rsqrt"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.rsqrt %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<f32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<f32>, %c: tensor<f32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<4x8xi1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: f32, %c: f32) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b) : (tensor<i1>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %r = "stablehlo.select"(%a, %b, %c) ({ stablehlo.return }) : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<i1>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return
}
// -----
func.func @f(%a: tensor<?x8xf32, #stablehlo.bounds<5, ?>>, %b: tensor<8x8xf32>, %p: tensor<i1>) {
  %0 = stablehlo.select %p, %a, %b : (tensor<i1>, tensor<?x8xf32, #stablehlo.bounds<5, ?>>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<i64>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<4x8xi32>, tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.shift_left"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  "stablehlo.shift_left"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_left"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xi32>, %arg1: tensor<i64>) {
  %0 = stablehlo.shift_left %arg0, %arg1 : (tensor<4x8xi32>, tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<i64>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<4x8xi32>, tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_arithmetic"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xi32>, %arg1: tensor<i64>) {
  %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : (tensor<4x8xi32>, tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<i64>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4x8xi32>, tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_logical"(%a) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  "stablehlo.shift_right_logical"(%a, %b) : (tensor<4x8xi32>, tensor<4x8xi32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) {
  %r = "stablehlo.shift_right_logical"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xi32>, %arg1: tensor<i64>) {
  %0 = stablehlo.shift_right_logical %arg0, %arg1 : (tensor<4x8xi32>, tensor<i64>) -> tensor<4x8xi32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.sign"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.sign"(%a) : (f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sign"(%a) : (tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.sign"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  "stablehlo.sign"(%a) : (tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sign"(%a) ({ stablehlo.return }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.sign %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.sine"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.sine"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.sine"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sine"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.sine %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.sqrt"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.sqrt"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.sqrt"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.sqrt"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.sqrt %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.subtract"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.subtract"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.subtract"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  "stablehlo.subtract"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %r = "stablehlo.subtract"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.subtract %arg0, %arg1 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.tan"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.tan"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.tan"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.tan"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.tan %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<f32>) {
  %r = "stablehlo.tanh"(%a) : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: f32) {
  %r = "stablehlo.tanh"(%a) : (f32) -> f32
  return
}
// -----
func.func @f() {
  %r = "stablehlo.tanh"() : () -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %r = "stablehlo.tanh"(%a) <{result_accuracy}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%arg0: tensor<f32>) {
  %0 = stablehlo.tanh %arg0 : (tensor<f32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<i64>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<4x8xi1>, tensor<i64>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: f32, %b: f32) {
  %r = "stablehlo.xor"(%a, %b) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.xor"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> f32
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>) {
  %r = "stablehlo.xor"(%a) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  "stablehlo.xor"(%a, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> ()
  return
}
// -----
func.func @f(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) {
  %r = "stablehlo.xor"(%a, %b) ({ stablehlo.return }) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return
}
// -----
func.func @f(%arg0: tensor<4x8xi1>, %arg1: tensor<i64>) {
  %0 = stablehlo.xor %arg0, %arg1 : (tensor<4x8xi1>, tensor<i64>) -> tensor<4x8xi1>
  return
}
