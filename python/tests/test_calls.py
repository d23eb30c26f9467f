"""How operators are called: arguments, options, errors, threads."""

import inspect
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
import windrow


def test_a_kernel_takes_its_own_arguments(photo):
    assert np.array_equal(windrow.threshold(photo, 100, 255, 7), np.where(photo > 100, 255, 7).astype(np.uint8))
    named = windrow.threshold(x=photo, below=7, level=np.uint8(100), above=255)
    assert np.array_equal(named, windrow.threshold(photo, 100, 255, 7))


def test_the_types_of_arrays_choose_the_kernel(rng):
    bytes_ = rng.integers(0, 256, (4, 33), dtype=np.uint8)
    words = rng.integers(-9000, 9000, (4, 33), dtype=np.int16)
    wrapped = windrow.add(bytes_, bytes_, policy="wrap")
    assert wrapped.dtype == np.uint8 and np.array_equal(wrapped, bytes_ + bytes_)
    wide = windrow.add(bytes_, bytes_, dtype="int16", policy="wrap")
    assert np.array_equal(wide, bytes_.astype(np.int16) + bytes_)
    assert np.array_equal(windrow.add(bytes_, words, policy="saturate"), bytes_ + words)
    target = np.empty_like(words)
    assert windrow.add(bytes_, bytes_, policy="wrap", out=target) is target
    assert np.array_equal(target, wide)
    floats = words.astype(np.float32)
    assert np.array_equal(windrow.add(floats, floats), floats + floats)


def test_the_values_choose_the_kernel(photo):
    box = np.ones((5, 5), np.int16)
    found = windrow.convolve(photo, box, 25, dtype=np.uint8, border="replicate")
    assert np.array_equal(found, windrow.convolve5x5_u8(photo, box.tolist(), 25, border="replicate"))
    with pytest.raises(ValueError, match="several kernels for u8: u8 → u8 of 5×5; u8 → i16 of 5×5; choose one"):
        windrow.convolve(photo, box, 25)
    assert np.array_equal(
        windrow.gaussian(photo, size=(5, 5), border="wrap"), windrow.gaussian5x5(photo, border="wrap")
    )


def test_integers_are_floats_too(rng):
    floats = rng.standard_normal((3, 40)).astype(np.float32)
    assert np.array_equal(windrow.clip_f32(floats, -1, 1), windrow.clip_f32(floats, -1.0, 1.0))


def test_several_outputs_are_a_tuple(photo):
    dx, dy = windrow.sobel3x3(photo, border="reflect101")
    assert dx.dtype == dy.dtype == np.int16
    only = windrow.sobel3x3(photo, border="reflect101", out=(False, None))
    assert np.array_equal(only, dy)
    target = np.empty_like(dx)
    both = windrow.sobel3x3(photo, border="reflect101", out=(target, None))
    assert both[0] is target and np.array_equal(target, dx) and np.array_equal(both[1], dy)
    with pytest.raises(TypeError, match="`sobel3x3` writes 2 arrays, `out` has 1"):
        windrow.sobel3x3(photo, out=target)
    with pytest.raises(TypeError, match="`gaussian3x3` writes 1 array, `out` has 2"):
        windrow.gaussian3x3(photo, out=(None, None))
    with pytest.raises(ValueError, match="every output of `sobel3x3` is left out"):
        windrow.sobel3x3(photo, out=(False, False))
    with pytest.raises(TypeError, match="the output `out` may not be left out"):
        windrow.gaussian3x3(photo, out=False)


def test_what_is_read_and_written_is_changed(photo):
    sums = np.full(photo.shape, 1000, np.int16)
    assert windrow.accumulate(photo, sums) is sums
    assert np.array_equal(sums, 1000 + photo.astype(np.int16))


def test_borders_have_names(photo):
    names = ["replicate", "reflect", "reflect101", "wrap", ("constant", 7)]
    modes = ["edge", "symmetric", "reflect", "wrap", "constant"]
    for border, mode in zip(names, modes, strict=True):
        options = {"constant_values": 7} if mode == "constant" else {}
        padded = np.pad(photo, 1, mode, **options)
        expected = windrow.median3x3(padded)[1:-1, 1:-1]
        assert np.array_equal(windrow.median3x3(photo, border=border), expected), border


def test_without_a_border_the_edge_is_not_computed(photo):
    inside = windrow.median3x3(photo, border="replicate")
    inside[[0, -1]] = 0
    inside[:, [0, -1]] = 0
    assert np.array_equal(windrow.median3x3(photo), inside)
    target = np.full_like(photo, 5)
    windrow.median3x3(photo, out=target)
    assert (target[0] == 5).all() and np.array_equal(target[1:-1, 1:-1], inside[1:-1, 1:-1])


def test_a_region_is_computed_alone(photo):
    whole = windrow.gaussian3x3(photo, border="wrap")
    step = windrow.gaussian3x3.kernels[0]["step"]
    part = np.s_[2 * step[1] : 5 * step[1], step[0] : 3 * step[0]]
    target = np.full_like(photo, 9)
    windrow.gaussian3x3(photo, border="wrap", out=target, region=part)
    expected = np.full_like(photo, 9)
    expected[part] = whole[part]
    assert np.array_equal(target, expected)
    found = windrow.gaussian3x3(photo, border="wrap", region=np.s_[:, : step[0]])
    assert np.array_equal(found[:, : step[0]], whole[:, : step[0]]) and not found[:, step[0] :].any()
    with pytest.raises(ValueError, match="dimension 0"):
        windrow.gaussian3x3(photo, border="wrap", region=np.s_[:, 1:5])
    with pytest.raises(TypeError, match="`region` is .*, expected slices"):
        windrow.gaussian3x3(photo, region=np.s_[::2])


def test_kernels_that_read_anywhere_need_a_shape(photo):
    half = windrow.scale_nearest_u8(photo, (2.0, 0.5), (2.0, 0.5), shape=(33, 65))
    assert half.shape == (33, 65)
    target = np.empty((33, 65), np.uint8)
    windrow.scale_nearest_u8(photo, (2.0, 0.5), (2.0, 0.5), out=target)
    assert np.array_equal(target, half)
    with pytest.raises(TypeError, match="says how large its result is: give `shape` or `out`"):
        windrow.scale_nearest_u8(photo, (2.0, 0.5), (2.0, 0.5))


def test_errors_are_windrows_own(photo):
    refused = [
        (ValueError, "`gaussian3x3` got `src` twice|twice", lambda: windrow.gaussian3x3(photo, src=photo), TypeError),
        (None, "`gaussian3x3` takes 1 argument by position, found 2: options go by name", lambda: windrow.gaussian3x3(photo, 1), TypeError),
        (None, "`gaussian3x3` has no argument `sigma`", lambda: windrow.gaussian3x3(photo, sigma=1), TypeError),
        (None, "`gaussian3x3` needs an array for `src`", lambda: windrow.gaussian3x3(), TypeError),
        (None, "`threshold` needs a value for `below`", lambda: windrow.threshold(photo, 1, 2), TypeError),
        (None, "`level` of `threshold` is 256, expected 0 to 255", lambda: windrow.threshold(photo, 256, 2, 3), ValueError),
        (None, "`level` of `threshold` is 1.5, expected an integer from 0 to 255", lambda: windrow.threshold(photo, 1.5, 2, 3), ValueError),
        (None, "`policy` of `add` is `up`, expected one of `wrap`, `saturate`",
         lambda: windrow.add(photo, photo, policy="up", dtype="uint8"), ValueError),
        (None, "`gaussian` has several kernels for u8: .*; choose one by `dtype` or `size`",
         lambda: windrow.gaussian(photo), ValueError),
        (None, "`add` has no kernel for u8, f32", lambda: windrow.add(photo, photo.astype(np.float32)), TypeError),
        (None, r"`b` has the shape .*, expected ", lambda: windrow.minimum_u8(photo, photo[1:]), ValueError),
        (None, "there is no border `mirror`; write `reflect101`",
         lambda: windrow.gaussian3x3(photo, border="mirror"), ValueError),
        (None, "there is no border `clamp`; write `replicate`, the nearest edge element",
         lambda: windrow.gaussian3x3(photo, border="clamp"), ValueError),
        (None, "the border constant needs a value", lambda: windrow.gaussian3x3(photo, border="constant"), ValueError),
        (None, "`src` holds u8, which cannot represent the border constant 300",
         lambda: windrow.gaussian3x3(photo, border=("constant", 300)), ValueError),
        (None, "`border` is 3, expected a name", lambda: windrow.gaussian3x3(photo, border=3), TypeError),
        (None, "`threads` is 0, expected a number of threads from 1", lambda: windrow.gaussian3x3(photo, threads=0), TypeError),
        (None, "`out` holds i16, expected u8",
         lambda: windrow.gaussian3x3(photo, out=np.zeros(photo.shape, np.int16)), TypeError),
        (None, "`out` has the shape .*, expected", lambda: windrow.gaussian3x3(photo, out=photo[1:].copy()), ValueError),
        (None, "the output `out` shares memory with `src`",
         lambda: windrow.gaussian3x3(photo[1:], out=photo[:-1]), ValueError),
        (None, "the output `out` overlaps itself",
         lambda: windrow.gaussian3x3(photo, out=np.lib.stride_tricks.as_strided(photo, photo.shape, (0, 1))), ValueError),
        (None, "1e[+]?300.* is beyond the floats of 32 bits",
         lambda: windrow.clip_f32(photo.astype(np.float32), -1, 1e300), ValueError),
        (None, "`scale` is 0, expected 1 to 32768", lambda: windrow.convolve3x3_u8(photo, np.ones((3, 3), int), 0), ValueError),
        (None, r"`k` of `convolve3x3_u8` is an array of extents \[2, 2\]",
         lambda: windrow.convolve3x3_u8(photo, [[1, 2], [3, 4]], 1), ValueError),
        (None, "is a table of 255 u8, expected a table of 256 u8",
         lambda: windrow.table_lookup(photo, np.zeros(255, np.uint8)), ValueError),
    ]
    for _, message, call, kind in refused:
        with pytest.raises(kind, match=message):
            call()


def test_an_output_may_be_an_input_that_is_read_at_its_own_elements(photo):
    expected = windrow.bitwise_not(photo)
    assert windrow.bitwise_not(photo, out=photo) is photo
    assert np.array_equal(photo, expected)


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_threads_change_no_bit(rng, threads):
    image = rng.integers(0, 256, (700, 1001), dtype=np.uint8)
    expected = windrow.gaussian5x5(image, border="reflect", threads=1)
    assert np.array_equal(windrow.gaussian5x5(image, border="reflect", threads=threads), expected)


def test_the_lock_is_released_while_a_kernel_runs(rng):
    image = rng.integers(0, 256, (3000, 3000), dtype=np.uint8)
    target = np.empty_like(image)
    running, seen = threading.Event(), []

    def work():
        running.set()
        for _ in range(5):
            windrow.non_linear_box5(image, "median", border="wrap", out=target, threads=1)
        seen.append("done")

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    turns = 0
    while not seen:
        turns += 1
    thread.join()
    # With the lock held, this thread would have had no turn but between the calls.
    assert turns > 10_000


def test_operators_are_pickled_by_name(photo):
    for name in ("gaussian3x3", "add", "sobel3x3"):
        operator = getattr(windrow, name)
        assert pickle.loads(pickle.dumps(operator)) is operator


def test_operators_describe_themselves():
    assert len(windrow.OPERATORS) == len(set(windrow.OPERATORS)) > 150
    for name in windrow.OPERATORS:
        operator = getattr(windrow, name)
        signature = inspect.signature(operator)
        assert operator.__name__ == name and operator.__module__ == "windrow"
        assert operator.__doc__.strip() and "Parameters\n----------" in operator.__doc__
        assert "threads" in signature.parameters and operator.kernels
    assert str(inspect.signature(windrow.gaussian3x3)) == (
        "(src, *, out=None, border='undefined', threads=None, region=None)"
    )
    assert "src : array of uint8, read at x = -1..=1, y = -1..=1" in windrow.gaussian3x3.__doc__


def test_what_a_call_would_do_is_told_before():
    large = np.broadcast_to(np.uint8(0), (40_000, 40_000))
    kernel, outputs = windrow.half_scale_gaussian3x3.infer(large, border="wrap")
    assert kernel["name"] == "half_scale_gaussian3x3"
    assert kernel["arguments"][0]["neighbourhood"] == ((-1, 1), (-1, 1))
    assert kernel["arguments"][0]["stride"] == (2, 2)
    assert outputs == [((20_000, 20_000), np.dtype("uint8"))]


FORKED = """
import os, sys, numpy as np, windrow
image = np.random.default_rng(1).integers(0, 256, (1500, 1500), dtype=np.uint8)
expected = windrow.gaussian5x5(image, border="wrap")
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(windrow.gaussian5x5(image, border="wrap"), expected) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_process_has_no_threads_to_wait_for():
    subprocess.run([sys.executable, "-P", "-W", "ignore", "-c", FORKED], check=True, timeout=60)
