#!/usr/bin/env python3
"""Writes nodes.bin: the backend node tests of ONNX for the operators that networks are read with.

The `onnx` package of PyPI (Apache-2.0) makes the tests: `pip install onnx`, then `python collect.py`. They are computed with NumPy, in
`onnx/backend/test/case/node`. Kept are those of one node of an operator below, with tensors of at most LARGEST elements together, or LARGER. Inputs
that have to be constants are made initialisers.

A case is its name, its model, its inputs and its outputs. Text and bytes have their length before them, tensors their type, their number
of dimensions and their extents; all numbers are of 32 bits, the least byte first.
"""

import pathlib
import struct
import warnings

import numpy
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

LARGEST = 1300
# Of operators whose tests have all of them more.
LARGER = {"LpPool": 6200}
OPSETS = range(7, 23)
TYPES = {"float32": "f", "int8": "b", "uint8": "B", "int32": "i", "int64": "q", "bool": "?"}

# Operators of which some inputs are constants here: all from this one on.
CONSTANTS = {
    "MatMulInteger": 1, "ConvInteger": 1, "Conv": 1, "ConvTranspose": 1, "Gemm": 2, "InstanceNormalization": 1, "GroupNormalization": 1, "BatchNormalization": 1, "Clip": 1,
    "Resize": 1, "Upsample": 1, "Expand": 1, "Tile": 1, "Reshape": 1, "Slice": 1, "Pad": 1, "Split": 1, "Squeeze": 1, "Unsqueeze": 1,
    "ReduceSum": 1, "ReduceMean": 1, "ReduceMax": 1, "ReduceMin": 1, "ReduceProd": 1, "ReduceL1": 1, "ReduceL2": 1,
    "ReduceSumSquare": 1, "ReduceLogSum": 1, "ReduceLogSumExp": 1, "Trilu": 1, "OneHot": 1,
    # Places that are written to; where others are read from is computed.
    "Scatter": 1, "ScatterElements": 1, "ScatterND": 1,
}
OTHERS = """
DynamicQuantizeLinear Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool Cast Ceil Celu Concat Cos Cosh DepthToSpace Div Elu Equal Erf Exp
Flatten Floor Gather GatherElements GatherND Gelu GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual HardSigmoid HardSwish Hardmax Identity LRN
LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax LpNormalization LpPool MatMul Max MaxPool MeanVarianceNormalization Min Mish Mul Neg Not Or PRelu Pow
Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softmax Softplus Softsign SpaceToDepth Sqrt Sub Sum Swish Tan Tanh
ThresholdedRelu Transpose Where Xor
""".split()
OPERATORS = CONSTANTS | {name: 99 for name in OTHERS}

# What networks are not read with, by a part of the test's name: other types, numbers of dimensions, places and borders.
LEFT_OUT = """
_uint8 add_int8 clip_default_int8 div_int equal_int8 greater_int8 less_int8 less_equal_int8 max_int8 min_int8 mul_int8 sub_int8
bool_inputs pow_types _1d_default convtranspose_1d convtranspose_3d dilations_small
averagepool_2d_dilations maxpool_2d_dilations maxpool_3d last_window_starts_on_pad with_argmax training_mode
gemm_all_attributes gemm_alpha matrix_bias l1normalization neg_steps select_last_index
""".split()
# Extents times scales are rounded before corners are aligned, as ONNX' definition has it, and not its tests.
LEFT_OUT += ["downsample_scales_cubic_align_corners", "downsample_scales_linear_align_corners"]


def tensor(array):
    array = numpy.asarray(array)
    letter = TYPES[str(array.dtype)]
    head = struct.pack(f"<cI{array.ndim}I", letter.encode(), array.ndim, *array.shape)
    return head + array.astype(array.dtype.newbyteorder("<")).tobytes()


def sized(data):
    return struct.pack("<I", len(data)) + data


def written(case):
    """The bytes of a case, or `None` where it is not kept."""
    model, nodes = case.model, case.model.graph.node
    if len(nodes) != 1 or nodes[0].op_type not in OPERATORS or nodes[0].domain or any(part in case.name for part in LEFT_OUT):
        return None
    if model.opset_import[0].version not in OPSETS:
        model = onnx.ModelProto.FromString(model.SerializeToString())
        model.opset_import[0].version = OPSETS[-1]
    else:
        model = onnx.ModelProto.FromString(model.SerializeToString())
    inputs, outputs = case.data_sets[0]
    arrays = [*inputs, *outputs]
    if not all(isinstance(array, (numpy.ndarray, numpy.generic)) and str(array.dtype) in TYPES for array in arrays):
        return None
    if sum(array.size for array in arrays) > LARGER.get(nodes[0].op_type, LARGEST) or any(array.size == 0 for array in [inputs[0], *outputs]):
        return None
    if "Normalization" in nodes[0].op_type:
        # Means are what training needs.
        del model.graph.output[1:], model.graph.node[0].output[1:], outputs[1:]
    first, graph = OPERATORS[nodes[0].op_type], model.graph
    names = [value.name for value in graph.input]
    for name, array in list(zip(names, inputs))[first:]:
        graph.initializer.append(numpy_helper.from_array(numpy.asarray(array), name))
    del graph.input[first:]
    parts = [sized(case.name.encode()), sized(model.SerializeToString())]
    for tensors in (inputs[:first], outputs):
        parts += [struct.pack("<I", len(tensors)), *(tensor(array) for array in tensors)]
    return b"".join(parts)


def main():
    warnings.simplefilter("ignore")
    cases = {case.name: case for case in collect_testcases(None)}
    found = [written(cases[name]) for name in sorted(cases)]
    (pathlib.Path(__file__).parent / "nodes.bin").write_bytes(b"".join(case for case in found if case))
    print(sum(case is not None for case in found), "cases")


if __name__ == "__main__":
    main()
