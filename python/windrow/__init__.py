"""windrow's operators over NumPy's arrays, and over whatever has `__dlpack__` or the buffer protocol.

Every operator is a function: `windrow.gaussian3x3(photo, border="replicate")`. `windrow.OPERATORS` lists their names, and `help` of
one says what it takes. Nothing is copied: an operator reads and writes the arrays where they lie, whatever their strides are.
The interpreter's lock is released while it runs.

`windrow.Session` runs networks: files of ONNX and TFLite, and plans.
"""

from . import _windrow
from ._windrow import *  # noqa: F403

_operator = _windrow._operator
OPERATORS = tuple(_windrow.OPERATORS)
