sdy.mesh @mesh = <["data"=2, "model"=2]>

func.func @main(
    %q: tensor<8x4x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>},
    %k: tensor<8x4x16x32xf32>, %v: tensor<8x4x16x32xf32>,
    %x: tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
    %w: tensor<128x64xf32>) -> (tensor<8x4x16x32xf32>, tensor<64x64xf32>, tensor<64x16xf32>) {
  %0 = "loom.attention"(%q, %k, %v) <{scale = 0.25 : f32}>
      : (tensor<8x4x16x32xf32>, tensor<8x4x16x32xf32>, tensor<8x4x16x32xf32>) -> tensor<8x4x16x32xf32>
  %1 = "loom.linear"(%x, %w) : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  %half = "loom.fill"() <{with = 0.5 : f32}> : () -> tensor<64x64xf32>
  %2 = "loom.repeat"(%1) <{times = 3 : i64}> ({
  ^bb0(%carried: tensor<64x64xf32>):
    %3 = "loom.swish"(%carried) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.multiply %3, %half : tensor<64x64xf32>
    "loom.yield"(%4) : (tensor<64x64xf32>) -> ()
  }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = "loom.corner"(%2) <{sizes = array<i64: 64, 16>}> : (tensor<64x64xf32>) -> tensor<64x16xf32>
  return %0, %2, %5 : tensor<8x4x16x32xf32>, tensor<64x64xf32>, tensor<64x16xf32>
}
