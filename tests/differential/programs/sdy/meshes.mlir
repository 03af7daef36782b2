// Meshes and returns, right and wrong.
// What stands before the first separator stands before each part.


// -----
sdy.mesh @m = <["a"=2, "b"=4, "c"=8]>
// -----
sdy.mesh @m = #sdy.mesh<["a"=2, "b"=4, "c"=8]> {foo = 1 : i32, stablehlo.mesh = {axes = []}}
// -----
sdy.mesh @"we ird" = <[]>
// -----
sdy.mesh m = <[]>
// -----
sdy.mesh @m <[]>
// -----
sdy.mesh @m = 
// -----
sdy.mesh @m = [] 
// -----
sdy.mesh @m = <["a"=0]>
// -----
sdy.mesh @m = <["a"=2, "a"=2]>
// -----
sdy.mesh @m = <["a"]>
// -----
sdy.mesh @m = <[a]>
// -----
sdy.mesh @m = <["a"=2], device_ids=[]>
// -----
sdy.mesh @m = <[]> foo
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "m"}> : () -> ()
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>}> : () -> ()
// -----
"sdy.mesh"() <{sym_name = "m"}> : () -> ()
// -----
"sdy.mesh"() <{mesh = 1, sym_name = "m"}> : () -> ()
// -----
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = 1}> : () -> ()
// -----
%0 = sdy.mesh @m = <[]>
// -----
#m = #sdy.mesh<["a"=2]> sdy.mesh @m = #m sdy.mesh @n = <["a"=3]>
// -----
sdy.mesh @m = <[]> sdy.mesh @m = <["a"=2]>
// -----
module { sdy.mesh @m = <[]> }
// -----
func.func @f() { sdy.return }
// -----
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { sdy.return {foo} %a : tensor<8xf32> }
// -----
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { sdy.return %a, %a : tensor<8xf32> }
// -----
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { sdy.return %a tensor<8xf32> }
// -----
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { sdy.return %a : }
// -----
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { sdy.return %a : tensor<8xf32> {foo} }
// -----
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> { sdy.return : tensor<8xf32> }
