"""The type stub says what the module has."""

import os
import subprocess
import sys
from pathlib import Path

import windrow
from windrow import _windrow

STUB = Path(__file__).parents[1] / "windrow/_windrow.pyi"


def test_the_stub_is_written_from_the_specifications():
    if "WINDROW_BLESS" in os.environ:
        STUB.write_text(_windrow.STUB)
    assert STUB.read_text() == _windrow.STUB, "WINDROW_BLESS=1 writes it anew"


USES = """
import numpy as np
import windrow
from numpy.typing import NDArray

photo = np.zeros((4, 5), np.uint8)
blurred: NDArray[np.uint8] = windrow.gaussian3x3(photo, border="replicate", threads=2)
level: NDArray[np.uint8] = windrow.threshold(photo, 3, above=255, below=0)
windrow.add(photo, photo, policy="wrap", dtype=np.int16)
windrow.gaussian3x3(photo, border=("constant", 7), out=blurred)
network = windrow.Session("network.onnx", threads=2, shapes={"x": (1, 3, 224, 224)})
names: list[str] = [argument.name for argument in network.get_inputs()]
scores: NDArray[np.float32] = network.run(None, {names[0]: photo})[0]
"""
MISUSES = """
import numpy as np
import windrow

photo = np.zeros((4, 5), np.uint8)
windrow.gaussian3x3(photo, border="mirror")
windrow.threshold(photo, "high", 255, 0)
windrow.gaussian3x3(photo, sigma=2)
windrow.add(photo, photo, policy="up")
windrow.Session("network.onnx", threads="all")
"""


def checked(tmp_path, text):
    file = tmp_path / "uses.py"
    file.write_text(text)
    package = Path(windrow.__file__).parents[1]
    # What is installed mypy finds by itself.
    path = {} if package.name == "site-packages" else {"MYPYPATH": str(package)}
    command = [sys.executable, "-P", "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(file)]
    return subprocess.run(command, env={**os.environ, **path}, capture_output=True, text=True)


def test_types_are_checked_by_the_stub(tmp_path):
    found = checked(tmp_path, USES)
    assert found.returncode == 0, found.stdout + found.stderr
    found = checked(tmp_path, MISUSES)
    assert [f":{line}: error" in found.stdout for line in (6, 7, 8, 9, 10)] == [True] * 5, found.stdout
