#!/usr/bin/env python3
"""Writes nodes.txt: the backend node tests of ONNX for the operators that the library has.

The `onnx` package of PyPI (Apache-2.0) makes the tests: `pip install onnx`, then `python collect.py > nodes.txt`. They are computed
with NumPy, in `onnx/backend/test/case/node`. Kept are those with one node of an operator below and tensors of types that kernels
have, of at most LARGEST elements together (but for LRN, whose smallest test has 1,250).
"""

import sys
import warnings

import numpy
import onnx
from onnx import helper
from onnx.backend.test.case.node import collect_testcases

LARGEST = 900
TYPES = {"float32": "f32", "uint8": "u8", "int8": "i8", "int16": "i16", "uint16": "u16", "int32": "i32", "bool": "u8"}
# Places, numbers of dimensions and counts of ONNX are of 64 bits; those of the tests are small.
PLACES = {"int64": "i32"}
# Sums of doubles that are small integers: floats hold them all.
WIDER = {"float64": "f32"}
OF_REDUCTIONS = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare"}
OF_PLACES = {"Gather", "Pad", "ArgMax", "ArgMin", "RoiAlign"} | OF_REDUCTIONS

# An operator, and what a test of it must fulfil to be about what the library has.
OPERATORS = {
    "Abs": {}, "Neg": {}, "Sign": {}, "Floor": {}, "Ceil": {}, "Round": {}, "Sqrt": {}, "Reciprocal": {},
    "Add": {"float32", "uint8", "int16", "int32"}, "Sub": {"float32", "uint8", "int16", "int32"},
    "Mul": {"float32", "uint8", "int16", "int32"}, "Div": {"float32"},
    "Min": {"float32", "uint8", "int16", "int32"}, "Max": {"float32", "uint8", "int16", "int32"},
    "Equal": {"float32", "uint8", "int16", "int32"}, "Greater": {"float32", "uint8", "int16", "int32"},
    "GreaterOrEqual": {"float32", "uint8", "int16", "int32"}, "Less": {"float32", "uint8", "int16", "int32"},
    "LessOrEqual": {"float32", "uint8", "int16", "int32"}, "Where": {}, "And": {}, "Or": {}, "Xor": {},
    "Relu": {}, "LeakyRelu": {}, "PRelu": {}, "Clip": {"float32", "uint8", "int8"}, "HardSigmoid": {}, "HardSwish": {},
    "Shrink": {}, "Softsign": {}, "ThresholdedRelu": {}, "IsNaN": {"float32"}, "IsInf": {"float32"}, "Not": {},
    "BitwiseAnd": {"uint8"}, "BitwiseOr": {"uint8"}, "BitwiseXor": {"uint8"},
    "Exp": {"float32"}, "Log": {"float32"}, "Sin": {}, "Cos": {}, "Tan": {}, "Asin": {}, "Acos": {}, "Atan": {}, "Sinh": {}, "Cosh": {},
    "Tanh": {}, "Asinh": {}, "Acosh": {}, "Atanh": {}, "Pow": {"float32"}, "Sigmoid": {}, "Swish": {}, "Elu": {}, "Selu": {},
    "Celu": {}, "CumSum": {}, "Gelu": {}, "Softplus": {},
    "BatchNormalization": {}, "QuantizeLinear": {}, "DequantizeLinear": {}, "MaxPool": {"float32"}, "AveragePool": {"float32"},
    "Resize": {}, "MatMul": {"float32"}, "Conv": {"float32"}, "ConvTranspose": {"float32"}, "Gemm": {"float32"},
    "GlobalAveragePool": {}, "GlobalMaxPool": {}, "ReduceSum": {"float32"}, "ReduceMean": {"float32"}, "ReduceMax": {"float32"},
    "ReduceMin": {"float32", "uint8"}, "ReduceL1": {"float32"}, "ReduceL2": {"float32"}, "ReduceSumSquare": {"float32"},
    "Softmax": {}, "LogSoftmax": {}, "LpNormalization": {}, "RMSNormalization": {},
    "LayerNormalization": {}, "InstanceNormalization": {},
    "ArgMax": {"float32"}, "DepthToSpace": {}, "SpaceToDepth": {}, "Concat": {}, "Pad": {"float32"}, "Gather": {"float32"},
    "ArgMin": {"float32"}, "ReduceProd": {"float32"}, "LRN": {}, "GridSample": {"float32"}, "RoiAlign": {"float32"},
}
# Tests of more than one operand pair, of a second output, of blocks, of one-sided bounds and of powers of another type.
POOLS = {f"test_maxpool_2d_{way}" for way in ("precomputed_same_upper", "precomputed_strides", "precomputed_pads")}
POOLS |= {f"test_averagepool_2d_{way}" for way in ("precomputed_strides", "precomputed_pads")}
# Scales, not sizes, nearest and linear, with no two elements equally near.
RESIZES = {f"test_resize_{way}_scales_{mode}" for way in ("upsample", "downsample") for mode in ("nearest", "linear", "linear_align_corners")}
# Two matrices, or as many planes of both.
PRODUCTS = {"test_matmul_2d", "test_matmul_3d", "test_matmul_4d"}
# One group, and an output whose extents follow.
TRANSPOSED = {f"test_convtranspose{way}" for way in ("", "_pad", "_pads", "_dilations")}
# No factors, and a bias for each output or one for all.
CONNECTED = {f"test_gemm_{way}" for way in ("transposeA", "transposeB", *(f"default_{bias}_bias" for bias in ("zero", "no", "scalar", "single_elem_vector", "vector")))}
# One constant, the first dimension, and one dimension.
# Images, and zeros outside them.
GRIDS = {f"test_gridsample{way}" for way in ("", "_bilinear", "_nearest", "_aligncorners_true", "_zeros_padding")}
GRIDS |= {f"test_gridsample_{mode}_align_corners_{corners}_additional_1" for mode in ("bilinear", "nearest") for corners in (0, 1)}
# As many samples of every bin, and their means.
REGIONS = {f"test_roialign_aligned_{is_aligned}" for is_aligned in ("false", "true")}
PADS, GATHERS = {"test_constant_pad"}, {"test_gather_0", "test_gather_negative_indices"}
REDUCTIONS = ("_do_not_keepdims_", "_keepdims_", "_negative_axes_keepdims_")
LEFT_OUT = ("_one_input", "_example_training_mode", "_epsilon_training_mode", "_blocked", "min_example", "max_example", "pow_types")


def elements(array):
    """The type, the extents and the values, floats by the fewest digits that give them back."""
    values = array.astype(numpy.uint8) if array.dtype == bool else array
    text = [str(value) for value in values.ravel()]
    return f"{(TYPES | PLACES | WIDER)[str(array.dtype)]}{list(array.shape)} {' '.join(text)}".replace(", ", ",")


def results(case):
    """The inputs and the outputs, of a normalisation without what only training needs."""
    inputs, outputs = case.data_sets[0]
    return inputs, outputs[:1] if "Normalization" in case.model.graph.node[0].op_type else outputs


def plain(value):
    return value.decode() if isinstance(value, bytes) else value


def is_kept(case):
    nodes = case.model.graph.node
    if len(nodes) != 1 or nodes[0].op_type not in OPERATORS or nodes[0].domain:
        return False
    if nodes[0].op_type in ("MaxPool", "AveragePool") and case.name not in POOLS:
        return False
    chosen = {"MatMul": PRODUCTS, "ConvTranspose": TRANSPOSED, "Gemm": CONNECTED, "Pad": PADS, "Gather": GATHERS, "GridSample": GRIDS, "RoiAlign": REGIONS}
    if case.name not in chosen.get(nodes[0].op_type, {case.name}):
        return False
    if nodes[0].op_type.startswith("Reduce") and ("default_axes" in case.name or not any(part in case.name for part in REDUCTIONS)):
        return False
    if "select_last_index" in case.name or nodes[0].op_type == "SpaceToDepth" and "_crd_" in case.name:
        return False
    is_resize = nodes[0].op_type == "Resize"
    if is_resize and case.name not in RESIZES:
        return False
    if any(part in case.name for part in LEFT_OUT) or "" in nodes[0].input and not is_resize:
        return False
    # The norm of absolute values is another operator.
    if nodes[0].op_type == "LpNormalization" and any(a.name == "p" and a.i == 1 for a in nodes[0].attribute):
        return False
    inputs, outputs = results(case)
    arrays = [*inputs, *outputs]
    types = TYPES | PLACES if nodes[0].op_type in OF_PLACES else TYPES
    types = types | WIDER if nodes[0].op_type == "CumSum" else types
    if not all(isinstance(array, (numpy.ndarray, numpy.generic)) and str(array.dtype) in types for array in arrays):
        return False
    types = OPERATORS[nodes[0].op_type]
    if types and str(inputs[0].dtype) not in types:
        return False
    return sum(array.size for array in arrays) <= (1250 if nodes[0].op_type == "LRN" else LARGEST)


def main():
    warnings.simplefilter("ignore")
    print(f"# The backend node tests of ONNX {onnx.__version__} (Apache-2.0), written by collect.py.")
    for case in sorted(filter(is_kept, collect_testcases(None)), key=lambda case: case.name):
        node = case.model.graph.node[0]
        attributes = {a.name: plain(helper.get_attribute_value(a)) for a in node.attribute}
        words = "".join(f" {name}={value}".replace(", ", ",") for name, value in sorted(attributes.items()))
        print(f"\n{case.name} {node.op_type}{words}")
        inputs, outputs = results(case)
        for array in inputs:
            print("<", elements(array))
        for array in outputs:
            print(">", elements(array))


if __name__ == "__main__":
    sys.exit(main())
