"""windrow's calls from Python beside OpenCV's, in one process.

    python3 calls.py [--threads 1,2] [--rounds 60] [--output FOLDER]

`gaussian3x3` of 1920 × 1080 bytes beside `cv2.GaussianBlur` with the same border, into a new array and into one that is given; then
what a call costs beside its kernel's work: images of 64 × 64. A round runs both in an order that is drawn anew, each once untimed before
it is timed. The figure is the median over rounds of (OpenCV's time / windrow's), with quartiles. OpenCV rounds where windrow, as OpenVX,
truncates, so that results may differ by one; they are compared before anything is timed.
"""

import argparse
import json
import random
import statistics
import time
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import windrow

BORDER = {"windrow": "reflect101", "OpenCV": cv2.BORDER_REFLECT_101}


def calls(photo, given, threads):
    """A call of each library, into the array that is given, if any."""
    return {
        "windrow": partial(windrow.gaussian3x3, photo, border=BORDER["windrow"], out=given, threads=threads),
        "OpenCV": partial(cv2.GaussianBlur, photo, (3, 3), 0, dst=given, borderType=BORDER["OpenCV"]),
    }


def taken(call, repeats):
    """Seconds of a call, by several one after the other."""
    call()
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def measured(shape, into_given, threads, rounds, repeats=1):
    """The times of each library by rounds, in microseconds, and what follows from them."""
    cv2.setNumThreads(threads)
    photo = np.random.default_rng(7).integers(0, 256, shape, dtype=np.uint8)
    given = np.empty_like(photo) if into_given else None
    each = calls(photo, given, threads)
    found = {name: call().copy().astype(int) for name, call in each.items()}
    if not np.isin(found["OpenCV"] - found["windrow"], (0, 1)).all():
        raise SystemExit("the results differ by more than the rounding")
    times = {name: [] for name in each}
    for _ in range(rounds):
        for name in random.sample(list(each), len(each)):
            times[name].append(taken(each[name], repeats) * 1e6)
    ratios = [other / own for own, other in zip(times["windrow"], times["OpenCV"], strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return {
        "shape": shape, "into": "given" if into_given else "new", "threads": threads, "rounds": rounds,
        "microseconds": {name: statistics.median(each) for name, each in times.items()},
        "ratio": middle, "quartiles": [low, high],
    }


def line(row):
    own, other = (row["microseconds"][name] for name in ("windrow", "OpenCV"))
    low, high = row["quartiles"]
    rows, columns = row["shape"]
    return (
        f"| {columns} × {rows} | {row['into']} | {row['threads']} | {own:.1f} | {other:.1f} | {row['ratio']:.2f} | {low:.2f} – {high:.2f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="1,2", help="numbers of threads, by commas")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--output", type=Path, help="a folder for calls.json")
    arguments = parser.parse_args()
    print("| columns × rows | array | threads | windrow µs | OpenCV µs | OpenCV / windrow | quartiles |\n|---|---|---|---|---|---|---|")
    figures = []
    for threads in map(int, arguments.threads.split(",")):
        for into_given in (False, True):
            figures.append(measured((1080, 1920), into_given, threads, arguments.rounds))
            print(line(figures[-1]), flush=True)
    for into_given in (False, True):
        figures.append(measured((64, 64), into_given, 1, arguments.rounds, repeats=2000))
        print(line(figures[-1]), flush=True)
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        versions = {"OpenCV": cv2.__version__, "NumPy": np.__version__}
        (arguments.output / "calls.json").write_text(json.dumps({"versions": versions, "figures": figures}, indent=1) + "\n")


main()
