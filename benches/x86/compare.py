"""windrow beside its peers on this processor, in one process: who computes the same, and in what time.

    python3 compare.py --windrow libwindrow_bench.so --halide libpeers.so [--rust libpeers_rust.so] --output FOLDER

With `--before LIBRARY`, an earlier build of windrow is one of the peers; with `--only-before` it is the only one.

Each round runs windrow and each peer in an order that is drawn anew, and each once untimed before it is timed, so that all
find the caches in the same state (whoever always followed memcpy, whose memory is other memory, would take longer); the
figure is the median over rounds of (peer's time / windrow's time), with quartiles. The Rust crates have rounds of their
own with windrow: the slow ones empty the caches. A sample in which the thread was preempted (wall time over 1.03 of its
processor time) is taken again at once; times of several threads are not screened. Outputs are compared before anything
is timed. Halide reads an input with a prepared halo, and of its schedules the fastest counts; every other line handles
its own borders.
"""

import argparse
import json
import math
import mmap
import random
import statistics
import time
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_void_p
from functools import partial
from pathlib import Path

import cv2
import numpy as np

SIZES = [(640, 480), (1920, 1080), (4096, 2160)]
PREEMPTED = 1.03
TRIES = 20
TRIALS = 7
HALO = 8
BORDERS = {
    "constant": cv2.BORDER_CONSTANT,
    "replicate": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "reflect101": cv2.BORDER_REFLECT_101,
}
PADS = {"constant": "constant", "replicate": "edge", "reflect": "symmetric", "reflect101": "reflect"}
# None is zero: Halide leaves such products out, which is not what floats mean.
WEIGHTS = np.array(
    [
        [-0.055, 0.022, 0.099, 0.033, -0.033],
        [0.044, -0.022, 0.055, -0.011, 0.066],
        [0.088, 0.077, 0.011, -0.055, 0.022],
        [0.099, 0.033, -0.033, 0.044, -0.022],
        [0.055, -0.011, 0.066, -0.044, 0.077],
    ],
    np.float32,
)
CROSS = np.ones((3, 3), np.uint8)


class Operator:
    """What one line of the table computes: its images, and OpenCV's call for it."""

    def __init__(
        self, name, opencv, source=np.uint8, result=np.uint8, inputs=1, outputs=1, channels=1, borders=(), scale=1,
        is_pipeline=False,
    ):
        self.name, self.opencv, self.source, self.result = name, opencv, source, result
        self.inputs, self.outputs, self.channels, self.borders = inputs, outputs, channels, borders
        self.scale, self.is_pipeline = scale, is_pipeline


def opencv_edges(sources, outputs, border):
    blurred = cv2.GaussianBlur(sources[0], (3, 3), 0, borderType=border)
    dx, dy = cv2.spatialGradient(blurred, borderType=border)
    cv2.compare(cv2.add(cv2.absdiff(dx, 0), cv2.absdiff(dy, 0)), 100, cv2.CMP_GT, dst=outputs[0])


def opencv_unsharp(sources, outputs, border):
    blurred = cv2.GaussianBlur(sources[0], (3, 3), 0, borderType=border)
    cv2.addWeighted(sources[0], 2, blurred, -1, 0, dst=outputs[0])


FILTERS = ("reflect101", "replicate", "constant", "reflect")
OPERATORS = [
    Operator("abs_diff", lambda s, o, b: cv2.absdiff(s[0], s[1], dst=o[0]), inputs=2),
    Operator("add_saturate", lambda s, o, b: cv2.add(s[0], s[1], dst=o[0]), inputs=2),
    Operator("threshold", lambda s, o, b: cv2.threshold(s[0], 127, 255, cv2.THRESH_BINARY, dst=o[0])),
    Operator("rgb_to_gray", None, channels=3),
    Operator("rgb_to_gray_15_bits", lambda s, o, b: cv2.cvtColor(s[0], cv2.COLOR_RGB2GRAY, dst=o[0]), channels=3),
    Operator("gaussian3x3_rounded", lambda s, o, b: cv2.GaussianBlur(s[0], (3, 3), 0, dst=o[0], borderType=b), borders=FILTERS),
    Operator("gaussian5x5_rounded", lambda s, o, b: cv2.GaussianBlur(s[0], (5, 5), 0, dst=o[0], borderType=b), borders=FILTERS),
    Operator("box3x3_rounded", lambda s, o, b: cv2.blur(s[0], (3, 3), dst=o[0], borderType=b), borders=FILTERS),
    Operator("half_box2x2", lambda s, o, b: cv2.resize(s[0], o[0].shape[::-1], dst=o[0], interpolation=cv2.INTER_AREA), scale=2),
    Operator("sobel_x", lambda s, o, b: cv2.Sobel(s[0], cv2.CV_16S, 1, 0, dst=o[0], ksize=3, borderType=b), result=np.int16, borders=FILTERS),
    Operator("sobel3x3", lambda s, o, b: cv2.spatialGradient(s[0], dx=o[0], dy=o[1], borderType=b), result=np.int16, outputs=2, borders=("reflect101", "replicate")),
    Operator("median3x3", lambda s, o, b: cv2.medianBlur(s[0], 3, dst=o[0]), borders=("replicate",)),
    Operator("erode3x3", lambda s, o, b: cv2.erode(s[0], CROSS, dst=o[0], borderType=b), borders=("replicate", "reflect", "reflect101")),
    Operator("dilate3x3", lambda s, o, b: cv2.dilate(s[0], CROSS, dst=o[0], borderType=b), borders=("replicate", "reflect", "reflect101")),
    Operator("edges", opencv_edges, borders=("reflect101", "replicate"), is_pipeline=True),
    Operator("unsharp", opencv_unsharp, borders=("reflect101", "replicate"), is_pipeline=True),
    Operator("convolve5x5_f32", lambda s, o, b: cv2.filter2D(s[0], cv2.CV_32F, WEIGHTS, dst=o[0], borderType=b), source=np.float32, result=np.float32, borders=FILTERS),
]


class Images(Structure):
    _fields_ = [(name, c_void_p) for name in ("a", "b", "out", "second")]


class Plane(Structure):
    _fields_ = [("first", c_void_p)] + [(n, c_int) for n in ("stride", "halo", "channels", "code", "bits")]


class Scene:
    """The images of one operator at one size."""

    def __init__(self, operator, size, border):
        self.operator, self.border, (self.width, self.height) = operator, border, size
        random = np.random.default_rng(7)
        shape = (self.height, self.width) + ((operator.channels,) if operator.channels > 1 else ())
        self.sources = [photograph_like(random, shape, operator.source) for _ in range(operator.inputs)]
        # All write the same memory, so that what its pages share with others' is the same for all.
        shape = (self.height // operator.scale, self.width // operator.scale)
        self.outputs = [image(shape, operator.result) for _ in range(operator.outputs)]


def image(shape, element):
    """Zeros that begin at a page, in large pages where there are any: from the heap images begin anywhere, and run by run elsewhere."""
    memory = mmap.mmap(-1, math.prod(shape) * np.dtype(element).itemsize)
    memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, element).reshape(shape)


def placed(array):
    """The same elements in such an image."""
    copy = image(array.shape, array.dtype)
    copy[...] = array
    return copy


def photograph_like(random, shape, element):
    """Smooth areas, edges and noise: data-dependent peers see what a camera gives."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    smooth = 96 + 60 * np.sin(x / 37.0) * np.cos(y / 53.0) + 60 * ((x // 64 + y // 64) % 2)
    if len(shape) == 3:
        smooth = smooth[..., None] * np.linspace(0.7, 1.1, shape[2])
    noisy = np.clip(smooth + random.normal(0, 12, shape), 0, 255)
    return placed(noisy.astype(element))


class Windrow:
    """A build of windrow. An earlier one may lack operators."""

    def __init__(self, path, name="windrow"):
        self.library, self.name = CDLL(str(path)), name
        self.library.windrow_job.restype = c_void_p
        self.library.windrow_job.argtypes = [c_char_p, c_char_p, c_size_t, c_size_t]
        self.library.windrow_run.argtypes = [c_void_p, c_size_t, POINTER(Images)]
        self.library.windrow_error.restype = c_char_p

    def runs(self, scene, threads):
        if self.name == "windrow" or self.has(scene):
            yield self.name, self.job(scene, threads, scene.operator.name), scene.outputs
        if self.name == "windrow" and scene.operator.is_pipeline:
            yield "in bands", self.job(scene, threads, f"{scene.operator.name} in bands"), scene.outputs

    def has(self, scene):
        border = (scene.border or "replicate").encode()
        return bool(self.library.windrow_job(scene.operator.name.encode(), border, scene.width, scene.height))

    def job(self, scene, threads, name):
        """A call of a job: of an operator, a pipeline, or a pipeline's kernels in bands, each by itself."""
        outputs, op = scene.outputs, scene.operator
        border = (scene.border or "replicate").encode()
        job = self.library.windrow_job(name.encode(), border, scene.width, scene.height)
        if not job:
            raise RuntimeError(self.library.windrow_error().decode())
        pointers = [s.ctypes.data for s in scene.sources] + [None] * (2 - op.inputs)
        pointers += [o.ctypes.data for o in outputs] + [None] * (2 - op.outputs)
        images = Images(*pointers)
        run, reference = self.library.windrow_run, byref(images)

        if run(job, threads, reference):
            raise RuntimeError(self.library.windrow_error().decode())
        call = partial(run, job, threads, reference)
        call.images = images  # It lives as long as the call.
        return call


class OpenCv:
    name = "OpenCV"

    def runs(self, scene, threads):
        if scene.operator.opencv:
            outputs, border = scene.outputs, BORDERS.get(scene.border, cv2.BORDER_REPLICATE)
            yield "OpenCV", lambda: scene.operator.opencv(scene.sources, outputs, border), outputs


class Halide:
    name = "Halide"

    def __init__(self, path):
        self.library = CDLL(str(path))
        self.library.peer_operator.restype = self.library.peer_name.restype = c_char_p

    def runs(self, scene, threads):
        op, library = scene.operator, self.library
        self.keep = []  # What the planes point to, for as long as the scene lasts.
        if scene.border not in (None, "reflect101", "replicate"):
            return
        for i in range(library.peers()):
            if library.peer_operator(i).decode() != op.name or bool(library.peer_parallel(i)) != (threads > 1):
                continue
            outputs = scene.outputs
            planes, keep = [], []
            for source in scene.sources:
                halo = HALO if scene.border else 0
                padded = placed(np.pad(source, halo, mode=PADS[scene.border])) if halo else source
                keep.append(padded)
                planes.append(plane(padded, halo, op.channels))
            planes += [plane(output, 0, 1) for output in outputs]
            images = (Plane * 3)(*planes)
            self.keep.append(keep)
            call = partial(library.peer_run, i, images, scene.width, scene.height)
            yield f"Halide {library.peer_name(i).decode().removeprefix(op.name + '_')}", call, outputs


class RustCrates:
    """Peers written in Rust (`peers/`), on copies of their own."""

    name = "Rust"

    def __init__(self, path):
        self.library = library = CDLL(str(path))
        library.peers.restype = c_size_t
        library.peer_operator.restype = library.peer_name.restype = c_char_p
        library.peer_operator.argtypes = library.peer_name.argtypes = [c_size_t]
        library.peer_prepare.restype = c_void_p
        library.peer_prepare.argtypes = [c_size_t] * 4 + [c_void_p]
        library.peer_run.argtypes = [c_void_p]
        library.peer_result.argtypes = [c_void_p, c_void_p]

    def runs(self, scene, threads):
        op, library = scene.operator, self.library
        if scene.border not in (None, "reflect101", "replicate"):
            return
        for i in range(library.peers()):
            if library.peer_operator(i).decode() != op.name:
                continue
            peer = library.peer_prepare(i, threads, scene.width, scene.height, scene.sources[0].ctypes.data)
            if peer:
                outputs = [np.empty_like(output) for output in scene.outputs]
                library.peer_run(peer)
                library.peer_result(peer, outputs[0].ctypes.data)
                yield library.peer_name(i).decode(), lambda peer=peer: library.peer_run(peer), outputs


def plane(array, halo, channels):
    code = 2 if array.dtype == np.float32 else 0 if array.dtype == np.int16 else 1
    first = array.ctypes.data + halo * array.strides[0] + halo * array.strides[1]
    return Plane(first, array.strides[0] // array.itemsize, halo, channels, code, array.itemsize * 8)


def memcpy(scene):
    """The floor: as many bytes as the operator reads and writes, copied."""
    size = (sum(s.nbytes for s in scene.sources) + sum(o.nbytes for o in scene.outputs)) // 2
    source, target = placed(np.ones(size, np.uint8)), image((size,), np.uint8)
    return lambda: np.copyto(target, source)


def agreement(ours, theirs):
    """Greatest difference, and the part of elements that differ; edges of two elements left out for prepared halos."""
    greatest, differing = 0.0, 0.0
    for a, b in zip(ours, theirs):
        difference = np.abs(a.astype(np.float64) - b.astype(np.float64))
        greatest, differing = max(greatest, difference.max()), max(differing, float((difference > 0).mean()))
    return greatest, differing


def sample(call, repeats, screened):
    """Seconds of one call, or None where the thread was preempted every time."""
    for _ in range(TRIES if screened else 1):
        cpu, wall = time.thread_time_ns(), time.perf_counter_ns()
        for _ in range(repeats):
            call()
        wall = time.perf_counter_ns() - wall
        cpu = time.thread_time_ns() - cpu
        if not screened or wall <= PREEMPTED * cpu:
            return wall / repeats * 1e-9
    return None


def measure(scene, makers, threads, rounds, floor):
    lines = []
    for maker in makers:
        lines += [(maker.name if maker.name == "Halide" else line[0], *line) for line in maker.runs(scene, threads)]
    results = {}
    for _, name, call, outputs in lines:
        call()
        results[name] = [output.copy() for output in outputs]
    checks = {name: agreement(results["windrow"], theirs) for name, theirs in results.items()}
    del results
    crates = [line for line in lines if line[0] == line[1] and line[0] not in ("windrow", "before", "in bands", "OpenCV")]
    lines = fastest_of_families(scene, [line for line in lines if line not in crates], threads, rounds)
    if floor:
        lines.append(("memcpy", "memcpy", memcpy(scene), None))
    figures = interleave(scene, lines, threads, rounds, checks)
    if crates:
        figures += interleave(scene, lines[:1] + crates, threads, rounds, checks)[1:]
    return figures


def fastest_of_families(scene, lines, threads, rounds):
    """Of each peer's variants the fastest. The two that are fastest in a few calls have rounds of their own, and only then
    is the one chosen timed: the lesser of two medians of the same rounds would be less than what either takes."""
    trial = {name: min(sample(call, 1, False) for _ in range(TRIALS)) for _, name, call, _ in lines}
    families = {family: None for family, *_ in lines}
    for family in families:
        two = sorted((line for line in lines if line[0] == family), key=lambda line: trial[line[1]])[:2]
        families[family] = two[0]
        if len(two) > 1:
            figures = interleave(scene, lines[:1] + two, threads, rounds, {})[1:]
            families[family] = two[figures.index(min(figures, key=lambda f: f["ns_per_pixel"]))]
    return list(families.values())


def interleave(scene, lines, threads, rounds, checks):
    """A figure for each line, from rounds of which each has an order of its own: no line always follows the same one."""
    orders = random.Random(1)
    once = max(min(sample(lines[0][2], 1, False) for _ in range(5)), 1e-7)
    repeats = max(1, int(3e-4 / once))
    times = {name: [] for _, name, _, _ in lines}
    kept, tried = 0, 0
    while kept < rounds and tried < 6 * rounds:
        tried += 1
        samples = {}
        for _, name, call, _ in orders.sample(lines, len(lines)):
            call()
            samples[name] = sample(call, repeats, threads == 1)
        if None in samples.values():
            continue
        kept += 1
        for name, seconds in samples.items():
            times[name].append(seconds)
    return [figure(scene, threads, family, name, times, checks, kept) for family, name, _, _ in lines]


def figure(scene, threads, family, name, times, checks, rounds):
    pixels = scene.width * scene.height
    ratios = [theirs / ours for theirs, ours in zip(times[name], times["windrow"])]
    quartiles = statistics.quantiles(ratios, n=4) if len(ratios) > 3 else [float("nan")] * 3
    greatest, differing = checks.get(name, (0.0, 0.0))
    return {
        "operator": scene.operator.name,
        "border": scene.border,
        "size": f"{scene.width}x{scene.height}",
        "threads": threads,
        "family": family,
        "name": name,
        "ns_per_pixel": statistics.median(times[name]) / pixels * 1e9 if times[name] else float("nan"),
        "least_ns_per_pixel": min(times[name], default=float("nan")) / pixels * 1e9,
        "ratio": quartiles[1],
        "quartiles": [quartiles[0], quartiles[2]],
        "rounds": rounds,
        "greatest_difference": greatest,
        "differing": differing,
    }


def line(f):
    low, high = f["quartiles"]
    same = "equal" if f["differing"] == 0 else f"≤ {f['greatest_difference']:.3g} on {100 * f['differing']:.2g} %"
    return (
        f"{f['size']:>9} t{f['threads']} {f['operator']:<20} {f['border'] or '-':<10} {f['name']:<26}"
        f" {f['ns_per_pixel']:8.4f} ns/px (least {f['least_ns_per_pixel']:.4f})"
        f"  x{f['ratio']:.2f} [{low:.2f}-{high:.2f}] {f['rounds']:>3} rounds  {same if f['family'] != 'memcpy' else 'floor'}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--windrow", required=True, type=Path)
    parser.add_argument("--before", type=Path, help="an earlier build of windrow")
    parser.add_argument("--only-before", action="store_true", help="no other peer")
    parser.add_argument("--halide", type=Path)
    parser.add_argument("--rust", type=Path)
    parser.add_argument("--output", required=True, type=Path, help="a folder for the JSON and the charts")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--operators", nargs="*", help="these only")
    parser.add_argument("--sizes", nargs="*", help="these only, as 640x480")
    parser.add_argument("--all-borders", action="store_true", help="every border mode that OpenCV has, not the first alone")
    options = parser.parse_args()
    sizes = [tuple(map(int, s.split("x"))) for s in options.sizes] if options.sizes else SIZES
    chosen = [o for o in OPERATORS if not options.operators or o.name in options.operators]
    windrow = Windrow(options.windrow)
    halide = Halide(options.halide) if options.halide and not options.only_before else None
    makers = [windrow] + ([Windrow(options.before, "before")] if options.before else [])
    if not options.only_before:
        makers += [OpenCv()] + ([halide] if halide else []) + ([RustCrates(options.rust)] if options.rust else [])
    for maker in makers:
        if isinstance(maker, Windrow):
            maker.library.windrow_threads(max(options.threads))
    figures = []
    for threads in options.threads:
        cv2.setNumThreads(threads)
        if halide:
            halide.library.peer_threads(threads)
        for size in sizes:
            for operator in chosen:
                for border in operator.borders[: None if options.all_borders else 1] or (None,):
                    scene = Scene(operator, size, border)
                    measured = measure(scene, makers, threads, options.rounds, True)
                    figures += measured
                    print("\n".join(map(line, measured)), flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "x86.json").write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1))


def machine():
    model = next((l.split(":")[1].strip() for l in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in l), "?")
    return {"processor": model, "opencv": cv2.__version__, "opencv_ipp": cv2.ipp.useIPP(), "date": time.strftime("%Y-%m-%d")}


main()
