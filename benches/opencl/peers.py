"""The peers on the same device: Halide's OpenCL, compiled ahead of time, and OpenCV's UMat.

Each of them is a list of `Peer`s: an operator's name, what it is called in the table, its bytes, and functions that
open it (checking its result at a corner), time a launch in microseconds, and close it. Times are of the host's clock
over several launches that are waited for together: neither peer shows its device's.
"""

import ctypes
import time
from dataclasses import dataclass
from typing import Callable

import numpy as np

import operators

LAUNCHES = 16
PATIENCE = 10_000.0


@dataclass
class Peer:
    """An operator in a peer's hands."""

    operator: str
    name: str
    open: Callable
    time: Callable
    close: Callable
    wrong: str = ""


def patient(time_of):
    """The time of a launch: of as many together as take no more than `PATIENCE` microseconds."""
    launches = []

    def one():
        if not launches:
            launches.append(int(np.clip(PATIENCE / time_of(1), 1, LAUNCHES)))
        return time_of(launches[0])

    return one


def padded(bench, kind, place, halo, cache={}):
    """The image with its border repeated, as Halide is given it."""
    key = (*kind, place, halo)
    if key not in cache:
        host = bench.image(*kind, place)[0]
        margin = ((halo, halo), (halo, halo)) + ((0, 0),) * (host.ndim - 2)
        cache[key] = np.pad(host, margin, mode="edge") if halo else host
    return cache[key]


def halide(path, bench):
    """Halide's pipelines, every schedule of each."""
    library = ctypes.CDLL(str(path.resolve()))
    library.peer_operation.restype = library.peer_schedule.restype = ctypes.c_char_p
    library.peer_time.restype = ctypes.c_double
    peers = []
    for index in range(library.peer_count()):
        operator = operators.by_name(library.peer_operation(index).decode())
        label = f"halide {library.peer_schedule(index).decode()}"
        peers.append(halide_peer(library, index, operator, label, bench))
    return peers


def halide_peer(library, index, operator, label, bench):
    held = []

    def open_peer():
        halo = library.peer_halo(index)
        inputs = [padded(bench, kind, place, halo) for place, kind in enumerate(operator.inputs)]
        shape = (bench.size, bench.size)
        outputs = [np.zeros(shape, operators.NUMPY[operator.result]) for _ in operator.outputs]
        held[:] = [inputs, outputs]
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (inputs + [None])[:2] if array is not None]
        pointers += [None] * (2 - len(pointers))
        pointers += [array.ctypes.data_as(ctypes.c_void_p) for array in outputs] + [None] * (2 - len(outputs))
        return library.peer_open(index, bench.size, *pointers)

    def close_peer():
        error = library.peer_close()
        inputs, outputs = held
        held.clear()
        if error:
            return f"error {error}"
        corner = operators.corners(bench.size)[0]
        expected = operator.reference(bench, corner)
        same = all(np.array_equal(out[corner.inner], expected[name]) for name, out in zip(operator.outputs, outputs))
        return "" if same else "another result"

    return Peer(operator.name, label, open_peer, patient(library.peer_time), close_peer)


def opencv(bench):
    """OpenCV's UMat; where it rounds and the library truncates, the difference is one."""
    import cv2

    if not cv2.ocl.haveOpenCL():
        return []
    cv2.ocl.setUseOpenCL(True)
    edge, element = cv2.BORDER_REPLICATE, np.ones((3, 3), np.uint8)
    column = np.array([1, 2, 3, 2, 1], np.float32)
    calls = {
        "gaussian3x3": (lambda s, d: cv2.GaussianBlur(s, (3, 3), 0, dst=d, borderType=edge), 1),
        "gaussian5x5": (lambda s, d: cv2.GaussianBlur(s, (5, 5), 0, dst=d, borderType=edge), 3),
        "box3x3": (lambda s, d: cv2.blur(s, (3, 3), dst=d, borderType=edge), 1),
        "sobel3x3 x": (lambda s, d: cv2.Sobel(s, cv2.CV_16S, 1, 0, dst=d, borderType=edge), 0),
        "median3x3": (lambda s, d: cv2.medianBlur(s, 3, dst=d), 0),
        "erode3x3": (lambda s, d: cv2.erode(s, element, dst=d), 0),
        "dilate3x3": (lambda s, d: cv2.dilate(s, element, dst=d), 0),
        "abs_diff": (lambda a, b, d: cv2.absdiff(a, b, dst=d), 0),
        "add saturate": (lambda a, b, d: cv2.add(a, b, dst=d), 0),
        "rgb_to_gray": (lambda s, d: cv2.cvtColor(s, cv2.COLOR_RGB2GRAY, dst=d), 255),
        "convolve5x5_f32": (
            lambda s, d: cv2.filter2D(s, -1, np.outer(column, column) / 128, dst=d, borderType=edge),
            1e-3,
        ),
        "threshold": (lambda s, d: cv2.threshold(s, 100, 200, cv2.THRESH_BINARY, dst=d), 255),
    }
    return [opencv_peer(cv2, operators.by_name(name), call, slack, bench) for name, (call, slack) in calls.items()]


def opencv_peer(cv2, operator, call, slack, bench):
    held = []

    def open_peer():
        hosts = [bench.image(*kind, place)[0] for place, kind in enumerate(operator.inputs)]
        output = cv2.UMat(bench.size, bench.size, {"u8": cv2.CV_8U, "i16": cv2.CV_16S, "f32": cv2.CV_32F}[operator.result])
        held[:] = [[cv2.UMat(host) for host in hosts], output]
        call(*held[0], held[1])
        cv2.ocl.finish()

    def time_peer(launches):
        start = time.perf_counter()
        for _ in range(launches):
            call(*held[0], held[1])
        cv2.ocl.finish()
        return (time.perf_counter() - start) / launches * 1e6

    def close_peer():
        found = held[1].get()
        held.clear()
        corner = operators.corners(bench.size)[0]
        expected = operator.reference(bench, corner)[operator.outputs[0]].astype(np.float64)
        worst = np.abs(found[corner.inner].astype(np.float64) - expected).max()
        return "" if worst <= slack else f"differs by {worst}"

    return Peer(operator.name, "opencv UMat", open_peer, patient(time_peer), close_peer)
