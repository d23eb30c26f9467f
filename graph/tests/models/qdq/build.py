"""Makes the small quantised ONNX models of this folder, and asks onnxruntime for their answers.

    pip install onnx onnxruntime numpy
    python build.py

It writes NAME.onnx, and NAME.npy, what onnxruntime 1.32 answers with its default optimisations, which compute with integers of 8 bits what
lies between `DequantizeLinear` and `QuantizeLinear`. Printed besides is how many elements of an answer without optimisations, which computes of
floats, are others.

The input of a model is `values("NAME/x", extents, -1, 1)` of `../build.py`; weights are numbers of the same hash.
"""

import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from build import values  # noqa: E402

INT8, UINT8 = np.int8, np.uint8


class Model:
    """A graph under construction; a value is known by its name, and quantised ones also by scale, zero and type."""

    def __init__(self, name, extents, opset=13):
        self.name, self.extents, self.opset = name, extents, opset
        self.nodes, self.constants, self.scales = [], [], {}

    def given(self, array, name=None):
        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def numbers(self, extents, least, greatest):
        return values(f"{self.name}/{len(self.constants)}", extents, least, greatest)

    def node(self, operator, inputs, domain="", **attributes):
        output = f"v{len(self.nodes)}"
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], name=name, domain=domain, **attributes))
        return output

    def scaling(self, scale, zero, kind):
        return [self.given(np.float32(scale)), self.given(kind(zero))]

    def quantize(self, value, scale, zero=0, kind=INT8):
        found = self.node("QuantizeLinear", [value, *self.scaling(scale, zero, kind)])
        self.scales[found] = scale, zero, kind
        return found

    def dequantize(self, value, axis=None):
        scale, zero, kind = self.scales[value]
        attributes = {} if axis is None else dict(axis=axis)
        inputs = [self.given(np.asarray(scale, np.float32)), self.given(np.asarray(zero, kind))]
        return self.node("DequantizeLinear", [value, *inputs], **attributes)

    def through(self, value, scale, zero=0, kind=INT8):
        return self.dequantize(self.quantize(value, scale, zero, kind))

    def integers(self, extents, kind=INT8, zero=0):
        least, greatest = (-127, 128) if kind is INT8 else (1, 256)
        return np.floor(self.numbers(extents, least, greatest)).astype(kind)

    def weights(self, extents, scale, axis=None, kind=INT8, zero=0):
        """Weights of one scale, or of one for each element of a dimension."""
        if axis is not None:
            scale = [scale * (8 + c * 5 % 7) / 8 for c in range(extents[axis])]
            zero = [zero] * extents[axis]
        found = self.given(self.integers(extents, kind))
        self.scales[found] = scale, zero, kind
        return self.dequantize(found, axis), np.atleast_1d(np.asarray(scale, np.float32))

    def bias(self, count, scale, most=4000):
        """Integers of 32 bits of the scale of sums."""
        found = self.given(np.floor(self.numbers([count], -most, most)).astype(np.int32))
        if self.opset < 13:     # There are no axes yet: one scale.
            return self.node("DequantizeLinear", [found, self.given(np.float32(scale[0]))])
        scale = np.broadcast_to(scale, [count])
        return self.node("DequantizeLinear", [found, self.given(scale), self.given(np.zeros(count, np.int32))], axis=0)

    def conv(self, value, scale, outputs, channels, size, weight, kind=INT8, zero=0, axis=0, bias="int", **attributes):
        """A convolution of what has `scale`, by weights of about `weight`."""
        groups = attributes.get("group", 1)
        extents = [outputs, channels // groups, size, size]
        weights, scales = self.weights(extents, weight, axis, kind, zero)
        inputs = [value, weights]
        if bias == "int":
            inputs.append(self.bias(outputs, np.float32(scale) * scales))
        elif bias == "float":
            inputs.append(self.given(self.numbers([outputs], -1.0, 1.0)))
        return self.node("Conv", inputs, kernel_shape=[size, size], **attributes)

    def finish(self, value):
        self.nodes[-1].output[0] = "y"
        assert value == f"v{len(self.nodes) - 1}"
        opsets = [helper.make_opsetid("", self.opset)]
        if any(node.domain for node in self.nodes):
            opsets.append(helper.make_opsetid("com.microsoft", 1))
        graph = helper.make_graph(
            self.nodes, self.name,
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.extents)],
            [helper.make_tensor_value_info("y", self.output, None)], self.constants)
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8 if self.opset < 20 else 10)
        onnx.save(model, HERE / f"{self.name}.onnx")
        answers = []
        for level in ("ORT_ENABLE_ALL", "ORT_DISABLE_ALL"):
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
            options.intra_op_num_threads = 1
            # Otherwise integers with a sign are computed of floats on x86-64.
            options.add_session_config_entry("session.qdqisint8allowed", "1")
            session = onnxruntime.InferenceSession(str(HERE / f"{self.name}.onnx"), options, providers=["CPUExecutionProvider"])
            answers.append(session.run(None, {"x": values(f"{self.name}/x", self.extents, -1.0, 1.0)})[0])
        answer, other = answers
        np.save(HERE / f"{self.name}.npy", answer)
        distinct = len(np.unique(answer))
        assert distinct >= min(5, answer.size), self.name
        print(f"{self.name}: {answer.shape}, {distinct} different; without optimisations {(answer != other).sum()} others")

    output = TensorProto.FLOAT


def convolutions_int8():
    """Each kind of convolution, bounds and biases; activations of integers with a sign."""
    m = Model("convolutions_int8", [1, 4, 9, 11])
    x = m.through("x", 0.008, -3)
    v = m.node("Relu", [m.conv(x, 0.008, 6, 4, 3, 0.012, strides=[2, 2], pads=[1, 1, 1, 1])])
    v = m.through(v, 0.03, -128)
    v = m.node("Clip", [m.conv(v, 0.03, 6, 6, 3, 0.009, bias="float", group=6, pads=[1, 1, 1, 1]), m.given(np.float32(0)), m.given(np.float32(6))])
    v = m.through(v, 0.027, -120)
    v = m.through(m.conv(v, 0.027, 40, 6, 1, 0.01, axis=None, bias=None), 0.05, 11)
    v = m.through(m.conv(v, 0.05, 8, 40, 3, 0.004, group=2), 0.07, -2)
    m.finish(v)


def convolutions_uint8():
    """As above, of integers without a sign, to a classifier's end."""
    m = Model("convolutions_uint8", [1, 3, 12, 13], opset=15)
    x = m.through("x", 2 / 255, 128, UINT8)
    v = m.conv(x, 2 / 255, 12, 3, 3, 0.011, pads=[1, 1, 0, 0])
    v = m.through(v, 0.05, 113, UINT8)
    v = m.node("MaxPool", [v], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    v = m.through(v, 0.05, 113, UINT8)
    v = m.node("Relu", [m.conv(v, 0.05, 10, 12, 1, 0.006)])
    v = m.through(v, 0.02, 0, UINT8)
    v = m.through(m.node("GlobalAveragePool", [v]), 0.013, 3, UINT8)
    v = m.through(m.node("Flatten", [v]), 0.013, 3, UINT8)
    weights, scales = m.weights([7, 10], 0.008)
    v = m.node("Gemm", [v, weights, m.bias(7, np.float32(0.013) * scales)], transB=1)
    v = m.through(v, 0.04, 140, UINT8)
    m.finish(m.through(m.node("Softmax", [v]), 1 / 256, 0, UINT8))


def weights_uint8():
    """Weights without a sign: of the zero 128, which are integers with a sign and the zero 0, and of others."""
    m = Model("weights_uint8", [1, 5, 6, 7], opset=11)
    x = m.through("x", 0.008, 127, UINT8)
    v = m.through(m.conv(x, 0.008, 33, 5, 3, 0.01, UINT8, 128, axis=None), 0.06, 120, UINT8)
    m.finish(m.through(m.conv(v, 0.06, 4, 33, 1, 0.006, UINT8, 121, axis=None), 0.13, 130, UINT8))


def sums():
    """Sums of two scales and of a constant, what is joined of one scale and of several, and averages."""
    m = Model("sums", [1, 4, 8, 6], opset=13)
    x = m.through("x", 0.008, 5)
    a = m.through(m.conv(x, 0.008, 4, 4, 3, 0.01, pads=[1, 1, 1, 1]), 0.04, -7)
    v = m.through(m.node("Relu", [m.node("Add", [a, x])]), 0.021, -128)
    row = m.given(m.integers([4, 1, 1]))
    m.scales[row] = 0.011, 4, INT8
    b = m.through(m.node("Add", [v, m.dequantize(row)]), 0.03, -20)
    one = m.through(m.node("Concat", [a, a], axis=1), 0.04, -7)
    v = m.through(m.node("Concat", [one, b, v], axis=1), 0.035, -11)
    v = m.node("AveragePool", [v], kernel_shape=[2, 2], strides=[2, 2])
    m.finish(m.through(v, 0.029, -9))


def products():
    """Matrices in either order, rows of three dimensions, and scales of columns."""
    m = Model("products", [2, 5, 24], opset=14)
    x = m.through("x", 0.0079, 2)
    weights, _ = m.weights([24, 36], 0.01, axis=1)
    v = m.through(m.node("MatMul", [x, weights]), 0.05, -4)
    weights, _ = m.weights([36, 10], 0.007)
    v = m.through(m.node("MatMul", [v, weights]), 0.08, 1)
    v = m.through(m.node("Reshape", [v, m.given(np.array([10, 10]))]), 0.08, 1)
    weights, scales = m.weights([10, 9], 0.009, axis=1)
    v = m.node("Gemm", [v, weights, m.bias(9, np.float32(0.08) * scales, 900)])
    m.finish(m.through(v, 0.09, 3))


def moved():
    """What moves integers: with and without integers around each."""
    m = Model("moved", [2, 3, 4, 6], opset=13)
    x = m.through("x", 0.0077, 9)
    v = m.through(m.node("Transpose", [x], perm=[0, 2, 3, 1]), 0.0077, 9)
    v = m.node("Reshape", [v, m.given(np.array([2, 1, 12, 6]))])
    v = m.node("Squeeze", [m.node("Slice", [v] + [m.given(np.array([n])) for n in (1, 2, 0)]), m.given(np.array([0]))])
    v = m.node("MaxPool", [m.node("Unsqueeze", [v, m.given(np.array([0]))])], kernel_shape=[1, 3], strides=[1, 2])
    weights, _ = m.weights([5, 1, 3, 1], 0.01, axis=0)
    v = m.through(v, 0.0077, 9)
    m.finish(m.through(m.node("Conv", [v, weights]), 0.03, -6))


def between():
    """What has no operator of integers lies between integers, and is computed of floats."""
    m = Model("between", [1, 6, 5, 4], opset=18)
    x = m.through("x", 0.0077, 120, UINT8)
    v = m.through(m.conv(x, 0.0077, 6, 6, 1, 0.01), 0.05, 128, UINT8)
    v = m.through(m.node("HardSwish", [v]), 0.04, 10, UINT8)
    w = m.through(m.node("Sigmoid", [v]), 1 / 256, 0, UINT8)
    v = m.through(m.node("Mul", [v, w]), 0.04, 10, UINT8)
    v = m.through(m.node("LeakyRelu", [v], alpha=0.1), 0.05, 7, UINT8)
    v = m.through(m.node("Pad", [v, m.given(np.array([0, 0, 1, 0, 0, 0, 0, 1]))]), 0.05, 7, UINT8)
    v = m.through(m.node("ReduceMean", [v, m.given(np.array([2, 3]))], keepdims=0), 0.02, 2, UINT8)
    weights, _ = m.weights([6, 5], 0.01, axis=1)
    v = m.node("Add", [m.node("MatMul", [v, weights]), m.given(m.numbers([5], -1, 1))])
    m.finish(m.through(v, 0.012, 99, UINT8))


def qlinear():
    """Operators of integers: ONNX' own and onnxruntime's."""
    m = Model("qlinear", [1, 6, 7, 6], opset=10)
    own = "com.microsoft"
    x = m.quantize("x", 0.0079, 126, UINT8)
    s = m.scaling
    at = [s(0.0079, 126, UINT8), s(0.05, 120, UINT8), s(0.06, 131, UINT8), s(0.055, 124, UINT8), s(0.045, 127, UINT8)]

    def conv(value, read, written, kind, zero, scale):
        scales = np.float32(scale) * (1 + np.arange(6, dtype=np.float32) / 8) if kind is INT8 else np.float32(scale)
        zeros = np.full(np.shape(scales), zero, kind)
        bias = m.given(np.floor(m.numbers([6], -3000, 3000)).astype(np.int32))
        weights = [m.given(m.integers([6, 6, 3, 3], kind)), m.given(scales), m.given(zeros)]
        return m.node("QLinearConv", [value, *at[read], *weights, *at[written], bias], pads=[1, 1, 1, 1])

    a = conv(x, 0, 1, INT8, 0, 0.01)
    b = conv(a, 1, 2, UINT8, 119, 0.004)
    c = m.node("QLinearAdd", [a, *at[1], b, *at[2], *at[3]], domain=own)
    d = m.node("QLinearConcat", [*at[1], a, *at[1], c, *at[3]], domain=own, axis=1)
    e = m.node("QLinearGlobalAveragePool", [d, *at[1], *at[4]], domain=own, channels_last=0)
    f = m.node("Reshape", [e, m.given(np.array([1, 12]))])
    weights = [m.given(m.integers([12, 20], UINT8)), *s(0.01, 128, UINT8)]
    g = m.node("QLinearMatMul", [f, *at[4], *weights, *s(0.03, 133, UINT8)])
    h = m.node("QLinearSigmoid", [g, *s(0.03, 133, UINT8), *s(1 / 256, 0, UINT8)], domain=own)
    m.scales[h] = 1 / 256, 0, UINT8
    m.finish(m.dequantize(h))


def dynamic():
    """Scales that are known when the network runs: a product and a convolution with pads, as `onnxruntime.quantization` writes them."""
    m = Model("dynamic", [2, 3, 8, 8], opset=13)

    def quantized(value):
        y = m.node("DynamicQuantizeLinear", [value])
        m.nodes[-1].output.extend([y + "_scale", y + "_zero"])
        return y, y + "_scale", y + "_zero"

    def scaled(operator, value, weights, zeros, weight, **attributes):
        y, scale, zero = quantized(value)
        inputs = [y, m.given(weights), zero] + ([] if zeros is None else [m.given(zeros)])
        sums = m.node("Cast", [m.node(operator, inputs, **attributes)], to=TensorProto.FLOAT)
        return m.node("Mul", [sums, m.node("Mul", [scale, m.given(np.float32(weight))])])

    v = scaled("ConvInteger", "x", m.integers([6, 3, 3, 3]), None, 0.01, pads=[1, 1, 0, 2], strides=[2, 1])
    v = m.node("Relu", [v])
    v = scaled("ConvInteger", v, m.integers([4, 3, 2, 2], UINT8), UINT8(120), 0.01, group=2, pads=[1, 0, 0, 1])
    v = m.node("Reshape", [v, m.given(np.array([2, 4, -1]))])
    v = scaled("MatMulInteger", v, m.integers([36, 10]), INT8(0), 0.01)
    v = scaled("MatMulInteger", m.node("Relu", [v]), m.integers([10, 5], UINT8), UINT8([128, 100, 3, 255, 131]), 0.01)
    m.finish(m.node("Add", [v, m.given(m.numbers([5], -1, 1))]))


def products_qgemm():
    """onnxruntime's product of integers, to integers and to floats."""
    m = Model("products_qgemm", [5, 24], opset=13)
    x = m.quantize("x", 0.0079, 130, UINT8)
    bias = m.given(np.floor(m.numbers([12], -3000, 3000)).astype(np.int32))
    weights = [m.given(m.integers([12, 24])), *m.scaling(0.01, 0, INT8)]
    first = [x, *m.scaling(0.0079, 130, UINT8), *weights, bias, *m.scaling(0.05, 120, UINT8)]
    v = m.node("QGemm", first, domain="com.microsoft", transB=1)
    weights = [m.given(m.integers([12, 7])), m.given(np.float32(0.01) * (1 + np.arange(7, dtype=np.float32) / 8)), m.given(np.zeros(7, INT8))]
    second = [v, *m.scaling(0.05, 120, UINT8), *weights]
    m.finish(m.node("QGemm", second, domain="com.microsoft", alpha=0.5))


def integers_out():
    """Integers without scales of their own: a result, and zeros that are left out."""
    m = Model("integers_out", [3, 20], opset=21)
    q = m.node("QuantizeLinear", ["x", m.given(np.float32(0.0075))], output_dtype=TensorProto.INT8)
    x = m.node("DequantizeLinear", [q, m.given(np.float32(0.0075))])
    weights = m.node("DequantizeLinear", [m.given(m.integers([12, 20])), m.given(np.float32(0.01))])
    m.output = TensorProto.INT8
    m.finish(m.quantize(m.node("Gemm", [x, weights, m.given(m.numbers([12], -1, 1))], transB=1), 0.05, -4))


if __name__ == "__main__":
    for make in (convolutions_int8, convolutions_uint8, weights_uint8, sums, products, moved, between, qlinear, dynamic, products_qgemm, integers_out):
        make()
