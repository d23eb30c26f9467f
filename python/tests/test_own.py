"""A module of an author's kernels is called as the library is, and cut into chunks."""

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
    assert set(own_kernels.OPERATORS) == {"fold", "fold_u8", "fold_i16", "slope"}
    with pytest.raises(ValueError, match="`level` is 101, expected 0 to 100"):
        own_kernels.fold(photo, 101)


def test_they_are_documented_and_pickled():
    assert own_kernels.slope.__doc__.startswith("The difference of the right and the left neighbour.")
    assert own_kernels.slope.__module__ == "own_kernels"
    assert pickle.loads(pickle.dumps(own_kernels.fold)) is own_kernels.fold


def test_they_are_cut_into_chunks(photo):
    found = wd.apply(own_kernels.slope, da.from_array(photo, (20, 33)), border="wrap").compute(scheduler="threads")
    assert np.array_equal(found, own_kernels.slope(photo, border="wrap"))
