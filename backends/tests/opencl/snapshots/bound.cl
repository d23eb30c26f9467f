// Bounds a pixel's channels, and says where they lay.
//
//     bound(rg: [f32; 2], #[uniform(0.0..=1.0)] most: f32, #[variant] policy: Overflow) -> (bounded: [f32; 2], inside?: u8)
//
// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j, k) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, of plane k, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an
// image, `_offset` leads to the element (0, 0), `_stride` from row to row and `_plane` from plane to plane, in bytes;
// `_width` and `_height` are in elements.
// `words`: 0 most.
// Build with -cl-fp32-correctly-rounded-divide-sqrt.

#pragma OPENCL FP_CONTRACT OFF

// Floats: `real` is what they are computed in, `stored` what they are in memory. The build chooses.
#ifdef WINDROW_F16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define real half
#define real4 half4
#define real_bits4 short4
#define as_real4 as_half4
#define as_real_bits4 as_short4
#define convert_real4 convert_half4
#else
#define real float
#define real4 float4
#define real_bits4 int4
#define as_real4 as_float4
#define as_real_bits4 as_int4
#define convert_real4 convert_float4
#endif
#ifdef WINDROW_F16_STORAGE
#define stored half
#define REAL_BYTES 2
#define read_real(p, i) vload_half(0, (p) + (i))
#define read_real4(p) convert_real4(vload_half4(0, p))
#define write_real(p, i, v) vstore_half_rte((float)(v), 0, (p) + (i))
#define write_real4(p, v) vstore_half4_rte(convert_float4(v), 0, p)
#else
#define stored float
#define REAL_BYTES 4
#define read_real(p, i) (p)[i]
#define read_real4(p) as_float4(*(__global const uint4 *)(p))
#define write_real(p, i, v) (p)[i] = (v)
#define write_real4(p, v) *(__global uint4 *)(p) = as_uint4(v)
#endif

#define INLINE static inline __attribute__((always_inline))
#define OUTLINE static __attribute__((noinline)) // what few work-items run

// The index inside 0 .. length that stands for index i, or -1 for the border's constant.
//   1 constant   - - | a b c d | - -        4 reflect101  c b | a b c d | c b
//   2 replicate  a a | a b c d | d d        5 wrap        c d | a b c d | a b
//   3 reflect    b a | a b c d | d c        0 undefined: as replicate; only elements outside the window see it
OUTLINE int border_index(const int border, const int i, const int length)
{
    if (i >= 0 && i < length)
        return i;
    const uint n = (uint)length;
    const uint mirrored = (uint)(i < 0 ? -1 - i : i); // -1 and 0 change places: reflect and wrap are even about them
    uint m;
    switch (border) {
    case 1:
        return -1;
    case 3:
        m = mirrored % (2u * n);
        return (int)(m < n ? m : 2u * n - 1u - m);
    case 4:
        if (n == 1u)
            return 0;
        m = (uint)(i < 0 ? -i : i) % (2u * n - 2u);
        return (int)(m < n ? m : 2u * n - 2u - m);
    case 5:
        m = mirrored % n;
        return (int)(i < 0 ? n - 1u - m : m);
    default:
        return i < 0 ? 0 : length - 1;
    }
}

// The same, where few are outside.
INLINE int index_at(const int border, const int i, const int length)
{
    return i >= 0 && i < length ? i : border_index(border, i, length);
}

// Where a block reads an input.
typedef struct {
    __global const uchar *image; // inside the image: the block's first element; else the plane's
    long stride; // bytes from row to row
    const int *rows; // at an edge: the row for each row of the block, or -1 for the border's constant
    const int *columns; // inside: where the elements beside the block stand, counted from its first; between edges: in
                        // their row, or -1
    long first; // between edges: where the block's first stands
    int x, last_x; // at an edge: the block's first column, and the last that an element of the window reads
    int width, channels;
    int border;
    uint constant_bits;
    bool whole; // the block lies inside, and so do its rows; loads start at multiples of their sizes
    bool between; // its columns do, between an upper and a lower edge
} Source_f32;

// Where a block writes an output, from its first element on.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    int from_x, from_y, to_x, to_y; // the window's part of the block
    int channels;
    bool whole; // that is all of it, and stores start at multiples of their sizes
    bool between; // that is all of some rows, and so do they
} Sink_u8;

// Where a block writes an output, from its first element on.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    int from_x, from_y, to_x, to_y; // the window's part of the block
    int channels;
    bool whole; // that is all of it, and stores start at multiples of their sizes
    bool between; // that is all of some rows, and so do they
} Sink_f32;

// Whether rows `stride` bytes apart, from `first` on, all start at a multiple of `size`, a power of two.
INLINE bool is_aligned(__global const uchar *first, const int stride, const int size)
{
    return (((ulong)first | (ulong)(long)stride) & (ulong)(size - 1)) == 0;
}

// Finds the first element of the block that this work-item computes; false if the window has none for it. The last row
// of blocks comes first: those at an edge take longest.
INLINE bool find_block(
    int *x, int *y, const int columns, const int rows, const int x0, const int y0, const int x1, const int y1)
{
    const int blocks_x = (x1 - 1) / columns - x0 / columns + 1, blocks_y = (y1 - 1) / rows - y0 / rows + 1;
    const size_t item_x = get_global_id(0), item_y = get_global_id(1);
    if ((long)item_x >= blocks_x || (long)item_y >= blocks_y)
        return false;
    *x = columns * (x0 / columns + (int)item_x);
    *y = rows * (y0 / rows + (item_y == 0 ? blocks_y : (int)item_y) - 1);
    return true;
}

// The row for each of `count` from `first` on, by the border; -1 for the border's constant. Rows past `last`, which no
// element of the window reads, repeat it.
OUTLINE void find_rows(int *rows, const int count, const int first, const int last, const int height, const int border)
{
    for (int j = 0; j < count; ++j)
        rows[j] = index_at(border, min(first + j, last), height);
}

// 4 neighbouring elements, those outside the image by its border.
OUTLINE real4 gather_f32x4(const Source_f32 source, const int column, const int row)
{
    __global const stored *elements = (__global const stored *)(source.image + max(source.rows[row], 0) * source.stride);
    const int first = source.x * source.channels + column;
    const int end = min(source.last_x + 1, source.width) * source.channels;
    real gathered[4];
    if (source.rows[row] >= 0 && first >= 0 && first <= end - 4) {
        _Pragma("unroll")
        for (int i = 0; i < 4; ++i)
            gathered[i] = read_real(elements, first + i);
        return vload4(0, gathered);
    }
    for (int i = 0; i < 4; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? read_real(elements, (long)x * source.channels + element - pixel * source.channels)
                                : as_float(source.constant_bits);
    }
    return vload4(0, gathered);
}

// 4 neighbouring elements, which start at a multiple of 4 in the block's row.
INLINE real4 load_f32x4(const Source_f32 source, const int column, const int row)
{
    if (source.whole)
        return read_real4((__global const stored *)(source.image + row * source.stride) + column);
    if (!source.between)
        return gather_f32x4(source, column, row);
    return source.rows[row] < 0
        ? (real4)(as_float(source.constant_bits))
        : read_real4((__global const stored *)(source.image + source.rows[row] * source.stride) + source.first + column);
}

// 4 neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_u8x4(const Sink_u8 sink, const int column, const int row, const uchar4 value)
{
    __global uchar *elements = (__global uchar *)(sink.image + row * sink.stride) + column;
    const int from = sink.from_x * sink.channels - column, to = sink.to_x * sink.channels - column;
    uchar scattered[4];
    vstore4(value, 0, scattered);
    if (row < sink.from_y || row >= sink.to_y)
        return;
    _Pragma("unroll")
    for (int i = 0; i < 4; ++i)
        if (from <= i && i < to)
            elements[i] = scattered[i];
}

// 4 neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_f32x4(const Sink_f32 sink, const int column, const int row, const real4 value)
{
    __global stored *elements = (__global stored *)(sink.image + row * sink.stride) + column;
    const int from = sink.from_x * sink.channels - column, to = sink.to_x * sink.channels - column;
    real scattered[4];
    vstore4(value, 0, scattered);
    if (row < sink.from_y || row >= sink.to_y)
        return;
    _Pragma("unroll")
    for (int i = 0; i < 4; ++i)
        if (from <= i && i < to)
            write_real(elements, i, scattered[i]);
}

// 4 neighbouring elements, which start at a multiple of 4 in the block's row.
INLINE void store_u8x4(const Sink_u8 sink, const int column, const int row, const uchar4 value)
{
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y))
        *(__global uint *)((__global uchar *)(sink.image + row * sink.stride) + column) = as_uint(value);
    else if (!sink.between)
        scatter_u8x4(sink, column, row, value);
}

// 4 neighbouring elements, which start at a multiple of 4 in the block's row.
INLINE void store_f32x4(const Sink_f32 sink, const int column, const int row, const real4 value)
{
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y))
        write_real4((__global stored *)(sink.image + row * sink.stride) + column, value);
    else if (!sink.between)
        scatter_f32x4(sink, column, row, value);
}

// IEEE 754-2019 minimumNumber: a NaN is ignored, -0 is below +0.
INLINE real4 minimum_f32x4(const real4 a, const real4 b)
{
    const real4 lesser = a < b || isnan(b) ? a : b;
    return a == b ? as_real4((real_bits4)(as_real_bits4(a) | as_real_bits4(b))) : lesser;
}

// IEEE 754-2019 maximumNumber: a NaN is ignored, -0 is below +0.
INLINE real4 maximum_f32x4(const real4 a, const real4 b)
{
    const real4 greater = a > b || isnan(b) ? a : b;
    return a == b ? as_real4((real_bits4)(as_real_bits4(a) & as_real_bits4(b))) : greater;
}

// The quotient, correctly rounded: by the device under the flag, else in integers.
#ifdef WINDROW_DIVIDE
INLINE float divide_one_f32x4(const float a, const float b)
{
    const uint inf = 0x7f800000u, x = as_uint(a) & 0x7fffffffu, y = as_uint(b) & 0x7fffffffu;
    const uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    if (x > inf || y > inf || (x == inf && y == inf) || (x == 0u && y == 0u)) return as_float(0x7fc00000u);
    if (x == inf || y == 0u) return as_float(sign | inf);
    if (x == 0u || y == inf) return as_float(sign);
    // Significands of 24 bits: those of denormals are moved up.
    const int p = max((int)clz(x) - 8, 0), q = max((int)clz(y) - 8, 0);
    const uint m = x >> 23 ? (x & 0x7fffffu) | 0x800000u : x << p, n = y >> 23 ? (y & 0x7fffffu) | 0x800000u : y << q;
    int exponent = (x >> 23 ? (int)(x >> 23) : 1 - p) - (y >> 23 ? (int)(y >> 23) : 1 - q) + 127;
    // 24 bits and 3 below, the last of which says whether anything remains.
    const ulong most = (ulong)m << 26;
    ulong quotient = most / n;
    const uint rest = quotient * n != most;
    if (quotient < (1ul << 26)) { quotient <<= 1; exponent -= 1; }
    uint bits = (uint)quotient | rest;
    if (exponent >= 255) return as_float(sign | inf);
    const int down = clamp(1 - exponent, 0, 30);
    bits = (bits >> down) | (uint)((bits & ((1u << down) - 1u)) != 0u);
    const uint kept = bits >> 3, below = bits & 7u;
    const uint rounded = kept + (uint)(below > 4u || (below == 4u && (kept & 1u)));
    return as_float(sign | (((uint)(max(exponent, 1) - 1) << 23) + rounded));
}
#endif
INLINE real4 divide_f32x4(const real4 a, const real4 b)
{
#ifdef WINDROW_DIVIDE
    return (real4)(divide_one_f32x4(a.s0, b.s0), divide_one_f32x4(a.s1, b.s1), divide_one_f32x4(a.s2, b.s2), divide_one_f32x4(a.s3, b.s3));
#else
    return convert_real4(convert_float4(a) / convert_float4(b));
#endif
}

// The square root, correctly rounded: by the device under the flag, else in integers.
#ifdef WINDROW_DIVIDE
INLINE float root_one_f32x4(const float a)
{
    const uint x = as_uint(a);
    if (x << 1 == 0u || x == 0x7f800000u) return a;
    if (x > 0x7f800000u) return as_float(0x7fc00000u);
    const int up = max((int)clz(x) - 8, 0);
    const int exponent = (x >> 23 ? (int)(x >> 23) : 1 - up) - 127;
    const uint m = x >> 23 ? (x & 0x7fffffu) | 0x800000u : x << up;
    // 24 bits and 3 below, bit by bit; the last says whether anything remains.
    const ulong square = (ulong)m << (exponent & 1 ? 30 : 29);
    ulong root = 0;
    for (ulong bit = 1ul << 26; bit != 0; bit >>= 1) {
        const ulong next = root | bit;
        root = next * next <= square ? next : root;
    }
    const uint bits = (uint)root | (uint)(root * root != square);
    const uint kept = bits >> 3, below = bits & 7u;
    const uint rounded = kept + (uint)(below > 4u || (below == 4u && (kept & 1u)));
    return as_float(((uint)((exponent - (exponent & 1)) / 2 + 126) << 23) + rounded);
}
#endif
INLINE real4 root_f32x4(const real4 a)
{
#ifdef WINDROW_DIVIDE
    return (real4)(root_one_f32x4(a.s0), root_one_f32x4(a.s1), root_one_f32x4(a.s2), root_one_f32x4(a.s3));
#else
    return convert_real4(sqrt(convert_float4(a)));
#endif
}

// What a work-item of bound__wrap computes: 4 x 1 elements.
INLINE void bound__wrap_block(
    const Source_f32 rg,
    const Sink_f32 bounded,
    const Sink_u8 inside,
    __constant const uint *words)
{
    const real4 rg_0 = load_f32x4(rg, 0, 0);
    const real4 rg_2 = load_f32x4(rg, 4, 0);
    const real4 r = (real4)(rg_0.s02, rg_2.s02);
    const real4 g = (real4)(rg_0.s13, rg_2.s13);
    const real most = as_float(words[0]);
    const real4 level = divide_f32x4(r, (real4)most);
    const real4 greatest = maximum_f32x4(g, (real4)(-0.0f));
    const real4 bounded_0_0_c1 = root_f32x4(greatest);
    const int4 holds = convert_int4(r < (real4)most);
    const int4 holds_2 = convert_int4(g > (real4)0.0f);
    const int4 bits = holds & holds_2;
    const uchar4 inside_0_0 = select((uchar4)0, (uchar4)255, convert_char4(bits));
    store_f32x4(bounded, 0, 0, (real4)(level.s0, bounded_0_0_c1.s0, level.s1, bounded_0_0_c1.s1));
    store_f32x4(bounded, 4, 0, (real4)(level.s2, bounded_0_0_c1.s2, level.s3, bounded_0_0_c1.s3));
    store_u8x4(inside, 0, 0, inside_0_0);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void bound__wrap_edge(
    __global const uchar *rg, const int rg_stride, const int rg_width, const int rg_height,
    __global uchar *bounded_first, const int bounded_stride,
    __global uchar *inside_first, const int inside_stride,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int rg_rows[1];
    find_rows(rg_rows, 1, block_y, y1 - 1, rg_height, 0);
    const Source_f32 rg_edge = {
        .image = rg, .stride = rg_stride, .rows = rg_rows, .x = block_x, .last_x = x1 - 1, .width = rg_width, .channels = 2, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_f32 bounded_edge = {
        .image = bounded_first, .stride = bounded_stride, .channels = 2,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    const Sink_u8 inside_edge = {
        .image = inside_first, .stride = inside_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    bound__wrap_block(rg_edge, bounded_edge, inside_edge, words);
}

__kernel void bound__wrap(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 1, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    inside += inside_offset + plane * inside_plane;
    __global const uchar *rg_first = rg + (long)block_y * rg_stride + 2 * REAL_BYTES * (long)block_x;
    __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 2 * REAL_BYTES * (long)block_x;
    __global uchar *inside_first = inside + (long)block_y * inside_stride + block_x;
    const bool aligned = is_aligned(rg_first, rg_stride, 4 * REAL_BYTES)
        && is_aligned(bounded_first, bounded_stride, 4 * REAL_BYTES)
        && is_aligned(inside_first, inside_stride, 4);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 4 <= x1;
    if (between) {
        const Source_f32 rg_inside = {
            .image = rg_first, .stride = rg_stride, .whole = true
        };
        const Sink_f32 bounded_inside = {
            .image = bounded_first, .stride = bounded_stride, .whole = true
        };
        const Sink_u8 inside_inside = {
            .image = inside_first, .stride = inside_stride, .whole = true
        };
        bound__wrap_block(rg_inside, bounded_inside, inside_inside, words);
    } else {
        bound__wrap_edge(
            rg, rg_stride, rg_width, rg_height,
            bounded_first, bounded_stride,
            inside_first, inside_stride,
            words,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}

// What a work-item of bound__wrap__bounded computes: 4 x 1 elements.
INLINE void bound__wrap__bounded_block(const Source_f32 rg, const Sink_f32 bounded, __constant const uint *words)
{
    const real4 rg_0 = load_f32x4(rg, 0, 0);
    const real4 rg_2 = load_f32x4(rg, 4, 0);
    const real4 r = (real4)(rg_0.s02, rg_2.s02);
    const real4 g = (real4)(rg_0.s13, rg_2.s13);
    const real most = as_float(words[0]);
    const real4 level = divide_f32x4(r, (real4)most);
    const real4 greatest = maximum_f32x4(g, (real4)(-0.0f));
    const real4 bounded_0_0_c1 = root_f32x4(greatest);
    store_f32x4(bounded, 0, 0, (real4)(level.s0, bounded_0_0_c1.s0, level.s1, bounded_0_0_c1.s1));
    store_f32x4(bounded, 4, 0, (real4)(level.s2, bounded_0_0_c1.s2, level.s3, bounded_0_0_c1.s3));
}

// The same at any edge, or where rows are not aligned.
OUTLINE void bound__wrap__bounded_edge(
    __global const uchar *rg, const int rg_stride, const int rg_width, const int rg_height,
    __global uchar *bounded_first, const int bounded_stride,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int rg_rows[1];
    find_rows(rg_rows, 1, block_y, y1 - 1, rg_height, 0);
    const Source_f32 rg_edge = {
        .image = rg, .stride = rg_stride, .rows = rg_rows, .x = block_x, .last_x = x1 - 1, .width = rg_width, .channels = 2, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_f32 bounded_edge = {
        .image = bounded_first, .stride = bounded_stride, .channels = 2,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    bound__wrap__bounded_block(rg_edge, bounded_edge, words);
}

__kernel void bound__wrap__bounded(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 1, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    __global const uchar *rg_first = rg + (long)block_y * rg_stride + 2 * REAL_BYTES * (long)block_x;
    __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 2 * REAL_BYTES * (long)block_x;
    const bool aligned = is_aligned(rg_first, rg_stride, 4 * REAL_BYTES)
        && is_aligned(bounded_first, bounded_stride, 4 * REAL_BYTES);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 4 <= x1;
    if (between) {
        const Source_f32 rg_inside = {
            .image = rg_first, .stride = rg_stride, .whole = true
        };
        const Sink_f32 bounded_inside = {
            .image = bounded_first, .stride = bounded_stride, .whole = true
        };
        bound__wrap__bounded_block(rg_inside, bounded_inside, words);
    } else {
        bound__wrap__bounded_edge(
            rg, rg_stride, rg_width, rg_height,
            bounded_first, bounded_stride,
            words,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}

// What a work-item of bound__saturate computes: 4 x 1 elements.
INLINE void bound__saturate_block(
    const Source_f32 rg,
    const Sink_f32 bounded,
    const Sink_u8 inside,
    __constant const uint *words)
{
    const real4 rg_0 = load_f32x4(rg, 0, 0);
    const real4 rg_2 = load_f32x4(rg, 4, 0);
    const real4 r = (real4)(rg_0.s02, rg_2.s02);
    const real4 g = (real4)(rg_0.s13, rg_2.s13);
    const real most = as_float(words[0]);
    const real4 level = minimum_f32x4(r, (real4)most);
    const real4 greatest = maximum_f32x4(g, (real4)(-0.0f));
    const real4 bounded_0_0_c1 = root_f32x4(greatest);
    const int4 holds = convert_int4(r < (real4)most);
    const int4 holds_2 = convert_int4(g > (real4)0.0f);
    const int4 bits = holds & holds_2;
    const uchar4 inside_0_0 = select((uchar4)0, (uchar4)255, convert_char4(bits));
    store_f32x4(bounded, 0, 0, (real4)(level.s0, bounded_0_0_c1.s0, level.s1, bounded_0_0_c1.s1));
    store_f32x4(bounded, 4, 0, (real4)(level.s2, bounded_0_0_c1.s2, level.s3, bounded_0_0_c1.s3));
    store_u8x4(inside, 0, 0, inside_0_0);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void bound__saturate_edge(
    __global const uchar *rg, const int rg_stride, const int rg_width, const int rg_height,
    __global uchar *bounded_first, const int bounded_stride,
    __global uchar *inside_first, const int inside_stride,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int rg_rows[1];
    find_rows(rg_rows, 1, block_y, y1 - 1, rg_height, 0);
    const Source_f32 rg_edge = {
        .image = rg, .stride = rg_stride, .rows = rg_rows, .x = block_x, .last_x = x1 - 1, .width = rg_width, .channels = 2, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_f32 bounded_edge = {
        .image = bounded_first, .stride = bounded_stride, .channels = 2,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    const Sink_u8 inside_edge = {
        .image = inside_first, .stride = inside_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    bound__saturate_block(rg_edge, bounded_edge, inside_edge, words);
}

__kernel void bound__saturate(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 1, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    inside += inside_offset + plane * inside_plane;
    __global const uchar *rg_first = rg + (long)block_y * rg_stride + 2 * REAL_BYTES * (long)block_x;
    __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 2 * REAL_BYTES * (long)block_x;
    __global uchar *inside_first = inside + (long)block_y * inside_stride + block_x;
    const bool aligned = is_aligned(rg_first, rg_stride, 4 * REAL_BYTES)
        && is_aligned(bounded_first, bounded_stride, 4 * REAL_BYTES)
        && is_aligned(inside_first, inside_stride, 4);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 4 <= x1;
    if (between) {
        const Source_f32 rg_inside = {
            .image = rg_first, .stride = rg_stride, .whole = true
        };
        const Sink_f32 bounded_inside = {
            .image = bounded_first, .stride = bounded_stride, .whole = true
        };
        const Sink_u8 inside_inside = {
            .image = inside_first, .stride = inside_stride, .whole = true
        };
        bound__saturate_block(rg_inside, bounded_inside, inside_inside, words);
    } else {
        bound__saturate_edge(
            rg, rg_stride, rg_width, rg_height,
            bounded_first, bounded_stride,
            inside_first, inside_stride,
            words,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}

// What a work-item of bound__saturate__bounded computes: 4 x 1 elements.
INLINE void bound__saturate__bounded_block(const Source_f32 rg, const Sink_f32 bounded, __constant const uint *words)
{
    const real4 rg_0 = load_f32x4(rg, 0, 0);
    const real4 rg_2 = load_f32x4(rg, 4, 0);
    const real4 r = (real4)(rg_0.s02, rg_2.s02);
    const real4 g = (real4)(rg_0.s13, rg_2.s13);
    const real most = as_float(words[0]);
    const real4 level = minimum_f32x4(r, (real4)most);
    const real4 greatest = maximum_f32x4(g, (real4)(-0.0f));
    const real4 bounded_0_0_c1 = root_f32x4(greatest);
    store_f32x4(bounded, 0, 0, (real4)(level.s0, bounded_0_0_c1.s0, level.s1, bounded_0_0_c1.s1));
    store_f32x4(bounded, 4, 0, (real4)(level.s2, bounded_0_0_c1.s2, level.s3, bounded_0_0_c1.s3));
}

// The same at any edge, or where rows are not aligned.
OUTLINE void bound__saturate__bounded_edge(
    __global const uchar *rg, const int rg_stride, const int rg_width, const int rg_height,
    __global uchar *bounded_first, const int bounded_stride,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int rg_rows[1];
    find_rows(rg_rows, 1, block_y, y1 - 1, rg_height, 0);
    const Source_f32 rg_edge = {
        .image = rg, .stride = rg_stride, .rows = rg_rows, .x = block_x, .last_x = x1 - 1, .width = rg_width, .channels = 2, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_f32 bounded_edge = {
        .image = bounded_first, .stride = bounded_stride, .channels = 2,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    bound__saturate__bounded_block(rg_edge, bounded_edge, words);
}

__kernel void bound__saturate__bounded(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 1, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    __global const uchar *rg_first = rg + (long)block_y * rg_stride + 2 * REAL_BYTES * (long)block_x;
    __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 2 * REAL_BYTES * (long)block_x;
    const bool aligned = is_aligned(rg_first, rg_stride, 4 * REAL_BYTES)
        && is_aligned(bounded_first, bounded_stride, 4 * REAL_BYTES);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 4 <= x1;
    if (between) {
        const Source_f32 rg_inside = {
            .image = rg_first, .stride = rg_stride, .whole = true
        };
        const Sink_f32 bounded_inside = {
            .image = bounded_first, .stride = bounded_stride, .whole = true
        };
        bound__saturate__bounded_block(rg_inside, bounded_inside, words);
    } else {
        bound__saturate__bounded_edge(
            rg, rg_stride, rg_width, rg_height,
            bounded_first, bounded_stride,
            words,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}
