"""Writes the same operators in Halide, compiled ahead of time for OpenCL, as one shared library that travels.

    halide_peers.py OUT

A work-item computes `width` × `rows` elements, vectorised along the row and unrolled down the rows; each operator is
compiled in every such schedule, for three shapes of work-groups. Inputs have a halo, so that Halide need not think of borders.
"""

import subprocess
import sys
from pathlib import Path

import halide as hl

SCHEDULES = [(width, rows, tile) for width in (4, 8) for rows in (1, 4, 8) for tile in ((32, 4), (64, 2), (128, 1))]
TARGET = "x86-64-linux-avx2-opencl"
x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")


def u16(e):
    return hl.cast(hl.UInt(16), e)


def i16(e):
    return hl.cast(hl.Int(16), e)


def u8(e):
    return hl.cast(hl.UInt(8), e)


def plane(element=hl.UInt(8)):
    return hl.ImageParam(element, 2, "src")


def separable(weights, shift):
    """Σ weights ⊗ weights, rows first, shifted right."""
    src, row, out = plane(), hl.Func("row"), hl.Func("out")
    half = len(weights) // 2
    taps = list(zip(range(-half, half + 1), weights))
    row[x, y] = sum((w * u16(src[x + d, y]) for d, w in taps[1:]), taps[0][1] * u16(src[x + taps[0][0], y]))
    total = sum((w * row[x, y + d] for d, w in taps[1:]), taps[0][1] * row[x, y + taps[0][0]])
    out[x, y] = u8(total >> shift)
    return [src], [out]


def box3():
    src, row, out = plane(), hl.Func("row"), hl.Func("out")
    row[x, y] = u16(src[x - 1, y]) + u16(src[x, y]) + u16(src[x + 1, y])
    out[x, y] = u8((row[x, y - 1] + row[x, y] + row[x, y + 1]) // 9)
    return [src], [out]


def sobel_x():
    src, row, out = plane(), hl.Func("row"), hl.Func("out")
    row[x, y] = i16(src[x + 1, y]) - i16(src[x - 1, y])
    out[x, y] = row[x, y - 1] + 2 * row[x, y] + row[x, y + 1]
    return [src], [out]


def sobel_xy():
    src, row, out = plane(), hl.Func("row"), hl.Func("out")
    smooth = i16(src[x - 1, y]) + 2 * i16(src[x, y]) + i16(src[x + 1, y])
    row[x, y] = (i16(src[x + 1, y]) - i16(src[x - 1, y]), smooth)
    above, here, below = row[x, y - 1], row[x, y], row[x, y + 1]
    out[x, y] = (above[0] + 2 * here[0] + below[0], below[1] - above[1])
    return [src], [out]


def middle(a, b, d):
    return hl.max(hl.min(a, b), hl.min(hl.max(a, b), d))


def least(a, b, d):
    return hl.min(hl.min(a, b), d)


def greatest(a, b, d):
    return hl.max(hl.max(a, b), d)


def median3():
    src, out = plane(), hl.Func("out")
    rows = [[src[x + dx, y + dy] for dx in (-1, 0, 1)] for dy in (-1, 0, 1)]
    low, mid, high = ([f(*row) for row in rows] for f in (least, middle, greatest))
    out[x, y] = middle(greatest(*low), middle(*mid), least(*high))
    return [src], [out]


def extreme(of_three):
    src, row, out = plane(), hl.Func("row"), hl.Func("out")
    row[x, y] = of_three(src[x - 1, y], src[x, y], src[x + 1, y])
    out[x, y] = of_three(row[x, y - 1], row[x, y], row[x, y + 1])
    return [src], [out]


def two(operation):
    a, b, out = plane(), hl.ImageParam(hl.UInt(8), 2, "second"), hl.Func("out")
    out[x, y] = operation(a[x, y], b[x, y])
    return [a, b], [out]


def threshold():
    src, out = plane(), hl.Func("out")
    out[x, y] = hl.select(src[x, y] > 100, u8(200), u8(7))
    return [src], [out]


def rgb_to_gray():
    rgb, out = hl.ImageParam(hl.UInt(8), 3, "rgb"), hl.Func("out")
    rgb.dim(0).set_stride(3)
    rgb.dim(2).set_stride(1).set_bounds(0, 3)
    out[x, y] = u8((54 * u16(rgb[x, y, 0]) + 183 * u16(rgb[x, y, 1]) + 19 * u16(rgb[x, y, 2])) >> 8)
    return [rgb], [out]


def convolve5():
    src, out = plane(hl.Float(32)), hl.Func("out")
    column = [1, 2, 3, 2, 1]
    taps = [(dx, dy, column[dx + 2] * column[dy + 2] / 128) for dy in range(-2, 3) for dx in range(-2, 3)]
    out[x, y] = sum((src[x + dx, y + dy] * hl.f32(w) for dx, dy, w in taps[1:]), src[x - 2, y - 2] * hl.f32(taps[0][2]))
    return [src], [out]


# The operator, its pipeline, the halo, the input's element and channels, the output's element.
PIPELINES = [
    ("gaussian3x3", lambda: separable([1, 2, 1], 4), 1, "u8", 1, "u8"),
    ("gaussian5x5", lambda: separable([1, 4, 6, 4, 1], 8), 2, "u8", 1, "u8"),
    ("box3x3", box3, 1, "u8", 1, "u8"),
    ("sobel3x3 x", sobel_x, 1, "u8", 1, "i16"),
    ("sobel3x3 x+y", sobel_xy, 1, "u8", 1, "i16"),
    ("median3x3", median3, 1, "u8", 1, "u8"),
    ("erode3x3", lambda: extreme(least), 1, "u8", 1, "u8"),
    ("dilate3x3", lambda: extreme(greatest), 1, "u8", 1, "u8"),
    ("abs_diff", lambda: two(lambda a, b: hl.absd(a, b)), 0, "u8", 1, "u8"),
    ("add saturate", lambda: two(lambda a, b: u8(hl.min(u16(a) + u16(b), 255))), 0, "u8", 1, "u8"),
    ("threshold", threshold, 0, "u8", 1, "u8"),
    ("rgb_to_gray", rgb_to_gray, 0, "u8", 3, "u8"),
    ("convolve5x5_f32", convolve5, 2, "f32", 1, "f32"),
]


def schedule(out, width, rows, tile, in_vectors):
    xi, yi, xo, yo = hl.Var("xi"), hl.Var("yi"), hl.Var("xo"), hl.Var("yo")
    xv, yv = hl.Var("xv"), hl.Var("yv")
    out.split(x, x, xv, width).split(y, y, yv, rows).reorder(xv, yv, x, y)
    out = out.vectorize(xv) if in_vectors else out.unroll(xv)
    out.unroll(yv).gpu_tile(x, y, xo, yo, xi, yi, *tile)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    target = hl.Target(TARGET)
    rows, objects, prototypes = [], [], []
    for index, (name, pipeline, halo, element, channels, result) in enumerate(PIPELINES):
        for width, height, tile in SCHEDULES:
            symbol = f"peer_{index}_{width}x{height}_{tile[0]}x{tile[1]}"
            # Halide has no vectors of three pixels of three channels, say: their elements are unrolled.
            inputs, [out] = pipeline()
            schedule(out, width, height, tile, channels == 1)
            path = folder / f"{symbol}.o"
            bare = target.with_feature(hl.TargetFeature.NoRuntime).with_feature(hl.TargetFeature.NoAsserts)
            out.compile_to_object(str(path), inputs, symbol, bare)
            outputs = 2 if name == "sobel3x3 x+y" else 1
            objects.append(path)
            buffers = ", ".join(["halide_buffer_t *"] * (len(inputs) + outputs))
            prototypes.append(f'extern "C" int {symbol}({buffers});')
            fields = [f'"{name}"', f'"{width}x{height}, {tile[0]}x{tile[1]}"', len(inputs), outputs, halo]
            fields += [f'"{element}"', channels, f'"{result}"', f"(void *){symbol}"]
            rows.append("{" + ", ".join(map(str, fields)) + "}")
    runtime = folder / "runtime.o"
    hl.compile_standalone_runtime(str(runtime), target)
    source = folder / "peers.cpp"
    shim = (Path(__file__).parent / "halide_peers.cpp").read_text()
    source.write_text(shim.replace("PROTOTYPES", "\n".join(prototypes)).replace("ROWS", ",\n    ".join(rows)))
    include = Path(hl.__file__).parent / "include"
    command = ["g++", "-O2", "-shared", "-fPIC", f"-I{include}", source, *objects, runtime, "-o", folder / "libpeers.so"]
    subprocess.run([str(part) for part in [*command, "-ldl", "-lpthread"]], check=True)
    for path in [*objects, runtime, source]:
        path.unlink()
    print(f"{len(rows)} pipelines in {folder / 'libpeers.so'}")


if __name__ == "__main__":
    main()
