"""Every kernel gives the bits that Rust's own calls give, whatever the layout of its arrays is."""

import json
import math
import zlib
from pathlib import Path

import numpy as np
import pytest
import windrow

DIGESTS = json.loads((Path(__file__).parents[2] / "operators/tests/digests.json").read_text())


def numbers(image, count):
    places = np.arange(count, dtype=np.uint64)
    return ((places * 2_654_435_761 + image * 97_531 + 12_345) % 2**32).astype(np.uint32)


def filled(image, shape, dtype):
    """What `operators/tests/digests.rs` fills an image with."""
    found = numbers(image, math.prod(shape))
    match np.dtype(dtype).name:
        case "uint8" | "int8":
            found = (found >> 13).astype(np.uint8).view(dtype)
        case "uint16" | "int16" | "float16":
            found = (found >> 7).astype(np.uint16).view(dtype)
        case "uint32" | "int32":
            found = found.view(dtype)
        case "int64":
            found = found.astype(np.int64) - 2**31
        case "float32":
            found = (((found >> 8) % 20_001).astype(np.float32) - 10_000) / np.float32(64)
    return found.astype(dtype, copy=False).reshape(shape)


def with_one_nan(array):
    """The same elements; the payload of a NaN is the processor's, and is not compared."""
    return np.where(np.isnan(array), np.uint32(0x7FC0_0000).view(np.float32), array) if array.dtype == np.float32 else array


def arguments(kernel, case):
    """The arguments by name, and what is changed in place."""
    given, changed, images, tables = {}, {}, 0, 0
    for argument in kernel["arguments"]:
        name = argument["name"]
        pixel = () if argument.get("channels", 1) == 1 else (argument["channels"],)
        if argument["kind"] == "image" and argument["inout"] is None:
            given[name] = filled(images, (*case["inputs"][images], *pixel), argument["dtype"])
            images += 1
        elif argument["kind"] == "image":
            changed[name] = filled(10 + argument["inout"], (*case["outputs"], *pixel), argument["dtype"])
        elif argument["kind"] == "table":
            given[name] = filled(20 + tables, (argument["length"],), argument["dtype"])
            tables += 1
        else:
            value = case["values"][name]
            given[name] = np.reshape(value["values"], value["shape"]) if isinstance(value, dict) else value
    return given, changed


def backwards(array, channels):
    """The same pixels, which lie backwards with gaps between them."""
    axes = array.ndim - (channels > 1)
    spread = np.zeros([2 * extent for extent in array.shape[:axes]] + list(array.shape[axes:]), array.dtype)
    place = tuple(slice(None, None, -2) for _ in range(axes))
    spread[place] = array
    return spread[place]


def test_every_kernel_has_a_digest():
    assert set(DIGESTS) == {kernel["name"] for name in windrow.OPERATORS for kernel in getattr(windrow, name).kernels}


@pytest.mark.parametrize("name", DIGESTS)
@pytest.mark.parametrize("layout", ["contiguous", "backwards"])
def test_bits(name, layout):
    case = DIGESTS[name]
    operators = [getattr(windrow, operator) for operator in windrow.OPERATORS]
    operator = next((operator for operator in operators if operator.__name__ == name), None)
    if operator is None or len(operator.kernels) > 1:
        # A family of its own name hides it: the types of the arrays and of the output choose it there.
        operator = next(operator for operator in operators if name in [kernel["name"] for kernel in operator.kernels])
    kernel = next(kernel for kernel in operator.kernels if kernel["name"] == name)
    given, changed = arguments(kernel, case)
    options = {"border": case["border"], "threads": 1}
    if len(operator.kernels) > 1:
        options["dtype"] = kernel["outputs"][0]["dtype"]
    if all(argument.get("whole", True) for argument in kernel["arguments"]) and not changed:
        options["shape"] = tuple(case["outputs"])
    channels = {argument["name"]: argument["channels"] for argument in kernel["arguments"] if argument["kind"] == "image"}
    if layout == "backwards":
        for name in channels:
            holder = given if name in given else changed
            holder[name] = backwards(holder[name], channels[name])
    # A family has names of its own for what its members call differently.
    images = [given.pop(name) for name in channels if name in given] if len(operator.kernels) > 1 else []
    found = operator(*images, **given, **changed, **options)
    found = found if isinstance(found, tuple) else (found,)
    sums = [zlib.crc32(with_one_nan(np.ascontiguousarray(output)).tobytes()) for output in found]
    assert sums == case["crc"]
