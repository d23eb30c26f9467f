"""Builds the models of these tests, and asks onnxruntime for their answers.

    pip install onnx onnxruntime numpy
    python build.py

Each case is NAME.onnx and, for output number 0, NAME.npy. Weights and inputs are those of `values`, which the tests make again
in Rust. `squeezenet.onnx` is the light model of ONNX' model zoo (Apache-2.0), whose weights `ConstantOfShape` fills; its answer
is that of weights which the tests give it.
"""

import math
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent


def values(name, extents, least, greatest):
    """Numbers between two bounds, by a hash of the name and of the place: the same in every language."""
    seed = 2166136261
    for byte in name.encode():
        seed = (seed ^ byte) * 16777619 & 0xFFFFFFFF
    count = int(np.prod(extents, dtype=np.int64))
    x = (np.arange(count, dtype=np.uint64) * np.uint64(2654435761) + np.uint64(seed)) & np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> np.uint64(shift))) * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    x ^= x >> np.uint64(16)
    unit = x.astype(np.float64) / 4294967296.0
    return (least + (greatest - least) * unit).astype(np.float32).reshape(extents)


class Model:
    def __init__(self, name, opset, extents, listed=False):
        self.name, self.opset, self.listed = name, opset, listed
        self.extents, self.nodes, self.constants, self.last = list(extents), [], [], "x"

    def constant(self, name, extents, least=-1.0, greatest=1.0):
        return self.given(name, values(self.name + "/" + name, extents, least, greatest))

    def given(self, name, array):
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator, inputs=None, outputs=1, **attributes):
        inputs = [self.last] if inputs is None else inputs
        written = [f"v{len(self.nodes)}" + ("" if i == 0 else f"_{i}") for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, written, name=f"n{len(self.nodes)}", **attributes))
        self.last = written[0]
        return self.last

    def convolution(self, outputs, channels, size, groups=1, bias=True, source=None, **attributes):
        weights, number = [outputs, channels // groups, *size], len(self.nodes)
        bound = math.sqrt(6.0 / (weights[1] * weights[2] * weights[3]))
        inputs = [source or self.last, self.constant(f"w{number}", weights, -bound, bound)]
        if bias:
            inputs.append(self.constant(f"b{number}", [outputs], -0.1, 0.1))
        if groups != 1:
            attributes["group"] = groups
        return self.node("Conv", inputs, **attributes)

    def normalization(self, channels, **attributes):
        number = len(self.nodes)
        bounds = {"scale": (0.5, 1.5), "shift": (-0.5, 0.5), "mean": (-0.5, 0.5), "variance": (0.01, 2.0)}
        inputs = [self.constant(f"{name}{number}", [channels], *of) for name, of in bounds.items()]
        return self.node("BatchNormalization", [self.last, *inputs], **attributes)

    def save(self, *others):
        given = helper.make_tensor_value_info("x", TensorProto.FLOAT, self.extents)
        inputs = [given]
        if self.listed:
            of = lambda t: helper.make_tensor_value_info(t.name, t.data_type, list(t.dims))
            inputs += [of(tensor) for tensor in self.constants]
        outputs = [helper.make_empty_tensor_value_info(name) for name in (self.last, *others)]
        graph = helper.make_graph(self.nodes, self.name, inputs, outputs, self.constants)
        graph = onnx.shape_inference.infer_shapes(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=3 if self.listed else 8)
        )
        del graph.graph.value_info[:]
        path = HERE / f"{self.name}.onnx"
        onnx.save(graph, path)
        answer(self.name, onnx.load(path))


def answer(name, model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    given = session.get_inputs()[0]
    x = values(name + "/x", given.shape, -1.0, 1.0)
    result = session.run(None, {given.name: x})[0]
    np.save(HERE / f"{name}.npy", result)
    print(f"{name}: {result.shape}, {result.min():.3} to {result.max():.3}")


def squeeze():
    """Two fire modules, as SqueezeNet has them; constants are listed as inputs, as old files do."""
    m = Model("squeeze", 9, [1, 3, 33, 35], listed=True)
    m.convolution(8, 3, [3, 3], strides=[2, 2])
    m.node("Relu")
    m.node("MaxPool", kernel_shape=[3, 3], strides=[2, 2])
    channels = 8
    for _ in range(2):
        m.convolution(4, channels, [1, 1])
        squeezed = m.node("Relu")
        m.convolution(6, 4, [1, 1], source=squeezed)
        a = m.node("Relu")
        m.convolution(6, 4, [3, 3], source=squeezed, pads=[1, 1, 1, 1])
        b = m.node("Relu")
        m.node("Concat", [a, b], axis=1)
        channels = 12
    m.node("Dropout", outputs=2, ratio=0.5)
    m.convolution(10, 12, [1, 1])
    m.node("Relu")
    m.node("GlobalAveragePool")
    m.node("Softmax")
    m.save()


def residual():
    """Blocks of ResNet: normalisations are folded, one of them by Caffe's scale; the classifier is a product."""
    m = Model("residual", 9, [2, 3, 28, 30])
    m.convolution(8, 3, [7, 7], bias=False, strides=[2, 2], pads=[3, 3, 3, 3])
    m.normalization(8)
    m.node("Relu")
    trunk = m.node("MaxPool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    m.convolution(8, 8, [3, 3], source=trunk, pads=[1, 1, 1, 1])
    m.normalization(8, epsilon=0.001)
    scale, shift = m.constant("factor", [8], 0.5, 1.5), m.constant("summand", [8])
    m.nodes += [
        helper.make_node("Unsqueeze", [scale], ["scale3"], axes=[1, 2]),
        helper.make_node("Unsqueeze", [shift], ["shift3"], axes=[1, 2]),
    ]
    m.node("Mul", [m.last, "scale3"])
    m.node("Add", [m.last, "shift3"])
    m.node("Relu")
    m.convolution(8, 8, [3, 3], pads=[1, 1, 1, 1])
    m.normalization(8)
    m.node("Sum", [m.last, trunk])
    trunk = m.node("Relu")
    m.convolution(16, 8, [1, 1], source=trunk, bias=False, strides=[2, 2])
    m.normalization(16)
    m.node("Relu")
    m.node("AveragePool", kernel_shape=[4, 4])
    m.node("Reshape", [m.last, m.given("shape", np.array([0, -1], dtype=np.int64))])
    m.node("Gemm", [m.last, m.constant("w", [10, 16]), m.constant("b", [10])], transB=1)
    m.node("Softmax")
    m.save()


def mobile():
    """An inverted residual of MobileNetV2, with bounds as inputs."""
    m = Model("mobile", 13, [1, 3, 24, 24])
    m.given("zero", np.float32(0)), m.given("six", np.float32(6))
    clip = lambda: m.node("Clip", [m.last, "zero", "six"])
    m.convolution(8, 3, [3, 3], strides=[2, 2], auto_pad="SAME_UPPER")
    trunk = clip()
    m.convolution(24, 8, [1, 1])
    clip()
    m.convolution(24, 24, [3, 3], groups=24, pads=[1, 1, 1, 1])
    clip()
    m.convolution(8, 24, [1, 1])
    m.node("Add", [trunk, m.last])
    m.convolution(8, 8, [3, 3], groups=8, strides=[2, 2], pads=[0, 0, 1, 1])
    m.node("GlobalAveragePool")
    m.node("Flatten")
    m.node("Gemm", [m.last, m.constant("w", [8, 10]), m.constant("b", [10])], alpha=0.5, beta=2.0)
    m.node("Softmax")
    m.save()


def shuffle():
    """A unit of ShuffleNet: convolutions of groups, whose channels are shuffled by a transposition in five dimensions."""
    m = Model("shuffle", 9, [1, 8, 14, 13])
    shortcut = m.node("AveragePool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    m.convolution(12, 8, [1, 1], groups=4, source="x")
    m.normalization(12)
    m.node("Relu")
    m.node("Reshape", [m.last, m.given("parts", np.array([1, 4, 3, 14, 13], dtype=np.int64))])
    m.node("Transpose", perm=[0, 2, 1, 3, 4])
    m.node("Reshape", [m.last, m.given("whole", np.array([1, 12, 14, 13], dtype=np.int64))])
    m.convolution(12, 12, [3, 3], groups=12, strides=[2, 2], pads=[1, 1, 1, 1])
    m.convolution(8, 12, [1, 1], groups=4)
    m.node("Concat", [shortcut, m.last], axis=1)
    m.node("Relu")
    m.save()


def joined():
    """A block of DenseNet: normalisations behind what is joined, each scaled as Caffe does, and a part that is joined twice."""
    m = Model("joined", 11, [1, 6, 10, 9])
    trunk = "x"
    for channels in (6, 10):
        m.last = trunk
        m.normalization(channels)
        m.node("Mul", [m.constant(f"factor{channels}", [channels, 1, 1], 0.5, 1.5), m.last])
        m.node("Add", [m.last, m.constant(f"summand{channels}", [1, channels, 1, 1])])
        m.node("Relu")
        m.convolution(4, channels, [3, 3], pads=[1, 1, 1, 1])
        trunk = m.node("Concat", [trunk, m.last], axis=1)
    m.convolution(4, 14, [1, 1])
    m.node("Concat", [m.last, m.last], axis=-3)
    m.node("Flatten", axis=2)
    m.save()


def single(name, opset, extents, *nodes, **constants):
    """A model of a few nodes in a row. Inputs that are named are constants."""
    m = Model(name, opset, extents)
    for constant, array in constants.items():
        m.given(constant, array)
    for operator, inputs, attributes in nodes:
        m.node(operator, [m.last, *inputs], **attributes)
    m.save()


def singles():
    image = [2, 3, 9, 11]
    w = values("w", [4, 3, 3, 3], -0.5, 0.5)
    b = values("b", [4], -0.5, 0.5)
    ints = lambda *numbers: np.array(numbers, dtype=np.int64)
    single("conv_pads", 11, image, ("Conv", ["w", "b"], dict(pads=[2, 0, 1, 1], strides=[2, 1])), w=w, b=b)
    single("conv_dilated", 11, image, ("Conv", ["w"], dict(dilations=[2, 3], pads=[1, 1, 1, 1])), w=w)
    single("conv_same_lower", 11, [1, 3, 8, 8], ("Conv", ["w", "b"], dict(auto_pad="SAME_LOWER", strides=[2, 2])), w=w, b=b)
    single("conv_valid", 11, image, ("Conv", ["w"], dict(auto_pad="VALID", strides=[3, 3])), w=w)
    pool = dict(kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
    single("max_pool_pads", 11, image, ("MaxPool", [], pool))
    single("max_pool_ceil", 11, [1, 2, 8, 8], ("MaxPool", [], dict(kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)))
    single("average_pool_pads", 11, image, ("AveragePool", [], pool))
    # onnxruntime pools 7×7 over 6×6 with pads behind, as a network of the zoo does.
    single("average_pool_whole", 9, [1, 2, 6, 6], ("AveragePool", [], dict(kernel_shape=[7, 7], pads=[0, 0, 1, 1])))
    single("average_pool_counts", 11, image, ("AveragePool", [], dict(count_include_pad=1, **pool)))
    single("local_response", 13, [2, 7, 3, 5], ("LRN", [], dict(size=5, alpha=0.3, beta=0.7, bias=1.5)))
    single("pool_globally", 13, image, ("GlobalMaxPool", [], {}))
    single("reduce_mean", 13, image, ("ReduceMean", [], dict(axes=[2, 3], keepdims=0)))
    single("reduce_rows", 13, image, ("ReduceMean", [], dict(axes=[1, 2], keepdims=0)))
    single("reduce_sum", 13, image, ("ReduceSum", ["a"], {}), a=ints(-3))
    single("reduce_max", 18, [3, 4, 5], ("ReduceMax", ["a"], dict(keepdims=0)), ("ReduceMin", [], {}), a=ints(0, 1))
    single("functions", 14, image, *((name, [], {}) for name in ("Tanh", "LeakyRelu", "HardSigmoid", "Exp", "Neg", "Elu", "Softsign", "Selu", "Sigmoid")))
    single("more_functions", 20, image, ("Gelu", [], {}), ("Gelu", [], dict(approximate="tanh")), *((name, [], {}) for name in ("HardSwish", "Mish", "Softplus", "Erf", "Reciprocal", "Log", "Celu", "Abs", "Sqrt")))
    single("roundings", 13, image, ("Mul", ["c"], {}), ("Round", [], {}), ("Mul", ["d"], {}), ("Floor", [], {}), ("Mul", ["d"], {}), ("Ceil", [], {}), c=np.float32(31), d=np.float32(0.75))
    row, column = values("row", [11], 0.5, 2), values("column", [3, 1, 1], 0.5, 2)
    pairs = [("Sub", ["row"], {}), ("PRelu", ["column"], {}), ("Div", ["row"], {}), ("Max", ["column", "row"], {}), ("Pow", ["row"], {}), ("Min", ["column"], {})]
    single("pairs", 16, image, *pairs, row=row, column=column)
    single("rows_by_matrix", 13, [2, 3, 5], ("MatMul", ["w"], {}), w=values("w", [5, 4], -1, 1))
    single("planes_of_matrices", 13, [2, 3, 5], ("MatMul", ["w"], {}), w=values("w", [2, 5, 4], -1, 1))
    scale = dict(s=values("s", [4, 6], 0.5, 2), t=values("t", [4, 6], -1, 1))
    single("layer_norm", 17, [2, 3, 4, 6], ("LayerNormalization", ["s", "t"], dict(axis=-2, epsilon=0.01)), **scale)
    w2 = values("w", [4, 2, 3, 3], -0.5, 0.5)
    cuts = dict(a=ints(1, -10), b=ints(99, 11), c=ints(1, 3), d=ints(1, 3), w=w2)
    single("slice_image", 13, image, ("Slice", ["a", "b", "c", "d"], {}), ("Conv", ["w"], {}), **cuts)
    single("slice_attributes", 9, [2, 5, 6], ("Slice", [], dict(starts=[-4, 1], ends=[-1, 2**31 - 1], axes=[1, 2])))
    pads = dict(a=ints(0, 0, 1, 2, 0, 0, 3, 0), b=ints(1, 2, 0, 3, 0, 1, 2, 0), c=np.float32(0.25))
    single("pad_convolution", 13, image, ("Pad", ["a"], {}), ("Conv", ["w"], dict(pads=[1, 0, 0, 1])), w=w, **pads)
    single("pad_image", 13, image, ("Pad", ["b", "c"], {}), ("Relu", [], {}), **pads)
    single("pad_attributes", 10, [3, 4], ("Pad", [], dict(pads=[1, 0, 0, 2], value=-1.0)), ("Pad", [], dict(pads=[0, 0, 0, 0])))
    m = Model("split", 13, [1, 7, 5, 4])
    m.node("Split", ["x", m.given("sizes", ints(2, 4, 1))], outputs=3, axis=1)
    first, middle = m.last, "v0_1"
    m.node("Split", [middle], outputs=2, axis=-3)
    second = m.last
    m.convolution(3, 2, [1, 1], source=second)
    m.node("Concat", [m.last, first, "v0_2"], axis=1)
    m.save()
    single("softmax_joined", 9, [2, 3, 4], ("Softmax", [], dict(axis=1)))
    single("softmax_axis", 13, [2, 3, 4, 5], ("Softmax", [], dict(axis=1)))
    single("clip_attributes", 7, image, ("Clip", [], dict(min=-0.25, max=0.5)))
    single("clip_one_bound", 13, image, ("Clip", ["", "top"], {}), top=np.float32(0.25))
    single("add_row", 13, image, ("Add", ["row"], {}), row=values("row", [11], -1, 1))
    single("multiply_outer", 13, [3, 1], ("Mul", ["row"], {}), row=values("row", [2, 1, 4], -1, 1))
    single("views", 13, [1, 3, 1, 4], ("Squeeze", ["a"], {}), ("Unsqueeze", ["b"], {}), ("Transpose", [], dict(perm=[2, 0, 1])), a=ints(0, -2), b=ints(1))
    single("reshape_image", 13, [1, 4, 3, 2], ("Conv", ["w"], {}), ("Reshape", ["shape"], {}), w=values("w", [4, 4, 1, 1], -1, 1), shape=ints(6, -1))
    single("gemm_turned", 13, [5, 3], ("Gemm", ["w"], dict(transA=1, alpha=2.0)), w=values("w", [5, 4], -1, 1))
    single("transpose_default", 13, [2, 3, 4], ("Transpose", [], {}), ("Identity", [], {}))


def u_net():
    """Two levels of U-Net, whose image grows again by transposed convolutions and by interpolation."""
    m = Model("u_net", 13, [1, 3, 12, 20])
    m.convolution(6, 3, [3, 3], pads=[1, 1, 1, 1])
    wide = m.node("Relu")
    m.node("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    m.convolution(10, 6, [3, 3], pads=[1, 1, 1, 1])
    middle = m.node("Relu")
    m.node("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    m.convolution(12, 10, [3, 3], pads=[1, 1, 1, 1])
    m.node("Relu")
    w, b = m.constant("up_w", [12, 10, 2, 2], -0.3, 0.3), m.constant("up_b", [10])
    m.node("ConvTranspose", [m.last, w, b], kernel_shape=[2, 2], strides=[2, 2])
    m.node("Concat", [middle, m.last], axis=1)
    m.convolution(6, 20, [3, 3], pads=[1, 1, 1, 1])
    m.node("InstanceNormalization", [m.last, m.constant("scale", [6], 0.5, 1.5), m.constant("bias", [6])])
    m.node("Relu")
    scales = m.given("scales", np.array([1, 1, 2, 2], dtype=np.float32))
    m.node("Resize", [m.last, "", scales], mode="linear", coordinate_transformation_mode="half_pixel")
    m.node("Concat", [m.last, wide], axis=1)
    m.convolution(2, 12, [1, 1])
    m.node("Sigmoid")
    m.save()


def detector():
    """A neck and a head of YOLO, exported with shapes that nodes compute: nearest elements, pooling in turn, and boxes by matrices."""
    m = Model("detector", 12, [1, 3, 32, 24])
    ints = lambda name, *numbers: m.given(name, np.array(numbers, dtype=np.int64))

    def conv(outputs, channels, size, stride=1, source=None):
        m.convolution(outputs, channels, [size, size], source=source, strides=[stride] * 2, pads=[size // 2] * 4)
        before = m.last
        return m.node("Mul", [before, m.node("Sigmoid")])

    wide = conv(8, 3, 3, 2)
    deep = conv(8, 8, 3, 2)
    pooled = [deep]
    for _ in range(3):
        pooled.append(m.node("MaxPool", [pooled[-1]], kernel_shape=[5, 5], pads=[2, 2, 2, 2]))
    m.node("Concat", pooled, axis=1)
    deep = conv(8, 32, 1)
    scales = m.given("scales", np.array([1, 1, 2, 2], dtype=np.float32))
    m.node("Resize", [deep, m.given("roi", np.zeros(0, dtype=np.float32)), scales], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    m.node("Concat", [m.last, wide], axis=1)
    grown = conv(12, 16, 1)
    # The batch, as exporters have it, and what is left as one dimension.
    shape = m.node("Shape", [grown])
    batch = m.node("Unsqueeze", [m.node("Gather", [shape, m.given("zero", np.int64(0))], axis=0)], axes=[0])
    height = m.node("Gather", [shape, m.given("two", np.int64(2))], axis=0)
    width = m.node("Gather", [shape, m.given("three", np.int64(3))], axis=0)
    places = m.node("Unsqueeze", [m.node("Mul", [height, width])], axes=[0])
    target = m.node("Concat", [batch, ints("twelve", 12), places], axis=0)
    rows = m.node("Transpose", [m.node("Reshape", [grown, target])], perm=[0, 2, 1])
    a = m.node("Slice", [rows, ints("z", 0), ints("four", 4), ints("axis", 2)])
    half = m.node("Div", [places, ints("half", 2)])
    b = m.node("Slice", [rows, ints("z0", 0), half, ints("axis1", 1)])
    b = m.node("Slice", [b, ints("four1", 4), ints("most", 2**31 - 1), ints("axis2", -1)])
    b = m.node("Softmax", [m.node("Concat", [b, b], axis=1)], axis=2)
    m.node("Concat", [m.node("Exp", [a]), b], axis=2)
    m.save()


def placed():
    """Nodes that take elements from other places, and what normalises planes."""
    image, f = [2, 3, 9, 11], lambda *numbers: np.array(numbers, dtype=np.float32)
    ints = lambda *numbers: np.array(numbers, dtype=np.int64)
    half = dict(mode="cubic", coordinate_transformation_mode="half_pixel", cubic_coeff_a=-0.5)
    single("resize_cubic", 13, image, ("Resize", ["", "s"], half), s=f(1, 1, 1.7, 0.6))
    corners = dict(mode="linear", coordinate_transformation_mode="align_corners")
    single("resize_corners", 13, image, ("Resize", ["", "", "n"], corners), n=ints(2, 3, 14, 6))
    nearest = dict(mode="nearest", coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_ceil")
    single("resize_nearest", 13, image, ("Resize", ["", "s"], nearest), s=f(1, 1, 1.5, 0.7))
    smooth = dict(mode="linear", antialias=1, axes=[3, 2], keep_aspect_ratio_policy="not_larger")
    single("resize_smooth", 18, image, ("Resize", ["", "", "n"], smooth), n=ints(4, 5))
    single("resize_rows", 13, [4, 6, 5], ("Resize", ["", "s"], dict(mode="linear")), s=f(1, 1, 2.5))
    single("upsample", 9, image, ("Upsample", ["s"], dict(mode="nearest")), s=f(1, 1, 2, 3))
    single("upsample_attributes", 7, image, ("Upsample", [], dict(mode="linear", scales=[1.0, 1.0, 2.0, 2.0])))
    w, b = values("w", [6, 2, 3, 4], -0.5, 0.5), values("b", [6], -1, 1)
    strides = dict(strides=[2, 3], dilations=[2, 1], group=3, pads=[1, 0, 2, 1], output_padding=[1, 0])
    single("transposed_groups", 11, [2, 6, 5, 4], ("ConvTranspose", ["w", "b"], strides), w=w, b=b)
    w1 = values("w", [6, 1, 3, 3], -0.5, 0.5)
    single("transposed_depthwise", 11, [1, 6, 5, 4], ("ConvTranspose", ["w"], dict(strides=[2, 2], group=6, auto_pad="SAME_UPPER")), w=w1)
    single("transposed_shape", 11, [1, 6, 5, 4], ("ConvTranspose", ["w"], dict(strides=[2, 2], output_shape=[10, 8])), w=w1)
    scale = dict(s=values("s", [6], 0.5, 1.5), t=values("t", [6], -1, 1))
    single("instance_norm", 13, [2, 6, 5, 7], ("InstanceNormalization", ["s", "t"], dict(epsilon=0.01)), **scale)
    single("group_norm", 21, [2, 6, 5, 7], ("GroupNormalization", ["s", "t"], dict(num_groups=3)), **scale)
    single("lengths", 13, image, ("LpNormalization", [], dict(axis=1)), ("LogSoftmax", [], dict(axis=2)))
    reductions = [("ReduceL2", [], dict(axes=[3])), ("ReduceL1", [], dict(axes=[2])), ("ReduceLogSumExp", [], dict(axes=[1], keepdims=0))]
    single("norms", 13, [2, 3, 4, 5], *reductions)
    single("gather_columns", 13, image, ("Gather", ["n"], dict(axis=3)), n=np.array([[0, -1, 5], [7, 7, 2]], dtype=np.int32))
    single("gather_channel", 13, image, ("Gather", ["n"], dict(axis=1)), ("Relu", [], {}), n=np.int64(-2))
    single("expand", 13, [3, 1, 5], ("Expand", ["n"], {}), n=ints(2, 1, 4, 1))
    single("tile", 13, image, ("Tile", ["n"], {}), n=ints(1, 2, 1, 3))
    single("squares", 13, [2, 8, 4, 6], ("DepthToSpace", [], dict(blocksize=2, mode="CRD")), ("SpaceToDepth", [], dict(blocksize=4)), ("DepthToSpace", [], dict(blocksize=2)))
    m = Model("choice", 16, image)
    row = m.constant("row", [11])
    above = m.node("Greater", ["x", row])
    same = m.node("Not", [m.node("Or", [above, m.node("Less", ["x", m.given("c", np.float32(-0.5))])])])
    m.node("Where", [same, m.node("Neg", ["x"]), m.node("Cast", [above], to=TensorProto.FLOAT)])
    m.save()
    single("waves", 13, image, *((name, [], {}) for name in ("Sin", "Asin", "Tan", "Atan", "Sinh", "Asinh", "Tanh", "Atanh", "Cosh", "Exp", "Acosh", "Cos", "Acos")))
    single("shrunk", 13, image, ("Shrink", [], dict(lambd=0.3, bias=0.1)), ("ThresholdedRelu", [], dict(alpha=0.2)))


def around():
    """Pads of every mode, some of which take elements away, and planes of matrices that repeat."""
    image, ints = [2, 3, 9, 11], lambda *numbers: np.array(numbers, dtype=np.int64)
    modes = [("Pad", [pads], dict(mode=mode)) for pads, mode in (("a", "reflect"), ("b", "edge"), ("c", "wrap"))]
    single("pad_modes", 19, image, *modes, a=ints(1, 0, 8, 2, 0, 2, 3, 0), b=ints(0, 3, 0, 1, 1, 0, 2, 0), c=ints(0, 0, 1, 2, 0, 1, 5, 0))
    single("pad_rows", 19, [4, 5], ("Pad", ["a"], dict(mode="reflect")), ("Pad", ["b", "", "d"], dict(mode="edge")), a=ints(0, 3, 2, 0), b=ints(2, 1), d=ints(-1))
    crops = dict(a=ints(-2, 1, 0, -1), b=np.float32(0.5), c=ints(-1, 1), d=ints(0, -1, 1, -2, 0, 0, -2, 3))
    single("pad_crops", 18, image, ("Pad", ["a", "b", "c"], {}), ("Pad", ["d"], {}), **crops)
    zeros = dict(a=ints(1, 2, 0, 3), b=np.float32(0), c=ints(2, -1), w=values("w", [4, 3, 3, 3], -0.5, 0.5))
    single("pad_axes_convolution", 18, image, ("Pad", ["a", "b", "c"], {}), ("Conv", ["w"], {}), **zeros)
    single("matrices_repeat", 13, [2, 1, 4, 5], ("MatMul", ["w"], {}), ("Relu", [], {}), w=values("w", [1, 3, 5, 6], -1, 1))
    single("matrices_by_planes", 13, [4, 5], ("MatMul", ["w"], {}), w=values("w", [2, 3, 5, 2], -1, 1))
    single("row_by_planes", 13, [5], ("MatMul", ["w"], {}), ("MatMul", ["v"], {}), w=values("w", [3, 5, 2], -1, 1), v=values("v", [2], -1, 1))


def pools():
    """Poolings by norms."""
    image = [2, 3, 9, 11]
    pads = dict(kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
    single("lp_pool_pads", 11, image, ("LpPool", [], dict(p=3, **pads)))
    single("lp_pool_same", 11, image, ("LpPool", [], dict(p=1, kernel_shape=[2, 3], auto_pad="SAME_LOWER")))
    spread = dict(kernel_shape=[2, 3], strides=[2, 1], dilations=[2, 3], ceil_mode=1)
    single("lp_pool_spread", 18, image, ("LpPool", [], spread), ("GlobalLpPool", [], dict(p=1)))


def normals():
    """Normalisations by group, of any dimensions, and what is left of the greatest element."""
    image = [2, 6, 5, 7]
    scale = dict(s=values("s", [3], 0.5, 1.5), t=values("t", [3], -1, 1))
    single("group_norm_by_group", 18, image, ("GroupNormalization", ["s", "t"], dict(num_groups=3)), **scale)
    single("variances", 13, image, ("MeanVarianceNormalization", [], {}), ("MeanVarianceNormalization", [], dict(axes=[1, -1])))
    single("hardmax_axis", 13, image, ("Hardmax", [], dict(axis=1)))
    single("hardmax_joined", 11, image, ("Hardmax", [], dict(axis=2)))


def places():
    """What is read and written by places that are tensors."""
    image = [2, 3, 4, 5]
    ints = lambda *numbers: np.array(numbers, dtype=np.int64)
    mixed = lambda name, extents, most: np.floor(values(name, extents, -most, most)).astype(np.int64)
    single("gather_elements", 13, image, ("GatherElements", ["n"], dict(axis=-1)), ("Relu", [], {}), n=mixed("n", [2, 3, 3, 7], 5))
    single("gather_slices", 13, image, ("GatherND", ["n"], dict(batch_dims=1)), n=mixed("n", [2, 6, 2], 3))
    m = Model("gather_computed", 13, image)
    first = m.node("ArgMax", ["x"], axis=2, keepdims=1)
    picked = m.node("GatherElements", ["x", first], axis=2)
    m.node("Sub", [m.node("GatherND", ["x", m.node("Transpose", [first], perm=[0, 1, 3, 2])], batch_dims=2), picked])
    m.save()
    n, u = mixed("n", [2, 3, 2, 5], 4), values("u", [2, 3, 2, 5], -1, 1)
    n[:, :, 1] = (n[:, :, 0] + 1) % 4
    single("scatter_elements", 13, image, ("ScatterElements", ["n", "u"], dict(axis=2)), n=n, u=u)
    m, v = mixed("m", [2, 3, 4, 9], 5), values("v", [2, 3, 4, 9], -1, 1)
    by = lambda reduction: ("ScatterElements", ["n", "u"], dict(axis=3, reduction=reduction))
    single("scatter_reduced", 18, image, *(by(name) for name in ("add", "mul", "max", "min")), n=m, u=v)
    slices = dict(n=ints([1, 2], [-2, 0], [0, 1]), u=values("u", [3, 4, 5], -1, 1))
    single("scatter_slices", 18, image, ("ScatterND", ["n", "u"], {}), ("ScatterND", ["n", "u"], dict(reduction="add")), **slices)
    single("triangles", 14, image, ("Trilu", ["k"], dict(upper=0)), ("Trilu", ["m"], {}), k=np.int64(2), m=np.int64(-1))
    region = dict(mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=0.75)
    ends = np.array([0, 0, -0.25, 0.3, 1, 1, 0.8, 1.5], dtype=np.float32)
    single("resize_region", 13, image, ("Resize", ["r", "", "n"], region), r=ends, n=ints(2, 3, 7, 6))
    nearest = dict(region, mode="nearest", axes=[3, 1])
    single("resize_region_axes", 19, image, ("Resize", ["r", "s"], nearest), r=ends[[2, 0, 6, 4]], s=np.array([1.5, 2], dtype=np.float32))
    m = Model("one_hot", 13, image)
    given = dict(depth=np.int64(3), values=np.array([0.25, 2.0], dtype=np.float32))
    m.node("OneHot", [m.node("ArgMax", ["x"], axis=1, keepdims=0), *(m.given(*one) for one in given.items())], axis=1)
    m.node("Sub", ["x", m.last])
    m.save()


def squeezenet():
    """The whole network, with weights in the place of those that `ConstantOfShape` fills."""
    model = onnx.load(HERE / "squeezenet.onnx")
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    kept, weights = [], []
    for node in model.graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        extents, name = [int(extent) for extent in shapes[node.input[0]]], node.output[0]
        bound = math.sqrt(6.0 / math.prod(extents[1:])) if len(extents) > 1 else 0.05
        weights.append(numpy_helper.from_array(values(name, extents, -bound, bound), name))
    del model.graph.node[:]
    model.graph.node.extend(kept)
    model.graph.initializer.extend(weights)
    answer("squeezenet", model)


if __name__ == "__main__":
    for build in (squeeze, residual, mobile, shuffle, joined, singles, u_net, detector, placed, around, pools, normals, places, squeezenet):
        build()
