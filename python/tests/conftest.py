"""Images that every test may use."""

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def photo(rng):
    """Bytes, with extents that are multiples of nothing."""
    return rng.integers(0, 256, (67, 131), dtype=np.uint8)
