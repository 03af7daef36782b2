// a private function that nobody calls goes, and with it what only it calls
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @used(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @used(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @also_used(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @unused(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @only_by_unused(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @only_by_unused(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @also_used(tensor<8xf32>) -> tensor<8xf32>
func.func private @unused_declaration(tensor<8xf32>) -> tensor<8xf32>
func.func nested @nested(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func public @public(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// dead cycles go
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func private @a(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @b(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @b(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @a(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @self(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @self(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// a private main is no exception
func.func private @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
// -----
// meshes are public unless they say otherwise, and shardings use them
sdy.mesh @unused = <["x"=2]>
sdy.mesh @m = <["x"=2]> {sym_visibility = "private"}
sdy.mesh @in_array = <["x"=2]> {sym_visibility = "private"}
sdy.mesh @dead = <["x"=2]> {sym_visibility = "private"}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=FORWARD {stuff = [#sdy.sharding<@in_array, [{"x"}]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// references in attributes of any kind count, also those in module attributes' values of other operations
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> attributes {one.two = {three = [@a, {four = @b::@c}]}} {
  return %a : tensor<8xf32>
}
func.func private @a() { return }
func.func private @b() { return }
func.func private @c() { return }
// -----
// a reference on the module itself is no use
module attributes {one.two = @a} {
  func.func private @a() { return }
  func.func @main() { return }
}
// -----
// nested modules: public symbols stay, private ones go
module {
  module @inner {
    func.func private @x() { return }
    func.func @y() { call @z() : () -> () return }
    func.func private @z() { return }
    func.func nested @w() { return }
  }
  module {
    func.func private @x() { return }
    func.func @y() { return }
    func.func nested @w() { return }
  }
  module @dead attributes {sym_visibility = "private"} {
    func.func @y() { return }
  }
  module @by_reference attributes {sym_visibility = "private"} {
    func.func @y() { return }
    func.func private @z() { return }
    func.func nested @w() { return }
  }
  func.func @main() attributes {one.two = @by_reference::@z} { return }
}
// -----
// pipeline: builtin.module(builtin.module(symbol-dce))
module {
  module @inner {
    func.func private @x() { return }
    func.func nested @w() { return }
    func.func @y() { return }
  }
  module {
    func.func private @x() { return }
    func.func nested @w() { return }
    func.func @y() { return }
  }
  module @hidden attributes {sym_visibility = "private"} {
    func.func nested @w() { return }
    func.func @y() { return }
  }
  func.func private @a() { return }
}
// -----
// pipeline: builtin.module(func.func(symbol-dce))
func.func @main() { return }
// -----
// allow-unregistered
// an unknown operation with one region may be a symbol table
func.func @main() {
  "foo.bar"() ({
    "foo.baz"() : () -> ()
  }) : () -> ()
  return
}
// -----
// allow-unregistered
// an unknown operation without regions, or with two, is harmless
func.func @main() {
  "foo.bar"() {x = @a} : () -> ()
  "foo.bar"() ({
    "foo.baz"() : () -> ()
  }, {
    "foo.baz"() {y = @c} : () -> ()
  }) : () -> ()
  return
}
func.func private @a() { return }
func.func private @b() { return }
func.func private @c() { return }
// -----
// empty module
module {
}
// -----
// paths into nested modules
module {
  module @r attributes {sym_visibility = "private"} {
    func.func @y() { return }
    func.func private @z() { return }
    func.func nested @w() { return }
  }
  module @s {
    func.func private @z() { return }
    func.func nested @w() { return }
    func.func nested @v() { return }
  }
  func.func private @t() { return }
  func.func @main() attributes {one.two = @r::@y, one.three = @s::@w, one.four = @t::@z} { return }
}
