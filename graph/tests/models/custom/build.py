"""Builds the models of custom operators: nodes that are computed by kernels of the tests.

    pip install onnx ai-edge-litert numpy
    python build.py
"""

import pathlib

import flatbuffers
import numpy as np
import onnx
from ai_edge_litert import schema_py_generated as S
from flatbuffers import flexbuffers
from onnx import TensorProto, helper

HERE = pathlib.Path(__file__).resolve().parent


def keep_above():
    node = helper.make_node("KeepAbove", ["x"], ["y"], name="the KeepAbove", domain="com.example", level=2.0)
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3])
    graph = helper.make_graph([node], "keep_above", [value("x")], [value("y")])
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid("com.example", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), HERE / "keep_above.onnx")


def upsample():
    """A custom operator between two of TFLite's own, told two numbers in a FlexBuffer."""
    code = S.BuiltinOperator
    options = flexbuffers.Dumps({"times": 2, "weights": [0.5, 2.0], "mode": "nearest"})
    data = np.array([[1.0, -0.5, 2.0]], np.float32).tobytes()
    buffers = [S.BufferT(), S.BufferT(data=list(data))]
    tensor = lambda name, shape, buffer=0: S.TensorT(name=name, shape=shape, type=S.TensorType.FLOAT32, buffer=buffer)
    tensors = [
        tensor("x", [1, 4, 5, 3]), tensor("gate", [1, 3], 1), tensor("negative", [1, 4, 5, 3]), tensor("up", [1, 8, 10, 3]),
        tensor("y", [1, 8, 10, 3]),
    ]
    operators = [
        S.OperatorT(opcodeIndex=0, inputs=[0], outputs=[2]),
        S.OperatorT(opcodeIndex=1, inputs=[2, 1], outputs=[3], customOptions=list(options)),
        S.OperatorT(opcodeIndex=0, inputs=[3], outputs=[4]),
    ]
    codes = [
        S.OperatorCodeT(deprecatedBuiltinCode=code.TANH, builtinCode=code.TANH, version=1),
        S.OperatorCodeT(deprecatedBuiltinCode=code.CUSTOM, builtinCode=code.CUSTOM, version=1, customCode="UpsampleGated"),
    ]
    graph = S.SubGraphT(tensors=tensors, inputs=[0], outputs=[4], operators=operators, name="main")
    model = S.ModelT(version=3, operatorCodes=codes, subgraphs=[graph], buffers=buffers, description="upsample")
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    (HERE / "upsample.tflite").write_bytes(bytes(builder.Output()))


keep_above()
upsample()
