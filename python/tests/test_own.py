"""A module of an author's kernels is called as the library is, and cut into chunks."""

import inspect
import pickle

import dask.array as da
import numpy as np
import own_kernels
import pytest
import windrow.dask as wd


def test_kernels_and_families_are_called(photo):
    found = own_kernels.slope(photo, border="replicate")
    padded = np.pad(photo.astype(np.int16), ((0, 0), (1, 1)), "edge")
    assert found.dtype == np.int16 and np.array_equal(found, padded[:, 2:] - padded[:, :-2])
    for dtype in (np.uint8, np.int16):
        image = photo.astype(dtype)
        expected = np.where(image >= 90, image, dtype(90) - image)
        assert np.array_equal(own_kernels.fold(image, 90), expected)
    assert set(own_kernels.OPERATORS) == {"fold", "fold_u8", "fold_i16", "slope", "beyond", "edges"}
    with pytest.raises(ValueError, match="`level` is 101, expected 0 to 100"):
        own_kernels.fold(photo, 101)


def test_they_are_documented_and_pickled():
    assert own_kernels.slope.__doc__.startswith("The difference of the right and the left neighbour.")
    assert own_kernels.slope.__module__ == "own_kernels"
    assert pickle.loads(pickle.dumps(own_kernels.fold)) is own_kernels.fold


def test_they_are_cut_into_chunks(photo):
    found = wd.apply(own_kernels.slope, da.from_array(photo, (20, 33)), border="wrap").compute(scheduler="threads")
    assert np.array_equal(found, own_kernels.slope(photo, border="wrap"))


def test_a_pipeline_is_one_call(photo):
    expected = own_kernels.beyond(own_kernels.slope(photo, border="replicate"), 10)
    assert expected.any() and not expected.all()
    assert np.array_equal(own_kernels.edges(photo, level=10), expected)
    turned = own_kernels.beyond(own_kernels.slope(photo[::-1, ::-1], border="replicate"), 10)
    target = np.empty_like(photo)
    assert own_kernels.edges(photo[::-1, ::-1], 10, out=target, threads=1) is target
    assert np.array_equal(target, turned)
    large = np.tile(photo, (40, 30))
    found = own_kernels.edges(large, 10, threads=2)
    assert np.array_equal(found, own_kernels.beyond(own_kernels.slope(large, border="replicate"), 10))


def test_a_pipeline_describes_itself():
    edges = own_kernels.edges
    assert edges.__doc__.startswith("Marks where the image changes") and "level : int16" in edges.__doc__
    assert str(inspect.signature(edges)) == "(src, level, *, out=None, threads=None)"
    assert (edges.__name__, edges.__module__, edges.images) == ("edges", "own_kernels", ["src"])
    assert pickle.loads(pickle.dumps(edges)) is edges


def test_a_pipeline_refuses_what_does_not_fit(photo):
    edges, read_only = own_kernels.edges, np.empty_like(photo)
    read_only.flags.writeable = False
    refused = [
        (ValueError, "`level` is 300, expected 0 to 255", lambda: edges(photo, 300)),
        (ValueError, "`level` is 70000, expected int16", lambda: edges(photo, 70_000)),
        (TypeError, "`level` is 'x', expected int16", lambda: edges(photo, "x")),
        (TypeError, "`level` is an array, expected int16", lambda: edges(photo, photo)),
        (TypeError, "`edges` needs an argument for `level`", lambda: edges(photo)),
        (TypeError, "`edges` takes 2 arguments by position, found 3: options go by name", lambda: edges(photo, 1, 2)),
        (TypeError, "`src` holds i16, expected u8", lambda: edges(photo.astype(np.int16), 3)),
        (TypeError, "`src` is of type int, expected an array", lambda: edges(3, 3)),
        (TypeError, "`edges` has no argument `border`", lambda: edges(photo, 3, border="wrap")),
        (TypeError, "`out` holds i16, expected u8", lambda: edges(photo, 3, out=photo.astype(np.int16))),
        (TypeError, "`edges` writes 1 array, `out` has 2", lambda: edges(photo, 3, out=(None, None))),
        (TypeError, "none is left out", lambda: edges(photo, 3, out=False)),
        (ValueError, "`out` has the shape .*, expected", lambda: edges(photo, 3, out=photo[1:].copy())),
        (ValueError, "the output `out` shares memory with `src`", lambda: edges(photo, 3, out=photo)),
        (ValueError, "the output `out` is read-only", lambda: edges(photo, 3, out=read_only)),
        (TypeError, "`edges` is no kernel and no family of kernels", lambda: wd.apply(edges, da.from_array(photo), 3)),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()
