// Bounds a pixel's channels, and says where they lay.
//
//     bound(rg: [f32; 2], #[uniform(0.0..=1.0)] most: f32, #[variant] policy: Overflow) -> (bounded: [f32; 2], inside?: u8)
//
// Work-item (i, j, k) computes a block of columns from x0 + i * its width and rows from y0 + j * its height of plane k,
// as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an image, `_offset` leads to the element (0, 0), `_stride`
// from row to row and `_plane` from plane to plane, in bytes; `_width` and `_height` are in elements.
// `words`: 0 most.
// Build with -cl-fp32-correctly-rounded-divide-sqrt.

#pragma OPENCL FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// The index inside 0 .. length that stands for index i, or -1 for the border's constant.
//   1 constant   - - | a b c d | - -        4 reflect101  c b | a b c d | c b
//   2 replicate  a a | a b c d | d d        5 wrap        c d | a b c d | a b
//   3 reflect    b a | a b c d | d c        0 undefined: as replicate; only elements outside the window see it
static int border_index(const int border, const int i, const int length)
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

// Where a block reads an input: in the image itself, or, at its edges, in a tile that was filled through the border.
// Both pointers are to the element of the block's first column and row.
typedef struct {
    __global const uchar *image;
    long stride; // bytes from row to row
    const float *tile;
    int pitch; // elements from row to row
    bool whole; // read the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Source_f32;

// Where a block writes an output: in the image itself, or, at its edges, in a tile of which the window's part is kept.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    uchar *tile;
    int pitch; // elements from row to row
    bool whole; // write the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Sink_u8;

// Where a block writes an output: in the image itself, or, at its edges, in a tile of which the window's part is kept.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    float *tile;
    int pitch; // elements from row to row
    bool whole; // write the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Sink_f32;

// Whether rows `stride` bytes apart, from `first` on, all start at a multiple of `size`, a power of two.
INLINE bool is_aligned(__global const uchar *first, const int stride, const int size)
{
    return (((ulong)first | (ulong)(long)stride) & (ulong)(size - 1)) == 0;
}

// Fills a tile with `columns` x `rows` pixels from (left, top) on, those outside the image by its border. Pixels past
// `last_x` or `last_y`, which no element of the window reads, repeat the last.
static void fill_f32(
    float *tile, const int columns, const int rows, const int channels,
    __global const uchar *image, const int stride, const int width, const int height,
    const int left, const int top, const int last_x, const int last_y, const int border, const uint constant_bits)
{
    for (int j = 0; j < rows; ++j) {
        const int y = border_index(border, min(top + j, last_y), height);
        __global const float *row = (__global const float *)(image + (long)max(y, 0) * stride);
        for (int i = 0; i < columns; ++i) {
            const int x = border_index(border, min(left + i, last_x), width);
            for (int c = 0; c < channels; ++c)
                *tile++ = x < 0 || y < 0 ? as_float(constant_bits) : row[(long)x * channels + c];
        }
    }
}

// Copies the first `columns` x `rows` pixels of a tile to an image.
static void drain_u8(
    const uchar *tile, const int pitch, const int columns, const int rows, const int channels,
    __global uchar *image, const int stride)
{
    for (int j = 0; j < rows; ++j) {
        __global uchar *row = (__global uchar *)(image + (long)j * stride);
        for (int i = 0; i < columns * channels; ++i)
            row[i] = tile[j * pitch + i];
    }
}

// Copies the first `columns` x `rows` pixels of a tile to an image.
static void drain_f32(
    const float *tile, const int pitch, const int columns, const int rows, const int channels,
    __global uchar *image, const int stride)
{
    for (int j = 0; j < rows; ++j) {
        __global float *row = (__global float *)(image + (long)j * stride);
        for (int i = 0; i < columns * channels; ++i)
            row[i] = tile[j * pitch + i];
    }
}

// 4 elements, `step` apart.
INLINE float4 load_f32x4_apart(const Source_f32 source, const int step, const int column, const int row)
{
    if (source.whole) {
        __global const float *p = (__global const float *)(source.image + row * source.stride) + column;
        return (float4)(p[0], p[step], p[2 * step], p[3 * step]);
    } else {
        const float *p = source.tile + row * source.pitch + column;
        return (float4)(p[0], p[step], p[2 * step], p[3 * step]);
    }
}

// 4 neighbouring elements, which start at a multiple of 4 in the block.
INLINE void store_u8x4(const Sink_u8 sink, const int column, const int row, const uchar4 value)
{
    __global uchar *p = (__global uchar *)(sink.image + row * sink.stride) + column;
    if (!sink.whole)
        vstore4(value, 0, sink.tile + row * sink.pitch + column);
    else if (sink.aligned)
        *(__global uchar4 *)p = value;
    else
        vstore4(value, 0, p);
}

// 4 elements, `step` apart.
INLINE void store_f32x4_apart(const Sink_f32 sink, const int step, const int column, const int row, const float4 value)
{
    if (sink.whole) {
        __global float *p = (__global float *)(sink.image + row * sink.stride) + column;
        p[0] = value.s0;
        p[step] = value.s1;
        p[2 * step] = value.s2;
        p[3 * step] = value.s3;
    } else {
        float *p = sink.tile + row * sink.pitch + column;
        p[0] = value.s0;
        p[step] = value.s1;
        p[2 * step] = value.s2;
        p[3 * step] = value.s3;
    }
}

// IEEE 754-2019 minimumNumber: a NaN is ignored, -0 is below +0.
INLINE float4 minimum_f32x4(const float4 a, const float4 b)
{
    const float4 lesser = a < b || isnan(b) ? a : b;
    return a == b ? as_float4(as_int4(a) | as_int4(b)) : lesser;
}

// IEEE 754-2019 maximumNumber: a NaN is ignored, -0 is below +0.
INLINE float4 maximum_f32x4(const float4 a, const float4 b)
{
    const float4 greater = a > b || isnan(b) ? a : b;
    return a == b ? as_float4(as_int4(a) & as_int4(b)) : greater;
}

// What a work-item of bound__wrap computes: 4 x 1 elements.
INLINE void bound__wrap_block(
    const Source_f32 rg,
    const Sink_f32 bounded,
    const Sink_u8 inside,
    __constant const uint *words)
{
    const float4 r = load_f32x4_apart(rg, 2, 0, 0);
    const float4 g = load_f32x4_apart(rg, 2, 1, 0);
    const float most = as_float(words[0]);
    const float4 level = r / (float4)most;
    const float4 v5 = maximum_f32x4(g, (float4)(-0.0f));
    const float4 bounded_0_0_c1 = sqrt(v5);
    const int4 v7 = r < (float4)most;
    const int4 v9 = g > (float4)0.0f;
    const int4 v10 = v7 & v9;
    const uchar4 inside_0_0 = select((uchar4)0, (uchar4)255, convert_char4(v10));
    store_f32x4_apart(bounded, 2, 0, 0, level);
    store_f32x4_apart(bounded, 2, 1, 0, bounded_0_0_c1);
    store_u8x4(inside, 0, 0, inside_0_0);
}

__kernel void bound__wrap(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    const long item_x = x0 + 4 * (long)get_global_id(0), item_y = y0 + (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    inside += inside_offset + plane * inside_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x + 3 <= last_x;
    if (whole) {
        __global const uchar *rg_first = rg + (long)block_y * rg_stride + 8 * (long)block_x;
        const Source_f32 rg_image = { rg_first, rg_stride, 0, 0, true, is_aligned(rg_first, rg_stride, 16) };
        __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 8 * (long)block_x;
        const Sink_f32 bounded_image = { bounded_first, bounded_stride, 0, 0, true, is_aligned(bounded_first, bounded_stride, 16) };
        __global uchar *inside_first = inside + (long)block_y * inside_stride + block_x;
        const Sink_u8 inside_image = { inside_first, inside_stride, 0, 0, true, is_aligned(inside_first, inside_stride, 4) };
        bound__wrap_block(rg_image, bounded_image, inside_image, words);
    } else {
        float rg_tile[1 * 8];
        fill_f32(rg_tile, 4, 1, 2, rg, rg_stride, rg_width, rg_height,
            block_x, block_y, last_x, last_y, 0, 0);
        const Source_f32 rg_part = { 0, 0, rg_tile, 8, false, false };
        float bounded_tile[1 * 8];
        const Sink_f32 bounded_part = { 0, 0, bounded_tile, 8, false, false };
        uchar inside_tile[1 * 4];
        const Sink_u8 inside_part = { 0, 0, inside_tile, 4, false, false };
        bound__wrap_block(rg_part, bounded_part, inside_part, words);
        drain_f32(bounded_tile, 8, min(4, x1 - block_x), min(1, y1 - block_y), 2,
            bounded + (long)block_y * bounded_stride + 8 * (long)block_x, bounded_stride);
        drain_u8(inside_tile, 4, min(4, x1 - block_x), min(1, y1 - block_y), 1,
            inside + (long)block_y * inside_stride + block_x, inside_stride);
    }
}

// What a work-item of bound__wrap__bounded computes: 4 x 1 elements.
INLINE void bound__wrap__bounded_block(const Source_f32 rg, const Sink_f32 bounded, __constant const uint *words)
{
    const float4 r = load_f32x4_apart(rg, 2, 0, 0);
    const float4 g = load_f32x4_apart(rg, 2, 1, 0);
    const float most = as_float(words[0]);
    const float4 level = r / (float4)most;
    const float4 v5 = maximum_f32x4(g, (float4)(-0.0f));
    const float4 bounded_0_0_c1 = sqrt(v5);
    store_f32x4_apart(bounded, 2, 0, 0, level);
    store_f32x4_apart(bounded, 2, 1, 0, bounded_0_0_c1);
}

__kernel void bound__wrap__bounded(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    const long item_x = x0 + 4 * (long)get_global_id(0), item_y = y0 + (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x + 3 <= last_x;
    if (whole) {
        __global const uchar *rg_first = rg + (long)block_y * rg_stride + 8 * (long)block_x;
        const Source_f32 rg_image = { rg_first, rg_stride, 0, 0, true, is_aligned(rg_first, rg_stride, 16) };
        __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 8 * (long)block_x;
        const Sink_f32 bounded_image = { bounded_first, bounded_stride, 0, 0, true, is_aligned(bounded_first, bounded_stride, 16) };
        bound__wrap__bounded_block(rg_image, bounded_image, words);
    } else {
        float rg_tile[1 * 8];
        fill_f32(rg_tile, 4, 1, 2, rg, rg_stride, rg_width, rg_height,
            block_x, block_y, last_x, last_y, 0, 0);
        const Source_f32 rg_part = { 0, 0, rg_tile, 8, false, false };
        float bounded_tile[1 * 8];
        const Sink_f32 bounded_part = { 0, 0, bounded_tile, 8, false, false };
        bound__wrap__bounded_block(rg_part, bounded_part, words);
        drain_f32(bounded_tile, 8, min(4, x1 - block_x), min(1, y1 - block_y), 2,
            bounded + (long)block_y * bounded_stride + 8 * (long)block_x, bounded_stride);
    }
}

// What a work-item of bound__saturate computes: 4 x 1 elements.
INLINE void bound__saturate_block(
    const Source_f32 rg,
    const Sink_f32 bounded,
    const Sink_u8 inside,
    __constant const uint *words)
{
    const float4 r = load_f32x4_apart(rg, 2, 0, 0);
    const float4 g = load_f32x4_apart(rg, 2, 1, 0);
    const float most = as_float(words[0]);
    const float4 level = minimum_f32x4(r, (float4)most);
    const float4 v5 = maximum_f32x4(g, (float4)(-0.0f));
    const float4 bounded_0_0_c1 = sqrt(v5);
    const int4 v7 = r < (float4)most;
    const int4 v9 = g > (float4)0.0f;
    const int4 v10 = v7 & v9;
    const uchar4 inside_0_0 = select((uchar4)0, (uchar4)255, convert_char4(v10));
    store_f32x4_apart(bounded, 2, 0, 0, level);
    store_f32x4_apart(bounded, 2, 1, 0, bounded_0_0_c1);
    store_u8x4(inside, 0, 0, inside_0_0);
}

__kernel void bound__saturate(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    const long item_x = x0 + 4 * (long)get_global_id(0), item_y = y0 + (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    inside += inside_offset + plane * inside_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x + 3 <= last_x;
    if (whole) {
        __global const uchar *rg_first = rg + (long)block_y * rg_stride + 8 * (long)block_x;
        const Source_f32 rg_image = { rg_first, rg_stride, 0, 0, true, is_aligned(rg_first, rg_stride, 16) };
        __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 8 * (long)block_x;
        const Sink_f32 bounded_image = { bounded_first, bounded_stride, 0, 0, true, is_aligned(bounded_first, bounded_stride, 16) };
        __global uchar *inside_first = inside + (long)block_y * inside_stride + block_x;
        const Sink_u8 inside_image = { inside_first, inside_stride, 0, 0, true, is_aligned(inside_first, inside_stride, 4) };
        bound__saturate_block(rg_image, bounded_image, inside_image, words);
    } else {
        float rg_tile[1 * 8];
        fill_f32(rg_tile, 4, 1, 2, rg, rg_stride, rg_width, rg_height,
            block_x, block_y, last_x, last_y, 0, 0);
        const Source_f32 rg_part = { 0, 0, rg_tile, 8, false, false };
        float bounded_tile[1 * 8];
        const Sink_f32 bounded_part = { 0, 0, bounded_tile, 8, false, false };
        uchar inside_tile[1 * 4];
        const Sink_u8 inside_part = { 0, 0, inside_tile, 4, false, false };
        bound__saturate_block(rg_part, bounded_part, inside_part, words);
        drain_f32(bounded_tile, 8, min(4, x1 - block_x), min(1, y1 - block_y), 2,
            bounded + (long)block_y * bounded_stride + 8 * (long)block_x, bounded_stride);
        drain_u8(inside_tile, 4, min(4, x1 - block_x), min(1, y1 - block_y), 1,
            inside + (long)block_y * inside_stride + block_x, inside_stride);
    }
}

// What a work-item of bound__saturate__bounded computes: 4 x 1 elements.
INLINE void bound__saturate__bounded_block(const Source_f32 rg, const Sink_f32 bounded, __constant const uint *words)
{
    const float4 r = load_f32x4_apart(rg, 2, 0, 0);
    const float4 g = load_f32x4_apart(rg, 2, 1, 0);
    const float most = as_float(words[0]);
    const float4 level = minimum_f32x4(r, (float4)most);
    const float4 v5 = maximum_f32x4(g, (float4)(-0.0f));
    const float4 bounded_0_0_c1 = sqrt(v5);
    store_f32x4_apart(bounded, 2, 0, 0, level);
    store_f32x4_apart(bounded, 2, 1, 0, bounded_0_0_c1);
}

__kernel void bound__saturate__bounded(
    __global const uchar *rg, const long rg_offset, const int rg_stride, const long rg_plane,
        const int rg_width, const int rg_height,
    __global uchar *bounded, const long bounded_offset, const int bounded_stride, const long bounded_plane,
    __global uchar *inside, const long inside_offset, const int inside_stride, const long inside_plane,
    __constant const uint *words,
    const int x0, const int y0, const int x1, const int y1)
{
    const long item_x = x0 + 4 * (long)get_global_id(0), item_y = y0 + (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    rg += rg_offset + plane * rg_plane;
    bounded += bounded_offset + plane * bounded_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x + 3 <= last_x;
    if (whole) {
        __global const uchar *rg_first = rg + (long)block_y * rg_stride + 8 * (long)block_x;
        const Source_f32 rg_image = { rg_first, rg_stride, 0, 0, true, is_aligned(rg_first, rg_stride, 16) };
        __global uchar *bounded_first = bounded + (long)block_y * bounded_stride + 8 * (long)block_x;
        const Sink_f32 bounded_image = { bounded_first, bounded_stride, 0, 0, true, is_aligned(bounded_first, bounded_stride, 16) };
        bound__saturate__bounded_block(rg_image, bounded_image, words);
    } else {
        float rg_tile[1 * 8];
        fill_f32(rg_tile, 4, 1, 2, rg, rg_stride, rg_width, rg_height,
            block_x, block_y, last_x, last_y, 0, 0);
        const Source_f32 rg_part = { 0, 0, rg_tile, 8, false, false };
        float bounded_tile[1 * 8];
        const Sink_f32 bounded_part = { 0, 0, bounded_tile, 8, false, false };
        bound__saturate__bounded_block(rg_part, bounded_part, words);
        drain_f32(bounded_tile, 8, min(4, x1 - block_x), min(1, y1 - block_y), 2,
            bounded + (long)block_y * bounded_stride + 8 * (long)block_x, bounded_stride);
    }
}
