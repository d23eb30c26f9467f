"""OpenCV's functions beside the operators of the photo: one run and its nanoseconds for each line that is read."""

import sys
import time

import cv2
import numpy as np

height, width = (int(extent) for extent in sys.argv[1:])
photograph = np.frombuffer(sys.stdin.buffer.read(height * width * 3), np.uint8).reshape(height, width, 3)
BORDER = cv2.BORDER_REPLICATE
SQUARE = np.ones((3, 3), np.uint8)
SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)
CURVE = np.arange(256, dtype=np.uint8)[::-1].copy()

gray = cv2.cvtColor(photograph, cv2.COLOR_RGB2GRAY)
blurred = cv2.GaussianBlur(gray, (5, 5), 0, borderType=BORDER)
detail = cv2.subtract(gray, blurred, dtype=cv2.CV_16S)
edges = cv2.threshold(gray, 128, 255, cv2.THRESH_BINARY)[1]
out, half, colours = np.empty_like(gray), np.empty((-(-height // 2), -(-width // 2)), np.uint8), np.empty_like(photograph)
dx, dy = np.empty_like(detail), np.empty_like(detail)


def look_up():
    cv2.LUT(gray, CURVE, out)


RUNS = {
    "rgb_to_gray": lambda: cv2.cvtColor(photograph, cv2.COLOR_RGB2GRAY, out),
    "gaussian3x3": lambda: cv2.GaussianBlur(gray, (3, 3), 0, out, borderType=BORDER),
    "gaussian5x5": lambda: cv2.GaussianBlur(gray, (5, 5), 0, out, borderType=BORDER),
    "median3x3": lambda: cv2.medianBlur(gray, 3, out),
    "sobel3x3": lambda: cv2.spatialGradient(gray, dx, dy, 3, BORDER),
    "threshold": lambda: cv2.threshold(gray, 72, 255, cv2.THRESH_BINARY, out),
    "dilate3x3": lambda: cv2.dilate(edges, SQUARE, out, borderType=BORDER),
    "erode3x3": lambda: cv2.erode(edges, SQUARE, out, borderType=BORDER),
    "convolve3x3": lambda: cv2.filter2D(gray, cv2.CV_8U, SHARPEN, out, borderType=BORDER),
    "abs_diff": lambda: cv2.absdiff(gray, blurred, out),
    "subtract_widening": lambda: cv2.subtract(gray, blurred, dx, dtype=cv2.CV_16S),
    "add_mixed": lambda: cv2.add(gray, detail, dx, dtype=cv2.CV_16S),
    "half_scale_gaussian5x5": lambda: cv2.pyrDown(gray, half, borderType=BORDER),
    "table_lookup (red)": look_up,
    "table_lookup (blue)": look_up,
    "channel_combine": lambda: cv2.merge([gray, blurred, edges], colours),
}


def answer(*words):
    print(*words, sep="\t", flush=True)


answer(cv2.__version__, *RUNS)
for line in sys.stdin:
    name, threads = line.rstrip("\n").split("\t")
    cv2.setNumThreads(int(threads))
    start = time.perf_counter_ns()
    RUNS[name]()
    answer(time.perf_counter_ns() - start)
