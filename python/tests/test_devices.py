"""Arrays that stay on an OpenCL device give the processor's bits."""

import os

import numpy as np
import pytest
import windrow

# The tests of the project run on PoCL, which must be there.
needs_device = pytest.mark.skipif(
    not windrow.devices() and "CI" not in os.environ, reason="this machine has no OpenCL device"
)


@pytest.fixture(scope="module")
def device():
    return windrow.Device()


@needs_device
def test_devices_are_listed(device):
    assert windrow.devices()[device.index] == device.name
    assert windrow.Device(device.index).name == windrow.Device(device.name[:4]).name == device.name
    with pytest.raises((RuntimeError, ValueError), match="no OpenCL device matches `a name that no driver has`; there are: 0: "):
        windrow.Device("a name that no driver has")


@needs_device
def test_arrays_go_there_and_back(device, rng):
    for dtype in ("uint8", "int16", "float32"):
        array = rng.integers(0, 100, (5, 7, 3)).astype(dtype)
        for given in (array, array[::-1, ::2], array.T):
            there = device.upload(given)
            assert (there.shape, there.dtype, there.ndim) == (given.shape, given.dtype, 3)
            assert np.array_equal(there.download(), given) and np.array_equal(np.asarray(there), given)
    target = np.empty_like(array)
    there = device.upload(array)
    assert there.download(out=target) is target and np.array_equal(target, array)
    with pytest.raises(ValueError, match="`out` holds u8 of .*, expected f32 of"):
        there.download(out=np.empty((5, 7, 3), np.uint8))
    with pytest.raises(ValueError, match="`array` is empty"):
        device.upload(np.empty((0, 3)))


@needs_device
@pytest.mark.parametrize("border", ["undefined", ("constant", 3), "replicate", "reflect", "reflect101", "wrap"], ids=str)
def test_operators_stay_there(device, photo, border):
    there = device.upload(photo)
    blurred = windrow.gaussian3x3(there, border=border)
    assert isinstance(blurred, windrow.DeviceArray)
    expected = windrow.gaussian3x3(photo, border=border)
    assert np.array_equal(blurred.download(), expected)
    edges = windrow.sobel3x3(blurred, border=border)
    found = [edge.download() for edge in edges]
    assert all(map(np.array_equal, found, windrow.sobel3x3(expected, border=border)))


@needs_device
def test_pixels_values_tables_and_outputs(device, rng):
    pixels = rng.integers(0, 256, (20, 30, 3), dtype=np.uint8)
    gray = windrow.rgb_to_gray(device.upload(pixels))
    expected = windrow.rgb_to_gray(pixels)
    assert gray.shape == (20, 30) and np.array_equal(gray.download(), expected)
    table = rng.integers(0, 256, 256, dtype=np.uint8)
    target = device.upload(np.zeros_like(expected))
    assert windrow.table_lookup(gray, table, out=target) is target
    assert np.array_equal(target.download(), table[expected])
    found = windrow.add(gray, target, policy="wrap", dtype="uint8")
    assert np.array_equal(found.download(), expected + table[expected])
    planes = windrow.channel_combine(gray, gray, target)
    assert planes.shape == (20, 30, 3)
    sums = device.upload(np.zeros((20, 30), np.int16))
    assert windrow.accumulate(gray, sums) is sums and np.array_equal(sums.download(), expected)


@needs_device
def test_one_call_has_one_memory(device, photo):
    there, other = device.upload(photo), windrow.Device().upload(photo)
    with pytest.raises(TypeError, match="`b` lies in the processor's, another one on device"):
        windrow.minimum(there, photo)
    with pytest.raises(TypeError, match="`b` is another `Device`'s"):
        windrow.minimum(there, other)
    with pytest.raises(TypeError, match="`out` is no array on the images' device"):
        windrow.minimum(there, there, out=np.empty_like(photo))
    with pytest.raises(TypeError, match="are options of arrays in the processor's memory"):
        windrow.minimum(there, there, threads=2)
