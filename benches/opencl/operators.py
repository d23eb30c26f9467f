"""The operators that are measured: what they read, and what NumPy says that they compute."""

from dataclasses import dataclass, field
from typing import Callable

import numpy as np

NUMPY = {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16, "u32": np.uint32, "i32": np.int32, "f32": np.float32}
CORNER = 200
MARGIN = 4


def random_image(size, element, channels, index):
    """A random image; floats are small integers and halves, so that sums of products are exact in any order."""
    random = np.random.default_rng(1000 * index + channels)
    shape = (size, size) if channels == 1 else (size, size, channels)
    if element == "f32":
        return (random.integers(0, 512, shape, dtype=np.uint16).astype(np.float32) / 2)
    limits = np.iinfo(NUMPY[element])
    return random.integers(limits.min, limits.max, shape, dtype=NUMPY[element], endpoint=True)


def device_options(device):
    """What a program is built with on this device beside its own options."""
    try:
        import pyopencl as cl

        if "NVIDIA" in device.platform.name and device.get_info(cl.device_info.COMPUTE_CAPABILITY_MAJOR_NV) >= 9:
            return ["-DWINDROW_NVIDIA_PAIRS", "-cl-nv-maxrregcount=128"]
    except Exception:
        pass
    return []


@dataclass
class Corner:
    """A part of the image that is checked: `inner`, and the same with a margin, repeated past the image's edge."""

    inner: tuple
    outer: tuple
    pad: tuple


def corners(size):
    """The upper left corner, and the lower right one."""
    edge = min(CORNER, size)
    first = Corner((slice(0, edge),) * 2, (slice(0, edge + MARGIN),) * 2, ((MARGIN, max(0, edge + MARGIN - size)),) * 2)
    start = size - edge
    last = Corner((slice(start, size),) * 2, (slice(max(0, start - MARGIN), size),) * 2, ((max(0, MARGIN - start), MARGIN),) * 2)
    return [first, last]


@dataclass
class Operator:
    """A kernel of the library (some of its outputs), and its meaning on padded corners of the inputs."""

    name: str
    kernel: str
    inputs: list
    compute: Callable
    outputs: tuple = ("out",)
    result: str = "u8"
    uniforms: dict = field(default_factory=dict)
    choice: tuple = ()

    @property
    def bytes_per_pixel(self):
        """What is read and written for each."""
        size = lambda element: np.dtype(NUMPY[element]).itemsize
        return sum(size(element) * channels for element, channels in self.inputs) + len(self.outputs) * size(self.result)

    def takes(self, entry):
        return tuple(entry["outputs"]) == self.outputs and (not self.choice or tuple(entry["choice"]) == self.choice)

    def reference(self, bench, corner):
        """The outputs at a corner, by name."""
        parts = []
        for index, (element, channels) in enumerate(self.inputs):
            host, _ = bench.image(element, channels, index)
            pad = corner.pad + (((0, 0),) if channels > 1 else ())
            parts.append(np.pad(host[corner.outer], pad, mode="edge"))
        found = self.compute(*parts)
        found = found if isinstance(found, tuple) else (found,)
        inner = (slice(MARGIN, -MARGIN),) * 2
        return {name: image[inner] for name, image in zip(self.outputs, found)}


def shifted(image, dx, dy):
    return np.roll(image, (-dy, -dx), (0, 1))


def weighted(image, weights, dtype=np.int64):
    """Σ weights · neighbours."""
    half_y, half_x = len(weights) // 2, len(weights[0]) // 2
    total = np.zeros(image.shape, dtype)
    for y, row in enumerate(weights):
        for x, weight in enumerate(row):
            total += dtype(weight) * shifted(image, x - half_x, y - half_y).astype(dtype)
    return total


def window(image):
    """The 3×3 neighbours, along a new axis."""
    return np.stack([shifted(image, dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)])


def u8(values):
    return values.astype(np.uint8)


GAUSS3 = np.outer([1, 2, 1], [1, 2, 1])
GAUSS5 = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1])
SOBEL_X = np.outer([1, 2, 1], [-1, 0, 1])
CONVOLVE5 = np.array([[1, 2, 3, 2, 1], [2, 4, 6, 4, 2], [3, 6, 9, 6, 3], [2, 4, 6, 4, 2], [1, 2, 3, 2, 1]]) / 128


def sobel(image, weights):
    return weighted(image, weights).astype(np.int16)


def gray(rgb):
    r, g, b = (rgb[..., c].astype(np.uint16) for c in range(3))
    return u8((54 * r + 183 * g + 19 * b) >> 8)


U8 = ("u8", 1)
OPERATORS = [
    Operator("gaussian3x3", "gaussian3x3", [U8], lambda s: u8(weighted(s, GAUSS3) >> 4)),
    Operator("gaussian5x5", "gaussian5x5", [U8], lambda s: u8(weighted(s, GAUSS5) >> 8)),
    Operator("box3x3", "box3x3", [U8], lambda s: u8(weighted(s, np.ones((3, 3))) // 9)),
    Operator("sobel3x3 x", "sobel3x3", [U8], lambda s: sobel(s, SOBEL_X), outputs=("dx",), result="i16"),
    Operator("sobel3x3 x+y", "sobel3x3", [U8], lambda s: (sobel(s, SOBEL_X), sobel(s, SOBEL_X.T)), outputs=("dx", "dy"), result="i16"),
    Operator("median3x3", "median3x3", [U8], lambda s: u8(np.median(window(s), axis=0))),
    Operator("erode3x3", "erode3x3", [U8], lambda s: window(s).min(axis=0)),
    Operator("dilate3x3", "dilate3x3", [U8], lambda s: window(s).max(axis=0)),
    Operator("abs_diff", "abs_diff", [U8, U8], lambda a, b: np.where(a > b, a - b, b - a)),
    Operator("add saturate", "add", [U8, U8], lambda a, b: u8(np.minimum(a.astype(int) + b, 255)), choice=("Saturate",)),
    Operator("threshold", "threshold", [U8], lambda x: u8(np.where(x > 100, 200, 7)), uniforms={"level": [100], "above": [200], "below": [7]}),
    Operator("rgb_to_gray", "rgb_to_gray", [("u8", 3)], gray),
    Operator("convolve5x5_f32", "convolve5x5_f32", [("f32", 1)], lambda s: weighted(s, CONVOLVE5, np.float32), result="f32"),
]


def by_name(name):
    return next(operator for operator in OPERATORS if operator.name == name)
