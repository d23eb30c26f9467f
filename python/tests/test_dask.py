"""Chunks give the bits of the whole array, on threads and in processes."""

import itertools

import dask
import dask.array as da
import numpy as np
import pytest
import windrow
import windrow.dask as wd
import zarr

BORDERS = ["undefined", ("constant", 9), "replicate", "reflect", "reflect101", "wrap"]
CUTS = {
    "one chunk": (-1, -1),
    "even": (32, 64),
    "rows": (10, -1),
    "narrow": (13, 17),
    "chunks that are smaller than the neighbourhood": ((1, 1, 60, 1, 2, 1, 1), (1, 129, 1)),
}


@pytest.fixture(autouse=True)
def on_threads():
    with dask.config.set(scheduler="threads", num_workers=2):
        yield


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("border", BORDERS, ids=str)
def test_every_border_is_that_of_the_whole(photo, border, cut):
    array = da.from_array(photo, CUTS[cut])
    for operator in (windrow.gaussian5x5, windrow.median3x3, windrow.half_scale_gaussian5x5):
        expected = operator(photo, border=border)
        found = wd.apply(operator, array, border=border)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        assert np.array_equal(found.compute(), expected), operator.__name__


@pytest.mark.parametrize("border", BORDERS, ids=str)
@pytest.mark.parametrize("extents", [(1, 1), (2, 3), (5, 4), (1, 90)])
def test_small_arrays(rng, border, extents):
    image = rng.integers(0, 256, extents, dtype=np.uint8)
    for chunk in (1, 2, 4):
        found = wd.apply(windrow.gaussian5x5, da.from_array(image, chunk), border=border)
        assert np.array_equal(found.compute(), windrow.gaussian5x5(image, border=border))


@pytest.mark.parametrize("border", ["replicate", "wrap"])
@pytest.mark.parametrize("chunks", [None, (20, 50), (9, 131)])
def test_arrays_of_zarr_are_read_in_parts(photo, tmp_path, border, chunks):
    stored = zarr.create_array(tmp_path / "photo.zarr", data=photo, chunks=(16, 40))
    for operator in (windrow.gaussian5x5, windrow.half_scale_gaussian5x5):
        found = wd.apply(operator, stored, border=border, chunks=chunks)
        assert np.array_equal(found.compute(), operator(photo, border=border))
    target = zarr.create_array(tmp_path / "blurred.zarr", shape=photo.shape, chunks=(16, 40), dtype=photo.dtype)
    found = wd.apply(windrow.gaussian5x5, stored, border=border, chunks=(32, 40))
    da.store(found, target, lock=False)
    assert np.array_equal(target[:], windrow.gaussian5x5(photo, border=border))


def test_several_outputs(photo):
    array = da.from_array(photo, (20, 30))
    found = wd.apply(windrow.sobel3x3, array, border="reflect")
    expected = windrow.sobel3x3(photo, border="reflect")
    assert isinstance(found, tuple) and len(found) == 2
    assert all(map(np.array_equal, dask.compute(*found), expected))
    assert np.array_equal(found[1].compute(), expected[1])


def test_several_inputs_values_and_types(rng):
    a, b = rng.integers(0, 256, (2, 50, 61), dtype=np.uint8)
    found = wd.apply(windrow.add, da.from_array(a, 20), da.from_array(b, (7, 61)), policy="saturate", dtype="uint8")
    assert np.array_equal(found.compute(), windrow.add(a, b, policy="saturate", dtype="uint8"))
    found = wd.apply(windrow.threshold, da.from_array(a, 20), 100, above=255, below=1)
    assert np.array_equal(found.compute(), windrow.threshold(a, 100, 255, 1))
    kernel = rng.integers(-9, 9, (5, 5))
    found = wd.apply(windrow.convolve5x5_i16, da.from_array(a, 17), k=kernel, scale=3, border="reflect101")
    assert np.array_equal(found.compute(), windrow.convolve5x5_i16(a, kernel, 3, border="reflect101"))


def test_pixels_and_stacks(rng):
    pixels = rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)
    found = wd.apply(windrow.rgb_to_gray, da.from_array(pixels, (16, 16, 1)))
    assert np.array_equal(found.compute(), windrow.rgb_to_gray(pixels))
    planes = [da.from_array(pixels[..., channel], 20) for channel in range(3)]
    found = wd.apply(windrow.channel_combine, *planes)
    assert found.shape == pixels.shape and np.array_equal(found.compute(), pixels)
    stack = rng.integers(0, 256, (5, 40, 50), dtype=np.uint8)
    found = wd.apply(windrow.gaussian3x3, da.from_array(stack, (2, 16, 16)), border="wrap")
    assert np.array_equal(found.compute(), windrow.gaussian3x3(stack, border="wrap"))


def test_calls_follow_each_other_without_whole_arrays_between(photo):
    array = da.from_array(photo, (16, 32))
    blurred = wd.apply(windrow.gaussian5x5, array, border="reflect")
    found = wd.apply(windrow.sharpen, array, blurred, amount=300)
    expected = windrow.sharpen(photo, windrow.gaussian5x5(photo, border="reflect"), 300)
    assert np.array_equal(found.compute(), expected)


@pytest.mark.parametrize("cut", CUTS)
def test_results_of_chunks_are_combined(photo, cut):
    array = da.from_array(photo, CUTS[cut])
    counts = wd.reduce(windrow.histogram, array, 16, 8, range=240, combine="sum")
    expected = windrow.histogram(photo, 16, 8, 240)
    assert (counts.shape, counts.dtype) == (expected.shape, expected.dtype)
    assert np.array_equal(counts.compute(), expected)
    # More chunks than are combined at once.
    small = wd.reduce(windrow.histogram, da.from_array(photo, (9, 11)), 256, 0, 256, combine="sum")
    assert np.array_equal(small.compute(), np.bincount(photo.ravel(), minlength=256))


def test_results_of_stored_chunks_are_combined(photo, tmp_path):
    stored = zarr.create_array(tmp_path / "photo.zarr", data=photo, chunks=(16, 40))
    for chunks in (None, (32, 80)):
        found = wd.reduce(windrow.histogram, stored, 4, 0, 256, combine="sum", chunks=chunks)
        assert np.array_equal(found.compute(), windrow.histogram(photo, 4, 0, 256))
    whole = windrow.histogram(photo, 4, 0, 256)
    least = wd.reduce(windrow.histogram, stored, 4, 0, 256, combine="least", chunks=(-1, -1))
    assert np.array_equal(least.compute(), whole)
    halves = [windrow.histogram(half, 4, 0, 256) for half in (photo[:32], photo[32:])]
    greatest = wd.reduce(windrow.histogram, da.from_array(photo, ((32, 35), -1)), 4, 0, 256, combine="greatest")
    assert np.array_equal(greatest.compute(), np.maximum(*halves))


def test_what_can_not_be_combined_is_refused(photo):
    array = da.from_array(photo, 32)
    refused = [
        (ValueError, "`combine` is 'mean', expected one of 'sum', 'least', 'greatest'",
         lambda: wd.reduce(windrow.histogram, array, 4, 0, 256, combine="mean")),
        (ValueError, "`mean_std_dev` writes .*, expected one array of integers",
         lambda: wd.reduce(windrow.mean_std_dev, array, combine="sum")),
        (ValueError, "`bitwise_not` writes arrays of the shapes .*: no two can be combined",
         lambda: wd.reduce(windrow.bitwise_not, array, combine="sum")),
        (ValueError, "`bins` is 300, expected 1 to 256",
         lambda: wd.reduce(windrow.histogram, array, 300, 0, 256, combine="sum").compute()),
        (TypeError, "`src` is a list, expected a Dask array", lambda: wd.reduce(windrow.histogram, [1], 4, 0, 256, combine="sum")),
        (TypeError, "`chunks` is for arrays that are read in parts",
         lambda: wd.reduce(windrow.histogram, array, 4, 0, 256, combine="sum", chunks=(8, 8))),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()


def test_the_scheduler_of_processes_gives_the_same_bits(photo, tmp_path):
    stored = zarr.create_array(tmp_path / "photo.zarr", data=photo, chunks=(16, 40))
    sources = (da.from_array(photo, (32, 70)), stored)
    blurred = [wd.apply(windrow.gaussian5x5, source, border="wrap") for source in sources]
    counts = [wd.reduce(windrow.histogram, source, 16, 0, 256, combine="sum") for source in sources]
    blurred, counts = dask.compute(blurred, counts, scheduler="processes", num_workers=2)
    assert all(np.array_equal(found, windrow.gaussian5x5(photo, border="wrap")) for found in blurred)
    assert all(np.array_equal(found, windrow.histogram(photo, 16, 0, 256)) for found in counts)


def test_a_chunk_takes_three_tasks(photo):
    """Its own, one for all of its edges, and the operator's."""
    array = da.full(photo.shape, 7, chunks=(16, 32), dtype=np.uint8)
    for border in ("wrap", "reflect101"):
        found = wd.apply(windrow.gaussian5x5, array, border=border)
        (optimised,) = dask.optimize(found)
        names = [dask.utils.key_split(key) for key in optimised.__dask_graph__().to_dict()]
        assert names.count("gaussian5x5_edges") == names.count("gaussian5x5") == found.npartitions
        assert len(names) == 3 * found.npartitions


def test_tasks_have_the_operators_name(photo):
    graph = wd.apply(windrow.gaussian3x3, da.from_array(photo, 32), border="wrap").__dask_graph__()
    names = {dask.utils.key_split(key) for key in graph.to_dict()}
    assert {"gaussian3x3", "gaussian3x3_edges"} <= names


def test_what_can_not_be_cut_is_refused(photo):
    array = da.from_array(photo, 32)
    refused = [
        (ValueError, "`scale_nearest_u8` reads `src` anywhere",
         lambda: wd.apply(windrow.scale_nearest_u8, array, rows=(1, 0), columns=(1, 0))),
        (ValueError, "`histogram` reads `src` anywhere.* by `windrow.dask.reduce`",
         lambda: wd.apply(windrow.histogram, array, bins=16, offset=0, range=256)),
        (ValueError, "`accumulate` changes `acc`", lambda: wd.apply(windrow.accumulate, array, array.astype("int16"))),
        (ValueError, "`b` has the shape .*, expected", lambda: wd.apply(windrow.minimum, array, array[:1])),
        (TypeError, "`out` is an option of a whole array", lambda: wd.apply(windrow.gaussian3x3, array, out=photo)),
        (TypeError, "`src` is a list, expected a Dask array", lambda: wd.apply(windrow.gaussian3x3, [1])),
        (TypeError, "`src` holds i16, expected u8", lambda: wd.apply(windrow.gaussian3x3, array.astype("int16"))),
        (ValueError, "there is no border `mirror`", lambda: wd.apply(windrow.gaussian3x3, array, border="mirror")),
        (TypeError, "`threshold` needs a value for", lambda: wd.apply(windrow.threshold, array)),
        (ValueError, "the sizes of the chunks of `a` are not known",
         lambda: wd.apply(windrow.bitwise_not, array[(array > 3).any(axis=1)])),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()


def test_two_workers_give_the_same_bits(photo, tmp_path):
    distributed = pytest.importorskip("distributed")
    stored = zarr.create_array(tmp_path / "photo.zarr", data=photo, chunks=(16, 40))
    # Any free port: without an address the scheduler asks for the one that another cluster on this machine may have.
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster):
        with dask.config.set(scheduler=None):
            for source, border in itertools.product((da.from_array(photo, (16, 40)), stored), ("reflect101", "wrap")):
                found = wd.apply(windrow.gaussian5x5, source, border=border).compute()
                assert np.array_equal(found, windrow.gaussian5x5(photo, border=border))
