"""Device time of every kernel of the operator library, with all its outputs: the fastest entry for each choice of variants.

    library.py FOLDER [--size N] [--rounds N]

FOLDER holds a `manifest.json` and the `.cl` files that it names. Images hold random bytes and uniforms small numbers: what
is computed is compared elsewhere (the generated tests; `bench.py` for its operators), here it is only timed. Borders are
replicated. A kernel that takes every n-th element reads images of N × N and writes smaller ones.
"""

import argparse
import json
import statistics
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyopencl as cl

import operators
from bench import COPY, LOCAL_SIZES, REPLICATE

# Of random bytes: what an image of the widest pixels takes is put together of as many as needed.
RANDOM = 1 << 26


class Device:
    """A device, its queue, and buffers by their use and size."""

    def __init__(self):
        self.context = cl.create_some_context(interactive=False)
        self.device = self.context.devices[0]
        properties = cl.command_queue_properties.PROFILING_ENABLE
        self.queue = cl.CommandQueue(self.context, properties=properties)
        self.random = np.random.default_rng(1).integers(0, 256, RANDOM, dtype=np.uint8)
        self.buffers = {}

    def buffer(self, use, size):
        """Random bytes; the same for the same use."""
        if (use, size) not in self.buffers:
            buffer = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, size)
            for start in range(0, size, RANDOM):
                part = self.random[: min(RANDOM, size - start)]
                cl.enqueue_copy(self.queue, buffer, part, dst_offset=start)
            self.buffers[use, size] = buffer
        return self.buffers[use, size]

    def words(self, count):
        """So many small numbers."""
        if ("words", count) not in self.buffers:
            flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
            self.buffers["words", count] = cl.Buffer(self.context, flags, hostbuf=np.ones(count, np.uint32))
        return self.buffers["words", count]

    def time(self, kernel, items, local):
        """Microseconds of a launch."""
        items = [-(-count // group) * group for count, group in zip(items, local)]
        event = cl.enqueue_nd_range_kernel(self.queue, kernel, items, local)
        event.wait()
        return (event.profile.end - event.profile.start) / 1e3


def image(device, use, element, channels, side):
    """The arguments of an image, and its bytes."""
    pixel = np.dtype(operators.NUMPY[element]).itemsize * channels
    buffer = device.buffer(use, side * side * pixel)
    return [buffer, np.int64(0), np.int32(side * pixel), np.int64(0)], side * side * pixel


def bind(device, program, kernel, entry, size):
    """The entry point with its arguments, in the order of the calling convention; its work-items, its group where that is given, and the bytes
    that move."""
    inputs = [argument for argument in kernel["arguments"] if argument["kind"] == "input"]
    side = size // max(argument["stride"][0] for argument in inputs) if inputs else size
    arguments, moved, border, around = [], 0, 0, 0
    for place, argument in enumerate(inputs):
        extent = side * argument["stride"][0]
        given, size_in_bytes = image(device, f"input {place}", argument["element"], argument["channels"], extent)
        arguments += given + [np.int32(extent), np.int32(extent)]
        moved += size_in_bytes
        if any(argument["neighbourhood"].values()):
            arguments.append(np.uint32(0))
            border |= REPLICATE << (4 * around)
            around += 1
    for place, output in enumerate(kernel["outputs"]):
        given, size_in_bytes = image(device, f"output {place}", output["element"], output["channels"], side)
        arguments += given
        moved += size_in_bytes
    for argument in kernel["arguments"]:
        if argument["kind"] == "table":
            arguments.append(device.buffer("table", 4 * argument["length"]))
    words = kernel["words"]["uniforms"] + len(kernel["words"]["derived"])
    if words:
        arguments.append(device.words(words))
    arguments += [np.int32(0), np.int32(0), np.int32(side), np.int32(side)]
    if around:
        arguments.append(np.int32(border))
    bound = cl.Kernel(program, entry["name"])
    bound.set_args(*arguments)
    return bound, [-(-side // length) for length in entry["block"]], entry.get("group"), moved


def measure(device, bound, items, group, rounds):
    """The median microseconds with groups of this size, or of the best."""
    most = bound.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, device.device)
    sizes = [group] if group else [local for local in LOCAL_SIZES if local[0] * local[1] <= most]
    best = min(sizes, key=lambda local: min(device.time(bound, items, local) for _ in range(3)))
    return statistics.median(device.time(bound, items, best) for _ in range(rounds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    device = Device()
    kernels = json.loads((options.folder / "manifest.json").read_text())["kernels"]

    def build(kernel):
        flags = kernel["opencl"]["options"].split() + operators.device_options(device.device)
        return cl.Program(device.context, (options.folder / kernel["opencl"]["file"]).read_text()).build(options=flags)

    with ThreadPoolExecutor() as pool:
        programs = list(pool.map(build, kernels))
    copy = cl.Kernel(cl.Program(device.context, COPY).build(), "copy")
    size = options.size
    copy.set_args(device.buffer("input 0", size * size), device.buffer("output 0", size * size))
    copied = 2 * size * size / measure(device, copy, [size * size // 16, 1], None, options.rounds)
    print("| Kernel | µs | of the copy |\n|---|---|---|")
    for kernel, program in zip(kernels, programs):
        names, best = [output["name"] for output in kernel["outputs"]], {}
        for entry in kernel["opencl"]["entries"]:
            if entry["outputs"] == names:
                bound, items, group, moved = bind(device, program, kernel, entry, size)
                found = measure(device, bound, items, group, options.rounds), moved
                choice = ", ".join(entry["choice"])
                best[choice] = min(best.get(choice, found), found)
        for choice, (time, moved) in best.items():
            name = f"{kernel['name']} ({choice})" if choice else kernel["name"]
            print(f"| {name} | {time:.0f} | {100 * moved / time / copied:.0f} % |", flush=True)


main()
