# Written from the kernels' specifications; `WINDROW_BLESS=1 pytest` writes it anew.
from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Array = Any
_Mode = Literal["undefined", "replicate", "reflect", "reflect101", "wrap"]
_Constant = tuple[Literal["constant"], SupportsIndex | SupportsFloat]
_Border = _Mode | _Constant | list[_Mode | _Constant]
_Out = _Array | tuple[_Array | Literal[False] | None, ...] | None
_Region = slice | tuple[slice, ...] | None

OPERATORS: list[str]
STUB: str

def devices() -> list[str]: ...

class Device:
    def __init__(self, which: int | str | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def index(self) -> int: ...
    def upload(self, array: _Array) -> DeviceArray: ...
    def synchronize(self) -> None: ...

class DeviceArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def device(self) -> Device: ...
    def download(self, out: _Array | None = None) -> NDArray[Any]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

class Operator:
    __name__: str
    @property
    def images(self) -> list[str]: ...
    @property
    def kernels(self) -> list[dict[str, Any]]: ...
    def infer(self, *args: Any, **kwargs: Any) -> tuple[dict[str, Any], list[tuple[tuple[int, ...], np.dtype[Any]]]]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

def add(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]:
    """a + b, 8 bits.

    The types of the arrays choose the kernel:

    * `add`: u8, u8 → u8
    * `add_widening`: u8, u8 → i16
    * `add_mixed`: u8, i16 → i16
    * `add_i16`: i16, i16 → i16
    * `add_i32`: i32, i32 → i32
    * `add_f32`: f32, f32 → f32

    Parameters
    ----------
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    policy : "wrap", "saturate", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or int32 or float32
    """

def subtract(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]:
    """a − b, 8 bits.

    The types of the arrays choose the kernel:

    * `subtract`: u8, u8 → u8
    * `subtract_widening`: u8, u8 → i16
    * `subtract_mixed`: u8, i16 → i16
    * `subtract_mixed_reversed`: i16, u8 → i16
    * `subtract_i16`: i16, i16 → i16
    * `subtract_i32`: i32, i32 → i32
    * `subtract_f32`: f32, f32 → f32

    Parameters
    ----------
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    policy : "wrap", "saturate", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or int32 or float32
    """

def multiply(
    a: _Array,
    b: _Array,
    shift: SupportsIndex | None = None,
    policy: Literal["wrap", "saturate"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]:
    """a · b / 2^shift, 8 bits.

    The types of the arrays choose the kernel:

    * `multiply`: u8, u8 → u8
    * `multiply_widening`: u8, u8 → i16
    * `multiply_mixed`: u8, i16 → i16
    * `multiply_i16`: i16, i16 → i16
    * `multiply_i32`: i32, i32 → i32
    * `multiply_f32`: f32, f32 → f32

    Parameters
    ----------
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    shift : uint32 from 0 to 15, where the kernel has it
    policy : "wrap", "saturate", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or int32 or float32
    """

def abs_diff(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16]:
    """|a − b| of two 8-bit images.

    The types of the arrays choose the kernel:

    * `abs_diff`: u8, u8 → u8
    * `abs_diff_i16`: i16, i16 → i16
    * `abs_diff_mixed`: u8, i16 → i16

    Parameters
    ----------
    a : array of uint8 or array of int16
    b : array of uint8 or array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16
    """

def convolve(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    size: tuple[int, int] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16]:
    """3×3 coefficients, rows from the top; the result saturates to the output's type.

    The types of the arrays choose the kernel:

    * `convolve3x3_u8`: u8 → u8
    * `convolve3x3_i16`: u8 → i16
    * `convolve5x5_u8`: u8 → u8
    * `convolve5x5_i16`: u8 → i16
    * `convolve7x3_u8`: u8 → u8
    * `convolve7x3_i16`: u8 → i16
    * `convolve7x7_u8`: u8 → u8
    * `convolve7x7_i16`: u8 → i16
    * `convolve9x9_u8`: u8 → u8
    * `convolve9x9_i16`: u8 → i16

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1 or array of uint8, read at x = -2..=2, y = -2..=2 or array of uint8, read at x = -3..=3, y = -1..=1 or array of uint8, read at x = -3..=3, y = -3..=3 or array of uint8, read at x = -4..=4, y = -4..=4
    k : array of int16 of shape [3, 3] or array of int16 of shape [5, 5] or array of int16 of shape [3, 7] or array of int16 of shape [7, 7] or array of int16 of shape [9, 9]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    size : (columns, rows), optional
        The size of the neighbourhood, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16
    """

def convolve_any(
    src: _Array,
    k: _Array,
    scale: SupportsIndex,
    outside: Literal["constant", "replicate"],
    value: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16]:
    """Coefficients [rows, columns], of which at most 15 × 15 are read, rows from the top; the result saturates to the output's type.

    The types of the arrays choose the kernel:

    * `convolve_u8`: u8, i16 → u8
    * `convolve_i16`: u8, i16 → i16

    Parameters
    ----------
    src : array of uint8, read anywhere
    k : array of int16, read anywhere
    scale : int32 from 1 to 32768
    outside : "constant", "replicate"
    value : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16
    """

def gaussian(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    size: tuple[int, int] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """3×3 Gaussian blur with the weights `[1 2 1; 2 4 2; 1 2 1] / 16`, truncated.

    The types of the arrays choose the kernel:

    * `gaussian3x3`: u8 → u8
    * `gaussian5x5`: u8 → u8

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1 or array of uint8, read at x = -2..=2, y = -2..=2
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    size : (columns, rows), optional
        The size of the neighbourhood, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def non_linear_box(
    src: _Array,
    rank: Literal["min", "median", "max"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    size: tuple[int, int] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least, the median or the greatest of a box of 3×3 elements.

    The types of the arrays choose the kernel:

    * `non_linear_box3`: u8 → u8
    * `non_linear_box5`: u8 → u8

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1 or array of uint8, read at x = -2..=2, y = -2..=2
    rank : "min", "median", "max"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    size : (columns, rows), optional
        The size of the neighbourhood, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def non_linear_cross(
    src: _Array,
    rank: Literal["min", "median", "max"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    size: tuple[int, int] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least, the median or the greatest of a cross of 5 elements in 3×3.

    The types of the arrays choose the kernel:

    * `non_linear_cross3`: u8 → u8
    * `non_linear_cross5`: u8 → u8

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1 or array of uint8, read at x = -2..=2, y = -2..=2
    rank : "min", "median", "max"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    size : (columns, rows), optional
        The size of the neighbourhood, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convert_depth(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.int16] | NDArray[np.uint8]:
    """x · 2^shift, 8 bits to signed 16, which hold every result.

    The types of the arrays choose the kernel:

    * `convert_up`: u8 → i16
    * `convert_down`: i16 → u8

    Parameters
    ----------
    x : array of uint8 or array of int16
    shift : uint32 from 0 to 7
    policy : "wrap", "saturate", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16 or uint8
    """

def channel_extract(
    p: _Array,
    channel: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """One channel of two-channel pixels (the bytes of 4:2:2 images, luma and chroma in turn).

    The types of the arrays choose the kernel:

    * `channel_extract2`: [u8; 2] → u8
    * `channel_extract`: [u8; 3] → u8
    * `channel_extract4`: [u8; 4] → u8

    Parameters
    ----------
    p : array of uint8 with 2 channels in the last axis or array of uint8 with 3 channels in the last axis or array of uint8 with 4 channels in the last axis
    channel : uint32 from 0 to 1 or uint32 from 0 to 2 or uint32 from 0 to 3
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def channel_combine(
    image1: _Array,
    image2: _Array,
    image3: _Array | None = None,
    image4: _Array | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Two planes as two-channel pixels.

    The types of the arrays choose the kernel:

    * `channel_combine2`: u8, u8 → [u8; 2]
    * `channel_combine`: u8, u8, u8 → [u8; 3]
    * `channel_combine4`: u8, u8, u8, u8 → [u8; 4]

    Parameters
    ----------
    image1 : array of uint8
    image2 : array of uint8
    image3 : array of uint8, where the kernel has it
    image4 : array of uint8, where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 2 channels in the last axis or uint8 with 3 channels in the last axis or uint8 with 4 channels in the last axis
    """

def table_lookup(
    x: _Array,
    lut: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16]:
    """`lut[x]`, 8 bits.

    The types of the arrays choose the kernel:

    * `table_lookup`: u8 → u8
    * `table_lookup_i16`: i16 → i16

    Parameters
    ----------
    x : array of uint8 or array of int16
    lut : table of 256 uint8 or table of 65536 int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16
    """

def minimum(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]:
    """The lesser of a and b; of floats the one that is a number.

    The types of the arrays choose the kernel:

    * `minimum_u8`: u8, u8 → u8
    * `minimum_i16`: i16, i16 → i16
    * `minimum_i32`: i32, i32 → i32
    * `minimum_f32`: f32, f32 → f32

    Parameters
    ----------
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or int32 or float32
    """

def maximum(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]:
    """The greater of a and b; of floats the one that is a number.

    The types of the arrays choose the kernel:

    * `maximum_u8`: u8, u8 → u8
    * `maximum_i16`: i16, i16 → i16
    * `maximum_i32`: i32, i32 → i32
    * `maximum_f32`: f32, f32 → f32

    Parameters
    ----------
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or int32 or float32
    """

def squared_difference(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.float32] | NDArray[np.int16] | NDArray[np.int32]:
    """(a − b)² of floats.

    The types of the arrays choose the kernel:

    * `squared_difference`: f32, f32 → f32
    * `squared_difference_i16`: i16, i16 → i16
    * `squared_difference_i32`: i32, i32 → i32

    Parameters
    ----------
    a : array of float32 or array of int16 or array of int32
    b : array of float32 or array of int16 or array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32 or int16 or int32
    """

def compare(
    a: _Array,
    b: _Array,
    comparison: Literal["equal", "notequal", "greater", "greaterequal", "less", "lessequal"],
    truth: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`truth` where the comparison holds, 0 elsewhere: 255 makes masks, 1 makes truth values.

    The types of the arrays choose the kernel:

    * `compare_u8`: u8, u8 → u8
    * `compare_i16`: i16, i16 → u8
    * `compare_i32`: i32, i32 → u8
    * `compare_f32`: f32, f32 → u8

    Parameters
    ----------
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    comparison : "equal", "notequal", "greater", "greaterequal", "less", "lessequal"
    truth : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def select(
    condition: _Array,
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32]:
    """a where the condition is not 0, b elsewhere.

    The types of the arrays choose the kernel:

    * `select_u8`: u8, u8, u8 → u8
    * `select_i16`: u8, i16, i16 → i16
    * `select_i32`: u8, i32, i32 → i32
    * `select_f32`: u8, f32, f32 → f32

    Parameters
    ----------
    condition : array of uint8
    a : array of uint8 or array of int16 or array of int32 or array of float32
    b : array of uint8 or array of int16 or array of int32 or array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or int32 or float32
    """

def multiply_255(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16]:
    """a · b / 255, 8 bits, which hold every result.

    The types of the arrays choose the kernel:

    * `multiply_255`: u8, u8 → u8
    * `multiply_255_widening`: u8, u8 → i16
    * `multiply_255_mixed`: u8, i16 → i16
    * `multiply_255_i16`: i16, i16 → i16

    Parameters
    ----------
    a : array of uint8 or array of int16
    b : array of uint8 or array of int16
    policy : "wrap", "saturate", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16
    """

def multiply_scaled(
    a: _Array,
    b: _Array,
    scale: SupportsFloat | SupportsIndex,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16]:
    """a · b · scale, saturated; the product is rounded to `f32` before it is scaled, which alters no product of less than 25 bits.

    The types of the arrays choose the kernel:

    * `multiply_scaled_u8`: u8, u8 → u8
    * `multiply_scaled_i16`: i16, i16 → i16

    Parameters
    ----------
    a : array of uint8 or array of int16
    b : array of uint8 or array of int16
    scale : float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16
    """

def sobel(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    size: tuple[int, int] | None = None,
    region: _Region = None,
) -> Any | tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.

    The types of the arrays choose the kernel:

    * `sobel3x3`: u8 → i16, i16
    * `sobel5x5`: u8 → i16, i16
    * `sobel7x7`: u8 → i32, i32

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1 or array of uint8, read at x = -2..=2, y = -2..=2 or array of uint8, read at x = -3..=3, y = -3..=3
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    size : (columns, rows), optional
        The size of the neighbourhood, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    dx : array of int16 or int32
    dy : array of int16 or int32
    """

def harris_score(
    x: _Array,
    y: _Array,
    scale: SupportsFloat | SupportsIndex,
    sensitivity: SupportsFloat | SupportsIndex,
    threshold: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    size: tuple[int, int] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """det − sensitivity · trace² of the gradients' products, summed in order over a block of 3×3: 0 where not above the threshold.
    `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · 3) for Sobel gradients of size 3, 5 or 7.

    The types of the arrays choose the kernel:

    * `harris_score3`: i16, i16 → f32
    * `harris_score5`: i16, i16 → f32

    Parameters
    ----------
    x : array of int16, read at x = -1..=1, y = -1..=1 or array of int16, read at x = -2..=2, y = -2..=2
    y : array of int16, read at x = -1..=1, y = -1..=1 or array of int16, read at x = -2..=2, y = -2..=2
    scale : float32
    sensitivity : float32
    threshold : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    size : (columns, rows), optional
        The size of the neighbourhood, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def harris_score_any(
    dx: _Array,
    dy: _Array,
    block: SupportsIndex,
    scale: SupportsFloat | SupportsIndex,
    sensitivity: SupportsFloat | SupportsIndex,
    threshold: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """det − sensitivity · trace² of the gradients' products, summed in order over a block that lies inside the image: 0 where not above the
    threshold. `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · block) for Sobel gradients of size 3, 5 or 7.

    The types of the arrays choose the kernel:

    * `harris_score_i16`: i16, i16 → f32
    * `harris_score_i32`: i32, i32 → f32

    Parameters
    ----------
    dx : array of int16, read anywhere or array of int32, read anywhere
    dy : array of int16, read anywhere or array of int32, read anywhere
    block : int32 from 1 to 15
    scale : float32
    sensitivity : float32
    threshold : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def suppress(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The element where it is the greatest of 3×3, 0 elsewhere; of equal ones the last in row order is kept.

    The types of the arrays choose the kernel:

    * `suppress3x3_u8`: u8 → u8
    * `suppress3x3_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1 or array of float32, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def convert(
    x: _Array,
    shift: SupportsIndex | None = None,
    policy: Literal["wrap", "saturate"] | None = None,
    rounding: Literal["towardzero", "nearesteven"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.int16] | NDArray[np.uint16] | NDArray[np.int32] | NDArray[np.int8] | NDArray[np.uint8] | NDArray[np.float32] | NDArray[np.float16]:
    """x · 2^shift, 8 bits to signed 16, which hold every result.

    The types of the arrays choose the kernel:

    * `convert_up`: u8 → i16
    * `widen_u8_u16`: u8 → u16
    * `widen_u8_i32`: u8 → i32
    * `widen_i8_i16`: i8 → i16
    * `widen_i8_i32`: i8 → i32
    * `widen_to_i32_u16`: u16 → i32
    * `widen_to_i32_i16`: i16 → i32
    * `narrow_u8_i8`: u8 → i8
    * `narrow_i8_u8`: i8 → u8
    * `narrow_i8_u16`: i8 → u16
    * `narrow_u16_u8`: u16 → u8
    * `narrow_u16_i8`: u16 → i8
    * `narrow_u16_i16`: u16 → i16
    * `narrow_i16_i8`: i16 → i8
    * `convert_down`: i16 → u8
    * `narrow_i16_u16`: i16 → u16
    * `narrow_i32_u8`: i32 → u8
    * `narrow_i32_i8`: i32 → i8
    * `narrow_i32_u16`: i32 → u16
    * `narrow_i32_i16`: i32 → i16
    * `to_float_u8`: u8 → f32
    * `to_float_i8`: i8 → f32
    * `to_float_u16`: u16 → f32
    * `to_float_i16`: i16 → f32
    * `to_float_i32`: i32 → f32
    * `from_float_u8`: f32 → u8
    * `from_float_i8`: f32 → i8
    * `from_float_u16`: f32 → u16
    * `from_float_i16`: f32 → i16
    * `from_float_i32`: f32 → i32
    * `to_half`: f32 → f16
    * `from_half`: f16 → f32

    Parameters
    ----------
    x : array of uint8 or array of int8 or array of uint16 or array of int16 or array of int32 or array of float32 or array of float16
    shift : uint32 from 0 to 7 or uint32 from 0 to 15 or uint32 from 0 to 31, where the kernel has it
    policy : "wrap", "saturate", where the kernel has it
    rounding : "towardzero", "nearesteven", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16 or uint16 or int32 or int8 or uint8 or float32 or float16
    """

def remap_nearest(
    src: _Array,
    map_x: _Array,
    map_y: _Array,
    constant: SupportsIndex | SupportsFloat | SupportsIndex | ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The element nearest to (map_x, map_y); of two the one behind. Where there is none, the constant.

    The types of the arrays choose the kernel:

    * `remap_nearest_u8`: u8, f32, f32 → u8
    * `remap_nearest_f32`: f32, f32, f32 → f32
    * `remap_nearest3`: [u8; 3], f32, f32 → [u8; 3]

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere or array of uint8 with 3 channels in the last axis, read anywhere
    map_x : array of float32
    map_y : array of float32
    constant : uint8 or float32 or array of uint8 of shape [3]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32 or uint8 with 3 channels in the last axis
    """

def scale_bilinear(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    rounding: Literal["towardzero", "nearesteven"] | None = None,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.float32]:
    """The four elements around (x · scale + offset, y · scale + offset), by their weights; outside, each is the nearest inside. The
    place is counted from the centre of the first; `rows` and `columns` are [scale, offset].

    The types of the arrays choose the kernel:

    * `scale_bilinear_u8`: u8 → u8
    * `scale_bilinear_i16`: i16 → i16
    * `scale_bilinear_f32`: f32 → f32
    * `scale_bilinear3`: [u8; 3] → [u8; 3]
    * `scale_bilinear4`: [u8; 4] → [u8; 4]

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int16, read anywhere or array of float32, read anywhere or array of uint8 with 3 channels in the last axis, read anywhere or array of uint8 with 4 channels in the last axis, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    rounding : "towardzero", "nearesteven", where the kernel has it
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or float32 or uint8 with 3 channels in the last axis or uint8 with 4 channels in the last axis
    """

def scale_nearest(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int16] | NDArray[np.float32]:
    """The element nearest to (x · scale + offset, y · scale + offset), counted from the centre of the first; of two the one behind,
    and of those outside the nearest inside. `rows` and `columns` are [scale, offset].

    The types of the arrays choose the kernel:

    * `scale_nearest_u8`: u8 → u8
    * `scale_nearest_i16`: i16 → i16
    * `scale_nearest_f32`: f32 → f32
    * `scale_nearest3`: [u8; 3] → [u8; 3]
    * `scale_nearest4`: [u8; 4] → [u8; 4]

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int16, read anywhere or array of float32, read anywhere or array of uint8 with 3 channels in the last axis, read anywhere or array of uint8 with 4 channels in the last axis, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int16 or float32 or uint8 with 3 channels in the last axis or uint8 with 4 channels in the last axis
    """

def as_strided(
    src: _Array,
    start: SupportsIndex,
    strides: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.int32] | NDArray[np.float32]:
    """The elements from `start` on that lie `strides` elements apart along each of four dimensions, which the output's extents count;
    a place is counted modulo 2³², and zeros are what lies outside the row.

    The types of the arrays choose the kernel:

    * `as_strided_u8`: u8 → u8
    * `as_strided_i8`: i8 → i8
    * `as_strided_i32`: i32 → i32
    * `as_strided_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere or array of int32, read anywhere or array of float32, read anywhere
    start : int32
    strides : array of int32 of shape [4]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8 or int32 or float32
    """

def depth_to_space(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The channels of an element as a square of elements, row by row: each has a run of channels.

    The types of the arrays choose the kernel:

    * `depth_to_space_u8`: u8 → u8
    * `depth_to_space_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def pixel_shuffle(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The same where the squares of one channel follow each other (PyTorch's pixel shuffle; ONNX' mode CRD).

    The types of the arrays choose the kernel:

    * `pixel_shuffle_u8`: u8 → u8
    * `pixel_shuffle_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def space_to_depth(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """Squares of elements as the channels of one, row by row: the channels of each element follow each other.

    The types of the arrays choose the kernel:

    * `space_to_depth_u8`: u8 → u8
    * `space_to_depth_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def concatenate(
    first: _Array,
    second: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """Two tensors one behind the other along the middle one of three dimensions; those outside and inside it are views of others.

    The types of the arrays choose the kernel:

    * `concatenate_u8`: u8, u8 → u8
    * `concatenate_f32`: f32, f32 → f32

    Parameters
    ----------
    first : array of uint8, read anywhere or array of float32, read anywhere
    second : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def gather(
    src: _Array,
    places: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.int32] | NDArray[np.float32]:
    """The elements with these numbers along the middle one of three dimensions; those outside and inside it are views of others. A number
    from −m on counts from the end, and zeros are what there is none of.

    The types of the arrays choose the kernel:

    * `gather_u8`: u8, i32 → u8
    * `gather_i8`: i8, i32 → i8
    * `gather_i32`: i32, i32 → i32
    * `gather_f32`: f32, i32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere or array of int32, read anywhere or array of float32, read anywhere
    places : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8 or int32 or float32
    """

def gather_rows(
    table: _Array,
    rows: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The rows of a table with these numbers; a number from −rows on counts from the end, and zeros are the row that there is none of.

    The types of the arrays choose the kernel:

    * `gather_rows_u8`: u8, i32 → u8
    * `gather_rows_f32`: f32, i32 → f32

    Parameters
    ----------
    table : array of uint8, read anywhere or array of float32, read anywhere
    rows : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def pad_constant(
    src: _Array,
    before: SupportsIndex,
    behind: SupportsIndex,
    value: SupportsIndex | SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """A tensor with elements of one value before and behind it along the middle one of three dimensions; those outside and inside it are
    views of others.

    The types of the arrays choose the kernel:

    * `pad_constant_u8`: u8 → u8
    * `pad_constant_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    before : int32 from 0 to 4095
    behind : int32 from 0 to 4095
    value : uint8 or float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def min_max(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]] | tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]:
    """The least and the greatest element of an image, how often they occur, and the places of the first ones, row · width + column.

    The types of the arrays choose the kernel:

    * `min_max_u8`: u8 → u8, u8, u32, u32, i32, i32
    * `min_max_i16`: i16 → i16, i16, u32, u32, i32, i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int16, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    min : array of uint8 or int16
    max : array of uint8 or int16
    min_count : array of uint32
    max_count : array of uint32
    min_place : array of int32
    max_place : array of int32
    """

def count_nonzero(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """How many elements of a row are not 0, in each piece of 64 columns.

    The types of the arrays choose the kernel:

    * `count_nonzero_u8`: u8 → i32
    * `count_nonzero_f32`: f32 → i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def nonzero_places(
    src: _Array,
    sums: _Array,
    origin: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> Any:
    """The place [row, column] of element k of those that are not 0, row by row, plus `origin`, and the element; [−1, −1] and 0 where there
    are no more than k.

    `sums` are those of the counts of all pieces, row by row, each with the pieces before it.

    The types of the arrays choose the kernel:

    * `nonzero_places_u8`: u8, i32 → [i32; 2], u8
    * `nonzero_places_f32`: f32, i32 → [i32; 2], f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    sums : array of int32, read anywhere
    origin : array of int32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    place : array of int32 with 2 channels in the last axis
    value : array of uint8 or float32
    """

def clip(
    x: _Array,
    lower: SupportsIndex | SupportsFloat | SupportsIndex,
    upper: SupportsIndex | SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.float32]:
    """min(max(x, lower), upper); of floats, what is not a number becomes `lower`.

    The types of the arrays choose the kernel:

    * `clip_u8`: u8 → u8
    * `clip_i8`: i8 → i8
    * `clip_f32`: f32 → f32

    Parameters
    ----------
    x : array of uint8 or array of int8 or array of float32
    lower : uint8 or int8 or float32
    upper : uint8 or int8 or float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8 or float32
    """

def quantize(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.uint16] | NDArray[np.int16]:
    """x / scale rounded, plus zero, saturated; what is not a number becomes `zero`.

    The types of the arrays choose the kernel:

    * `quantize_u8`: f32 → u8
    * `quantize_i8`: f32 → i8
    * `quantize_u16`: f32 → u16
    * `quantize_i16`: f32 → i16

    Parameters
    ----------
    x : array of float32
    scale : float32
    zero : int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8 or uint16 or int16
    """

def quantize_channels(
    x: _Array,
    scale: _Array,
    zero: _Array,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """As `quantize`, with a scale and a zero for each channel.

    The types of the arrays choose the kernel:

    * `quantize_channels_u8`: f32, f32, i32 → u8
    * `quantize_channels_i8`: f32, f32, i32 → i8

    Parameters
    ----------
    x : array of float32
    scale : array of float32
    zero : array of int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def dequantize(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.

    The types of the arrays choose the kernel:

    * `dequantize_u8`: u8 → f32
    * `dequantize_i8`: i8 → f32
    * `dequantize_u16`: u16 → f32
    * `dequantize_i16`: i16 → f32
    * `dequantize_i32`: i32 → f32

    Parameters
    ----------
    x : array of uint8 or array of int8 or array of uint16 or array of int16 or array of int32
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_channels(
    x: _Array,
    scale: _Array,
    zero: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `dequantize`, with a scale and a zero for each channel.

    The types of the arrays choose the kernel:

    * `dequantize_channels_u8`: u8, f32, i32 → f32
    * `dequantize_channels_i8`: i8, f32, i32 → f32
    * `dequantize_channels_i32`: i32, f32, i32 → f32

    Parameters
    ----------
    x : array of uint8 or array of int8 or array of int32
    scale : array of float32
    zero : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def requantize(
    x: _Array,
    multiplier: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.int16]:
    """x scaled, plus zero, between two bounds.

    The types of the arrays choose the kernel:

    * `requantize_u8`: i32 → u8
    * `requantize_i8`: i32 → i8
    * `requantize_i16`: i32 → i16

    Parameters
    ----------
    x : array of int32
    multiplier : int32 from 0 to 2147483647
    shift : int32 from -31 to 30
    zero : int32
    lower : uint8 or int8 or int16
    upper : uint8 or int8 or int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8 or int16
    """

def requantize_float(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """x · scale rounded to the nearest even whole number, plus zero, saturated (ACL `GEMMLowpQuantizeDownInt32ToUint8ScaleByFloat`).

    The types of the arrays choose the kernel:

    * `requantize_float_u8`: i32 → u8
    * `requantize_float_i8`: i32 → i8

    Parameters
    ----------
    x : array of int32
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def requantize_channels(
    x: _Array,
    multiplier: _Array,
    shift: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """As `requantize`, with a multiplier and a shift for each channel: rounded twice, as TFLite's reference does.

    The types of the arrays choose the kernel:

    * `requantize_channels_u8`: i32, i32, i32 → u8
    * `requantize_channels_i8`: i32, i32, i32 → i8

    Parameters
    ----------
    x : array of int32
    multiplier : array of int32
    shift : array of int32
    zero : int32
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def requantize_channels_once(
    x: _Array,
    multiplier: _Array,
    shift: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """As `requantize_channels`, rounded once: ⌊x · multiplier · 2^(shift − 31) + ½⌋, as TFLite built with a single rounding.

    The types of the arrays choose the kernel:

    * `requantize_channels_once_u8`: i32, i32, i32 → u8
    * `requantize_channels_once_i8`: i32, i32, i32 → i8

    Parameters
    ----------
    x : array of int32
    multiplier : array of int32
    shift : array of int32
    zero : int32
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def requantize_float_channels(
    x: _Array,
    scale: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """As `requantize_float`, with a scale for each channel, between two bounds (XNNPACK's fp32 requantisation).

    `upper` holds before the rounding, as it is a whole number, and `lower` behind it. Where a product is no number, the answer is
    `upper`.

    The types of the arrays choose the kernel:

    * `requantize_float_channels_u8`: i32, f32 → u8
    * `requantize_float_channels_i8`: i32, f32 → i8

    Parameters
    ----------
    x : array of int32
    scale : array of float32
    zero : int32 from -128 to 255
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def requantize_affine(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    offset: SupportsFloat | SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """x · scale + offset rounded to the nearest even whole number, saturated, between two bounds (XNNPACK's mean of qs8).

    Product and sum are each rounded to `f32`.

    The types of the arrays choose the kernel:

    * `requantize_affine_u8`: i32 → u8
    * `requantize_affine_i8`: i32 → i8

    Parameters
    ----------
    x : array of int32
    scale : float32
    offset : float32
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def add_quantized(
    a: _Array,
    b: _Array,
    multiplier: ArrayLike,
    shift: ArrayLike,
    zero: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """The sum of two quantised tensors (TFLite `Add`). Multipliers, shifts and zeros are those of a, of b and of the sum.

    The types of the arrays choose the kernel:

    * `add_quantized_u8`: u8, u8 → u8
    * `add_quantized_i8`: i8, i8 → i8

    Parameters
    ----------
    a : array of uint8 or array of int8
    b : array of uint8 or array of int8
    multiplier : array of int32 of shape [3] from 0 to 2147483647
    shift : array of int32 of shape [3] from -31 to 0
    zero : array of int32 of shape [3] from -128 to 255
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def add_quantized_once(
    a: _Array,
    b: _Array,
    multiplier: ArrayLike,
    bias: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """⌊(bias + a · multiplier\\[0\\] + b · multiplier\\[1\\]) / 2^shift⌋ + zero, the sum modulo 2^32, between two bounds (XNNPACK `vadd` of qs8).

    `bias` holds what the zeros of a and b add, and 2^(shift − 1), which rounds halves up.

    The types of the arrays choose the kernel:

    * `add_quantized_once_u8`: u8, u8 → u8
    * `add_quantized_once_i8`: i8, i8 → i8

    Parameters
    ----------
    a : array of uint8 or array of int8
    b : array of uint8 or array of int8
    multiplier : array of int32 of shape [2] from 0 to 2097152
    bias : int32
    shift : uint32 from 0 to 31
    zero : int32 from -128 to 255
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def double_elements(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]] | tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Each element as a pair in the row above and the same pair in the row below. The outputs are the even and the odd rows of an image of
    twice the size, regrouped into pairs.

    The types of the arrays choose the kernel:

    * `double_elements_u8`: u8 → [u8; 2], [u8; 2]
    * `double_elements_f32`: f32 → [f32; 2], [f32; 2]

    Parameters
    ----------
    x : array of uint8 or array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    even : array of uint8 with 2 channels in the last axis or float32 with 2 channels in the last axis
    odd : array of uint8 with 2 channels in the last axis or float32 with 2 channels in the last axis
    """

def reduce_max(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The greatest src[o, a, i]; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.

    The types of the arrays choose the kernel:

    * `reduce_max_u8`: u8 → u8
    * `reduce_max_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def reduce_min(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The least src[o, a, i]; what is no number counts for nothing, and where there is nothing else +∞ is the least.

    The types of the arrays choose the kernel:

    * `reduce_min_u8`: u8 → u8
    * `reduce_min_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def reduce_sum_bytes(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """Σ src[o, a, i], modulo 2³²: the sums of a matrix' rows or columns, which the zeros of quantised products ask for.

    The types of the arrays choose the kernel:

    * `reduce_sum_bytes_u8`: u8 → i32
    * `reduce_sum_bytes_i8`: i8 → i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def row_argmax(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The first column whose x is greatest in a row; what is no number counts for nothing.

    The types of the arrays choose the kernel:

    * `row_argmax_u8`: u8 → i32
    * `row_argmax_f32`: f32 → i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def row_least(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The least x of a row; what is no number counts for nothing, and where there is nothing else +∞ is the least.

    The types of the arrays choose the kernel:

    * `row_least_u8`: u8 → u8
    * `row_least_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def row_greatest(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.float32]:
    """The greatest x of a row; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.

    The types of the arrays choose the kernel:

    * `row_greatest_u8`: u8 → u8
    * `row_greatest_f32`: f32 → f32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or float32
    """

def conv2d_bytes(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src − zero) · weight over the window and its channels, modulo 2³²; outside the image there is `zero`.

    The types of the arrays choose the kernel:

    * `conv2d_bytes_u8`: u8, i8, i32 → i32
    * `conv2d_bytes_i8`: i8, i8, i32 → i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    zero : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def depthwise_conv2d_bytes(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src − zero) · weight over the window, channel by channel, modulo 2³²; outside the image there is `zero`.

    The types of the arrays choose the kernel:

    * `depthwise_conv2d_bytes_u8`: u8, i8, i32 → i32
    * `depthwise_conv2d_bytes_i8`: i8, i8, i32 → i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    zero : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def dense_bytes(
    src: _Array,
    weights: _Array,
    bias: _Array,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src[n, c] − zero) · weights[c, k], modulo 2³².

    The types of the arrays choose the kernel:

    * `dense_bytes_u8`: u8, i8, i32 → i32
    * `dense_bytes_i8`: i8, i8, i32 → i32

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    zero : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def matrix_product_bytes(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """Σ a[y, k] · b[k, x] of bytes, modulo 2³². Elements outside a matrix are those at its edge.

    The types of the arrays choose the kernel:

    * `matrix_product_bytes_u8`: u8, i8 → i32
    * `matrix_product_bytes_i8`: i8, i8 → i32

    Parameters
    ----------
    a : array of uint8, read anywhere or array of int8, read anywhere
    b : array of int8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def average_pool2d_bytes(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """The mean of the elements of a window that lie inside the image, channel by channel, to the nearest whole number, halves away from
    zero, between two bounds; where none lies inside, 0 between them.

    The types of the arrays choose the kernel:

    * `average_pool2d_bytes_u8`: u8 → u8
    * `average_pool2d_bytes_i8`: i8 → i8

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def max_pool2d_bytes(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8] | NDArray[np.int8]:
    """The greatest element of a window, channel by channel, between two bounds; the least number of the type where none lies inside.

    The types of the arrays choose the kernel:

    * `max_pool2d_bytes_u8`: u8 → u8
    * `max_pool2d_bytes_i8`: i8 → i8

    Parameters
    ----------
    src : array of uint8, read anywhere or array of int8, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    lower : uint8 or int8
    upper : uint8 or int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 or int8
    """

def multiply_bytes(
    a: _Array,
    b: _Array,
    zero: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    dtype: Any = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """(a − zero₀) · (b − zero₁).

    The types of the arrays choose the kernel:

    * `multiply_bytes_u8`: u8, u8 → i32
    * `multiply_bytes_i8`: i8, i8 → i32

    Parameters
    ----------
    a : array of uint8 or array of int8
    b : array of uint8 or array of int8
    zero : array of int32 of shape [2] from -128 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    dtype : type, optional
        The type of the results, where there are kernels for several.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def abs_diff_i16(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """|a − b| of two signed 16-bit images, saturated to 32767.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def abs_diff_mixed(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """|a − b| of an 8-bit and a signed 16-bit image, saturated to 32767.

    Parameters
    ----------
    a : array of uint8
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def add_widening(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a + b of 8-bit images as 16 bits, which hold every sum.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def add_mixed(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a + b of an 8-bit and a signed 16-bit image.

    Parameters
    ----------
    a : array of uint8
    b : array of int16
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def add_i16(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a + b, signed 16 bits.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def add_i32(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """a + b, signed 32 bits.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def add_f32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a + b of floats.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def add_scaled(
    a: _Array,
    b: _Array,
    beta: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a + beta · b of floats, the product rounded first.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    beta : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def divide(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a / b of floats.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def minimum_u8(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The lesser of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def minimum_i16(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """The lesser of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def minimum_i32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The lesser of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def minimum_f32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The lesser of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def maximum_u8(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greater of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def maximum_i16(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """The greater of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def maximum_i32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The greater of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def maximum_f32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greater of a and b; of floats the one that is a number.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def multiply_widening(
    a: _Array,
    b: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b / 2^shift of 8-bit images, as signed 16 bits.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_mixed(
    a: _Array,
    b: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b / 2^shift of an 8-bit and a signed 16-bit image; rounds toward zero.

    Parameters
    ----------
    a : array of uint8
    b : array of int16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_i16(
    a: _Array,
    b: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b / 2^shift, signed 16 bits; rounds toward zero.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_255_widening(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b / 255 of 8-bit images, as signed 16 bits.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_255_mixed(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b / 255 of an 8-bit and a signed 16-bit image, which holds every result.

    Parameters
    ----------
    a : array of uint8
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_255_i16(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b / 255, signed 16 bits.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_scaled_u8(
    a: _Array,
    b: _Array,
    scale: SupportsFloat | SupportsIndex,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """a · b · scale, saturated; the product is rounded to `f32` before it is scaled, which alters no product of less than 25 bits.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    scale : float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def multiply_scaled_i16(
    a: _Array,
    b: _Array,
    scale: SupportsFloat | SupportsIndex,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a · b · scale, saturated; the product is rounded to `f32` before it is scaled, which alters no product of less than 25 bits.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    scale : float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def multiply_i32(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """a · b, signed 32 bits.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def multiply_f32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a · b of floats.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def squared_difference_i16(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """(a − b)², signed 16 bits, saturated to 32767.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def squared_difference_i32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """(a − b)², signed 32 bits, modulo 2^32.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def subtract_widening(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a − b of 8-bit images as signed 16 bits, which hold every difference.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def subtract_mixed(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a − b of an 8-bit and a signed 16-bit image.

    Parameters
    ----------
    a : array of uint8
    b : array of int16
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def subtract_mixed_reversed(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a − b of a signed 16-bit and an 8-bit image.

    Parameters
    ----------
    a : array of int16
    b : array of uint8
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def subtract_i16(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a − b, signed 16 bits.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def subtract_i32(
    a: _Array,
    b: _Array,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """a − b, signed 32 bits.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def subtract_f32(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a − b of floats.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def power(
    x: _Array,
    y: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x^y, within 1.1 units of the last place; of a negative x NaN, unless y is a whole number.

    Parameters
    ----------
    x : array of float32
    y : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def atan2(
    y: _Array,
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The angle of the point (x, y), from −π to π, within 1.6 units of the last place.

    Parameters
    ----------
    y : array of float32
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def bitwise_and(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """a & b, bit by bit.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def bitwise_not(
    a: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """!a, bit by bit.

    Parameters
    ----------
    a : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def bitwise_or(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """a | b, bit by bit.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def bitwise_xor(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """a ^ b, bit by bit.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def channel_extract2(
    p: _Array,
    channel: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """One channel of two-channel pixels (the bytes of 4:2:2 images, luma and chroma in turn).

    Parameters
    ----------
    p : array of uint8 with 2 channels in the last axis
    channel : uint32 from 0 to 1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def channel_extract4(
    p: _Array,
    channel: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """One channel of four-channel pixels.

    Parameters
    ----------
    p : array of uint8 with 4 channels in the last axis
    channel : uint32 from 0 to 3
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def channel_combine2(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Two planes as two-channel pixels.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 2 channels in the last axis
    """

def channel_combine4(
    r: _Array,
    g: _Array,
    b: _Array,
    a: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Four planes as four-channel pixels.

    Parameters
    ----------
    r : array of uint8
    g : array of uint8
    b : array of uint8
    a : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 4 channels in the last axis
    """

def unpack_uyvy(
    u_y0_v_y1: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """A group of two elements in UYVY as pairs of luma, and of chroma at full size: the outputs are planes regrouped into pairs.

    Parameters
    ----------
    u_y0_v_y1 : array of uint8 with 4 channels in the last axis
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    y : array of uint8 with 2 channels in the last axis
    u : array of uint8 with 2 channels in the last axis
    v : array of uint8 with 2 channels in the last axis
    """

def unpack_yuyv(
    y0_u_y1_v: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """A group of two elements in YUYV as pairs of luma, and of chroma at full size: the outputs are planes regrouped into pairs.

    Parameters
    ----------
    y0_u_y1_v : array of uint8 with 4 channels in the last axis
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    y : array of uint8 with 2 channels in the last axis
    u : array of uint8 with 2 channels in the last axis
    v : array of uint8 with 2 channels in the last axis
    """

def mean_of_rows(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The mean of each two rows, rounded down: chroma of 4:2:2 as that of 4:2:0.

    Parameters
    ----------
    src : array of uint8, read at x = 0..=0, y = 0..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def mean_of_quads(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The mean of 2×2 elements, rounded down: chroma of 4:4:4 as that of 4:2:0.

    Parameters
    ----------
    src : array of uint8, read at x = 0..=1, y = 0..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def rgb_to_gray(
    rgb: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """(54 r + 183 g + 19 b) / 256: the BT.709 weights in 8 bits, truncated.

    Parameters
    ----------
    rgb : array of uint8 with 3 channels in the last axis
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def rgb_to_rgbx(
    rgb: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """RGB with 255 as the fourth channel.

    Parameters
    ----------
    rgb : array of uint8 with 3 channels in the last axis
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 4 channels in the last axis
    """

def rgb_to_luma(
    p: _Array,
    space: Literal["bt601", "bt709"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Luma (the first plane of NV12 and IYUV).

    Parameters
    ----------
    p : array of uint8 with 3 channels in the last axis
    space : "bt601", "bt709"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def rgb_to_yuv(
    p: _Array,
    space: Literal["bt601", "bt709"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Luma and both chromas, a plane each (RGB to YUV4).

    Parameters
    ----------
    p : array of uint8 with 3 channels in the last axis
    space : "bt601", "bt709"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    y : array of uint8
    u : array of uint8
    v : array of uint8
    """

def yuv_to_rgb(
    y: _Array,
    u: _Array,
    v: _Array,
    space: Literal["bt601", "bt709"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Luma and both chromas at full size as RGB.

    Parameters
    ----------
    y : array of uint8
    u : array of uint8
    v : array of uint8
    space : "bt601", "bt709"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 3 channels in the last axis
    """

def compare_u8(
    a: _Array,
    b: _Array,
    comparison: Literal["equal", "notequal", "greater", "greaterequal", "less", "lessequal"],
    truth: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`truth` where the comparison holds, 0 elsewhere: 255 makes masks, 1 makes truth values.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    comparison : "equal", "notequal", "greater", "greaterequal", "less", "lessequal"
    truth : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def compare_i16(
    a: _Array,
    b: _Array,
    comparison: Literal["equal", "notequal", "greater", "greaterequal", "less", "lessequal"],
    truth: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`truth` where the comparison holds, 0 elsewhere: 255 makes masks, 1 makes truth values.

    Parameters
    ----------
    a : array of int16
    b : array of int16
    comparison : "equal", "notequal", "greater", "greaterequal", "less", "lessequal"
    truth : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def compare_i32(
    a: _Array,
    b: _Array,
    comparison: Literal["equal", "notequal", "greater", "greaterequal", "less", "lessequal"],
    truth: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`truth` where the comparison holds, 0 elsewhere: 255 makes masks, 1 makes truth values.

    Parameters
    ----------
    a : array of int32
    b : array of int32
    comparison : "equal", "notequal", "greater", "greaterequal", "less", "lessequal"
    truth : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def compare_f32(
    a: _Array,
    b: _Array,
    comparison: Literal["equal", "notequal", "greater", "greaterequal", "less", "lessequal"],
    truth: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`truth` where the comparison holds, 0 elsewhere: 255 makes masks, 1 makes truth values.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    comparison : "equal", "notequal", "greater", "greaterequal", "less", "lessequal"
    truth : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def is_nan(
    x: _Array,
    truth: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`truth` where x is not a number, 0 elsewhere.

    Parameters
    ----------
    x : array of float32
    truth : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def is_infinite(
    x: _Array,
    positive: SupportsIndex,
    negative: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`positive` where x is ∞, `negative` where it is −∞, 0 elsewhere.

    Parameters
    ----------
    x : array of float32
    positive : uint8
    negative : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def select_u8(
    condition: _Array,
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """a where the condition is not 0, b elsewhere.

    Parameters
    ----------
    condition : array of uint8
    a : array of uint8
    b : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def select_i16(
    condition: _Array,
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """a where the condition is not 0, b elsewhere.

    Parameters
    ----------
    condition : array of uint8
    a : array of int16
    b : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def select_i32(
    condition: _Array,
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """a where the condition is not 0, b elsewhere.

    Parameters
    ----------
    condition : array of uint8
    a : array of int32
    b : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def select_f32(
    condition: _Array,
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a where the condition is not 0, b elsewhere.

    Parameters
    ----------
    condition : array of uint8
    a : array of float32
    b : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def to_float_u8(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x as a float; of 32 bits the nearest one, of two the even one.

    Parameters
    ----------
    x : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def to_float_i8(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x as a float; of 32 bits the nearest one, of two the even one.

    Parameters
    ----------
    x : array of int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def to_float_u16(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x as a float; of 32 bits the nearest one, of two the even one.

    Parameters
    ----------
    x : array of uint16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def to_float_i16(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x as a float; of 32 bits the nearest one, of two the even one.

    Parameters
    ----------
    x : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def to_float_i32(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x as a float; of 32 bits the nearest one, of two the even one.

    Parameters
    ----------
    x : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def from_float_u8(
    x: _Array,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The whole number by x, saturated; what is not a number becomes 0.

    Parameters
    ----------
    x : array of float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def from_float_i8(
    x: _Array,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The whole number by x, saturated; what is not a number becomes 0.

    Parameters
    ----------
    x : array of float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def from_float_u16(
    x: _Array,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint16]:
    """The whole number by x, saturated; what is not a number becomes 0.

    Parameters
    ----------
    x : array of float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint16
    """

def from_float_i16(
    x: _Array,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """The whole number by x, saturated; what is not a number becomes 0.

    Parameters
    ----------
    x : array of float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def from_float_i32(
    x: _Array,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The whole number by x, saturated; what is not a number becomes 0.

    Parameters
    ----------
    x : array of float32
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def to_half(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float16]:
    """x as the nearest half, of two the even one; beyond the greatest it is infinity.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float16
    """

def from_half(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x as a float of 32 bits, exactly.

    Parameters
    ----------
    x : array of float16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def narrow_u8_i8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """⌊x / 2^shift⌋ of unsigned 8 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of uint8
    shift : uint32 from 0 to 7
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def narrow_i8_u8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """⌊x / 2^shift⌋ of signed 8 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of int8
    shift : uint32 from 0 to 7
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def narrow_i8_u16(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint16]:
    """⌊x / 2^shift⌋ of signed 8 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of int8
    shift : uint32 from 0 to 7
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint16
    """

def narrow_u16_u8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """⌊x / 2^shift⌋ of unsigned 16 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of uint16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def narrow_u16_i8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """⌊x / 2^shift⌋ of unsigned 16 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of uint16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def narrow_u16_i16(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """⌊x / 2^shift⌋ of unsigned 16 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of uint16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def narrow_i16_i8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """⌊x / 2^shift⌋ of signed 16 bits, then wrapped or saturated; as unsigned 8 bits it is `convert_down`.

    Parameters
    ----------
    x : array of int16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def narrow_i16_u16(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint16]:
    """⌊x / 2^shift⌋ of signed 16 bits, then wrapped or saturated; as unsigned 8 bits it is `convert_down`.

    Parameters
    ----------
    x : array of int16
    shift : uint32 from 0 to 15
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint16
    """

def narrow_i32_u8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """⌊x / 2^shift⌋ of signed 32 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of int32
    shift : uint32 from 0 to 31
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def narrow_i32_i8(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """⌊x / 2^shift⌋ of signed 32 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of int32
    shift : uint32 from 0 to 31
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def narrow_i32_u16(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint16]:
    """⌊x / 2^shift⌋ of signed 32 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of int32
    shift : uint32 from 0 to 31
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint16
    """

def narrow_i32_i16(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """⌊x / 2^shift⌋ of signed 32 bits, then wrapped or saturated.

    Parameters
    ----------
    x : array of int32
    shift : uint32 from 0 to 31
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def widen_u8_u16(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint16]:
    """x · 2^shift of unsigned 8 bits; as signed 16 bits it is `convert_up`.

    Parameters
    ----------
    x : array of uint8
    shift : uint32 from 0 to 7
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint16
    """

def widen_u8_i32(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """x · 2^shift of unsigned 8 bits; as signed 16 bits it is `convert_up`.

    Parameters
    ----------
    x : array of uint8
    shift : uint32 from 0 to 7
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def widen_i8_i16(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """x · 2^shift of signed 8 bits.

    Parameters
    ----------
    x : array of int8
    shift : uint32 from 0 to 7
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def widen_i8_i32(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """x · 2^shift of signed 8 bits.

    Parameters
    ----------
    x : array of int8
    shift : uint32 from 0 to 7
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def widen_to_i32_u16(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """x · 2^shift of 16 bits, as signed 32 bits.

    Parameters
    ----------
    x : array of uint16
    shift : uint32 from 0 to 15
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def widen_to_i32_i16(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """x · 2^shift of 16 bits, as signed 32 bits.

    Parameters
    ----------
    x : array of int16
    shift : uint32 from 0 to 15
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def fast_score(
    src: _Array,
    threshold: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greatest t for which 9 neighbours of the 16 on a circle of radius 3 are all brighter, or all darker, by more than t: 0 where
    that is less than `threshold`.

    Parameters
    ----------
    src : array of uint8, read at x = -3..=3, y = -3..=3
    threshold : int16 from 1 to 254
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def harris_score_i16(
    dx: _Array,
    dy: _Array,
    block: SupportsIndex,
    scale: SupportsFloat | SupportsIndex,
    sensitivity: SupportsFloat | SupportsIndex,
    threshold: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """det − sensitivity · trace² of the gradients' products, summed in order over a block that lies inside the image: 0 where not above the
    threshold. `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · block) for Sobel gradients of size 3, 5 or 7.

    Parameters
    ----------
    dx : array of int16, read anywhere
    dy : array of int16, read anywhere
    block : int32 from 1 to 15
    scale : float32
    sensitivity : float32
    threshold : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def harris_score_i32(
    dx: _Array,
    dy: _Array,
    block: SupportsIndex,
    scale: SupportsFloat | SupportsIndex,
    sensitivity: SupportsFloat | SupportsIndex,
    threshold: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """det − sensitivity · trace² of the gradients' products, summed in order over a block that lies inside the image: 0 where not above the
    threshold. `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · block) for Sobel gradients of size 3, 5 or 7.

    Parameters
    ----------
    dx : array of int32, read anywhere
    dy : array of int32, read anywhere
    block : int32 from 1 to 15
    scale : float32
    sensitivity : float32
    threshold : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def harris_score3(
    x: _Array,
    y: _Array,
    scale: SupportsFloat | SupportsIndex,
    sensitivity: SupportsFloat | SupportsIndex,
    threshold: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """det − sensitivity · trace² of the gradients' products, summed in order over a block of 3×3: 0 where not above the threshold.
    `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · 3) for Sobel gradients of size 3, 5 or 7.

    Parameters
    ----------
    x : array of int16, read at x = -1..=1, y = -1..=1
    y : array of int16, read at x = -1..=1, y = -1..=1
    scale : float32
    sensitivity : float32
    threshold : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def harris_score5(
    x: _Array,
    y: _Array,
    scale: SupportsFloat | SupportsIndex,
    sensitivity: SupportsFloat | SupportsIndex,
    threshold: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """det − sensitivity · trace² of the gradients' products, summed in order over a block of 5×5: 0 where not above the threshold.
    `scale` normalises the gradients: OpenVX' 1 / (2^(size − 1) · 255 · 5) for Sobel gradients of size 3, 5 or 7.

    Parameters
    ----------
    x : array of int16, read at x = -2..=2, y = -2..=2
    y : array of int16, read at x = -2..=2, y = -2..=2
    scale : float32
    sensitivity : float32
    threshold : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def suppress3x3_u8(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The element where it is the greatest of 3×3, 0 elsewhere; of equal ones the last in row order is kept.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def suppress3x3_f32(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The element where it is the greatest of 3×3, 0 elsewhere; of equal ones the last in row order is kept.

    Parameters
    ----------
    src : array of float32, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def thin_edges(
    magnitude: _Array,
    x: _Array,
    y: _Array,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """255 for an edge, 127 for what is one if it joins an edge, 0 elsewhere: what is greater than its neighbour before, and not less than
    that behind it across the edge, and above `upper`, or above `lower`.

    Parameters
    ----------
    magnitude : array of int16, read at x = -1..=1, y = -1..=1
    x : array of int16
    y : array of int16
    lower : int16
    upper : int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def thin_edges_i32(
    magnitude: _Array,
    x: _Array,
    y: _Array,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The same of gradients of 32 bits, such as those of 7×7; directions are compared in floats.

    Parameters
    ----------
    magnitude : array of int32, read at x = -1..=1, y = -1..=1
    x : array of int32
    y : array of int32
    lower : int32
    upper : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def box3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The mean of 3×3 elements, truncated.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def box_mean(
    src: _Array,
    radius: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The mean of the elements inside a box, halves up; what lies outside the image is left out.

    Parameters
    ----------
    src : array of uint8, read anywhere
    radius : array of int32 of shape [2] from 0 to 127
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve3x3_u8(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """3×3 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    k : array of int16 of shape [3, 3]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve3x3_i16(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """3×3 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    k : array of int16 of shape [3, 3]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def convolve5x5_u8(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """5×5 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    k : array of int16 of shape [5, 5]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve5x5_i16(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """5×5 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    k : array of int16 of shape [5, 5]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def convolve7x3_u8(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """7×3 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -3..=3, y = -1..=1
    k : array of int16 of shape [3, 7]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve7x3_i16(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """7×3 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -3..=3, y = -1..=1
    k : array of int16 of shape [3, 7]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def convolve_u8(
    src: _Array,
    k: _Array,
    scale: SupportsIndex,
    outside: Literal["constant", "replicate"],
    value: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Coefficients [rows, columns], of which at most 15 × 15 are read, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read anywhere
    k : array of int16, read anywhere
    scale : int32 from 1 to 32768
    outside : "constant", "replicate"
    value : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve_i16(
    src: _Array,
    k: _Array,
    scale: SupportsIndex,
    outside: Literal["constant", "replicate"],
    value: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """Coefficients [rows, columns], of which at most 15 × 15 are read, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read anywhere
    k : array of int16, read anywhere
    scale : int32 from 1 to 32768
    outside : "constant", "replicate"
    value : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def convolve7x7_u8(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """7×7 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -3..=3, y = -3..=3
    k : array of int16 of shape [7, 7]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve7x7_i16(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """7×7 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -3..=3, y = -3..=3
    k : array of int16 of shape [7, 7]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def convolve9x9_u8(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """9×9 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -4..=4, y = -4..=4
    k : array of int16 of shape [9, 9]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def convolve9x9_i16(
    src: _Array,
    k: ArrayLike,
    scale: SupportsIndex,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """9×9 coefficients, rows from the top; the result saturates to the output's type.

    Parameters
    ----------
    src : array of uint8, read at x = -4..=4, y = -4..=4
    k : array of int16 of shape [9, 9]
    scale : int32 from 1 to 32768
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def derivative(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """The difference of the right and the left neighbour, and of the lower and the upper one; not scaled.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    dx : array of int16
    dy : array of int16
    """

def dilate3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greatest of 3×3 elements.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def erode3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least of 3×3 elements.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def minimum_mask9(
    src: _Array,
    mask: ArrayLike,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least of the elements where the mask is 255; it is 0 elsewhere. Of none it is 255.

    Parameters
    ----------
    src : array of uint8, read at x = -4..=4, y = -4..=4
    mask : array of uint8 of shape [9, 9]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def maximum_mask9(
    src: _Array,
    mask: ArrayLike,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greatest of the elements where the mask is 255; it is 0 elsewhere. Of none it is 0.

    Parameters
    ----------
    src : array of uint8, read at x = -4..=4, y = -4..=4
    mask : array of uint8 of shape [9, 9]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def gaussian3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """3×3 Gaussian blur with the weights `[1 2 1; 2 4 2; 1 2 1] / 16`, truncated.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def gaussian5x5(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """5×5 Gaussian blur with the weights `[1 4 6 4 1]ᵀ[1 4 6 4 1] / 256`, truncated.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def half_scale_gaussian3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Half scale after the 3×3 Gaussian, / 16 truncated.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def half_scale_gaussian5x5(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Half scale after the 5×5 Gaussian, / 256 truncated.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def half_scale_nearest(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Half scale with no filter: the element at (2x, 2y).

    Parameters
    ----------
    x : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def median3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The fifth of 3×3 elements in order: columns sorted, then the median of (greatest low, median mid, least high).

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def median_mask5(
    src: _Array,
    mask: ArrayLike,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The median of the elements where the mask is 255, of an even number the upper one in the middle; it is 0 elsewhere. Of none it is 255.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    mask : array of uint8 of shape [5, 5]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def non_linear_box3(
    src: _Array,
    rank: Literal["min", "median", "max"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least, the median or the greatest of a box of 3×3 elements.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    rank : "min", "median", "max"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def non_linear_box5(
    src: _Array,
    rank: Literal["min", "median", "max"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least, the median or the greatest of a box of 5×5 elements.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    rank : "min", "median", "max"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def non_linear_cross3(
    src: _Array,
    rank: Literal["min", "median", "max"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least, the median or the greatest of a cross of 5 elements in 3×3.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    rank : "min", "median", "max"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def non_linear_cross5(
    src: _Array,
    rank: Literal["min", "median", "max"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least, the median or the greatest of a cross of 9 elements in 5×5.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    rank : "min", "median", "max"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def scharr3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    dx : array of int16
    dy : array of int16
    """

def sobel3x3(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.

    Parameters
    ----------
    src : array of uint8, read at x = -1..=1, y = -1..=1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    dx : array of int16
    dy : array of int16
    """

def sobel5x5(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.

    Parameters
    ----------
    src : array of uint8, read at x = -2..=2, y = -2..=2
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    dx : array of int16
    dy : array of int16
    """

def sobel7x7(
    src: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The horizontal gradient, positive to the right, and the vertical one, positive downwards; not scaled.

    Parameters
    ----------
    src : array of uint8, read at x = -3..=3, y = -3..=3
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    dx : array of int32
    dy : array of int32
    """

def upsample_gaussian5x5(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """4 · (`[1 4 6 4 1]ᵀ[1 4 6 4 1]` / 256), the quotient truncated, over the source's elements at even rows and columns, and zeros
    elsewhere. Of the source, whose edge is replicated, that is (1, 6, 1) / 16 at even places and (4, 4) / 16 between two elements.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def remap_nearest_u8(
    src: _Array,
    map_x: _Array,
    map_y: _Array,
    constant: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The element nearest to (map_x, map_y); of two the one behind. Where there is none, the constant.

    Parameters
    ----------
    src : array of uint8, read anywhere
    map_x : array of float32
    map_y : array of float32
    constant : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def remap_nearest_f32(
    src: _Array,
    map_x: _Array,
    map_y: _Array,
    constant: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The element nearest to (map_x, map_y); of two the one behind. Where there is none, the constant.

    Parameters
    ----------
    src : array of float32, read anywhere
    map_x : array of float32
    map_y : array of float32
    constant : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def remap_nearest3(
    src: _Array,
    map_x: _Array,
    map_y: _Array,
    constant: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `remap_nearest`, of interleaved pixels with three channels.

    Parameters
    ----------
    src : array of uint8 with 3 channels in the last axis, read anywhere
    map_x : array of float32
    map_y : array of float32
    constant : array of uint8 of shape [3]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 3 channels in the last axis
    """

def remap_bilinear(
    src: _Array,
    map_x: _Array,
    map_y: _Array,
    constant: SupportsIndex,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The four elements around (map_x, map_y), by their weights in `f32`, in which the constant takes part.

    Parameters
    ----------
    src : array of uint8, read anywhere
    map_x : array of float32
    map_y : array of float32
    constant : uint8
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def remap_bilinear3(
    src: _Array,
    map_x: _Array,
    map_y: _Array,
    constant: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `remap_bilinear` to the nearest even, of interleaved pixels with three channels.

    Parameters
    ----------
    src : array of uint8 with 3 channels in the last axis, read anywhere
    map_x : array of float32
    map_y : array of float32
    constant : array of uint8 of shape [3]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 3 channels in the last axis
    """

def resample(
    src: _Array,
    places: _Array,
    weights: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ src[o, places[a, t], i] · weights[a, t] along the middle one of three dimensions, t from 0 on, each product and its sum rounded once;
    what lies outside is 0.

    The dimensions outside and inside it are views of others. An image is resampled along its rows and then along its columns.

    Parameters
    ----------
    src : array of float32, read anywhere
    places : array of int32, read anywhere
    weights : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def scale_bilinear_u8(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The four elements around (x · scale + offset, y · scale + offset), by their weights; outside, each is the nearest inside. The
    place is counted from the centre of the first; `rows` and `columns` are [scale, offset].

    Parameters
    ----------
    src : array of uint8, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def scale_bilinear_i16(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    rounding: Literal["towardzero", "nearesteven"],
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """The four elements around (x · scale + offset, y · scale + offset), by their weights; outside, each is the nearest inside. The
    place is counted from the centre of the first; `rows` and `columns` are [scale, offset].

    Parameters
    ----------
    src : array of int16, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    rounding : "towardzero", "nearesteven"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def scale_bilinear_f32(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `scale_bilinear`, of floats.

    Parameters
    ----------
    src : array of float32, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def scale_bilinear3(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `scale_bilinear` to the nearest even, of interleaved pixels with three channels.

    Parameters
    ----------
    src : array of uint8 with 3 channels in the last axis, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 3 channels in the last axis
    """

def scale_bilinear4(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `scale_bilinear` to the nearest even, of interleaved pixels with four channels.

    Parameters
    ----------
    src : array of uint8 with 4 channels in the last axis, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 4 channels in the last axis
    """

def scale_nearest_u8(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The element nearest to (x · scale + offset, y · scale + offset), counted from the centre of the first; of two the one behind,
    and of those outside the nearest inside. `rows` and `columns` are [scale, offset].

    Parameters
    ----------
    src : array of uint8, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def scale_nearest_i16(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """The element nearest to (x · scale + offset, y · scale + offset), counted from the centre of the first; of two the one behind,
    and of those outside the nearest inside. `rows` and `columns` are [scale, offset].

    Parameters
    ----------
    src : array of int16, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def scale_nearest_f32(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The element nearest to (x · scale + offset, y · scale + offset), counted from the centre of the first; of two the one behind,
    and of those outside the nearest inside. `rows` and `columns` are [scale, offset].

    Parameters
    ----------
    src : array of float32, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def scale_nearest3(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `scale_nearest`, of interleaved pixels with three channels.

    Parameters
    ----------
    src : array of uint8 with 3 channels in the last axis, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 3 channels in the last axis
    """

def scale_nearest4(
    src: _Array,
    rows: ArrayLike,
    columns: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `scale_nearest`, of interleaved pixels with four channels.

    Parameters
    ----------
    src : array of uint8 with 4 channels in the last axis, read anywhere
    rows : array of float32 of shape [2]
    columns : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8 with 4 channels in the last axis
    """

def warp_bilinear(
    src: _Array,
    matrix: ArrayLike,
    constant: SupportsIndex,
    bias: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The four elements around where the matrix takes (x, y, 1), by their weights in `f32`, in which the constant takes part. To the
    sum `bias` is added before its fraction is cut off: 0.5 rounds to the nearest, of two to the greater.

    Parameters
    ----------
    src : array of uint8, read anywhere
    matrix : array of float32 of shape [3, 3]
    constant : uint8
    bias : float32 from 0.0 to 0.5
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def warp_bilinear_replicate(
    src: _Array,
    matrix: ArrayLike,
    bias: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `warp_bilinear`; where one of the four elements is missing, the nearest inside stands for it.

    Parameters
    ----------
    src : array of uint8, read anywhere
    matrix : array of float32 of shape [3, 3]
    bias : float32 from 0.0 to 0.5
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def warp_nearest(
    src: _Array,
    matrix: ArrayLike,
    constant: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The element nearest to where the matrix takes (x, y, 1); of two the one behind. Where there is none, the constant.

    Parameters
    ----------
    src : array of uint8, read anywhere
    matrix : array of float32 of shape [3, 3]
    constant : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def warp_nearest_replicate(
    src: _Array,
    matrix: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `warp_nearest`; where there is no such element, the nearest inside.

    Parameters
    ----------
    src : array of uint8, read anywhere
    matrix : array of float32 of shape [3, 3]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def warp_nearest_onto(
    src: _Array,
    out: _Array,
    matrix: ArrayLike,
    *,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `warp_nearest`; where there is no such element, the output keeps what it held.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array of uint8, which is changed
    matrix : array of float32 of shape [3, 3]
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8, the one that was given
    """

def warp_bilinear_onto(
    src: _Array,
    out: _Array,
    matrix: ArrayLike,
    bias: SupportsFloat | SupportsIndex,
    *,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `warp_bilinear`; where one of the four elements is missing, the output keeps what it held.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array of uint8, which is changed
    matrix : array of float32 of shape [3, 3]
    bias : float32 from 0.0 to 0.5
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8, the one that was given
    """

def magnitude(
    x: _Array,
    y: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """√(x² + y²) rounded to nearest, at most 32767: exact, by an integer square root.

    Parameters
    ----------
    x : array of int16
    y : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def magnitude_l1(
    x: _Array,
    y: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """|x| + |y|, at most 32767: the L1 norm (ACL `NEMagnitude`).

    Parameters
    ----------
    x : array of int16
    y : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def magnitude_i32(
    x: _Array,
    y: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """√(x² + y²) of 32 bits, to nearest even, at most 2³¹ − 1: squares, sum and root in floats.

    Parameters
    ----------
    x : array of int32
    y : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def magnitude_l1_i32(
    x: _Array,
    y: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """|x| + |y| of 32 bits, at most 2³¹ − 1.

    Parameters
    ----------
    x : array of int32
    y : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def phase(
    x: _Array,
    y: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The direction of (x, y), from the axis of x towards that of y, in 256 parts of a turn, modulo 256. It is the nearest part, but
    for three pairs in a million, which lie within 1.4e-5 parts of the middle between two: these come out as the other.

    Parameters
    ----------
    x : array of int16
    y : array of int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def batch_normalization(
    x: _Array,
    mean: _Array,
    variance: _Array,
    scale: _Array,
    shift: _Array,
    epsilon: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − mean) · (scale / √(variance + epsilon)) + shift, each operation rounded.

    Parameters
    ----------
    x : array of float32
    mean : array of float32
    variance : array of float32
    scale : array of float32
    shift : array of float32
    epsilon : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def scale_shift(
    x: _Array,
    scale: _Array,
    shift: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x · scale + shift, each operation rounded.

    Parameters
    ----------
    x : array of float32
    scale : array of float32
    shift : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def normalize_planar(
    x: _Array,
    mean: _Array,
    deviation: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − mean) / deviation, each operation rounded.

    Parameters
    ----------
    x : array of float32
    mean : array of float32
    deviation : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def bias_clip(
    x: _Array,
    bias: _Array,
    lower: SupportsFloat | SupportsIndex,
    upper: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """min(max(x + bias, lower), upper): with 0 and ∞ relu, with 0 and 6 relu6; what is not a number becomes `lower`.

    Parameters
    ----------
    x : array of float32
    bias : array of float32
    lower : float32
    upper : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def conv2d(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """bias + Σ src · weight over the window and its channels: rows, columns and channels in turn, each product and its sum rounded once.

    Parameters
    ----------
    src : array of float32, read anywhere
    weights : array of float32, read anywhere
    bias : array of float32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def conv2d_bytes_u8(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src − zero) · weight over the window and its channels, modulo 2³²; outside the image there is `zero`.

    Parameters
    ----------
    src : array of uint8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    zero : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def conv2d_bytes_i8(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src − zero) · weight over the window and its channels, modulo 2³²; outside the image there is `zero`.

    Parameters
    ----------
    src : array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    zero : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def dense(
    src: _Array,
    weights: _Array,
    bias: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """bias + Σ src[n, c] · weights[c, k], from c = 0 on, each product and its sum rounded once. Transposed weights are a permuted view.

    Parameters
    ----------
    src : array of float32, read anywhere
    weights : array of float32, read anywhere
    bias : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dense_bytes_u8(
    src: _Array,
    weights: _Array,
    bias: _Array,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src[n, c] − zero) · weights[c, k], modulo 2³².

    Parameters
    ----------
    src : array of uint8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    zero : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def dense_bytes_i8(
    src: _Array,
    weights: _Array,
    bias: _Array,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src[n, c] − zero) · weights[c, k], modulo 2³².

    Parameters
    ----------
    src : array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    zero : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def depthwise3x3(
    src: _Array,
    top: _Array,
    middle: _Array,
    bottom: _Array,
    bias: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """bias + Σ src · weight, from the upper left on, each product rounded and each sum.

    Parameters
    ----------
    src : array of float32, read at x = -1..=1, y = -1..=1
    top : array of float32 with 3 channels in the last axis
    middle : array of float32 with 3 channels in the last axis
    bottom : array of float32 with 3 channels in the last axis
    bias : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def depthwise3x3_stride2(
    src: _Array,
    top: _Array,
    middle: _Array,
    bottom: _Array,
    bias: _Array,
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `depthwise3x3`, at every second element of every second row.

    Parameters
    ----------
    src : array of float32, read at x = -1..=1, y = -1..=1
    top : array of float32 with 3 channels in the last axis
    middle : array of float32 with 3 channels in the last axis
    bottom : array of float32 with 3 channels in the last axis
    bias : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def depthwise3x3_bytes(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """As `depthwise_conv2d_bytes` of i8, with 3 × 3 weights, those of the upper left where there are more.

    Parameters
    ----------
    src : array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    pad : array of int32 of shape [4] from 0 to 255
    zero : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def depthwise_conv2d(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """bias + Σ src · weight over the window, channel by channel: rows and columns in turn, each product and its sum rounded once.

    Parameters
    ----------
    src : array of float32, read anywhere
    weights : array of float32, read anywhere
    bias : array of float32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def depthwise_conv2d_bytes_u8(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src − zero) · weight over the window, channel by channel, modulo 2³²; outside the image there is `zero`.

    Parameters
    ----------
    src : array of uint8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    zero : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def depthwise_conv2d_bytes_i8(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """bias + Σ (src − zero) · weight over the window, channel by channel, modulo 2³²; outside the image there is `zero`.

    Parameters
    ----------
    src : array of int8, read anywhere
    weights : array of int8, read anywhere
    bias : array of int32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    zero : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def double_elements_u8(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Each element as a pair in the row above and the same pair in the row below. The outputs are the even and the odd rows of an image of
    twice the size, regrouped into pairs.

    Parameters
    ----------
    x : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    even : array of uint8 with 2 channels in the last axis
    odd : array of uint8 with 2 channels in the last axis
    """

def double_elements_f32(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Each element as a pair in the row above and the same pair in the row below. The outputs are the even and the odd rows of an image of
    twice the size, regrouped into pairs.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    even : array of float32 with 2 channels in the last axis
    odd : array of float32 with 2 channels in the last axis
    """

def grid_sample_nearest(
    src: _Array,
    grid: _Array,
    corners: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The element at the nearest row and column, of two the even one; 0 outside.

    Parameters
    ----------
    src : array of float32, read anywhere
    grid : array of float32, read anywhere
    corners : int32 from 0 to 1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def grid_sample_bilinear(
    src: _Array,
    grid: _Array,
    corners: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The four elements around a place, by their weights; outside there is 0.

    Parameters
    ----------
    src : array of float32, read anywhere
    grid : array of float32, read anywhere
    corners : int32 from 0 to 1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def l2_normalize(
    x: _Array,
    squares: _Array,
    epsilon: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x / √max(squares, epsilon), each operation rounded.

    Parameters
    ----------
    x : array of float32
    squares : array of float32
    epsilon : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def local_response_norm(
    src: _Array,
    size: SupportsIndex,
    factor: SupportsFloat | SupportsIndex,
    beta: SupportsFloat | SupportsIndex,
    bias: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x / (bias + factor · Σ x²)^beta, along the middle one of three dimensions: the sum is of `size` elements, as many before the own as behind
    it, of an even size one more behind; those outside the tensor are 0. ONNX' `alpha` is `size` · factor.

    Parameters
    ----------
    src : array of float32, read anywhere
    size : int32 from 1 to 255
    factor : float32
    beta : float32
    bias : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def matrix_product(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ a[y, k] · b[k, x], from k = 0 on, each product and its sum rounded once. Elements outside a matrix are those at its edge.

    Parameters
    ----------
    a : array of float32, read anywhere
    b : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def matrix_product_half(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ a[y, k] · b[k, x] with a second matrix of halves, as `matrix_product` of the same numbers in 32 bits.

    Parameters
    ----------
    a : array of float32, read anywhere
    b : array of float16, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def matrix_product_bytes_u8(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """Σ a[y, k] · b[k, x] of bytes, modulo 2³². Elements outside a matrix are those at its edge.

    Parameters
    ----------
    a : array of uint8, read anywhere
    b : array of int8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def matrix_product_bytes_i8(
    a: _Array,
    b: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """Σ a[y, k] · b[k, x] of bytes, modulo 2³². Elements outside a matrix are those at its edge.

    Parameters
    ----------
    a : array of int8, read anywhere
    b : array of int8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def range(
    series: _Array,
    start: SupportsFloat | SupportsIndex,
    step: SupportsFloat | SupportsIndex,
    *,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """start + x · step at column x, each operation rounded. What the image held is not read.

    Parameters
    ----------
    series : array of float32, which is changed
    start : float32
    step : float32
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    series : array of float32, the one that was given
    """

def range_i32(
    series: _Array,
    start: SupportsIndex,
    step: SupportsIndex,
    *,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """start + x · step at column x, modulo 2^32. What the image held is not read.

    Parameters
    ----------
    series : array of int32, which is changed
    start : int32
    step : int32
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    series : array of int32, the one that was given
    """

def roi_align(
    src: _Array,
    boxes: _Array,
    images: _Array,
    bins: ArrayLike,
    samples: SupportsIndex,
    scale: SupportsFloat | SupportsIndex,
    offset: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The mean of `samples` times `samples` places of a bin, each taken from the four elements around it by their weights. Places beyond one
    element outside count as 0; nearer ones take the elements at the edge. `offset` is taken from each side of the box: 0.5 where elements are
    at the middles of squares.

    Parameters
    ----------
    src : array of float32, read anywhere
    boxes : array of float32, read anywhere
    images : array of int32, read anywhere
    bins : array of int32 of shape [2] from 1 to 64
    samples : int32 from 1 to 16
    scale : float32 from 0.0 to 1.0
    offset : float32 from 0.0 to 0.5
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def roi_max_pool(
    src: _Array,
    boxes: _Array,
    images: _Array,
    bins: ArrayLike,
    scale: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greatest element of a bin, whose edges are rounded outwards from those of the box, rounded to elements; 0 where none is inside.

    Parameters
    ----------
    src : array of float32, read anywhere
    boxes : array of float32, read anywhere
    images : array of int32, read anywhere
    bins : array of int32 of shape [2] from 1 to 64
    scale : float32 from 0.0 to 1.0
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def layer_norm(
    src: _Array,
    scale: _Array,
    bias: _Array,
    epsilon: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − mean) / √(variance + epsilon) · scale + bias along a row, with a scale and a bias for each column.

    Rows are the last dimension; those outside it, taken together, are the other one.

    Parameters
    ----------
    src : array of float32, read anywhere
    scale : array of float32, read anywhere
    bias : array of float32, read anywhere
    epsilon : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def instance_norm(
    src: _Array,
    scale: _Array,
    bias: _Array,
    epsilon: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The same with a scale and a bias for each row.

    A channel of an image is a row: all of its elements.

    Parameters
    ----------
    src : array of float32, read anywhere
    scale : array of float32, read anywhere
    bias : array of float32, read anywhere
    epsilon : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def rms_norm(
    src: _Array,
    scale: _Array,
    epsilon: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x / √(mean of squares + epsilon) · scale along a row, with a scale for each column.

    Parameters
    ----------
    src : array of float32, read anywhere
    scale : array of float32, read anywhere
    epsilon : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_l2_normalize(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x / √Σ x² along a row; of a row of zeros, 0.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def scale_complex(
    re_im: _Array,
    factors: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The real part times `factors[0]`, the imaginary part times `factors[1]`, which is −`factors[0]` for the conjugate.

    Parameters
    ----------
    re_im : array of float32 with 2 channels in the last axis
    factors : array of float32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32 with 2 channels in the last axis
    """

def softmax(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """exp(x − m) / Σ exp(x − m) along a row, of which m is the greatest element.

    Rows are the last dimension; those outside it, taken together, are the other one.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def log_softmax(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x − m − ln Σ exp(x − m) along a row, of which m is the greatest element.

    Rows are the last dimension; those outside it, taken together, are the other one.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def softmax_bytes(
    src: _Array,
    powers: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """exp(β · scale · (x − m)) / Σ exp(β · scale · (x − m)) along a row, of which m is the greatest element: in 256ths, less 128.

    `powers` holds the powers by m − x, in units of 2^−31: what gemmlowp's `exp_on_negative_values` gives, and 0 where TFLite
    leaves an element out; what it does not hold is 0. Sums have units of 2^−19, and wrap. A share whose quotient gemmlowp would
    shift by more than 31 bits, which C leaves undefined, is 0: it is below half a 256th. Rows are the last dimension; those outside it,
    taken together, are the other one.

    Parameters
    ----------
    src : array of int8, read anywhere
    powers : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def transposed_conv2d(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    extra: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """bias + Σ src · weight over what is added to an element: rows, columns and channels in turn, each product and its sum rounded once.

    Parameters
    ----------
    src : array of float32, read anywhere
    weights : array of float32, read anywhere
    bias : array of float32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 15
    extra : array of int32 of shape [2] from 0 to 15
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def transposed_depthwise_conv2d(
    src: _Array,
    weights: _Array,
    bias: _Array,
    stride: ArrayLike,
    dilation: ArrayLike,
    pad: ArrayLike,
    extra: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """bias + Σ src · weight over what is added to an element, channel by channel: rows and columns in turn, each product and its sum
    rounded once.

    Parameters
    ----------
    src : array of float32, read anywhere
    weights : array of float32, read anywhere
    bias : array of float32, read anywhere
    stride : array of int32 of shape [2] from 1 to 16
    dilation : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 15
    extra : array of int32 of shape [2] from 0 to 15
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def accumulate(
    x: _Array,
    acc: _Array,
    *,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """acc + x, saturated to signed 16 bits.

    Parameters
    ----------
    x : array of uint8
    acc : array of int16, which is changed
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    acc : array of int16, the one that was given
    """

def accumulate_weighted(
    x: _Array,
    alpha: SupportsFloat | SupportsIndex,
    acc: _Array,
    *,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """(1 − alpha) · acc + alpha · x in `f32`, truncated.

    Parameters
    ----------
    x : array of uint8
    alpha : float32 from 0.0 to 1.0
    acc : array of uint8, which is changed
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    acc : array of uint8, the one that was given
    """

def accumulate_squared(
    x: _Array,
    shift: SupportsIndex,
    acc: _Array,
    *,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """acc + ⌊x² / 2^shift⌋, saturated to signed 16 bits.

    Parameters
    ----------
    x : array of uint8
    shift : uint32 from 0 to 15
    acc : array of int16, which is changed
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    acc : array of int16, the one that was given
    """

def convert_up(
    x: _Array,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """x · 2^shift, 8 bits to signed 16, which hold every result.

    Parameters
    ----------
    x : array of uint8
    shift : uint32 from 0 to 7
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def convert_down(
    x: _Array,
    shift: SupportsIndex,
    policy: Literal["wrap", "saturate"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """⌊x / 2^shift⌋, signed 16 bits to 8, then wrapped or saturated.

    Parameters
    ----------
    x : array of int16
    shift : uint32 from 0 to 7
    policy : "wrap", "saturate"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def sharpen(
    src: _Array,
    blurred: _Array,
    amount: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """src + amount · (src − blurred) / 256, rounded down and saturated.

    Parameters
    ----------
    src : array of uint8
    blurred : array of uint8
    amount : int32 from 0 to 1024
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def table_lookup_i16(
    x: _Array,
    lut: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """`lut[x + 32768]`: the entry of x in a table that begins at the least 16-bit value.

    Parameters
    ----------
    x : array of int16
    lut : table of 65536 int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def threshold(
    x: _Array,
    level: SupportsIndex,
    above: SupportsIndex,
    below: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`above` where the element is greater than `level`, `below` elsewhere.

    Parameters
    ----------
    x : array of uint8
    level : uint8
    above : uint8
    below : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def threshold_range(
    x: _Array,
    lower: SupportsIndex,
    upper: SupportsIndex,
    inside: SupportsIndex,
    outside: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """`outside` where the element is greater than `upper` or less than `lower`, `inside` elsewhere.

    Parameters
    ----------
    x : array of uint8
    lower : uint8
    upper : uint8
    inside : uint8
    outside : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def threshold_i16(
    x: _Array,
    level: SupportsIndex,
    above: SupportsIndex,
    below: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `threshold`, of a signed 16-bit image.

    Parameters
    ----------
    x : array of int16
    level : int16
    above : uint8
    below : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def threshold_range_i16(
    x: _Array,
    lower: SupportsIndex,
    upper: SupportsIndex,
    inside: SupportsIndex,
    outside: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `threshold_range`, of a signed 16-bit image.

    Parameters
    ----------
    x : array of int16
    lower : int16
    upper : int16
    inside : uint8
    outside : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def weighted_average(
    a: _Array,
    b: _Array,
    alpha: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """(1 − alpha) · b + alpha · a in `f32`, truncated.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    alpha : float32 from 0.0 to 1.0
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def average_pool2d(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    count_pad: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The mean of the elements of a window, channel by channel, added row by row. With `count_pad` 1 it is the sum over the size of the window, what
    lies outside the image counting as 0; else NaN where none lies inside.

    Parameters
    ----------
    src : array of float32, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    count_pad : int32 from 0 to 1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def average_pool2d_bytes_u8(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The mean of the elements of a window that lie inside the image, channel by channel, to the nearest whole number, halves away from
    zero, between two bounds; where none lies inside, 0 between them.

    Parameters
    ----------
    src : array of uint8, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def average_pool2d_bytes_i8(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The mean of the elements of a window that lie inside the image, channel by channel, to the nearest whole number, halves away from
    zero, between two bounds; where none lies inside, 0 between them.

    Parameters
    ----------
    src : array of int8, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def l2_pool2d(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """√(Σ x² / count) over the elements of a window, channel by channel, added row by row; NaN where none lies inside.

    Parameters
    ----------
    src : array of float32, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def max_pool2d(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greatest element of a window, channel by channel; −∞ where none lies inside.

    Parameters
    ----------
    src : array of float32, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def max_pool2d_bytes_u8(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greatest element of a window, channel by channel, between two bounds; the least number of the type where none lies inside.

    Parameters
    ----------
    src : array of uint8, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def max_pool2d_bytes_i8(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The greatest element of a window, channel by channel, between two bounds; the least number of the type where none lies inside.

    Parameters
    ----------
    src : array of int8, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [4] from 0 to 255
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def pool2x2_stride2(
    src: _Array,
    pooling: Literal["max", "average", "l2"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The window of 2×2 that begins at every second element of every second row.

    Parameters
    ----------
    src : array of float32, read at x = 0..=1, y = 0..=1
    pooling : "max", "average", "l2"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def pool3x3(
    src: _Array,
    pooling: Literal["max", "average", "l2"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The window of 3×3 around each element.

    Parameters
    ----------
    src : array of float32, read at x = -1..=1, y = -1..=1
    pooling : "max", "average", "l2"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def pool3x3_stride2(
    src: _Array,
    pooling: Literal["max", "average", "l2"],
    *,
    out: _Out = None,
    border: _Border = "undefined",
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `pool3x3`, at every second element of every second row.

    Parameters
    ----------
    src : array of float32, read at x = -1..=1, y = -1..=1
    pooling : "max", "average", "l2"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    border : "undefined" or ("constant", value) or "replicate" or "reflect" or "reflect101" or "wrap", default "undefined"
        What is read outside the arrays. A list has one for each of them.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def max_pool(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greatest element of a window; −∞ where none lies inside.

    Parameters
    ----------
    src : array of float32, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [2] from 0 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def average_pool(
    src: _Array,
    window: ArrayLike,
    stride: ArrayLike,
    pad: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The mean of the elements of a window, added row by row; NaN where none lies inside.

    Parameters
    ----------
    src : array of float32, read anywhere
    window : array of int32 of shape [2] from 1 to 255
    stride : array of int32 of shape [2] from 1 to 64
    pad : array of int32 of shape [2] from 0 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def add_quantized_once_u8(
    a: _Array,
    b: _Array,
    multiplier: ArrayLike,
    bias: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """⌊(bias + a · multiplier\\[0\\] + b · multiplier\\[1\\]) / 2^shift⌋ + zero, the sum modulo 2^32, between two bounds (XNNPACK `vadd` of qs8).

    `bias` holds what the zeros of a and b add, and 2^(shift − 1), which rounds halves up.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    multiplier : array of int32 of shape [2] from 0 to 2097152
    bias : int32
    shift : uint32 from 0 to 31
    zero : int32 from -128 to 255
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def add_quantized_once_i8(
    a: _Array,
    b: _Array,
    multiplier: ArrayLike,
    bias: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """⌊(bias + a · multiplier\\[0\\] + b · multiplier\\[1\\]) / 2^shift⌋ + zero, the sum modulo 2^32, between two bounds (XNNPACK `vadd` of qs8).

    `bias` holds what the zeros of a and b add, and 2^(shift − 1), which rounds halves up.

    Parameters
    ----------
    a : array of int8
    b : array of int8
    multiplier : array of int32 of shape [2] from 0 to 2097152
    bias : int32
    shift : uint32 from 0 to 31
    zero : int32 from -128 to 255
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def dequantize_u8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.

    Parameters
    ----------
    x : array of uint8
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_i8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.

    Parameters
    ----------
    x : array of int8
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_u16(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.

    Parameters
    ----------
    x : array of uint16
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_i16(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.

    Parameters
    ----------
    x : array of int16
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_i32(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """(x − zero) · scale; the difference saturates to 32 bits, and is rounded to `f32` first.

    Parameters
    ----------
    x : array of int32
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_channels_u8(
    x: _Array,
    scale: _Array,
    zero: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `dequantize`, with a scale and a zero for each channel.

    Parameters
    ----------
    x : array of uint8
    scale : array of float32
    zero : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_channels_i8(
    x: _Array,
    scale: _Array,
    zero: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `dequantize`, with a scale and a zero for each channel.

    Parameters
    ----------
    x : array of int8
    scale : array of float32
    zero : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dequantize_channels_i32(
    x: _Array,
    scale: _Array,
    zero: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """As `dequantize`, with a scale and a zero for each channel.

    Parameters
    ----------
    x : array of int32
    scale : array of float32
    zero : array of int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dynamic_scale(
    least: _Array,
    greatest: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The range of these extremes and 0, in 255 steps; 1 where it is nothing.

    Parameters
    ----------
    least : array of float32
    greatest : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def dynamic_zero(
    least: _Array,
    scale: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The integer that stands for 0 where −128 stands for the least, or 0 where that is above 0.

    Parameters
    ----------
    least : array of float32
    scale : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def multiply_bytes_u8(
    a: _Array,
    b: _Array,
    zero: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """(a − zero₀) · (b − zero₁).

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    zero : array of int32 of shape [2] from -128 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def multiply_bytes_i8(
    a: _Array,
    b: _Array,
    zero: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """(a − zero₀) · (b − zero₁).

    Parameters
    ----------
    a : array of int8
    b : array of int8
    zero : array of int32 of shape [2] from -128 to 255
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def offset_contribution(
    product: _Array,
    columns: _Array,
    rows: _Array,
    left: SupportsIndex,
    right: SupportsIndex,
    constant: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """product + `left` · columns + `right` · rows + constant, modulo 2^32: `columns` is a row that holds the sums of the right matrix'
    columns, `rows` a column that holds the sums of the left matrix' rows.

    Parameters
    ----------
    product : array of int32
    columns : array of int32
    rows : array of int32
    left : int32
    right : int32
    constant : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def quantize_u8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """x / scale rounded, plus zero, saturated; what is not a number becomes `zero`.

    Parameters
    ----------
    x : array of float32
    scale : float32
    zero : int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def quantize_i8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """x / scale rounded, plus zero, saturated; what is not a number becomes `zero`.

    Parameters
    ----------
    x : array of float32
    scale : float32
    zero : int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def quantize_u16(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint16]:
    """x / scale rounded, plus zero, saturated; what is not a number becomes `zero`.

    Parameters
    ----------
    x : array of float32
    scale : float32
    zero : int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint16
    """

def quantize_i16(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """x / scale rounded, plus zero, saturated; what is not a number becomes `zero`.

    Parameters
    ----------
    x : array of float32
    scale : float32
    zero : int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def quantize_channels_u8(
    x: _Array,
    scale: _Array,
    zero: _Array,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `quantize`, with a scale and a zero for each channel.

    Parameters
    ----------
    x : array of float32
    scale : array of float32
    zero : array of int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def quantize_channels_i8(
    x: _Array,
    scale: _Array,
    zero: _Array,
    ties: Literal["even", "away"],
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """As `quantize`, with a scale and a zero for each channel.

    Parameters
    ----------
    x : array of float32
    scale : array of float32
    zero : array of int32
    ties : "even", "away"
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_u8(
    x: _Array,
    multiplier: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """x scaled, plus zero, between two bounds.

    Parameters
    ----------
    x : array of int32
    multiplier : int32 from 0 to 2147483647
    shift : int32 from -31 to 30
    zero : int32
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def requantize_i8(
    x: _Array,
    multiplier: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """x scaled, plus zero, between two bounds.

    Parameters
    ----------
    x : array of int32
    multiplier : int32 from 0 to 2147483647
    shift : int32 from -31 to 30
    zero : int32
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_i16(
    x: _Array,
    multiplier: SupportsIndex,
    shift: SupportsIndex,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int16]:
    """x scaled, plus zero, between two bounds.

    Parameters
    ----------
    x : array of int32
    multiplier : int32 from 0 to 2147483647
    shift : int32 from -31 to 30
    zero : int32
    lower : int16
    upper : int16
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int16
    """

def add_quantized_u8(
    a: _Array,
    b: _Array,
    multiplier: ArrayLike,
    shift: ArrayLike,
    zero: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The sum of two quantised tensors (TFLite `Add`). Multipliers, shifts and zeros are those of a, of b and of the sum.

    Parameters
    ----------
    a : array of uint8
    b : array of uint8
    multiplier : array of int32 of shape [3] from 0 to 2147483647
    shift : array of int32 of shape [3] from -31 to 0
    zero : array of int32 of shape [3] from -128 to 255
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def add_quantized_i8(
    a: _Array,
    b: _Array,
    multiplier: ArrayLike,
    shift: ArrayLike,
    zero: ArrayLike,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The sum of two quantised tensors (TFLite `Add`). Multipliers, shifts and zeros are those of a, of b and of the sum.

    Parameters
    ----------
    a : array of int8
    b : array of int8
    multiplier : array of int32 of shape [3] from 0 to 2147483647
    shift : array of int32 of shape [3] from -31 to 0
    zero : array of int32 of shape [3] from -128 to 255
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_channels_u8(
    x: _Array,
    multiplier: _Array,
    shift: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `requantize`, with a multiplier and a shift for each channel: rounded twice, as TFLite's reference does.

    Parameters
    ----------
    x : array of int32
    multiplier : array of int32
    shift : array of int32
    zero : int32
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def requantize_channels_i8(
    x: _Array,
    multiplier: _Array,
    shift: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """As `requantize`, with a multiplier and a shift for each channel: rounded twice, as TFLite's reference does.

    Parameters
    ----------
    x : array of int32
    multiplier : array of int32
    shift : array of int32
    zero : int32
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_channels_once_u8(
    x: _Array,
    multiplier: _Array,
    shift: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `requantize_channels`, rounded once: ⌊x · multiplier · 2^(shift − 31) + ½⌋, as TFLite built with a single rounding.

    Parameters
    ----------
    x : array of int32
    multiplier : array of int32
    shift : array of int32
    zero : int32
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def requantize_channels_once_i8(
    x: _Array,
    multiplier: _Array,
    shift: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """As `requantize_channels`, rounded once: ⌊x · multiplier · 2^(shift − 31) + ½⌋, as TFLite built with a single rounding.

    Parameters
    ----------
    x : array of int32
    multiplier : array of int32
    shift : array of int32
    zero : int32
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_float_u8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """x · scale rounded to the nearest even whole number, plus zero, saturated (ACL `GEMMLowpQuantizeDownInt32ToUint8ScaleByFloat`).

    Parameters
    ----------
    x : array of int32
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def requantize_float_i8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    zero: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """x · scale rounded to the nearest even whole number, plus zero, saturated (ACL `GEMMLowpQuantizeDownInt32ToUint8ScaleByFloat`).

    Parameters
    ----------
    x : array of int32
    scale : float32
    zero : int32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_float_channels_u8(
    x: _Array,
    scale: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """As `requantize_float`, with a scale for each channel, between two bounds (XNNPACK's fp32 requantisation).

    `upper` holds before the rounding, as it is a whole number, and `lower` behind it. Where a product is no number, the answer is
    `upper`.

    Parameters
    ----------
    x : array of int32
    scale : array of float32
    zero : int32 from -128 to 255
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def requantize_float_channels_i8(
    x: _Array,
    scale: _Array,
    zero: SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """As `requantize_float`, with a scale for each channel, between two bounds (XNNPACK's fp32 requantisation).

    `upper` holds before the rounding, as it is a whole number, and `lower` behind it. Where a product is no number, the answer is
    `upper`.

    Parameters
    ----------
    x : array of int32
    scale : array of float32
    zero : int32 from -128 to 255
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def requantize_affine_u8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    offset: SupportsFloat | SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """x · scale + offset rounded to the nearest even whole number, saturated, between two bounds (XNNPACK's mean of qs8).

    Product and sum are each rounded to `f32`.

    Parameters
    ----------
    x : array of int32
    scale : float32
    offset : float32
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def requantize_affine_i8(
    x: _Array,
    scale: SupportsFloat | SupportsIndex,
    offset: SupportsFloat | SupportsIndex,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """x · scale + offset rounded to the nearest even whole number, saturated, between two bounds (XNNPACK's mean of qs8).

    Product and sum are each rounded to `f32`.

    Parameters
    ----------
    x : array of int32
    scale : float32
    offset : float32
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def quantize_down(
    x: _Array,
    offset: SupportsIndex,
    factor: SupportsIndex,
    shift: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """⌊(x + offset) · factor / 2^shift⌋, the product modulo 2^32, saturated (ACL `GEMMLowpQuantizeDownInt32ToUint8Scale`).

    Parameters
    ----------
    x : array of int32
    offset : int32
    factor : int32
    shift : uint32 from 0 to 31
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def to_signed(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """x − 128.

    Parameters
    ----------
    x : array of uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def to_unsigned(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """x + 128.

    Parameters
    ----------
    x : array of int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def as_strided_u8(
    src: _Array,
    start: SupportsIndex,
    strides: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The elements from `start` on that lie `strides` elements apart along each of four dimensions, which the output's extents count;
    a place is counted modulo 2³², and zeros are what lies outside the row.

    Parameters
    ----------
    src : array of uint8, read anywhere
    start : int32
    strides : array of int32 of shape [4]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def as_strided_i8(
    src: _Array,
    start: SupportsIndex,
    strides: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The elements from `start` on that lie `strides` elements apart along each of four dimensions, which the output's extents count;
    a place is counted modulo 2³², and zeros are what lies outside the row.

    Parameters
    ----------
    src : array of int8, read anywhere
    start : int32
    strides : array of int32 of shape [4]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def as_strided_i32(
    src: _Array,
    start: SupportsIndex,
    strides: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The elements from `start` on that lie `strides` elements apart along each of four dimensions, which the output's extents count;
    a place is counted modulo 2³², and zeros are what lies outside the row.

    Parameters
    ----------
    src : array of int32, read anywhere
    start : int32
    strides : array of int32 of shape [4]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def as_strided_f32(
    src: _Array,
    start: SupportsIndex,
    strides: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The elements from `start` on that lie `strides` elements apart along each of four dimensions, which the output's extents count;
    a place is counted modulo 2³², and zeros are what lies outside the row.

    Parameters
    ----------
    src : array of float32, read anywhere
    start : int32
    strides : array of int32 of shape [4]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def depth_to_space_u8(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The channels of an element as a square of elements, row by row: each has a run of channels.

    Parameters
    ----------
    src : array of uint8, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def depth_to_space_f32(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The channels of an element as a square of elements, row by row: each has a run of channels.

    Parameters
    ----------
    src : array of float32, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def pixel_shuffle_u8(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The same where the squares of one channel follow each other (PyTorch's pixel shuffle; ONNX' mode CRD).

    Parameters
    ----------
    src : array of uint8, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def pixel_shuffle_f32(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The same where the squares of one channel follow each other (PyTorch's pixel shuffle; ONNX' mode CRD).

    Parameters
    ----------
    src : array of float32, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def space_to_depth_u8(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Squares of elements as the channels of one, row by row: the channels of each element follow each other.

    Parameters
    ----------
    src : array of uint8, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def space_to_depth_f32(
    src: _Array,
    block: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Squares of elements as the channels of one, row by row: the channels of each element follow each other.

    Parameters
    ----------
    src : array of float32, read anywhere
    block : int32 from 1 to 8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def concatenate_u8(
    first: _Array,
    second: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """Two tensors one behind the other along the middle one of three dimensions; those outside and inside it are views of others.

    Parameters
    ----------
    first : array of uint8, read anywhere
    second : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def concatenate_f32(
    first: _Array,
    second: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Two tensors one behind the other along the middle one of three dimensions; those outside and inside it are views of others.

    Parameters
    ----------
    first : array of float32, read anywhere
    second : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def gather_u8(
    src: _Array,
    places: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The elements with these numbers along the middle one of three dimensions; those outside and inside it are views of others. A number
    from −m on counts from the end, and zeros are what there is none of.

    Parameters
    ----------
    src : array of uint8, read anywhere
    places : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def gather_i8(
    src: _Array,
    places: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """The elements with these numbers along the middle one of three dimensions; those outside and inside it are views of others. A number
    from −m on counts from the end, and zeros are what there is none of.

    Parameters
    ----------
    src : array of int8, read anywhere
    places : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def gather_i32(
    src: _Array,
    places: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The elements with these numbers along the middle one of three dimensions; those outside and inside it are views of others. A number
    from −m on counts from the end, and zeros are what there is none of.

    Parameters
    ----------
    src : array of int32, read anywhere
    places : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def gather_f32(
    src: _Array,
    places: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The elements with these numbers along the middle one of three dimensions; those outside and inside it are views of others. A number
    from −m on counts from the end, and zeros are what there is none of.

    Parameters
    ----------
    src : array of float32, read anywhere
    places : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def gather_rows_u8(
    table: _Array,
    rows: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The rows of a table with these numbers; a number from −rows on counts from the end, and zeros are the row that there is none of.

    Parameters
    ----------
    table : array of uint8, read anywhere
    rows : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def gather_rows_f32(
    table: _Array,
    rows: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The rows of a table with these numbers; a number from −rows on counts from the end, and zeros are the row that there is none of.

    Parameters
    ----------
    table : array of float32, read anywhere
    rows : array of int32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def count_nonzero_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """How many elements of a row are not 0, in each piece of 64 columns.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def count_nonzero_f32(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """How many elements of a row are not 0, in each piece of 64 columns.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def nonzero_places_u8(
    src: _Array,
    sums: _Array,
    origin: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> Any:
    """The place [row, column] of element k of those that are not 0, row by row, plus `origin`, and the element; [−1, −1] and 0 where there
    are no more than k.

    `sums` are those of the counts of all pieces, row by row, each with the pieces before it.

    Parameters
    ----------
    src : array of uint8, read anywhere
    sums : array of int32, read anywhere
    origin : array of int32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    place : array of int32 with 2 channels in the last axis
    value : array of uint8
    """

def nonzero_places_f32(
    src: _Array,
    sums: _Array,
    origin: ArrayLike,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> Any:
    """The place [row, column] of element k of those that are not 0, row by row, plus `origin`, and the element; [−1, −1] and 0 where there
    are no more than k.

    `sums` are those of the counts of all pieces, row by row, each with the pieces before it.

    Parameters
    ----------
    src : array of float32, read anywhere
    sums : array of int32, read anywhere
    origin : array of int32 of shape [2]
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    place : array of int32 with 2 channels in the last axis
    value : array of float32
    """

def pad_constant_u8(
    src: _Array,
    before: SupportsIndex,
    behind: SupportsIndex,
    value: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """A tensor with elements of one value before and behind it along the middle one of three dimensions; those outside and inside it are
    views of others.

    Parameters
    ----------
    src : array of uint8, read anywhere
    before : int32 from 0 to 4095
    behind : int32 from 0 to 4095
    value : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def pad_constant_f32(
    src: _Array,
    before: SupportsIndex,
    behind: SupportsIndex,
    value: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """A tensor with elements of one value before and behind it along the middle one of three dimensions; those outside and inside it are
    views of others.

    Parameters
    ----------
    src : array of float32, read anywhere
    before : int32 from 0 to 4095
    behind : int32 from 0 to 4095
    value : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def argmax(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The first a for which src[o, a, i] is greatest, along the middle one of three dimensions; what is no number is never greater.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def argmin(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The first a for which src[o, a, i] is least, along the middle one of three dimensions; what is no number is never less.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def reduce_sum(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ src[o, a, i], from a = 0 on, each sum rounded.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reduce_mean(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ src[o, a, i] / n, from a = 0 on, each sum rounded, and the quotient.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reduce_product(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Π src[o, a, i], from a = 0 on, each product rounded.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reduce_sum_of_squares(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ src[o, a, i]², from a = 0 on, each square and its sum rounded once.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reduce_max_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greatest src[o, a, i]; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def reduce_max_f32(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greatest src[o, a, i]; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reduce_min_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least src[o, a, i]; what is no number counts for nothing, and where there is nothing else +∞ is the least.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def reduce_min_f32(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The least src[o, a, i]; what is no number counts for nothing, and where there is nothing else +∞ is the least.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reduce_sum_bytes_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """Σ src[o, a, i], modulo 2³²: the sums of a matrix' rows or columns, which the zeros of quantised products ask for.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def reduce_sum_bytes_i8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """Σ src[o, a, i], modulo 2³²: the sums of a matrix' rows or columns, which the zeros of quantised products ask for.

    Parameters
    ----------
    src : array of int8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def row_argmax_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The first column whose x is greatest in a row; what is no number counts for nothing.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def row_argmax_f32(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The first column whose x is greatest in a row; what is no number counts for nothing.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def row_sum(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ x along a row.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_mean(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ x / n along a row.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_l1(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ |x| along a row.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_sum_of_squares(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Σ x² along a row.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_l2(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """√Σ x² along a row.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_log_sum_exp(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """m + ln Σ exp(x − m) along a row, of which m is the greatest element.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_least_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The least x of a row; what is no number counts for nothing, and where there is nothing else +∞ is the least.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def row_least_f32(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The least x of a row; what is no number counts for nothing, and where there is nothing else +∞ is the least.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def row_greatest_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """The greatest x of a row; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def row_greatest_f32(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greatest x of a row; what is no number counts for nothing, and where there is nothing else −∞ is the greatest.

    Parameters
    ----------
    src : array of float32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def cumulative_sum(
    src: _Array,
    own: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """src[o, 0, i] + … + src[o, a, i] along the middle one of three dimensions, one element after the other; without the last of them where
    `own` is 0.

    From the other end it is the sum of views whose elements are in reverse order.

    Parameters
    ----------
    src : array of float32, read anywhere
    own : int32 from 0 to 1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def cumulative_sum_i32(
    src: _Array,
    own: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int32]:
    """The same sum of integers, modulo 2³².

    Parameters
    ----------
    src : array of int32, read anywhere
    own : int32 from 0 to 1
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int32
    """

def equalization(
    histogram: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """What each grey value v becomes: 255 · (c(v) − c₀) / (n − c₀), rounded, halves up, where c(v) counts the elements up to v, c₀ those of
    the least value that occurs, and n all. Where only one value occurs, each stays as it is.

    Parameters
    ----------
    histogram : array of uint32, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def min_max_u8(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]:
    """The least and the greatest element of an image, how often they occur, and the places of the first ones, row · width + column.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    min : array of uint8
    max : array of uint8
    min_count : array of uint32
    max_count : array of uint32
    min_place : array of int32
    max_place : array of int32
    """

def min_max_i16(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]:
    """The least and the greatest element of an image, how often they occur, and the places of the first ones, row · width + column.

    Parameters
    ----------
    src : array of int16, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    min : array of int16
    max : array of int16
    min_count : array of uint32
    max_count : array of uint32
    min_place : array of int32
    max_place : array of int32
    """

def histogram(
    src: _Array,
    bins: SupportsIndex,
    offset: SupportsIndex,
    range: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint32]:
    """How many elements lie in each of `bins` bins, which part the values from `offset` to `offset + range − 1`: ⌊(x − offset) · bins / range⌋.

    Other values are not counted. Counts are modulo 2³².

    Parameters
    ----------
    src : array of uint8, read anywhere
    bins : int32 from 1 to 256
    offset : int32 from 0 to 255
    range : int32 from 1 to 256
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint32
    """

def integral_image(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.uint32]:
    """Σ of the elements in the rows up to y and the columns up to x, both included, modulo 2³².

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint32
    """

def integral_squares(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> NDArray[np.int64]:
    """The same sum of their squares, modulo 2⁶⁴.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int64
    """

def mean_std_dev(
    src: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    shape: tuple[int, ...] | None = None,
    region: _Region = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Σ x / n and √(Σ (x − mean)² / n) of the n elements of an image: sums of rows, and of these sums, in lanes.

    Parameters
    ----------
    src : array of uint8, read anywhere
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    shape : tuple of int, optional
        The shape of the results: no array that is read says it.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    mean : array of float32
    deviation : array of float32
    """

def clip_u8(
    x: _Array,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.uint8]:
    """min(max(x, lower), upper); of floats, what is not a number becomes `lower`.

    Parameters
    ----------
    x : array of uint8
    lower : uint8
    upper : uint8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of uint8
    """

def clip_i8(
    x: _Array,
    lower: SupportsIndex,
    upper: SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.int8]:
    """min(max(x, lower), upper); of floats, what is not a number becomes `lower`.

    Parameters
    ----------
    x : array of int8
    lower : int8
    upper : int8
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of int8
    """

def clip_f32(
    x: _Array,
    lower: SupportsFloat | SupportsIndex,
    upper: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """min(max(x, lower), upper); of floats, what is not a number becomes `lower`.

    Parameters
    ----------
    x : array of float32
    lower : float32
    upper : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def elu(
    x: _Array,
    alpha: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x where it is not negative, alpha · (e^x − 1) elsewhere: of an alpha of 1 within 4.2 units of the last place.

    Parameters
    ----------
    x : array of float32
    alpha : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def selu(
    x: _Array,
    alpha: SupportsFloat | SupportsIndex,
    gamma: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """gamma · x where x is not negative, gamma · alpha · (e^x − 1) elsewhere: of ONNX' own two within 5.2 units of the last place.

    Parameters
    ----------
    x : array of float32
    alpha : float32
    gamma : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def celu(
    x: _Array,
    alpha: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x where it is not negative, alpha · (e^(x / alpha) − 1) elsewhere, alpha being above 0: of 1 within 4.2 units of the last place.

    Parameters
    ----------
    x : array of float32
    alpha : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def gelu(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x · (1 + erf(x / √2)) / 2, within 1.5 units of the last place of x.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def gelu_tanh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))) / 2, within 2.2 units of the last place of x.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def hard_sigmoid(
    x: _Array,
    alpha: SupportsFloat | SupportsIndex,
    beta: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """alpha · x + beta, brought into [0, 1]; what is not a number gives 0.

    Parameters
    ----------
    x : array of float32
    alpha : float32
    beta : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def hard_swish(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x · min(max(x / 6 + 1/2, 0), 1).

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def leaky_relu(
    x: _Array,
    slope: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x where it is not negative, slope · x elsewhere.

    Parameters
    ----------
    x : array of float32
    slope : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def prelu(
    x: _Array,
    slope: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x where it is not negative, slope · x elsewhere, with a slope for each element, row, column or plane.

    Parameters
    ----------
    x : array of float32
    slope : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def linear(
    x: _Array,
    a: SupportsFloat | SupportsIndex,
    b: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """a · x + b, the product rounded first.

    Parameters
    ----------
    x : array of float32
    a : float32
    b : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def pack_channels(
    a: _Array,
    b: _Array,
    c: _Array,
    d: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """Four channels' planes as one plane of pixels.

    Parameters
    ----------
    a : array of float32
    b : array of float32
    c : array of float32
    d : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32 with 4 channels in the last axis
    """

def unpack_channels(
    pixel: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> Any:
    """One plane of pixels as four channels' planes; the last plane of a tensor has fewer.

    Parameters
    ----------
    pixel : array of float32 with 4 channels in the last axis
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    a : array of float32
    b : array of float32
    c : array of float32
    d : array of float32
    """

def relu(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """max(x, 0).

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def bounded_relu(
    x: _Array,
    upper: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """min(max(x, 0), upper).

    Parameters
    ----------
    x : array of float32
    upper : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def shrink(
    x: _Array,
    level: SupportsFloat | SupportsIndex,
    bias: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x brought nearer to zero by `bias` where its magnitude is above `level`, 0 elsewhere.

    Parameters
    ----------
    x : array of float32
    level : float32
    bias : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def soft_sign(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x / (1 + |x|).

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def thresholded_relu(
    x: _Array,
    level: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x where it is above `level`, 0 elsewhere.

    Parameters
    ----------
    x : array of float32
    level : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def sigmoid(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """1 / (1 + e^−x), within 2.5 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def swish(
    x: _Array,
    alpha: SupportsFloat | SupportsIndex,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x / (1 + e^(−alpha·x)), which with an alpha of 1 is SiLU, and then within 3.5 units of the last place down to −87.

    Parameters
    ----------
    x : array of float32
    alpha : float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def log_sigmoid(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The natural logarithm of 1 / (1 + e^−x), within 2.1 units of the last place: of large numbers as good as elsewhere.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def softplus(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The natural logarithm of 1 + e^x, within 2.1 units of the last place: of large negative numbers as good as elsewhere.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def mish(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x · tanh(softplus(x)), within 4 units of the last place down to −87.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def asinh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The number of which x is the hyperbolic sine, within 2.3 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def acosh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The number of which x is the hyperbolic cosine, not negative, within 3.1 units of the last place; NaN below 1.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def atanh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The number of which x is the hyperbolic tangent, within 2.8 units of the last place; of ±1 it is ±∞, and NaN beyond.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def erf(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """2/√π times the integral of e^−t² from 0 to x, within 1.8 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def exp(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """e^x, within 1.1 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def exp2(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """2^x, within 1 unit of the last place; exact where x is a whole number.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def expm1(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """e^x − 1, within 4.2 units of the last place: near zero as good as elsewhere.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def log(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The natural logarithm, within 1.1 units of the last place; of 0 it is −∞, and of a negative number NaN.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def log2(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The logarithm to the base 2, within 1.1 units of the last place; exact of powers of two.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def log1p(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The natural logarithm of 1 + x, within 1.8 units of the last place: near zero as good as elsewhere.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def sinh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The hyperbolic sine, within 3.8 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def cosh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The hyperbolic cosine, within 2.4 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def tanh(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The hyperbolic tangent, within 2.6 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def absolute(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """|x|.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def negate(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """−x.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def sign(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """−1, 0 or 1: the sign of x, which of either zero is the zero itself, and of what is not a number is that.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def square(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """x².

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def sqrt(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """√x, correctly rounded.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reciprocal_sqrt(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """1 / √x, rounded after each of the two operations.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def reciprocal(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """1 / x, correctly rounded.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def floor(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The greatest whole number that is not above x.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def ceil(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The least whole number that is not below x.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def round(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The nearest whole number; of two equally near the even one.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def sin(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The sine, within 1.5 units of the last place at every angle.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def cos(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The cosine, within 1.5 units of the last place at every angle.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def tan(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The tangent, within 3.2 units of the last place at every angle: the sine by the cosine.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def asin(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The arc sine, from −π/2 to π/2, within 2.6 units of the last place; NaN beyond −1 and 1.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def acos(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The arc cosine, from 0 to π, within 2.4 units of the last place; NaN beyond −1 and 1.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

def atan(
    x: _Array,
    *,
    out: _Out = None,
    threads: int | None = None,
    region: _Region = None,
) -> NDArray[np.float32]:
    """The arc tangent, from −π/2 to π/2, within 1.3 units of the last place.

    Parameters
    ----------
    x : array of float32
    out : array or tuple of arrays, optional
        Where the results go. In a tuple, `None` stands for a new array, and `False` leaves out an output
        that is optional.
    threads : int, optional
        Threads that share the work; as many as there are cores by default.
    region : slice or tuple of slices, optional
        The part of the results to compute, in whole steps of the kernel. The rest of a new array is 0.

    Returns
    -------
    out : array of float32
    """

class NodeArg:
    """An input or an output of a network."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def type(self) -> str: ...

class Session:
    """A network that is planned once and runs many times: a file of ONNX or TFLite, the bytes of one, or the folder of a plan."""

    def __init__(
        self,
        path_or_bytes: str | PathLike[str] | bytes,
        *,
        threads: int | None = None,
        shapes: dict[str, Sequence[int]] | None = None,
        requantization: Literal["integer", "float"] | None = None,
        device: Device | None = None,
    ) -> None: ...
    def get_inputs(self) -> list[NodeArg]: ...
    def get_outputs(self) -> list[NodeArg]: ...
    def run(self, output_names: Sequence[str] | None, input_feed: dict[str, _Array]) -> list[NDArray[Any]]: ...
