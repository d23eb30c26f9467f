"""Networks on windrow's plans beside onnxruntime, one thread each, in turns.

    pip install onnxruntime numpy
    cargo build --release -p windrow-graph --example steps [--features avx512]
    python benches/networks/beside.py target/release/examples/steps model.onnx ...

Each round runs both once; what is printed are the least and the median time of each in milliseconds, and the median over rounds
of (windrow's time / onnxruntime's) with quartiles.
"""

import statistics
import subprocess
import sys
import time

import numpy as np
import onnxruntime

ROUNDS = 60


def peer(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    given = session.get_inputs()[0]
    count = int(np.prod(given.shape))
    x = (np.arange(count) * 31 % 101 / 50 - 1).astype(np.float32).reshape(given.shape)
    return lambda: session.run(None, {given.name: x})


def main(program, *paths):
    for path in paths:
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
        print(f"{path}: windrow {ours} | onnxruntime {theirs} | ratio {middle:.2f} ({low:.2f} - {high:.2f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
