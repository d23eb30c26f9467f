#!/usr/bin/env python3
"""Builds networks of words, and asks onnxruntime for their answers: words.bin, in the form of nodes.bin.

    pip install onnx onnxruntime numpy
    python words.py

Batches and lengths are open in the files: shapes are what nodes compute, as exporters write them.
"""

import pathlib
import struct

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from collect import sized, tensor

WIDTH, HEADS, WORDS, LONGEST = 16, 2, 30, 12


class Model:
    def __init__(self, opset):
        self.opset, self.nodes, self.constants, self.random = opset, [], [], np.random.default_rng(7)

    def given(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def ints(self, *numbers):
        return self.given(np.array(numbers, dtype=np.int64))

    def int(self, number):
        return self.given(np.int64(number))

    def float(self, number):
        return self.given(np.float32(number))

    def weights(self, *extents):
        return self.given(self.random.uniform(-0.6, 0.6, extents).astype(np.float32))

    def node(self, operator, *inputs, outputs=1, **attributes):
        written = [f"v{len(self.nodes)}" + ("" if i == 0 else f"_{i}") for i in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, written, **attributes))
        return written[0]

    def linear(self, x, inner, outputs):
        return self.node("Add", self.weights(outputs), self.node("MatMul", x, self.weights(inner, outputs)))

    def extent(self, x, dimension):
        return self.node("Gather", self.node("Shape", x), self.int(dimension), axis=0)

    def list(self, *numbers):
        return self.node("Concat", *(self.node("Unsqueeze", n, self.ints(0)) if n.startswith("v") else n for n in numbers), axis=0)

    def normal(self, x):
        """A normalisation in the parts that old exporters write."""
        centred = self.node("Sub", x, self.node("ReduceMean", x, axes=[-1]))
        variance = self.node("ReduceMean", self.node("Pow", centred, self.float(2)), axes=[-1])
        scaled = self.node("Div", centred, self.node("Sqrt", self.node("Add", variance, self.float(1e-12))))
        return self.node("Add", self.node("Mul", scaled, self.weights(WIDTH)), self.weights(WIDTH))

    def heads(self, x, order):
        shape = self.list(self.extent(x, 0), self.extent(x, 1), self.ints(HEADS), self.ints(WIDTH // HEADS))
        return self.node("Transpose", self.node("Reshape", x, shape), perm=order)

    def attention(self, x, mask):
        """Where `mask` is a function of the scores."""
        q, k, v = (self.linear(x, WIDTH, WIDTH) for _ in range(3))
        # The width of a head, by way of its shape.
        q = self.heads(q, [0, 2, 1, 3])
        width = self.node("Cast", self.extent(q, 3), to=TensorProto.FLOAT)
        scores = self.node("MatMul", q, self.heads(k, [0, 2, 3, 1]))
        scores = mask(self.node("Div", scores, self.node("Sqrt", width)))
        shares = self.node("Softmax", scores, axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", shares, self.heads(v, [0, 2, 1, 3])), perm=[0, 2, 1, 3])
        shape = self.list(self.extent(mixed, 0), self.extent(mixed, 1), self.ints(WIDTH))
        return self.linear(self.node("Reshape", mixed, shape), WIDTH, WIDTH)

    def layer(self, x, mask):
        x = self.normal(self.node("Add", self.attention(x, mask), x))
        wide = self.linear(x, WIDTH, 32)
        erf = self.node("Add", self.node("Erf", self.node("Div", wide, self.float(2**0.5))), self.float(1))
        gelu = self.node("Mul", self.node("Mul", wide, erf), self.float(0.5))
        return self.normal(self.node("Add", self.linear(gelu, 32, WIDTH), x))

    def case(self, name, inputs, outputs):
        """The bytes of a case with these outputs."""
        of = lambda n, a: helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), ["batch", "length"])
        graph = helper.make_graph(
            self.nodes, name, [of(n, a) for n, a in inputs.items()], [helper.make_empty_tensor_value_info(n) for n in outputs], self.constants
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 3
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        answers = session.run(None, inputs)
        print(name, [answer.shape for answer in answers], [answer.ravel()[:4] for answer in answers])
        parts = [sized(name.encode()), sized(model.SerializeToString())]
        for tensors in (list(inputs.values()), answers):
            parts += [struct.pack("<I", len(tensors)), *(tensor(array) for array in tensors)]
        return b"".join(parts)


def encoder():
    """Two layers of BERT, with a mask of words that are none, and the first word's answer."""
    m = Model(13)
    length = m.extent("ids", 1)
    places = m.node("Slice", m.given(np.arange(LONGEST, dtype=np.int64)[None]), m.ints(0), m.node("Unsqueeze", length, m.ints(0)), m.ints(1))
    x = m.node("Add", m.node("Gather", m.weights(WORDS, WIDTH), "ids"), m.node("Gather", m.weights(2, WIDTH), "kinds"))
    x = m.normal(m.node("Add", x, m.node("Gather", m.weights(LONGEST, WIDTH), places)))
    wide = m.node("Unsqueeze", "mask", m.ints(1, 2))
    left_out = m.node("Mul", m.node("Sub", m.float(1), m.node("Cast", wide, to=TensorProto.FLOAT)), m.float(-10000))
    for _ in range(2):
        x = m.layer(x, lambda scores: m.node("Add", scores, left_out))
    first = m.node("Tanh", m.linear(m.node("Gather", x, m.int(0), axis=1), WIDTH, WIDTH))
    ids = np.array([[2, 7, 29, 5, 0], [1, 3, 3, 8, 11]], dtype=np.int64)
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], dtype=np.int64)
    kinds = np.array([[0, 0, 1, 1, 1], [0, 1, 1, 0, 1]], dtype=np.int64)
    return m.case("encoder", {"ids": ids, "mask": mask, "kinds": kinds}, [x, first])


def decoder():
    """A layer that looks back alone, by a mask of places, and the likeliest word after each."""
    m = Model(17)
    length = m.extent("ids", 1)
    places = m.node("Range", m.int(0), length, m.int(1))
    row, column = m.node("Unsqueeze", places, m.ints(0)), m.node("Unsqueeze", places, m.ints(1))
    seen = m.node("Unsqueeze", m.node("LessOrEqual", row, column), m.ints(0, 1))
    shape = m.list(m.extent("ids", 0), m.ints(HEADS), length, length)
    shape = m.node("Where", m.node("Equal", shape, m.int(-1)), m.node("ConstantOfShape", m.ints(4), value=numpy_helper.from_array(np.array([1]))), shape)
    seen = m.node("Expand", seen, shape)
    table = m.weights(WORDS, WIDTH)
    x = m.node("Add", m.node("Gather", table, "ids"), m.node("Gather", m.weights(LONGEST, WIDTH), places))
    x = m.layer(x, lambda scores: m.node("Where", seen, scores, m.float(-1e9)))
    logits = m.node("MatMul", x, m.node("Transpose", table, perm=[1, 0]))
    best = m.node("ArgMax", logits, axis=-1, keepdims=0)
    return m.case("decoder", {"ids": np.array([[4, 9, 22, 22, 17, 1]], dtype=np.int64)}, [logits, best])


if __name__ == "__main__":
    (pathlib.Path(__file__).parent / "words.bin").write_bytes(encoder() + decoder())
