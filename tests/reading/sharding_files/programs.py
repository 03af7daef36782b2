"""The programs that sharding files are tried on."""

from pyshardy import Module, parse

STEP = """
func.func @main(%0: tensor<8x16xf32> loc("params['layers'][0]['wq']"),
                %1: tensor<16x8xf32> loc("params['layers'][1]['wq']"),
                %2: tensor<8xf32> loc("state.params['b'].value"), %3: tensor<i32> loc("state.step"),
                %4: tensor<12x8xf32> loc("batch['x']"))
    -> (tensor<12x8xf32> {jax.result_info = "result['y']"}, tensor<i32> {jax.result_info = "result['step']"}) {
  %5 = stablehlo.dot_general %4, %0, contracting_dims = [1] x [0] : (tensor<12x8xf32>, tensor<8x16xf32>)
      -> tensor<12x16xf32> loc("jit(step)/jvp(attention)/dot_general"("code/me/model.py":42:7))
  %6 = stablehlo.tanh %5 : tensor<12x16xf32> loc("jit(step)/jvp()/attention/inner/tanh"("code/me/model.py":43:7))
  %7 = stablehlo.dot_general %6, %1, contracting_dims = [1] x [0] : (tensor<12x16xf32>, tensor<16x8xf32>)
      -> tensor<12x8xf32> loc("jit(step)/jvp()/mlp/dot_general"("code/me/model.py":50:7))
  return %7, %3 : tensor<12x8xf32>, tensor<i32>
}
"""
MESH = {"data": 4, "model": 2}


def step(mesh: str = "") -> Module:
    """A step without shardings, on ``mesh`` (as MLIR writes it) if there is one."""
    return parse(f"sdy.mesh @mesh = <[{mesh}]>{STEP}" if mesh else STEP, "step.mlir")


def shardings_of(module: Module) -> dict[str, str]:
    """The shardings that ``module`` has, by names of tensors."""
    return {
        one.name: one.sharding.body_text.removeprefix("<@mesh, ").removesuffix(">")
        for one in module.tensors()
        if one.sharding is not None
    }


def applied(lines: dict[str, object], mesh: dict[str, int] | None = None) -> dict[str, str]:
    """The shardings of a step to which ``lines`` were applied."""
    module = step()
    module.apply_shardings({"mesh": mesh or MESH, "shardings": lines})
    return shardings_of(module)
