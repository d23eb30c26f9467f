"""How chunks scale with Dask's workers: processes of one thread each, on one machine.

    python3 scaling.py [--workers 1,2] [--across 6] [--rounds 5] [--output FOLDER]

Bytes that tasks make themselves are filtered in chunks of 4 and of 16 MB, which exchange their edges. There are as many as `--across`
squared; take eight or more a worker. What is timed begins when the graph is handed to the scheduler, and ends when all results are in
the workers' memory. A round starts each number of workers anew, in turn, and runs every case three times after one run that is not
timed; the figure is the least of all rounds. The scheduler and the workers share the machine's cores, so that any other program spoils
it. Each case is measured with Dask's settings as they are, and with workers that keep the memory of chunks (docs/python.md says why).
With `--output`, `scaling.json` and the curve of the latter, `scaling.svg`, are written.
"""

import argparse
import itertools
import json
import os
import platform
import time
from pathlib import Path

import curve
import dask
import dask.array as da
import numpy as np
import windrow
import windrow.dask
from distributed import Client, LocalCluster, wait

OPERATORS = {"gaussian5x5": {}, "non_linear_box5": {"rank": "median"}}
CHUNKS = {"4 MB": 2000, "16 MB": 4000}
REPEATS = 3
MEMORY = {"as Dask has it": {}, "kept": {"MALLOC_MMAP_THRESHOLD_": str(2**25)}}
values = itertools.cycle(range(251))


def timed(operator, chunk, across):
    """Seconds of one run, over tasks that fill their chunks. Each run has another value, so that no result is there already."""
    made = da.full((chunk * across,) * 2, next(values), dtype=np.uint8, chunks=chunk).map_blocks(np.copy)
    array = windrow.dask.apply(getattr(windrow, operator), made, border="reflect101", **OPERATORS[operator])
    start = time.perf_counter()
    array = array.persist()
    wait(array)
    return time.perf_counter() - start


def measured(counts, across, rounds):
    """Seconds by memory, operator, size of a chunk and number of workers."""
    times = {case: {count: [] for count in counts} for case in itertools.product(MEMORY, OPERATORS, CHUNKS)}
    for count, memory in itertools.product(counts * rounds, MEMORY):
        options = {"n_workers": count, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        # What the workers start with.
        os.environ.pop("MALLOC_MMAP_THRESHOLD_", None)
        os.environ.update(MEMORY[memory])
        with LocalCluster(**options) as cluster, Client(cluster):
            for operator, size in itertools.product(OPERATORS, CHUNKS):
                each = [timed(operator, CHUNKS[size], across) for _ in range(1 + REPEATS)]
                times[memory, operator, size][count] += each[1:]
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", default="1,2", help="numbers of workers, by commas, the least first")
    parser.add_argument("--across", type=int, default=6, help="chunks in a row and in a column")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, help="a folder for scaling.json and scaling.svg")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.workers.split(",")]
    times = measured(counts, arguments.across, arguments.rounds)
    figures = [
        {
            "memory": memory, "operator": operator, "chunk": size, "chunks": arguments.across**2,
            "seconds": {count: min(each) for count, each in held.items()},
            "speedup": {count: min(held[counts[0]]) / min(each) for count, each in held.items()},
            "all": held,
        }
        for (memory, operator, size), held in times.items()
    ]
    print("| memory | operator, chunks | " + " | ".join(f"{count} workers" for count in counts) + " |\n" + "|---" * (len(counts) + 2) + "|")
    for figure in figures:
        cells = [f"{figure['seconds'][count]:.3f} s, {figure['speedup'][count]:.2f} times" for count in counts]
        print(f"| {figure['memory']} | {figure['operator']}, {figure['chunks']} of {figure['chunk']} | " + " | ".join(cells) + " |")
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        machine = {"processor": processor(), "cores": len(os.sched_getaffinity(0))}
        data = {"machine": machine, "versions": {"dask": dask.__version__, "python": platform.python_version()}, "figures": figures}
        text = json.dumps(data, indent=1)
        (arguments.output / "scaling.json").write_text(text + "\n")
        # As the file has it: keys are text.
        (arguments.output / "scaling.svg").write_text(curve.draw(json.loads(text)))


def processor():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
