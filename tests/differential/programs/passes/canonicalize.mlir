// constants move to the front, equal ones merge; dead operations go
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c1 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %c1 : tensor<4xf32>
  %c2 = stablehlo.constant dense<2.0> : tensor<4xf32>
  %1 = stablehlo.add %0, %c2 : tensor<4xf32>
  %c3 = stablehlo.constant dense<3.0> : tensor<4xf32>
  %c4 = stablehlo.constant {foo.x = 1 : i32} dense<4.0> : tensor<4xf32>
  %2 = stablehlo.add %c3, %c4 : tensor<4xf32>
  %c5 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %3 = stablehlo.multiply %c5, %2 : tensor<4xf32>
  %dead = stablehlo.constant dense<9.0> : tensor<4xf32>
  %dead1 = stablehlo.add %dead, %c5 : tensor<4xf32>
  %k = "stablehlo.case"(%i) ({
    %c6 = stablehlo.constant dense<6.0> : tensor<4xf32>
    %c7 = stablehlo.constant {foo.x = 2 : i32} dense<4.0> : tensor<4xf32>
    %4 = stablehlo.add %c6, %c7 : tensor<4xf32>
    stablehlo.return %4 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %s0 = sdy.constant dense<1.0> : tensor<4xf32>
  %s1 = sdy.constant dense<1.0> : tensor<4xf32>
  %s2 = sdy.constant dense<1.0> : tensor<4xf32>
  %5 = stablehlo.add %s0, %s1 : tensor<4xf32>
  %6 = stablehlo.add %5, %k : tensor<4xf32>
  %iota = stablehlo.iota dim = 0 : tensor<4xf32>
  return %1, %3, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// constants in manual and named computations and in unknown operations stay inside
// allow-unregistered
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%p: tensor<2xf32>) {
    %1 = stablehlo.negate %p : tensor<2xf32>
    %c = stablehlo.constant dense<1.0> : tensor<2xf32>
    %d = stablehlo.constant dense<1.0> : tensor<2xf32>
    %2 = stablehlo.add %1, %c : tensor<2xf32>
    %3 = stablehlo.add %2, %d : tensor<2xf32>
    sdy.return %3 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %4 = sdy.named_computation<"n">(%0) (%p: tensor<4xf32>) {
    %1 = stablehlo.negate %p : tensor<4xf32>
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %2 = stablehlo.add %1, %c : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "foo.op"(%4) ({
    %1 = stablehlo.negate %4 : tensor<4xf32>
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %e = stablehlo.constant dense<5.0> : tensor<4xf32>
    %2 = stablehlo.add %1, %c : tensor<4xf32>
    %6 = stablehlo.add %2, %e : tensor<4xf32>
    "foo.yield"(%6) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %8 = stablehlo.add %5, %7 : tensor<4xf32>
  return %8 : tensor<4xf32>
}
// -----
// what is dead: regions without effects, not calls, constraints, groups, collectives
sdy.mesh @m = <["x"=2]>
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sdy.sharding_constraint %a <@m, [{"x"}]> : tensor<4xf32>
  sdy.sharding_group %a group_id=0 : tensor<4xf32>
  %2 = sdy.all_gather [{"x"}] %a out_sharding=<@m, [{}]> : tensor<4xf32>
  %3 = sdy.all_slice [{"x"}] %2 out_sharding=<@m, [{"x"}]> : tensor<4xf32>
  %4 = sdy.reshard %a <@m, [{}]> : tensor<4xf32>
  %5 = sdy.propagation_barrier %4 allowed_direction=NONE : tensor<4xf32>
  %6 = stablehlo.optimization_barrier %5 : tensor<4xf32>
  %7 = stablehlo.custom_call @foo(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = stablehlo.custom_call @foo(%6) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %9 = sdy.named_computation<"n">(%7) (%p: tensor<4xf32>) {
    %10 = stablehlo.negate %p : tensor<4xf32>
    sdy.return %10 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %11 = sdy.manual_computation(%9) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%p: tensor<2xf32>) {
    %12 = stablehlo.custom_call @foo(%p) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
    %13 = stablehlo.negate %12 : tensor<2xf32>
    %14 = stablehlo.negate %p : tensor<2xf32>
    sdy.return %13 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %15 = "stablehlo.case"(%i) ({
    stablehlo.return %7 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %16:2 = stablehlo.while(%p = %15, %q = %i) : tensor<4xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %p, %q : tensor<4xf32>, tensor<i32>
  }
  return %a : tensor<4xf32>
}
// -----
// what is dead (continued)
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %i: tensor<i32>) -> tensor<4xf32> {
  %5 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<4xf32>
  %6 = stablehlo.optimization_barrier %5 : tensor<4xf32>
  %7 = stablehlo.custom_call @foo(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = "stablehlo.case"(%i) ({
    stablehlo.return %7 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %16:2 = stablehlo.while(%p = %15, %q = %i) : tensor<4xf32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %q, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %p, %q : tensor<4xf32>, tensor<i32>
  }
  %18 = stablehlo.iota dim = 0 : tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %19 = stablehlo.reduce(%18 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %a : tensor<4xf32>
}
// -----
// the options of a pipeline
// pipeline: builtin.module(canonicalize{region-simplify=aggressive top-down=false enable-patterns=sdy-collective})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"b"}, {}]> : tensor<16x16xf32>
  %1 = sdy.reshard %0 <@m, [{"c"}, {}]> : tensor<16x16xf32>
  %2 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  return %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// reshards of reshards only
// pipeline: builtin.module(canonicalize{region-simplify=aggressive top-down=false enable-patterns=sdy-reshard})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"b"}, {}]> {foo.bar = 1 : i32} : tensor<16x16xf32>
  %1 = sdy.reshard %0 <@m, [{"c"}, {}]> {foo.bar = 2 : i32} : tensor<16x16xf32>
  %2 = sdy.reshard %1 <@m, [{"a"}, {}]> {foo.bar = 2 : i32} : tensor<16x16xf32>
  %3 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %4 = sdy.reshard %a <@m, [{"c"}, {}]> : tensor<16x16xf32>
  %5 = sdy.reshard %4 <@m, [{"a"}, {}]> : tensor<16x16xf32>
  return %2, %3, %4, %5 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// disabled label
// pipeline: builtin.module(canonicalize{disable-patterns=sdy-reshard,foo})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"b"}, {}]> : tensor<16x16xf32>
  %1 = sdy.reshard %0 <@m, [{"c"}, {}]> : tensor<16x16xf32>
  %2 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  return %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// another dialect's patterns only
// pipeline: builtin.module(canonicalize{filter-dialects=stablehlo,func})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.reshard %a <@m, [{"b"}, {}]> : tensor<16x16xf32>
  %1 = sdy.reshard %0 <@m, [{"c"}, {}]> : tensor<16x16xf32>
  %2 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  return %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// one rewrite only
// pipeline: builtin.module(canonicalize{max-num-rewrites=1})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// a case whose branch is known
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.constant dense<-1> : tensor<i32>
  %s = sdy.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    stablehlo.return %a : tensor<4xf32>
  }, {
    %1 = stablehlo.abs %a : tensor<4xf32>
    %2 = "stablehlo.case"(%d) ({
      stablehlo.return %1 : tensor<4xf32>
    }, {
      %3 = stablehlo.negate %1 : tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %4 = "stablehlo.case"(%s) ({
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %5 = "stablehlo.case"(%c) ({
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// equal operations become one
// pipeline: builtin.module(canonicalize{cse-between-iterations=true})
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.add %b, %a : tensor<4xf32>
  %2 = stablehlo.add %a, %b {foo.bar = 1 : i32} : tensor<4xf32>
  %3 = stablehlo.subtract %0, %1 : tensor<4xf32>
  %4 = "stablehlo.case"(%i) ({
    %5 = stablehlo.add %a, %b : tensor<4xf32>
    stablehlo.return %5 : tensor<4xf32>
  }, {
    %5 = stablehlo.multiply %a, %b : tensor<4xf32>
    %6 = stablehlo.multiply %a, %b : tensor<4xf32>
    %7 = stablehlo.add %5, %6 : tensor<4xf32>
    stablehlo.return %7 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %8 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %9 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %10 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %11 = stablehlo.add %8, %9 : tensor<f32>
  %12 = stablehlo.add %11, %10 : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %14 = func.call @f(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %15 = func.call @f(%13) : (tensor<4xf32>) -> tensor<4xf32>
  %16 = stablehlo.add %14, %15 : tensor<4xf32>
  %17 = stablehlo.add %2, %16 : tensor<4xf32>
  return %3, %4, %17 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = stablehlo.negate %a : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
// -----
// nothing may be rewritten, but the dead go
// pipeline: builtin.module(canonicalize{max-num-rewrites=0})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %2 = stablehlo.negate %1 : tensor<16x16xf32>
  %3 = stablehlo.negate %2 : tensor<16x16xf32>
  return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// one round without convergence
// pipeline: builtin.module(canonicalize{max-iterations=1 test-convergence})
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// -----
// on functions
// pipeline: builtin.module(func.func(canonicalize))
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> tensor<16x16xf32> {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %c = stablehlo.constant dense<1.0> : tensor<16x16xf32>
  %1 = stablehlo.add %0, %c : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
func.func private @d(tensor<4xf32>) -> tensor<4xf32>
// -----
// collectives that do nothing
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %s: tensor<f32> {sdy.sharding = #sdy.sharding<@m, []>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>) {
  %0 = sdy.all_gather [{}, {}] %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{}, {}] %0 out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %2 = sdy.reduce_scatter [{}, {}] %1 out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %3 = sdy.all_reduce {} %2 out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %4 = sdy.collective_permute %3 out_sharding=<@m, [{"a", ?}, {?}]> : tensor<16x16xf32>
  %5 = sdy.collective_permute %4 out_sharding=<@m, [{"b"}, {}]> : tensor<16x16xf32>
  %6 = sdy.collective_permute %5 out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %7 = sdy.all_gather [] %s out_sharding=<@m, []> : tensor<f32>
  return %1, %2, %4, %6, %7 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
}
// -----
// slice of gather
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.all_gather [{"a"}, {}] %a out_sharding=<@m, [{}, {"b"}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{"a"}, {}] %0 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<16x16xf32>
  %2 = sdy.all_slice [{"c"}, {}] %0 out_sharding=<@m, [{"c"}, {"b"}]> : tensor<16x16xf32>
  %3 = sdy.all_gather [{"a"}, {"b"}] %a out_sharding=<@m, [{}, {}]> : tensor<16x16xf32>
  %4 = sdy.all_slice [{"a"}, {"b"}] %3 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<16x16xf32>
  %5 = sdy.all_slice [{"c"}, {}] %a out_sharding=<@m, [{"a", "c"}, {"b"}]> : tensor<16x16xf32>
  %6 = sdy.all_gather [{"c"}, {}] %5 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<16x16xf32>
  return %1, %2, %4, %6 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// all-to-alls without attributes
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16x8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {"b"}, {}, {}]>}) -> (tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>) {
  %0 = sdy.all_to_all [{"a"}: 0->2] %a out_sharding=<@m, [{}, {"b"}, {"a"}, {}]> : tensor<16x16x8x8xf32>
  %1 = sdy.all_to_all [{"b"}: 1->3] %0 out_sharding=<@m, [{}, {}, {"a"}, {"b"}]> : tensor<16x16x8x8xf32>
  %2 = sdy.all_to_all [{"b"}: 1->3] %a out_sharding=<@m, [{"a"}, {}, {}, {"b"}]> : tensor<16x16x8x8xf32>
  %3 = sdy.all_to_all [{"a"}: 0->2] %2 out_sharding=<@m, [{}, {}, {"a"}, {"b"}]> : tensor<16x16x8x8xf32>
  %4 = sdy.all_to_all [{"b"}: 1->2] %a out_sharding=<@m, [{"a"}, {}, {"b"}, {}]> : tensor<16x16x8x8xf32>
  %5 = sdy.all_to_all [{"b"}: 2->3] %4 out_sharding=<@m, [{"a"}, {}, {}, {"b"}]> : tensor<16x16x8x8xf32>
  %6 = sdy.all_to_all [{"b"}: 1->2] %a out_sharding=<@m, [{"a"}, {}, {"b"}, {}]> : tensor<16x16x8x8xf32>
  %7 = sdy.all_to_all [{"b"}: 2->1] %6 out_sharding=<@m, [{"a"}, {"b"}, {}, {}]> : tensor<16x16x8x8xf32>
  %8 = sdy.all_to_all [{"b"}: 1->2] %a out_sharding=<@m, [{"a"}, {}, {"b"}, {}]> : tensor<16x16x8x8xf32>
  %9 = sdy.all_to_all [{"a"}: 0->3] %8 out_sharding=<@m, [{}, {}, {"b"}, {"a"}]> : tensor<16x16x8x8xf32>
  return %1, %3, %5, %8, %9 : tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>, tensor<16x16x8x8xf32>
}
// -----
// all-reduce of what has just become unreduced
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}, {"c"}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.sharded_to_unreduced [{"b"}, {"c"}] %a out_sharding=<@m, [{"a"}, {}], unreduced={"b", "c"}> : tensor<16x16xf32>
  %1 = sdy.all_reduce {"b", "c"} %0 out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %2 = sdy.sharded_to_unreduced [{"b"}, {"c"}] %a out_sharding=<@m, [{"a"}, {}], unreduced={"b", "c"}> : tensor<16x16xf32>
  %3 = sdy.all_reduce {"c"} %2 out_sharding=<@m, [{"a"}, {}], unreduced={"b"}> : tensor<16x16xf32>
  %4 = sdy.all_gather [{"a", "b"}, {}] %a out_sharding=<@m, [{}, {"c"}]> : tensor<16x16xf32>
  %5 = sdy.replicated_to_unreduced {"a"} %4 out_sharding=<@m, [{}, {"c"}], unreduced={"a"}> : tensor<16x16xf32>
  %6 = sdy.all_reduce {"a"} %5 out_sharding=<@m, [{}, {"c"}]> : tensor<16x16xf32>
  %7 = sdy.replicated_to_unreduced {"a", "b"} %4 out_sharding=<@m, [{}, {"c"}], unreduced={"a", "b"}> : tensor<16x16xf32>
  %8 = sdy.all_reduce {"b"} %7 out_sharding=<@m, [{}, {"c"}], unreduced={"a"}> : tensor<16x16xf32>
  return %1, %3, %6, %8 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// reduce-scatters
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{}, {"b", "c"}] %0 out_sharding=<@m, [{"a"}, {"b", "c"}]> : tensor<16x16xf32>
  %2 = sdy.all_reduce {"b", "c"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %3 = sdy.all_slice [{"c"}, {"b"}] %2 out_sharding=<@m, [{"a", "c", ?}, {"b", ?}]> : tensor<16x16xf32>
  %4 = sdy.all_reduce {"b"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %5 = sdy.all_slice [{}, {"c", "b"}] %4 out_sharding=<@m, [{"a"}, {"c", "b"}]> : tensor<16x16xf32>
  %6 = sdy.all_reduce {"b", "c"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %7 = sdy.all_slice [{}, {"b"}] %6 out_sharding=<@m, [{"a"}, {"b"}]> : tensor<16x16xf32>
  %8 = sdy.all_reduce {"b"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %9 = sdy.all_slice [{"b"}, {}] %8 out_sharding=<@m, [{"a", "b"}, {}]> : tensor<16x16xf32>
  %10 = stablehlo.negate %9 : tensor<16x16xf32>
  %11 = sdy.all_slice [{"b"}, {}] %8 out_sharding=<@m, [{"a", "b", ?}, {}]> : tensor<16x16xf32>
  %12 = stablehlo.add %10, %11 : tensor<16x16xf32>
  %13 = sdy.all_reduce {"b"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %14 = sdy.all_slice [{"b"}, {}] %13 out_sharding=<@m, [{"a", "b"}, {}]> : tensor<16x16xf32>
  %15 = stablehlo.negate %13 : tensor<16x16xf32>
  %16 = stablehlo.add %14, %15 : tensor<16x16xf32>
  return %1, %3, %5, %7, %12, %16 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// reduce-scatters with sub-axes, other lists, no sharding before
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}p1, {"c":(1)2, ?}], replicated={"b"}>}, %b: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = sdy.all_reduce {"c":(2)2} %a out_sharding=<@m, [{"a"}, {"c":(1)2}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{}, {"c":(2)2, "b"}] %0 out_sharding=<@m, [{"a"}, {"c", "b"}]> : tensor<16x16xf32>
  %2 = sdy.all_reduce {"c"} %b out_sharding=<@m, [{}, {}]> : tensor<16x16xf32>
  %3 = sdy.all_slice [{}, {"c"}] %2 out_sharding=<@m, [{}, {"c"}]> : tensor<16x16xf32>
  %4 = sdy.all_reduce {"c"} %b out_sharding=<@m, [{}, {}]> : tensor<16x16xf32>
  %5 = sdy.all_slice [{"c":(1)2}, {"c":(2)2}] %4 out_sharding=<@m, [{"c":(1)2}, {"c":(2)2}]> : tensor<16x16xf32>
  return %1, %3, %5 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
// -----
// a slice in a region
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %i: tensor<i32>) -> tensor<16x16xf32> {
  %0 = sdy.all_reduce {"b"} %a out_sharding=<@m, [{"a"}, {}]> : tensor<16x16xf32>
  %1 = "stablehlo.case"(%i) ({
    %2 = sdy.all_slice [{}, {"b", "c"}] %0 out_sharding=<@m, [{"a"}, {"b", "c"}]> : tensor<16x16xf32>
    stablehlo.return %2 : tensor<16x16xf32>
  }) : (tensor<i32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
// -----
// equal reshards of one value
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = sdy.reshard %a <@m, [{"a"}, {}]> : tensor<16x8xf32>
  %1 = sdy.reshard %a <@m, [{"a", ?}p1, {}]> {foo.bar = 1 : i32} : tensor<16x8xf32>
  %2 = sdy.reshard %a <@m, [{"a"}, {}], replicated={"b"}> : tensor<16x8xf32>
  %3 = sdy.reshard %a <@m, [{"a"}, {}], unreduced={"b"}> : tensor<16x8xf32>
  return %0, %1, %2, %3 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
// -----
// reshards seen through reshapes and transposes
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<8x16xf32>, tensor<4x4x8xf32>, tensor<128xf32>, tensor<8x4x4xf32>, tensor<16x8xf32>) {
  %0 = sdy.reshard %a <@m, [{"c"}, {}]> : tensor<16x8xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %2 = sdy.reshard %1 <@m, [{}, {"c"}]> : tensor<8x16xf32>
  %3 = stablehlo.reshape %a {foo.bar = 1 : i32} : (tensor<16x8xf32>) -> tensor<4x4x8xf32>
  %4 = sdy.reshard %3 <@m, [{"c"}, {}, {}]> : tensor<4x4x8xf32>
  %5 = stablehlo.reshape %a : (tensor<16x8xf32>) -> tensor<128xf32>
  %6 = sdy.reshard %5 <@m, [{"c"}]> : tensor<128xf32>
  %7 = stablehlo.transpose %3, dims = [2, 0, 1] : (tensor<4x4x8xf32>) -> tensor<8x4x4xf32>
  %8 = sdy.reshard %7 <@m, [{}, {"c"}, {}]> : tensor<8x4x4xf32>
  %9 = stablehlo.reshape %7 : (tensor<8x4x4xf32>) -> tensor<16x8xf32>
  %10 = sdy.reshard %9 <@m, [{"c"}, {}]> : tensor<16x8xf32>
  return %0, %2, %4, %6, %8, %10 : tensor<16x8xf32>, tensor<8x16xf32>, tensor<4x4x8xf32>, tensor<128xf32>, tensor<8x4x4xf32>, tensor<16x8xf32>
}
// -----
// the earlier reshard stands behind a reshape
sdy.mesh @m = <["a"=2, "b"=2, "c"=4]>
func.func @main(%a: tensor<16x8xf32>) -> (tensor<4x4x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) {
  %0 = stablehlo.reshape %a : (tensor<16x8xf32>) -> tensor<4x4x8xf32>
  %1 = sdy.reshard %0 <@m, [{"a", "b"}, {}, {}]> : tensor<4x4x8xf32>
  %2 = sdy.reshard %a <@m, [{"a", "b"}, {}]> : tensor<16x8xf32>
  %3 = stablehlo.transpose %a, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %4 = sdy.reshard %3 <@m, [{}, {"a", "b"}]> : tensor<8x16xf32>
  %5 = sdy.reshard %a <@m, [{"b", "a"}, {}]> : tensor<16x8xf32>
  return %1, %2, %4, %5 : tensor<4x4x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>
}
// -----
// unused inputs of a manual computation
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%a: tensor<16x8xf32>, %b: tensor<16x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.negate %b : tensor<16x8xf32>
  %1 = sdy.manual_computation(%a, %0, %c) in_shardings=[<@m, [{"a"}, {}]>, <@m, [{}, {"a"}]>, <@m, [{"a"}, {"b"}]>] out_shardings=[<@m, [{"a"}, {}]>] manual_axes={"a"} (%p: tensor<8x8xf32>, %q: tensor<16x4xf32>, %r: tensor<8x8xf32>) {
    %2 = stablehlo.negate %q : tensor<16x4xf32>
    %3 = stablehlo.add %p, %r : tensor<8x8xf32>
    sdy.return %3 : tensor<8x8xf32>
  } : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
// -----
// a manual computation over axes of size one in another one
sdy.mesh @m = <["a"=2, "b"=1]>
func.func @main(%a: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %1 = sdy.manual_computation(%a) in_shardings=[<@m, [{"a"}, {}]>] out_shardings=[<@m, [{"a"}, {}]>] manual_axes={"a"} (%p: tensor<8x8xf32>) {
    %2 = sdy.manual_computation(%p) in_shardings=[<@m, [{"b"}, {}]>] out_shardings=[<@m, [{"b"}, {}]>] manual_axes={"b"} (%q: tensor<8x8xf32>) {
      %3 = stablehlo.negate %q : tensor<8x8xf32>
      %4 = stablehlo.add %3, %q : tensor<8x8xf32>
      sdy.return %4 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.negate %2 : tensor<8x8xf32>
    sdy.return %5 : tensor<8x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
// -----
// what comes out of a case is looked at from its end
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @main(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"b", "a"}, {}]>}, %j : tensor<i32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %l = "stablehlo.case"(%i) ({
    %k = "stablehlo.case"(%j) ({
      %0 = sdy.sharded_to_unreduced [{"a"}, {}] %a out_sharding=<@m, [{"b"}, {}], unreduced={"a"}> : tensor<16x16xf32>
      %1 = sdy.all_reduce {"a"} %0 out_sharding=<@m, [{"b"}, {}]> : tensor<16x16xf32>
      %2 = sdy.all_slice [{"a"}, {}] %1 out_sharding=<@m, [{"b", "a"}, {}]> : tensor<16x16xf32>
      stablehlo.return %2 : tensor<16x16xf32>
    }) : (tensor<i32>) -> tensor<16x16xf32>
    stablehlo.return %k : tensor<16x16xf32>
  }) : (tensor<i32>) -> tensor<16x16xf32>
  %0 = sdy.sharded_to_unreduced [{"a"}, {}] %a out_sharding=<@m, [{"b"}, {}], unreduced={"a"}> : tensor<16x16xf32>
  %1 = sdy.all_reduce {"a"} %0 out_sharding=<@m, [{"b"}, {}]> : tensor<16x16xf32>
  %2 = sdy.all_slice [{"a"}, {}] %1 out_sharding=<@m, [{"b", "a"}, {}]> : tensor<16x16xf32>
  return %l, %2 : tensor<16x16xf32>, tensor<16x16xf32>
}
