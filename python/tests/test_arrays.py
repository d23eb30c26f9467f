"""Arrays of every layout, lent by every protocol, give what a contiguous copy gives."""

import array

import numpy as np
import pytest
import windrow


def blur(image, **options):
    return windrow.gaussian3x3(image, border="replicate", **options)


LAYOUTS = {
    "contiguous": lambda a: a,
    "rows of a larger image": lambda a: a[5:50, 7:100],
    "upside down": lambda a: a[::-1],
    "mirrored": lambda a: a[:, ::-1],
    "every third column": lambda a: a[:, ::3],
    "every second row, backwards": lambda a: a[::-2],
    "transposed": lambda a: a.T,
    "columns first in memory": np.asfortranarray,
    "one row for all": lambda a: np.broadcast_to(a[3], a.shape),
    "one element for all": lambda a: np.broadcast_to(a[3, 4], a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_strides_are_read_where_they_lie(photo, layout):
    image = LAYOUTS[layout](photo)
    assert np.array_equal(blur(image), blur(np.ascontiguousarray(image)))


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if not name.startswith("one ")])
def test_strides_are_written_where_they_lie(photo, layout):
    target = LAYOUTS[layout](np.zeros_like(photo))
    image = np.ascontiguousarray(LAYOUTS[layout](photo))
    assert blur(image, out=target) is target
    assert np.array_equal(target, blur(image))


def test_what_lies_around_a_region_stays(photo):
    target = np.full_like(photo, 99)
    blur(photo[10:20, 30:60], out=target[10:20, 30:60])
    expected = np.full_like(photo, 99)
    expected[10:20, 30:60] = blur(photo[10:20, 30:60])
    assert np.array_equal(target, expected)


def test_read_only_arrays_are_read(photo):
    expected = blur(photo)
    photo.flags.writeable = False
    assert np.array_equal(blur(photo), expected)
    assert np.array_equal(blur(memoryview(photo.tobytes()).cast("B", photo.shape)), expected)


def test_read_only_arrays_are_not_written(photo):
    target = np.zeros_like(photo)
    target.flags.writeable = False
    with pytest.raises(ValueError, match="the output `out` is read-only"):
        blur(photo, out=target)
    with pytest.raises(ValueError, match="the output `out` is read-only"):
        blur(photo[:1, :5], out=memoryview(b"12345").cast("B", (1, 5)))


class Exported:
    """Nothing but DLPack's two methods, as another library's tensor has them."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Elsewhere(Exported):
    def __dlpack_device__(self):
        return (2, 0)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float32"])
@pytest.mark.parametrize("layout", [name for name in LAYOUTS if not name.startswith("one ")])
def test_dlpack_lends_what_the_buffer_lends(photo, layout, dtype):
    image = LAYOUTS[layout](photo).astype(dtype)
    assert np.array_equal(windrow.minimum(Exported(image), Exported(image)), image)


def test_dlpack_can_be_written(photo):
    target = np.zeros_like(photo)
    given = Exported(target[::2])
    assert windrow.gaussian3x3(Exported(photo[::2]), border="wrap", out=given) is given
    assert np.array_equal(target[::2], windrow.gaussian3x3(photo[::2], border="wrap"))


def test_dlpack_of_a_device_is_refused(photo):
    with pytest.raises(TypeError, match=r"`src` lies on a device \(DLPack's type 2\)"):
        blur(Elsewhere(photo))


def test_other_buffers_are_images():
    row = array.array("f", [1.5, -2.5, 0.25])
    assert windrow.absolute(row).tolist() == [1.5, 2.5, 0.25]
    assert windrow.table_lookup(b"\x00\x02", bytes(range(255, -1, -1))).tolist() == [255, 253]


def test_pixels_are_a_last_axis(rng):
    pixels = rng.integers(0, 256, (9, 20, 3), dtype=np.uint8)
    r, g, b = np.moveaxis(pixels.astype(np.int32), -1, 0)
    assert np.array_equal(windrow.rgb_to_gray(pixels), (54 * r + 183 * g + 19 * b) >> 8)
    assert np.array_equal(windrow.rgb_to_gray(pixels[::-1, ::2]), windrow.rgb_to_gray(pixels[::-1, ::2].copy()))
    with pytest.raises(ValueError, match=r"channels of `.*` must lie side by side: its last axis has a stride of -1 bytes"):
        windrow.rgb_to_gray(pixels[..., ::-1])
    with pytest.raises(TypeError, match=r"has the shape 9×20, expected a last axis of 3 channels"):
        windrow.rgb_to_gray(pixels[..., 0])


def test_families_take_pixels_of_their_members(rng):
    for channels in (2, 3, 4):
        pixels = rng.integers(0, 256, (5, 7, channels), dtype=np.uint8)
        found = windrow.channel_extract(pixels, channel=1)
        assert np.array_equal(found, pixels[..., 1])
        planes = [np.ascontiguousarray(pixels[..., channel]) for channel in range(channels)]
        assert np.array_equal(windrow.channel_combine(*planes), pixels)


def test_stacks_are_computed_plane_by_plane(rng):
    stack = rng.integers(0, 256, (2, 3, 11, 40), dtype=np.uint8)
    found = blur(stack)
    for index in np.ndindex(2, 3):
        assert np.array_equal(found[index], blur(stack[index]))


def test_arrays_are_broadcast(rng):
    image = rng.integers(0, 100, (5, 30), dtype=np.uint8)
    row, column = image[:1].copy(), image[:, :1].copy()
    assert np.array_equal(windrow.minimum(image, row), np.minimum(image, row))
    assert np.array_equal(windrow.minimum(image, column), np.minimum(image, column))


def test_memory_is_released_after_a_run(photo):
    buffer = bytearray(photo.tobytes())
    windrow.gaussian3x3(memoryview(buffer).cast("B", photo.shape))
    buffer.append(0)  # A buffer that is lent can't be resized.


def test_arrays_that_are_not_numbers_are_refused():
    with pytest.raises(TypeError, match="`src` is of type list, expected an array"):
        blur([[1, 2], [3, 4]])
    with pytest.raises(TypeError, match="`src` holds elements of the format `Zd`"):
        blur(np.zeros((3, 3), complex))
    with pytest.raises(TypeError, match="`src` holds elements of the format `>H`"):
        blur(np.zeros((3, 3), ">u2"))
    with pytest.raises(TypeError, match="`src` holds f64, expected u8"):
        blur(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="`src` is empty: its shape is "):
        blur(np.zeros((0, 3), np.uint8))
    with pytest.raises(ValueError, match="`src`: .*dimensions"):
        blur(np.zeros((1,) * 7, np.uint8))
