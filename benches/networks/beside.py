"""Networks on windrow's plans beside onnxruntime, and TFLite's beside LiteRT with XNNPACK, one thread each, in turns.

    pip install onnxruntime ai-edge-litert numpy
    cargo build --release -p windrow-graph --example steps [--features avx512]
    python benches/networks/beside.py target/release/examples/steps model.onnx model.tflite ...

Each round runs both once; what is printed are the least and the median time of each in milliseconds, and the median over rounds
of (windrow's time / the other's) with quartiles.
"""

import statistics
import subprocess
import sys
import time

import numpy as np

ROUNDS = 60


def onnx(path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    given = session.get_inputs()[0]
    count = int(np.prod(given.shape))
    x = (np.arange(count) * 31 % 101 / 50 - 1).astype(np.float32).reshape(given.shape)
    return lambda: session.run(None, {given.name: x})


def litert(path):
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(path, num_threads=1)
    interpreter.allocate_tensors()
    given = interpreter.get_input_details()[0]
    count = int(np.prod(given["shape"]))
    x = (np.arange(count) * 31 % 101 - 50).astype(given["dtype"]).reshape(given["shape"])
    interpreter.set_tensor(given["index"], x)
    return interpreter.invoke


def main(program, *paths):
    for path in paths:
        name, peer = ("LiteRT", litert) if path.endswith(".tflite") else ("onnxruntime", onnx)
        run = peer(path)
        own = subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        times = []
        for _ in range(ROUNDS):
            own.stdin.write("\n")
            own.stdin.flush()
            ours = float(own.stdout.readline())
            start = time.perf_counter()
            run()
            times.append((ours, (time.perf_counter() - start) * 1e3))
        own.stdin.close()
        own.wait()
        columns = list(zip(*times))
        low, middle, high = statistics.quantiles([ours / theirs for ours, theirs in times], n=4)
        (ours, theirs) = [f"{min(column):.2f} {statistics.median(column):.2f}" for column in columns]
        print(f"{path}: windrow {ours} | {name} {theirs} | ratio {middle:.2f} ({low:.2f} - {high:.2f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
