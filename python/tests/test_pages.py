"""The blocks of Python on the page about it run, one after the other."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import windrow
import zarr

PAGE = Path(__file__).parents[2] / "docs/python.md"


@pytest.mark.skipif(not windrow.devices(), reason="the page uses a device")
def test_the_page(tmp_path, monkeypatch, photo):
    monkeypatch.chdir(tmp_path)
    shutil.copy(PAGE.parents[1] / "graph/tests/models/squeeze.onnx", tmp_path)
    zarr.create_array("mosaic.zarr", data=photo, chunks=(20, 40))
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert np.array_equal(names["exact"], 2 * names["photo"].astype(np.int16))
    expected = windrow.sobel3x3(windrow.gaussian3x3(names["photo"], border="wrap"), border="wrap")
    assert np.array_equal(names["dx"], expected[0]) and np.array_equal(names["dy"], expected[1])
    assert names["scores"].shape == (1, 10, 1, 1)
    assert np.array_equal(names["counts"], windrow.histogram(photo, 16, 0, 256))
    assert np.array_equal(zarr.open_array("blurred.zarr")[:], windrow.gaussian5x5(photo, border="reflect101"))
