"""Halide's side of the comparison: each operator under several schedules, compiled ahead of time.

    python3 halide_peers.py FOLDER [TARGET]

compiles for TARGET, as Halide writes it (this machine with all that it has, where none is given), and writes one object a (operator, schedule), Halide's own thread pool, and `peers.c`, a table of them behind one C call.
Schedules are those that its experts use: strips of rows, vectors along x, and either rows unrolled with everything
computed in place ("rows"), or row sums kept in a sliding window ("slide"). Inputs have a halo prepared by the caller:
Halide's own boundary conditions are slower.
"""

import sys
from pathlib import Path

import halide as hl

X, Y, STRIP, ROW, C = (hl.Var(name) for name in ("x", "y", "strip", "row", "c"))
STRIP_ROWS = 64
WEIGHTS = [
    [-0.055, 0.022, 0.099, 0.033, -0.033],
    [0.044, -0.022, 0.055, -0.011, 0.066],
    [0.088, 0.077, 0.011, -0.055, 0.022],
    [0.099, 0.033, -0.033, 0.044, -0.022],
    [0.055, -0.011, 0.066, -0.044, 0.077],
]


def u8(e):
    return hl.cast(hl.UInt(8), e)


def u16(e):
    return hl.cast(hl.UInt(16), e)


def i16(e):
    return hl.cast(hl.Int(16), e)


def image(element=None, dimensions=2, name="src"):
    return hl.ImageParam(element or hl.UInt(8), dimensions, name)


def separable(across, down):
    """A filter of 8-bit images as sums (or folds) along rows, then down columns."""

    def build():
        src, rows, out = image(), hl.Func("rows"), hl.Func("out")
        rows[X, Y] = across(lambda dx: src[X + dx, Y])
        out[X, Y] = down(lambda dy: rows[X, Y + dy])
        return [src], rows, out

    return build


def blur(src):
    """The 3×3 Gaussian of 8 bits, as sums along rows and then down columns."""
    sums, blurred = hl.Func("sums"), hl.Func("blurred")
    sums[X, Y] = binomial3(lambda dx: src[X + dx, Y])
    blurred[X, Y] = u8((sums[X, Y - 1] + 2 * sums[X, Y] + sums[X, Y + 1] + 8) >> 4)
    return sums, blurred


def edges(kept):
    """Blur, Sobel and a threshold; `kept` are the stages whose rows slide, all others are computed in place."""

    def build():
        src, slopes, out = image(), hl.Func("slopes"), hl.Func("out")
        sums, blurred = blur(src)
        p = lambda dx: i16(blurred[X + dx, Y])
        slopes[X, Y] = (p(1) - p(-1), p(-1) + 2 * p(0) + p(1))
        s = lambda dy: slopes[X, Y + dy]
        dx, dy = s(-1)[0] + 2 * s(0)[0] + s(1)[0], s(1)[1] - s(-1)[1]
        out[X, Y] = hl.select(hl.abs(dx) + hl.abs(dy) > 100, u8(255), u8(0))
        stages = {"sums": sums, "blurred": blurred, "slopes": slopes}
        return [src], [stages[name] for name in kept], out

    return build


def unsharp(kept):
    def build():
        src, out = image(), hl.Func("out")
        sums, blurred = blur(src)
        p = i16(src[X, Y])
        out[X, Y] = u8(hl.clamp(p + (p - i16(blurred[X, Y])), 0, 255))
        stages = {"sums": sums, "blurred": blurred}
        return [src], [stages[name] for name in kept], out

    return build


def least(a, b, c):
    return hl.min(hl.min(a, b), c)


def greatest(a, b, c):
    return hl.max(hl.max(a, b), c)


def middle(a, b, c):
    return hl.max(hl.min(a, b), hl.min(hl.max(a, b), c))


def sobel_both():
    src, rows, out = image(), hl.Func("rows"), hl.Func("out")
    p = lambda dx: i16(src[X + dx, Y])
    rows[X, Y] = (p(1) - p(-1), p(-1) + 2 * p(0) + p(1))
    r = lambda dy: rows[X, Y + dy]
    out[X, Y] = (r(-1)[0] + 2 * r(0)[0] + r(1)[0], r(1)[1] - r(-1)[1])
    return [src], rows, out


def median():
    src, rows, out = image(), hl.Func("rows"), hl.Func("out")
    p = [src[X + dx, Y] for dx in (-1, 0, 1)]
    rows[X, Y] = (least(*p), middle(*p), greatest(*p))
    r = [rows[X, Y + dy] for dy in (-1, 0, 1)]
    out[X, Y] = middle(greatest(*[s[0] for s in r]), middle(*[s[1] for s in r]), least(*[s[2] for s in r]))
    return [src], rows, out


def convolve():
    src, out = image(hl.Float(32)), hl.Func("out")
    taps = [src[X + dx - 2, Y + dy - 2] * hl.f32(WEIGHTS[dy][dx]) for dy in range(5) for dx in range(5)]
    out[X, Y] = sum(taps[1:], taps[0])
    return [src], None, out


def two_inputs(combine):
    def build():
        a, b, out = image(name="a"), image(name="b"), hl.Func("out")
        out[X, Y] = combine(a[X, Y], b[X, Y])
        return [a, b], None, out

    return build


def half_box():
    src, out = image(), hl.Func("out")
    p = lambda dx, dy: u16(src[2 * X + dx, 2 * Y + dy])
    out[X, Y] = u8((p(0, 0) + p(1, 0) + p(0, 1) + p(1, 1) + 2) >> 2)
    return [src], None, out


def threshold():
    src, out = image(), hl.Func("out")
    out[X, Y] = hl.select(src[X, Y] > u8(127), u8(255), u8(0))
    return [src], None, out


def gray():
    src, out = image(dimensions=3), hl.Func("out")
    src.dim(0).set_stride(3)
    src.dim(2).set_stride(1)
    src.dim(2).set_bounds(0, 3)
    out[X, Y] = u8((u16(src[X, Y, 0]) * 54 + u16(src[X, Y, 1]) * 183 + u16(src[X, Y, 2]) * 19) >> 8)
    return [src], None, out


def binomial3(p):
    return u16(p(-1)) + 2 * u16(p(0)) + u16(p(1))


def binomial5(p):
    return u16(p(-2)) + u16(p(2)) + 4 * (u16(p(-1)) + u16(p(1))) + 6 * u16(p(0))


ROWS, SLIDE = "rows", "slide"
# operator: pipeline, schedules as (lanes, kind, rows unrolled)
OPERATORS = {
    "gaussian3x3_rounded": (
        separable(binomial3, lambda r: u8((r(-1) + 2 * r(0) + r(1) + 8) >> 4)),
        [(32, ROWS, 1), (32, ROWS, 2), (32, ROWS, 4), (64, ROWS, 2), (16, ROWS, 4), (32, SLIDE, 1), (32, SLIDE, 2), (64, SLIDE, 1)],
    ),
    "gaussian5x5_rounded": (
        separable(binomial5, lambda r: u8((r(-2) + r(2) + 4 * (r(-1) + r(1)) + 6 * r(0) + 128) >> 8)),
        [(32, ROWS, 2), (64, ROWS, 2), (16, ROWS, 4), (32, SLIDE, 1), (32, SLIDE, 2), (64, SLIDE, 1)],
    ),
    "box3x3_rounded": (
        separable(
            lambda p: u16(p(-1)) + u16(p(0)) + u16(p(1)), lambda r: u8((r(-1) + r(0) + r(1) + 4) // 9)
        ),
        [(32, ROWS, 2), (64, ROWS, 2), (16, ROWS, 4), (32, SLIDE, 1), (32, SLIDE, 2), (64, SLIDE, 1)],
    ),
    "sobel_x": (
        separable(lambda p: i16(p(1)) - i16(p(-1)), lambda r: r(-1) + 2 * r(0) + r(1)),
        [(16, ROWS, 2), (16, ROWS, 4), (32, ROWS, 2), (32, SLIDE, 1), (64, SLIDE, 1)],
    ),
    "sobel3x3": (sobel_both, [(16, ROWS, 1), (16, ROWS, 2), (32, ROWS, 2), (16, SLIDE, 1), (32, SLIDE, 1), (64, SLIDE, 1)]),
    "median3x3": (median, [(32, ROWS, 1), (32, ROWS, 2), (32, ROWS, 4), (64, ROWS, 1), (64, ROWS, 2), (32, SLIDE, 1), (64, SLIDE, 1)]),
    "erode3x3": (
        separable(lambda p: least(p(-1), p(0), p(1)), lambda r: least(r(-1), r(0), r(1))),
        [(32, ROWS, 1), (32, ROWS, 2), (32, ROWS, 4), (64, ROWS, 1), (64, ROWS, 2), (32, SLIDE, 1), (64, SLIDE, 1)],
    ),
    "dilate3x3": (
        separable(lambda p: greatest(p(-1), p(0), p(1)), lambda r: greatest(r(-1), r(0), r(1))),
        [(32, ROWS, 1), (32, ROWS, 2), (32, ROWS, 4), (64, ROWS, 1), (64, ROWS, 2), (32, SLIDE, 1), (64, SLIDE, 1)],
    ),
    "convolve5x5_f32": (convolve, [(8, ROWS, 2), (8, ROWS, 4), (16, ROWS, 2), (16, ROWS, 4), (32, ROWS, 1), (32, ROWS, 2), (64, ROWS, 1)]),
    "abs_diff": (two_inputs(lambda a, b: u8(hl.absd(a, b))), [(32, ROWS, 1), (64, ROWS, 1), (128, ROWS, 1)]),
    "add_saturate": (
        two_inputs(lambda a, b: u8(hl.min(u16(a) + u16(b), 255))),
        [(32, ROWS, 1), (64, ROWS, 1), (128, ROWS, 1)],
    ),
    "threshold": (threshold, [(32, ROWS, 1), (64, ROWS, 1), (128, ROWS, 1)]),
    "half_box2x2": (half_box, [(16, ROWS, 1), (32, ROWS, 1), (32, ROWS, 2), (64, ROWS, 1)]),
    "rgb_to_gray": (gray, [(16, ROWS, 1), (32, ROWS, 1), (64, ROWS, 1)]),
}
SLIDING = [(lanes, SLIDE, unrolled) for lanes in (16, 32, 64) for unrolled in (1, 2, 4)]
OPERATORS |= {
    f"edges {'_'.join(kept)}_": (edges(kept), SLIDING)
    for kept in (("blurred",), ("sums", "blurred"), ("blurred", "slopes"), ("sums", "blurred", "slopes"))
}
OPERATORS |= {
    "unsharp ": (unsharp(()), [(lanes, ROWS, unrolled) for lanes in (16, 32, 64) for unrolled in (1, 2, 4)]),
    "unsharp sums_": (unsharp(("sums",)), SLIDING),
}
SCALES = {"half_box2x2": 2}
OUTPUTS = {"sobel_x": (2, 1), "sobel3x3": (2, 2), "convolve5x5_f32": (4, 1)}


def schedule(rows, out, lanes, kind, unrolled, parallel, element_bytes):
    out.split(Y, STRIP, Y, STRIP_ROWS, hl.TailStrategy.ShiftInwards)
    out.vectorize(X, lanes, hl.TailStrategy.ShiftInwards)
    if unrolled > 1:
        out.split(Y, Y, ROW, unrolled)
        if kind == ROWS:
            out.reorder(ROW, X, Y, STRIP)
        out.unroll(ROW)
    if kind == SLIDE:
        for stage in rows if isinstance(rows, list) else [rows]:
            stage.store_at(out, STRIP).compute_at(out, Y).vectorize(X, lanes, hl.TailStrategy.RoundUp)
    if parallel:
        out.parallel(STRIP)


def entries(folder, target):
    quiet = target.with_feature(hl.TargetFeature.NoRuntime).with_feature(hl.TargetFeature.NoAsserts)
    for line, (build, schedules) in OPERATORS.items():
        # A line for each choice of stages that slide.
        operator, _, variant = line.partition(" ")
        element_bytes, outputs = OUTPUTS.get(operator, (1, 1))
        for lanes, kind, unrolled in schedules:
            for parallel in (False, True):
                inputs, rows, out = build()
                schedule(rows, out, lanes, kind, unrolled, parallel, element_bytes)
                name = f"{operator}_{variant}{kind}{unrolled}_v{lanes}{'_p' if parallel else ''}"
                out.compile_to_object(str(folder / f"{name}.o"), inputs, f"peer_{name}", quiet)
                yield operator, name, parallel, len(inputs), outputs, SCALES.get(operator, 1)


WRAPPER = """/* Written by halide_peers.py. */
#include "HalideRuntime.h"
#include <stddef.h>
#include <string.h>

@DECLARATIONS@
struct entry { const char *operator, *name; int parallel, inputs, outputs, scale; void *function; };
static struct entry entries[] = {
@ENTRIES@
};

int peers(void) { return sizeof entries / sizeof *entries; }
const char *peer_operator(int i) { return entries[i].operator; }
const char *peer_name(int i) { return entries[i].name; }
int peer_parallel(int i) { return entries[i].parallel; }
void peer_threads(int n) { halide_set_num_threads(n); }

struct image { void *first; int stride, halo, channels, code, bits; };

static void buffer(halide_buffer_t *b, halide_dimension_t *d, const struct image *im, int width, int height) {
    memset(b, 0, sizeof *b);
    memset(d, 0, 3 * sizeof *d);
    b->dim = d;
    b->dimensions = im->channels > 1 ? 3 : 2;
    b->type.code = im->code, b->type.bits = im->bits, b->type.lanes = 1;
    d[0].min = -im->halo, d[0].extent = width + 2 * im->halo, d[0].stride = im->channels;
    d[1].min = -im->halo, d[1].extent = height + 2 * im->halo, d[1].stride = im->stride;
    d[2].extent = im->channels, d[2].stride = 1;
    b->host = (uint8_t *)im->first - (ptrdiff_t)(im->halo * im->stride + im->halo * im->channels) * (im->bits / 8);
}

int peer_run(int i, const struct image *images, int width, int height) {
    halide_buffer_t b[3];
    halide_dimension_t d[3][3];
    int n = entries[i].inputs + entries[i].outputs;
    for (int k = 0; k < n; k++) {
        int scale = k < entries[i].inputs ? 1 : entries[i].scale;
        buffer(&b[k], d[k], &images[k], width / scale, height / scale);
    }
    typedef int (*two)(halide_buffer_t *, halide_buffer_t *);
    typedef int (*three)(halide_buffer_t *, halide_buffer_t *, halide_buffer_t *);
    return n == 2 ? ((two)entries[i].function)(&b[0], &b[1]) : ((three)entries[i].function)(&b[0], &b[1], &b[2]);
}
"""


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    target = hl.Target(sys.argv[2]) if len(sys.argv) > 2 else hl.get_host_target()
    rows = list(entries(folder, target))
    hl.compile_standalone_runtime(str(folder / "runtime.o"), target)
    declare = lambda name, count: f"int peer_{name}({', '.join(['halide_buffer_t *'] * count)});"
    declarations = "\n".join(declare(name, i + o) for _, name, _, i, o, _ in rows)
    entry = '    {{"{}", "{}", {}, {}, {}, {}, (void *)peer_{}}}'.format
    table = ",\n".join(entry(op, name, int(p), i, o, scale, name) for op, name, p, i, o, scale in rows)
    text = WRAPPER.replace("@DECLARATIONS@", declarations).replace("@ENTRIES@", table)
    (folder / "peers.c").write_text(text)
    print(f"{len(rows)} pipelines")


main()
