"""Makes the small TFLite models of this folder, and their answers.

Needs Python 3.11, ai-edge-litert 2.3.0 (which brings flatbuffers 25.12.19) and numpy 2.4.6; run as `python build.py`.
It writes, into the folder it lies in, NAME.tflite for every model and NAME.npy, the answer of LiteRT's reference kernels
(OpResolverType.BUILTIN_REF, one thread), for every model but `custom`, which is only there to be refused.

All numbers come from one hash.  `FNV(text)` is 32-bit FNV-1a; number p of a sequence called `text` is, in wrapping u32,
    x = p*2654435761 + FNV(text);  x = (x ^ x>>16)*0x7feb352d;  x = (x ^ x>>15)*0x846ca68b;  x ^= x>>16
The input of a model is the sequence "NAME/x", in the order of memory (NHWC): an int8 element is (x >> 24) - 128, a float32
element is x / 2^32 * 2 - 1, computed in float64 and rounded once.  Weights are the sequences "NAME/TENSOR" (see `Graph.weights`).
"""
import pathlib
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as S
from ai_edge_litert.interpreter import Interpreter, OpResolverType

HERE = pathlib.Path(__file__).resolve().parent
NONE, RELU, RELU6 = S.ActivationFunctionType.NONE, S.ActivationFunctionType.RELU, S.ActivationFunctionType.RELU6
SAME, VALID = S.Padding.SAME, S.Padding.VALID
KINDS = {np.int8: S.TensorType.INT8, np.int32: S.TensorType.INT32, np.float32: S.TensorType.FLOAT32}
# The version of each operator (1 where it is not named): int8 kernels and dilation ask for more than the first.
VERSIONS = {
    np.int8: dict(CONV_2D=3, DEPTHWISE_CONV_2D=3, PAD=2, ADD=2, MAX_POOL_2D=2, AVERAGE_POOL_2D=2, CONCATENATION=2,
                  MEAN=2, MUL=2, FULLY_CONNECTED=4, SOFTMAX=2, TRANSPOSE=2, DEQUANTIZE=2),
    np.float32: dict(DEPTHWISE_CONV_2D=2),
}


def sequence(text, count):
    """The first `count` numbers of a sequence, u32 in u64."""
    seed, low = 2166136261, np.uint64(0xffffffff)
    for byte in text.encode():
        seed = ((seed ^ byte) * 16777619) & 0xffffffff
    x = (np.arange(count, dtype=np.uint64) * np.uint64(2654435761) + np.uint64(seed)) & low
    x = ((x ^ (x >> np.uint64(16))) * np.uint64(0x7feb352d)) & low
    x = ((x ^ (x >> np.uint64(15))) * np.uint64(0x846ca68b)) & low
    return x ^ (x >> np.uint64(16))


def int8s(text, shape):
    return ((sequence(text, int(np.prod(shape))) >> np.uint64(24)).astype(np.int64) - 128).astype(np.int8).reshape(shape)


def floats(text, shape):
    """In [-1, 1]."""
    return (sequence(text, int(np.prod(shape))).astype(np.float64) / 2**32 * 2 - 1).astype(np.float32).reshape(shape)


class AlignedBuffer(S.BufferT):
    """The schema asks for constants at multiples of 16 bytes in the file; the generated class does not see to it."""

    def Pack(self, builder):
        if self.data is not None:
            builder.StartVector(1, len(self.data), 16)
            for byte in reversed(self.data):
                builder.PrependByte(byte)
            data = builder.EndVector()
        S.BufferStart(builder)
        if self.data is not None:
            S.BufferAddData(builder, data)
        return S.BufferEnd(builder)


class Graph:
    """A model under construction; a tensor is known by its number."""
    def __init__(self, name):
        self.name = name
        self.tensors, self.operators, self.codes = [], [], []
        self.buffers = [AlignedBuffer()]        # buffer 0 is empty, by convention: tensors without constants name it

    def tensor(self, name, shape, kind=np.float32, scale=None, zero=0, axis=0, data=None):
        """`scale`: one number, or one a channel along `axis`; None: not quantised."""
        t = S.TensorT(shape=list(shape), type=KINDS[kind], name=name, hasRank=True, quantization=S.QuantizationParametersT())
        if scale is not None:
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            t.quantization = S.QuantizationParametersT(
                scale=[float(s) for s in scales], zeroPoint=[zero] * len(scales), quantizedDimension=axis)
        if data is not None:
            t.buffer = len(self.buffers)
            self.buffers.append(AlignedBuffer(data=np.asarray(data, np.dtype(kind).newbyteorder('<')).tobytes()))
        self.tensors.append(t)
        return len(self.tensors) - 1

    def constant(self, name, values):
        values = np.asarray(values)
        return self.tensor(name, values.shape, values.dtype.type, data=values)

    def integers(self, name, values):
        return self.constant(name, np.array(values, np.int32))

    def scale(self, tensor):
        return np.asarray(self.tensors[tensor].quantization.scale, np.float32)

    def weights(self, name, shape, scale=None, axis=0, times=1.0):
        """int8 in [-127, 127] where there is a scale, else float32 in [-times, times]."""
        if scale is None:
            return self.constant(name, floats(f'{self.name}/{name}', shape) * np.float32(times))
        return self.tensor(name, shape, np.int8, scale, axis=axis, data=np.maximum(int8s(f'{self.name}/{name}', shape), -127))

    def bias(self, name, x, w, most):
        """int32 in [-most, most], its scales the products of those of input and weights."""
        scale = self.scale(x) * self.scale(w)
        count = self.tensors[w].shape[self.tensors[w].quantization.quantizedDimension]
        values = (sequence(f'{self.name}/{name}', count).astype(np.int64) * (2 * most + 1) >> 32) - most
        return self.tensor(name, [count], np.int32, scale, data=values)

    def op(self, kind, inputs, output, options=None, custom=None):
        """Appends an operator; gives `output` back."""
        of = self.tensors[output].type if kind != 'DEQUANTIZE' else S.TensorType.INT8
        version = VERSIONS[np.int8 if of == S.TensorType.INT8 else np.float32].get(kind, 1)
        code = kind, version, custom
        if code not in self.codes:
            self.codes.append(code)
        operator = S.OperatorT(opcodeIndex=self.codes.index(code), inputs=inputs, outputs=[output])
        if options is not None:
            operator.builtinOptions = options
            operator.builtinOptionsType = getattr(S.BuiltinOptions, type(options).__name__[:-1])
        self.operators.append(operator)
        return output

    def write(self, inputs, outputs):
        codes = []
        for kind, version, custom in self.codes:
            code = getattr(S.BuiltinOperator, kind)
            codes.append(S.OperatorCodeT(deprecatedBuiltinCode=min(code, 127), builtinCode=code, version=version, customCode=custom))
        graph = S.SubGraphT(tensors=self.tensors, inputs=inputs, outputs=outputs, operators=self.operators, name='main')
        model = S.ModelT(version=3, operatorCodes=codes, subgraphs=[graph], buffers=self.buffers, description=self.name)
        builder = flatbuffers.Builder(1024)
        builder.Finish(model.Pack(builder), b'TFL3')
        (HERE / f'{self.name}.tflite').write_bytes(bytes(builder.Output()))


def channels(scale, count):
    """One scale a channel, between one and nearly two times `scale`."""
    return [scale * (8 + c * 5 % 7) / 8 for c in range(count)]


def conv(stride, padding, act=NONE):
    return S.Conv2DOptionsT(padding=padding, strideW=stride, strideH=stride, fusedActivationFunction=act)


def depthwise(act=NONE, dilation=1):
    return S.DepthwiseConv2DOptionsT(padding=SAME, strideW=1, strideH=1, depthMultiplier=1, fusedActivationFunction=act,
                                     dilationWFactor=dilation, dilationHFactor=dilation)


def pool(size, stride, padding):
    return S.Pool2DOptionsT(padding=padding, strideW=stride, strideH=stride, filterWidth=size, filterHeight=size)


def layers_int8():
    g, i8 = Graph('layers_int8'), np.int8
    x = g.tensor('x', [1, 9, 11, 4], i8, 0.02, -3)
    w = g.weights('conv1/w', [6, 3, 3, 4], channels(0.004, 6))
    # RELU6 ends at 6/0.03 - 120 = 80, below 127.
    conv1 = g.op('CONV_2D', [x, w, g.bias('conv1/b', x, w, 6000)], g.tensor('conv1', [1, 5, 6, 6], i8, 0.03, -120),
                 conv(2, SAME, RELU6))
    w = g.weights('depth/w', [1, 3, 3, 6], channels(0.003, 6), axis=3)
    depth = g.op('DEPTHWISE_CONV_2D', [conv1, w, g.bias('depth/b', conv1, w, 8000)],
                 g.tensor('depth', [1, 5, 6, 6], i8, 0.04, -100), depthwise(RELU))
    padded = g.op('PAD', [depth, g.integers('paddings', [[0, 0], [1, 1], [1, 1], [0, 0]])],
                  g.tensor('padded', [1, 7, 8, 6], i8, 0.04, -100), S.PadOptionsT())
    w = g.weights('conv2/w', [6, 3, 3, 6], channels(0.002, 6))
    conv2 = g.op('CONV_2D', [padded, w, g.bias('conv2/b', padded, w, 5000)], g.tensor('conv2', [1, 5, 6, 6], i8, 0.05, 7), conv(1, VALID))
    added = g.op('ADD', [depth, conv2], g.tensor('added', [1, 5, 6, 6], i8, 0.045, -90), S.AddOptionsT(fusedActivationFunction=RELU))
    most = g.op('MAX_POOL_2D', [added], g.tensor('most', [1, 2, 3, 6], i8, 0.045, -90), pool(2, 2, VALID))
    average = g.op('AVERAGE_POOL_2D', [added], g.tensor('average', [1, 2, 3, 6], i8, 0.045, -90), pool(2, 2, VALID))
    both = g.op('CONCATENATION', [most, average], g.tensor('both', [1, 2, 3, 12], i8, 0.045, -90), S.ConcatenationOptionsT(axis=3))
    mean = g.op('MEAN', [both, g.integers('axes', [1, 2])], g.tensor('mean', [1, 12], i8, 0.031, -115), S.ReducerOptionsT(keepDims=False))
    w = g.weights('dense/w', [10, 12], 0.002)
    dense = g.op('FULLY_CONNECTED', [mean, w, g.bias('dense/b', mean, w, 4000)], g.tensor('dense', [1, 10], i8, 0.03, 4),
                 S.FullyConnectedOptionsT())
    y = g.op('SOFTMAX', [dense], g.tensor('y', [1, 10], i8, 1 / 256, -128), S.SoftmaxOptionsT(beta=1.0))
    g.write([x], [y])


def products():
    """Products of two tensors and of a constant row, with and without a bound."""
    g, i8 = Graph('products'), np.int8
    x = g.tensor('x', [1, 5, 7, 6], i8, 0.02, -3)
    moved = g.op('MUL', [x, g.weights('row', [6], 0.013)], g.tensor('moved', [1, 5, 7, 6], i8, 0.031, 9), S.MulOptionsT())
    squared = g.op('MUL', [moved, x], g.tensor('squared', [1, 5, 7, 6], i8, 0.04, -70), S.MulOptionsT(fusedActivationFunction=RELU6))
    y = g.op('MUL', [squared, squared], g.tensor('y', [1, 5, 7, 6], i8, 0.11, -128), S.MulOptionsT())
    g.write([x], [y])


def layers_float():
    g = Graph('layers_float')
    x = g.tensor('x', [2, 9, 11, 4])
    conv1 = g.op('CONV_2D', [x, g.weights('conv1/w', [8, 3, 3, 4], times=2.0), g.weights('conv1/b', [8])],
                 g.tensor('conv1', [2, 5, 6, 8]), conv(2, SAME, RELU6))
    depth = g.op('DEPTHWISE_CONV_2D', [conv1, g.weights('depth/w', [1, 3, 3, 8], times=0.7), g.weights('depth/b', [8])],
                 g.tensor('depth', [2, 5, 6, 8]), depthwise(dilation=2))
    scaled = g.op('MUL', [depth, g.weights('factors', [8], times=1.5)], g.tensor('scaled', [2, 5, 6, 8]), S.MulOptionsT())
    moved = g.op('ADD', [scaled, g.weights('offsets', [8])], g.tensor('moved', [2, 5, 6, 8]), S.AddOptionsT(fusedActivationFunction=RELU))
    logistic = g.op('LOGISTIC', [moved], g.tensor('logistic', [2, 5, 6, 8]))
    hard = g.op('HARD_SWISH', [scaled], g.tensor('hard', [2, 5, 6, 8]), S.HardSwishOptionsT())
    less = g.op('SUB', [hard, logistic], g.tensor('less', [2, 5, 6, 8]), S.SubOptionsT())
    both = g.op('CONCATENATION', [less, moved], g.tensor('both', [2, 5, 6, 16]), S.ConcatenationOptionsT(axis=3))
    average = g.op('AVERAGE_POOL_2D', [both], g.tensor('average', [2, 3, 3, 16]), pool(3, 2, SAME))
    mean = g.op('MEAN', [average, g.integers('axes', [1, 2])], g.tensor('mean', [2, 1, 1, 16]), S.ReducerOptionsT(keepDims=True))
    flat = g.op('RESHAPE', [mean, g.integers('shape', [2, 16])], g.tensor('flat', [2, 16]), S.ReshapeOptionsT(newShape=[2, 16]))
    dense = g.op('FULLY_CONNECTED', [flat, g.weights('dense/w', [12, 16]), g.weights('dense/b', [12])],
                 g.tensor('dense', [2, 12]), S.FullyConnectedOptionsT(fusedActivationFunction=RELU))
    tanh = g.op('TANH', [dense], g.tensor('tanh', [2, 12]))
    y = g.op('SOFTMAX', [tanh], g.tensor('y', [2, 12]), S.SoftmaxOptionsT(beta=1.0))
    g.write([x], [y])


def quantize():
    g = Graph('quantize')
    x = g.tensor('x', [1, 6, 5, 3])
    q = g.op('QUANTIZE', [x], g.tensor('q', [1, 6, 5, 3], np.int8, 0.0075, 5), S.QuantizeOptionsT())     # saturates above 0.915
    w = g.weights('conv/w', [2, 1, 1, 3], channels(0.007, 2))
    c = g.op('CONV_2D', [q, w, g.bias('conv/b', q, w, 3000)], g.tensor('c', [1, 6, 5, 2], np.int8, 0.011, -9), conv(1, VALID))
    g.weights('unused', [5])
    y = g.op('DEQUANTIZE', [c], g.tensor('y', [1, 6, 5, 2]), S.DequantizeOptionsT())
    g.write([x], [y])


def views():
    g, i8 = Graph('views'), np.int8
    x = g.tensor('x', [1, 4, 6, 8], i8, 0.05, 11)
    turned = g.op('TRANSPOSE', [x, g.integers('order', [0, 2, 1, 3])], g.tensor('turned', [1, 6, 4, 8], i8, 0.05, 11), S.TransposeOptionsT())
    rows = g.op('RESHAPE', [turned, g.integers('rows/shape', [1, 24, 8])], g.tensor('rows', [1, 24, 8], i8, 0.05, 11),
                S.ReshapeOptionsT(newShape=[1, 24, 8]))
    flat = g.op('SQUEEZE', [rows], g.tensor('flat', [24, 8], i8, 0.05, 11), S.SqueezeOptionsT(squeezeDims=[0]))
    dense = g.op('FULLY_CONNECTED', [flat, g.weights('dense/w', [5, 8], 0.004), -1],        # -1: no bias
                 g.tensor('dense', [24, 5], i8, 0.04, -6), S.FullyConnectedOptionsT())
    y = g.op('RESHAPE', [dense, g.integers('y/shape', [1, 6, 4, 5])], g.tensor('y', [1, 6, 4, 5], i8, 0.04, -6),
             S.ReshapeOptionsT(newShape=[1, 6, 4, 5]))
    g.write([x], [y])


def custom():
    """An operator that only its maker knows, and a built-in one that gives int32: to be refused."""
    g = Graph('custom')
    x = g.tensor('x', [1, 8])
    magic = g.op('CUSTOM', [x], g.tensor('magic', [1, 8]), custom='Magic')
    y = g.op('ARG_MAX', [magic, g.integers('axis', [1])], g.tensor('y', [1], np.int32), S.ArgMaxOptionsT(outputType=S.TensorType.INT32))
    g.write([x], [y])


def answer(name):
    run = Interpreter(str(HERE / f'{name}.tflite'), num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    run.allocate_tensors()
    x, y = run.get_input_details()[0], run.get_output_details()[0]
    run.set_tensor(x['index'], (int8s if x['dtype'] == np.int8 else floats)(f'{name}/x', x['shape']))
    run.invoke()
    out = run.get_tensor(y['index'])
    assert len(np.unique(out)) >= min(6, out.size), f'{name}: an answer with too few different values'
    np.save(HERE / f'{name}.npy', out.astype(out.dtype.newbyteorder('<')))
    print(name, out.dtype.str, out.shape, len(np.unique(out)), 'different values,', out.min(), 'to', out.max())


if __name__ == '__main__':
    for make in (layers_int8, products, layers_float, quantize, views, custom):
        make()
        if make is not custom:
            answer(make.__name__)
