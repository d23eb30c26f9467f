"""What OpenCV and SciPy compute, where their definitions are windrow's."""

import cv2
import numpy as np
import pytest
import scipy.ndimage as ndi
import windrow

BORDERS = {
    "replicate": (cv2.BORDER_REPLICATE, "nearest"),
    "reflect": (cv2.BORDER_REFLECT, "reflect"),
    "reflect101": (cv2.BORDER_REFLECT_101, "mirror"),
    "wrap": (cv2.BORDER_WRAP, "wrap"),
    "constant": (cv2.BORDER_CONSTANT, "constant"),
}


def border_of(name):
    return ("constant", 0) if name == "constant" else name


@pytest.mark.parametrize("name", BORDERS)
def test_medians_and_extrema_are_scipys(photo, name):
    mode = BORDERS[name][1]
    border = border_of(name)
    assert np.array_equal(windrow.median3x3(photo, border=border), ndi.median_filter(photo, 3, mode=mode))
    assert np.array_equal(windrow.dilate3x3(photo, border=border), ndi.maximum_filter(photo, 3, mode=mode))
    assert np.array_equal(windrow.erode3x3(photo, border=border), ndi.minimum_filter(photo, 3, mode=mode))


@pytest.mark.parametrize("name", BORDERS)
def test_convolutions_are_scipys(photo, rng, name):
    kernel = rng.integers(-9, 10, (5, 5))
    expected = ndi.convolve(photo.astype(np.int32), kernel, mode=BORDERS[name][1])
    expected = np.clip(np.fix(expected / 7), -32768, 32767).astype(np.int16)
    assert np.array_equal(windrow.convolve5x5_i16(photo, kernel, 7, border=border_of(name)), expected)


@pytest.mark.parametrize("name", [name for name in BORDERS if name != "wrap"])
def test_sobels_are_opencvs(photo, name):
    dx, dy = windrow.sobel3x3(photo, border=border_of(name))
    assert np.array_equal(dx, cv2.Sobel(photo, cv2.CV_16S, 1, 0, ksize=3, borderType=BORDERS[name][0]))
    assert np.array_equal(dy, cv2.Sobel(photo, cv2.CV_16S, 0, 1, ksize=3, borderType=BORDERS[name][0]))
    dx, dy = windrow.scharr3x3(photo, border=border_of(name))
    assert np.array_equal(dx, cv2.Scharr(photo, cv2.CV_16S, 1, 0, borderType=BORDERS[name][0]))
    assert np.array_equal(dy, cv2.Scharr(photo, cv2.CV_16S, 0, 1, borderType=BORDERS[name][0]))


@pytest.mark.parametrize("name", ["replicate", "reflect101"])
def test_spatial_gradients_are_opencvs(photo, name):
    """OpenCV has these borders alone."""
    expected = cv2.spatialGradient(photo, ksize=3, borderType=BORDERS[name][0])
    assert all(map(np.array_equal, windrow.sobel3x3(photo, border=name), expected))


def test_medians_are_opencvs(photo):
    assert np.array_equal(windrow.median3x3(photo, border="replicate"), cv2.medianBlur(photo, 3))


@pytest.mark.parametrize("name", [name for name in BORDERS if name != "wrap"])
def test_morphology_is_opencvs(photo, name):
    box, border = np.ones((3, 3), np.uint8), border_of(name)
    options = {"borderType": BORDERS[name][0], "borderValue": 0}
    assert np.array_equal(windrow.dilate3x3(photo, border=border), cv2.dilate(photo, box, **options))
    assert np.array_equal(windrow.erode3x3(photo, border=border), cv2.erode(photo, box, **options))


def test_gaussians_are_within_one_of_opencvs(photo):
    """OpenCV rounds the sum where windrow, as OpenVX, truncates it."""
    for size in (3, 5):
        found = windrow.gaussian(photo, size=(size, size), border="reflect101").astype(int)
        expected = cv2.GaussianBlur(photo, (size, size), 0).astype(int)
        assert set(np.unique(expected - found)) <= {0, 1}


def test_arithmetic_is_opencvs(rng):
    a, b = rng.integers(0, 256, (2, 50, 70), dtype=np.uint8)
    assert np.array_equal(windrow.add(a, b, policy="saturate", dtype="uint8"), cv2.add(a, b))
    assert np.array_equal(windrow.subtract(a, b, policy="saturate", dtype="uint8"), cv2.subtract(a, b))
    assert np.array_equal(windrow.abs_diff(a, b), cv2.absdiff(a, b))
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        assert np.array_equal(getattr(windrow, name)(a, b), getattr(cv2, name)(a, b)), name
    assert np.array_equal(windrow.bitwise_not(a), cv2.bitwise_not(a))
    table = rng.integers(0, 256, 256, dtype=np.uint8)
    assert np.array_equal(windrow.table_lookup(a, table), cv2.LUT(a, table))
    assert np.array_equal(windrow.threshold(a, 90, 255, 0), cv2.threshold(a, 90, 255, cv2.THRESH_BINARY)[1])
    assert np.array_equal(windrow.threshold_range(a, 50, 200, 255, 0), cv2.inRange(a, 50, 200))


def test_channels_are_opencvs(rng):
    for count in (2, 3, 4):
        pixels = rng.integers(0, 256, (50, 70, count), dtype=np.uint8)
        planes = cv2.split(pixels)
        for channel, plane in enumerate(planes):
            assert np.array_equal(windrow.channel_extract(pixels, channel), plane)
        assert np.array_equal(windrow.channel_combine(*planes), cv2.merge(planes))


@pytest.mark.parametrize(("bins", "offset", "range"), [(256, 0, 256), (16, 0, 256), (7, 10, 200), (50, 17, 239)])
def test_histograms_are_opencvs(photo, bins, offset, range):
    expected = cv2.calcHist([photo], [0], None, [bins], [offset, offset + range])
    assert np.array_equal(windrow.histogram(photo, bins, offset, range), expected.ravel())


def test_floats_are_numpys(rng):
    a, b = rng.standard_normal((2, 9, 100)).astype(np.float32)
    assert np.array_equal(windrow.add(a, b), a + b)
    assert np.array_equal(windrow.divide(a, b), a / b)
    assert np.array_equal(windrow.sqrt(np.abs(a)), np.sqrt(np.abs(a)))
    assert np.array_equal(windrow.floor(a), np.floor(a))
    np.testing.assert_array_max_ulp(windrow.exp(a), np.exp(a.astype(np.float64)).astype(np.float32), 2)
