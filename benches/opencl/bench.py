"""Device time of windrow's OpenCL kernels, as fractions of what a copy reaches in the same run.

    bench.py FOLDER… [--size N] [--rounds N] [--json FILE] [--only NAME…]

Each folder holds a `manifest.json` and the `.cl` files that it names, as windrow's build-script door writes them. Every
entry point of every operator below is checked against NumPy at two corners of the image and against the operator's
other entries everywhere, then timed at its best work-group size: rounds of one launch each, all in turn, by the
device's own clock. Borders are handled: replicated.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyopencl as cl

import operators
import peers

LOCAL_SIZES = [(32, 1), (64, 1), (128, 1), (256, 1), (32, 2), (32, 4), (32, 8), (64, 2), (64, 4), (16, 4), (16, 8), (16, 16), (8, 8), (8, 16), (8, 32)]
REPLICATE = 2
COPY = """
__kernel void copy(__global const uint4 *from, __global uint4 *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
"""


class Bench:
    """A device, its queue, and the images that all operators share."""

    def __init__(self, size, inset):
        self.context = cl.create_some_context(interactive=False)
        self.device = self.context.devices[0]
        self.queue = cl.CommandQueue(self.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        self.size, self.inset = size, inset
        self.images = {}
        self.outputs = {}

    def image(self, element, channels, index):
        """The `index`-th random input of a type: the host's array and the device's buffer."""
        key = (element, channels, index)
        if key not in self.images:
            host = operators.random_image(self.size, element, channels, index)
            flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
            self.images[key] = (host, cl.Buffer(self.context, flags, hostbuf=host))
        return self.images[key]

    def output(self, index, bytes_per_pixel):
        """A buffer to write, shared by all operators."""
        key = (index, bytes_per_pixel)
        if key not in self.outputs:
            self.outputs[key] = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, self.size * self.size * bytes_per_pixel)
        return self.outputs[key]

    def time(self, launch):
        """Microseconds of one launch, by the device's clock."""
        event = launch()
        event.wait()
        return (event.profile.end - event.profile.start) / 1e3


class Entry:
    """An entry point, bound to its images."""

    def __init__(self, bench, name, program, kernel, entry, operator):
        self.bench, self.operator, self.entry, self.name = bench, operator, entry, name
        self.kernel = cl.Kernel(program, entry["name"])
        self.bytes = 0
        self.outputs = []
        self.bind(kernel)

    def bind(self, kernel):
        """Sets the arguments, in the order of the calling convention."""
        size, bench, arguments = self.bench.size, self.bench, []
        around = False
        words = []
        for argument in kernel["arguments"]:
            if argument["kind"] == "input":
                element, channels = np.dtype(operators.NUMPY[argument["element"]]), argument["channels"]
                index = sum(a["kind"] == "input" for a in kernel["arguments"][: kernel["arguments"].index(argument)])
                pixel = element.itemsize * channels
                _, buffer = bench.image(argument["element"], channels, index)
                arguments += [buffer, np.int64(0), np.int32(size * pixel), np.int64(0), np.int32(size), np.int32(size)]
                self.bytes += size * size * pixel
                if any(argument["neighbourhood"].values()):
                    around = True
                    arguments.append(np.uint32(0))
            elif argument["kind"] == "uniform":
                words += self.operator.uniforms[argument["name"]]
        for index, output in enumerate(kernel["outputs"]):
            written = output["name"] in self.entry["outputs"]
            element = np.dtype(operators.NUMPY[output["element"]])
            pixel = element.itemsize * output["channels"]
            buffer = bench.output(index, pixel)
            arguments += [buffer, np.int64(0), np.int32(size * pixel), np.int64(0)]
            if written:
                self.outputs.append((output["name"], buffer, element, output["channels"]))
                self.bytes += size * size * pixel
        if words:
            self.words = cl.Buffer(
                bench.context,
                cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR,
                hostbuf=np.array(words, dtype=np.int64).astype(np.uint32),
            )
            arguments.append(self.words)
        inset = self.bench.inset
        arguments += [np.int32(inset), np.int32(inset), np.int32(size - inset), np.int32(size - inset)]
        if around:
            arguments.append(np.int32(REPLICATE))
        self.kernel.set_args(*arguments)

    def launch(self, local=None):
        """Enqueues the whole image."""
        block = self.entry["block"]
        first, end = self.bench.inset, self.bench.size - self.bench.inset
        items = [-(-end // side) - first // side for side in block]
        if local:
            items = [-(-count // group) * group for count, group in zip(items, local)]
        return cl.enqueue_nd_range_kernel(self.bench.queue, self.kernel, items, local)

    def read(self):
        """The outputs by name, after a launch over poisoned buffers."""
        for _, buffer, _, _ in self.outputs:
            cl.enqueue_fill_buffer(self.bench.queue, buffer, np.uint8(0xA5), 0, buffer.size)
        self.launch()
        result = {}
        for name, buffer, element, channels in self.outputs:
            shape = (self.bench.size, self.bench.size) + ((channels,) if channels > 1 else ())
            host = np.empty(shape, element)
            cl.enqueue_copy(self.bench.queue, host, buffer)
            result[name] = host
        return result

    def choose_local_size(self, fixed):
        """Tries the work-group sizes that the device takes; keeps the fastest."""
        if fixed:
            self.local = tuple(fixed)
            return
        most = self.kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, self.bench.device)
        tried = []
        for local in LOCAL_SIZES:
            if local[0] * local[1] <= most:
                times = [self.bench.time(lambda: self.launch(local)) for _ in range(4)]
                tried.append((min(times), local))
        self.local = min(tried)[1]

    def step(self):
        return self.launch(self.local)


class Copy:
    """The yardstick: the same bytes, 16 a work-item."""

    def __init__(self, bench):
        self.bench, self.name, self.local = bench, "copy", (256, 1)
        self.kernel = cl.Kernel(cl.Program(bench.context, COPY).build(), "copy")
        self.kernel.set_args(bench.image("u8", 1, 0)[1], bench.output(0, 1))
        self.items = bench.size * bench.size // 16
        self.bytes = 2 * bench.size * bench.size

    def step(self):
        return cl.enqueue_nd_range_kernel(self.bench.queue, self.kernel, [self.items], [256])


def build(bench, folder, kernel):
    """A kernel's program; compilers wait for nobody, so several run at once."""
    source = (folder / kernel["opencl"]["file"]).read_text()
    options = kernel["opencl"]["options"].split() + operators.device_options(bench.device)
    return cl.Program(bench.context, source).build(options=options)


def entries_of(bench, folders, only):
    """Every entry of every operator, built; the operators in the order of their list."""
    wanted = [operator for operator in operators.OPERATORS if not only or operator.name in only]
    kernels = []
    for folder in folders:
        for kernel in json.loads((folder / "manifest.json").read_text())["kernels"]:
            if any(operator.kernel == kernel["name"] for operator in wanted):
                kernels.append((folder, kernel))
    with ThreadPoolExecutor() as pool:
        programs = list(pool.map(lambda item: build(bench, *item), kernels))
    for operator in wanted:
        for (folder, kernel), program in zip(kernels, programs):
            for entry in kernel["opencl"]["entries"]:
                if kernel["name"] == operator.kernel and operator.takes(entry):
                    yield Entry(bench, f"{folder.name}/{entry['name']}", program, kernel, entry, operator)


def verify(bench, entry, known):
    """Whether an entry is right: at two corners by NumPy, everywhere by the entries before it."""
    found = entry.read()
    first = known.setdefault(entry.operator.name, found)
    if first is not found:
        same = all(np.array_equal(found[name], first[name]) for name in found)
        return None if same else "differs from another entry"
    for name, image in found.items():
        for corner in operators.corners(bench.size):
            expected = entry.operator.reference(bench, corner)[name]
            if not np.array_equal(image[corner.inner], expected):
                bad = np.argwhere(image[corner.inner] != expected)
                return f"{name} differs at {len(bad)} places, first {bad[0]}, corner {corner.inner}"
    return None


def measure(bench, steps, rounds):
    """Microseconds of each, round by round, all in turn."""
    times = {step.name: [] for step in steps}
    for _ in range(rounds):
        for step in steps:
            times[step.name].append(bench.time(step.step))
    return times


def peers_of(bench, copy, options):
    """Every peer, opened, checked and timed by itself: its images and ours need not fit the device together."""
    found = []
    if options.halide:
        found += peers.halide(options.halide, bench)
    if options.opencv:
        found += peers.opencv(bench)
    rows = []
    for peer in found:
        if options.only and peer.operator not in options.only:
            continue
        peer.open()
        copies, times = zip(*((bench.time(copy.step), peer.time()) for _ in range(options.rounds)))
        wrong = peer.close()
        pixels = bench.size * bench.size
        speed = operators.by_name(peer.operator).bytes_per_pixel * pixels / np.array(times)
        row = result(f"{peer.operator}: {peer.name}", peer.operator, times, speed / (copy.bytes / np.array(copies)))
        rows.append(row | ({"wrong": wrong} if wrong else {}))
        show(row, wrong)
    return rows


def result(name, operator, times, fractions):
    """A row of the table: the median time, and the quartiles of the rounds' fractions of the copy's speed."""
    quartiles = [float(f) for f in np.percentile(fractions, [25, 50, 75])]
    return {"name": name, "operator": operator, "median_us": float(np.median(times)), "quartiles": quartiles}


def show(row, note):
    low, middle, high = (100 * f for f in row["quartiles"])
    print(f"{row['name']:48} {row['median_us']:8.1f} {middle:7.1f}%  {low:5.1f} – {high:5.1f}  {note}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--halide", type=Path, help="the library that halide_peers.py wrote")
    parser.add_argument("--opencv", action="store_true", help="OpenCV's UMat too")
    parser.add_argument("--inset", type=int, default=0, help="leave out a frame: what the edges cost; nothing is verified")
    parser.add_argument("--dump", type=Path, help="a folder for the device's programs")
    parser.add_argument("--local", nargs=2, type=int, help="one work-group size for all, where each compiles anew")
    options = parser.parse_args()
    bench = Bench(options.size, options.inset)
    print(f"{bench.device.platform.name} / {bench.device.name} / {bench.device.driver_version}; {options.size}², {options.rounds} rounds")
    known, steps, rows = {}, [Copy(bench)], []
    started = time.monotonic()
    for entry in entries_of(bench, options.folders, options.only):
        if options.dump:
            program = entry.kernel.get_info(cl.kernel_info.PROGRAM)
            binary = program.get_info(cl.program_info.BINARIES)[0]
            (options.dump / f"{entry.name.replace('/', '-')}.bin").write_bytes(binary)
        if entry.operator.name not in known:
            known.clear()
            print(f"{time.monotonic() - started:6.1f} s  {entry.operator.name}", file=sys.stderr, flush=True)
        wrong = None if options.inset else verify(bench, entry, known)
        if wrong:
            print(f"WRONG {entry.name}: {wrong}")
            rows.append({"name": entry.name, "wrong": wrong})
            continue
        entry.choose_local_size(options.local)
        steps.append(entry)
    times = measure(bench, steps, options.rounds)
    copy = np.array(times["copy"]) / steps[0].bytes
    print(f"{'entry':48} {'µs':>8} {'of copy':>8}  quartiles      work-group")
    for step in steps:
        own = np.array(times[step.name])
        operator = step.operator.name if isinstance(step, Entry) else None
        rows.append(result(step.name, operator, own, copy / (own / step.bytes)) | {"local": step.local})
        show(rows[-1], f"{step.local[0]}×{step.local[1]}")
    rows += peers_of(bench, steps[0], options)
    if options.json:
        options.json.write_text(json.dumps({"device": bench.device.name, "size": options.size, "rows": rows}, indent=1))
    return 1 if any("wrong" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
