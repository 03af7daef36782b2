"""The three operations of batch normalisation."""

from __future__ import annotations

from tests.partitioning.every_operation.table import add, program
from tests.partitioning.random_layouts import Case, random_shape, tensor


def _normalised(case: Case) -> tuple[list[int], str, str, str]:
    shape = random_shape(case.rng, 3, [2, 3, 4, 5, 8])
    feature = case.rng.randrange(len(shape))
    vector = tensor([shape[feature]])
    return shape, tensor(shape), vector, f"epsilon = 0.1 : f32, feature_index = {feature} : i64"


def _positive(case: Case, type: str) -> str:
    return case.add(f"stablehlo.abs {case.argument(type)} : {type}")


@program("stablehlo.batch_norm_inference")
def inferences(case: Case, name: str) -> None:
    _, type, vector, properties = _normalised(case)
    operands = [case.argument(one) for one in (type, vector, vector, vector)]
    add(case, name, [*operands, _positive(case, vector)], [type, *([vector] * 4)], [type], properties)


@program("stablehlo.batch_norm_training")
def trainings(case: Case, name: str) -> None:
    _, type, vector, properties = _normalised(case)
    operands = [case.argument(one) for one in (type, vector, vector)]
    add(case, name, operands, [type, vector, vector], [type, vector, vector], properties)


@program("stablehlo.batch_norm_grad")
def gradients(case: Case, name: str) -> None:
    _, type, vector, properties = _normalised(case)
    operands = [case.argument(one) for one in (type, vector, vector)]
    operands += [_positive(case, vector), case.argument(type)]
    add(case, name, operands, [type, vector, vector, vector, type], [type, vector, vector], properties)
