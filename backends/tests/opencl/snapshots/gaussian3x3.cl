// 3x3 Gaussian blur with the weights [1 2 1; 2 4 2; 1 2 1] / 16.
//
//     gaussian3x3(src: Neighbourhood<u8>) -> u8
//
// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j, k) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, of plane k, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an
// image, `_offset` leads to the element (0, 0), `_stride` from row to row and `_plane` from plane to plane, in bytes;
// `_width` and `_height` are in elements.
// `border`: 0 undefined, 1 constant (`_border`: its bits), 2 replicate, 3 reflect, 4 reflect101, 5 wrap.

#pragma OPENCL FP_CONTRACT OFF

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
} Source_u8;

// Where a block writes an output, from its first element on.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    int from_x, from_y, to_x, to_y; // the window's part of the block
    int channels;
    bool whole; // that is all of it, and stores start at multiples of their sizes
    bool between; // that is all of some rows, and so do they
} Sink_u8;

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

// LANES neighbouring elements, those outside the image by its border.
#define GATHER_U8(VALUE, LANES, SUFFIX, GATHERED) \
OUTLINE VALUE gather_##SUFFIX(const Source_u8 source, const int column, const int row) \
{ \
    __global const uchar *elements = (__global const uchar *)(source.image + max(source.rows[row], 0) * source.stride); \
    const int first = source.x * source.channels + column; \
    const int end = min(source.last_x + 1, source.width) * source.channels; \
    uchar gathered[LANES]; \
    if (source.rows[row] >= 0 && first >= 0 && first <= end - LANES) { \
        _Pragma("unroll") \
        for (int i = 0; i < LANES; ++i) \
            gathered[i] = elements[first + i]; \
        return GATHERED; \
    } \
    for (int i = 0; i < LANES; ++i) { \
        const int element = column + i; \
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels; \
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width); \
        const bool is_inside = x >= 0 && source.rows[row] >= 0; \
        gathered[i] = is_inside ? elements[(long)x * source.channels + element - pixel * source.channels] \
                                : (uchar)source.constant_bits; \
    } \
    return GATHERED; \
}
GATHER_U8(uchar, 1, u8, gathered[0])
GATHER_U8(uchar4, 4, u8x4, vload4(0, gathered))
GATHER_U8(uchar8, 8, u8x8, vload8(0, gathered))

// One element.
INLINE uchar load_u8(const Source_u8 source, const int column, const int row)
{
    if (source.whole)
        return ((__global const uchar *)(source.image + row * source.stride))[column];
    if (!source.between)
        return gather_u8(source, column, row);
    return source.rows[row] < 0
        ? (uchar)source.constant_bits
        : ((__global const uchar *)(source.image + source.rows[row] * source.stride))[source.first + column];
}

// LANES neighbouring elements, which start at a multiple of LANES in the block's row.
#define LOAD_U8(VALUE, WHOLE, LANES, SUFFIX) \
INLINE VALUE load_##SUFFIX(const Source_u8 source, const int column, const int row) \
{ \
    if (source.whole) \
        return as_##VALUE(*(__global const WHOLE *)((__global const uchar *)(source.image + row * source.stride) + column)); \
    if (!source.between) \
        return gather_##SUFFIX(source, column, row); \
    return source.rows[row] < 0 \
        ? (VALUE)((uchar)source.constant_bits) \
        : as_##VALUE(*(__global const WHOLE *)((__global const uchar *)(source.image + source.rows[row] * source.stride) + source.first + column)); \
}
LOAD_U8(uchar4, uint, 4, u8x4)
LOAD_U8(uchar8, uint2, 8, u8x8)

// One element beside the block, the `place`-th that it reads there of each row.
INLINE uchar beside_u8(const Source_u8 source, const int place, const int column, const int row)
{
    if (source.whole)
        return ((__global const uchar *)(source.image + row * source.stride))[source.columns[place]];
    if (!source.between)
        return gather_u8(source, column, row);
    return source.rows[row] < 0 || source.columns[place] < 0
        ? (uchar)source.constant_bits
        : ((__global const uchar *)(source.image + source.rows[row] * source.stride))[source.columns[place]];
}

// LANES neighbouring elements, as far as they lie in the window.
#define SCATTER_U8(VALUE, LANES, SUFFIX, SCATTERED) \
OUTLINE void scatter_##SUFFIX(const Sink_u8 sink, const int column, const int row, const VALUE value) \
{ \
    __global uchar *elements = (__global uchar *)(sink.image + row * sink.stride) + column; \
    const int from = sink.from_x * sink.channels - column, to = sink.to_x * sink.channels - column; \
    uchar scattered[LANES]; \
    SCATTERED; \
    if (row < sink.from_y || row >= sink.to_y) \
        return; \
    _Pragma("unroll") \
    for (int i = 0; i < LANES; ++i) \
        if (from <= i && i < to) \
            elements[i] = scattered[i]; \
}
SCATTER_U8(uchar, 1, u8, scattered[0] = value)
SCATTER_U8(uchar4, 4, u8x4, vstore4(value, 0, scattered))
SCATTER_U8(uchar8, 8, u8x8, vstore8(value, 0, scattered))

// One element.
INLINE void store_u8(const Sink_u8 sink, const int column, const int row, const uchar value)
{
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y))
        ((__global uchar *)(sink.image + row * sink.stride))[column] = value;
    else if (!sink.between)
        scatter_u8(sink, column, row, value);
}

// LANES neighbouring elements, which start at a multiple of LANES in the block's row.
#define STORE_U8(VALUE, WHOLE, LANES, SUFFIX) \
INLINE void store_##SUFFIX(const Sink_u8 sink, const int column, const int row, const VALUE value) \
{ \
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y)) \
        *(__global WHOLE *)((__global uchar *)(sink.image + row * sink.stride) + column) = as_##WHOLE(value); \
    else if (!sink.between) \
        scatter_##SUFFIX(sink, column, row, value); \
}
STORE_U8(uchar4, uint, 4, u8x4)
STORE_U8(uchar8, uint2, 8, u8x8)

// What a work-item of gaussian3x3 computes: 4 x 2 elements.
INLINE void gaussian3x3_block(const Source_u8 src, const Sink_u8 out)
{
    short4 row_sum[4], pair_sum[4];
    uchar4 out_0[4];
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uchar src_m1 = beside_u8(src, 0, -1, i - 1);
        const uchar4 src_0 = load_u8x4(src, 0, i - 1);
        const uchar src_4 = beside_u8(src, 1, 4, i - 1);
        const short4 src_m1_2 = convert_short4((uchar4)(src_m1, src_0.s012));
        const short4 src_1 = convert_short4((uchar4)(src_0.s123, src_4));
        const short4 sum = src_m1_2 + src_1;
        const short4 src_0_2 = convert_short4(src_0);
        const short4 product = src_0_2 * (short4)2;
        row_sum[i] = sum + product;
        if (i < 1)
            continue;
        pair_sum[i] = row_sum[i - 1] + row_sum[i];
        if (i < 2)
            continue;
        const short4 pair_sum_2 = pair_sum[i - 1] + pair_sum[i];
        const short4 shifted = pair_sum_2 >> 4;
        out_0[i] = convert_uchar4(shifted);
    }
    #pragma unroll
    for (int i = 2; i < 4; ++i)
        store_u8x4(out, 0, i - 2, out_0[i]);
}

// The same where only the block's own columns lie inside.
OUTLINE void gaussian3x3_between(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y)
{
    int src_rows[4];
    find_rows(src_rows, 4, block_y - 1, y1, src_height, border);
    const int src_columns[2] = {
        index_at(border, block_x - 1, src_width), index_at(border, block_x + 4, src_width),
    };
    const Source_u8 src_between = {
        .image = src, .stride = src_stride, .rows = src_rows + 1, .columns = src_columns, .first = (long)block_x,
        .constant_bits = src_border, .between = true
    };
    const Sink_u8 out_between = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .between = true
    };
    gaussian3x3_block(src_between, out_between);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void gaussian3x3_edge(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y)
{
    int src_rows[4];
    find_rows(src_rows, 4, block_y - 1, y1, src_height, border);
    const Source_u8 src_edge = {
        .image = src, .stride = src_stride, .rows = src_rows + 1, .x = block_x, .last_x = x1, .width = src_width, .channels = 1, .border = border,
        .constant_bits = src_border, .whole = false
    };
    const Sink_u8 out_edge = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    gaussian3x3_block(src_edge, out_edge);
}

__kernel void gaussian3x3(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 2, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(src_first, src_stride, 4)
        && is_aligned(out_first, out_stride, 4);
    const int src_columns[2] = {
        index_at(border, block_x - 1, src_width), index_at(border, block_x + 4, src_width),
    };
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 4 <= x1
        && block_x + 4 <= src_width;
    // Whether all that it reads and writes does.
    const bool whole = between && block_y >= y0 && block_y + 2 <= y1
        && block_y - 1 >= 0 && block_y + 3 <= src_height
        && src_columns[0] >= 0
        && src_columns[1] >= 0;
    if (whole) {
        const int src_beside[2] = { src_columns[0] - block_x, src_columns[1] - block_x };
        const Source_u8 src_inside = {
            .image = src_first, .stride = src_stride, .columns = src_beside, .whole = true
        };
        const Sink_u8 out_inside = {
            .image = out_first, .stride = out_stride, .whole = true
        };
        gaussian3x3_block(src_inside, out_inside);
    } else if (between) {
        gaussian3x3_between(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y);
    } else {
        gaussian3x3_edge(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y);
    }
}

// What a work-item of gaussian3x3_1x1 computes: 1 x 1 elements.
INLINE void gaussian3x3_1x1_block(const Source_u8 src, const Sink_u8 out)
{
    const uchar src_m1_m1 = beside_u8(src, 0, -1, -1);
    const uchar src_0_m1 = load_u8(src, 0, -1);
    const uchar src_1_m1 = beside_u8(src, 1, 1, -1);
    const short src_m1_m1_2 = (short)src_m1_m1;
    const short src_1_m1_2 = (short)src_1_m1;
    const short sum = src_m1_m1_2 + src_1_m1_2;
    const short src_0_m1_2 = (short)src_0_m1;
    const short product = src_0_m1_2 * 2;
    const short row_sum = sum + product;
    const uchar src_m1_0 = beside_u8(src, 0, -1, 0);
    const uchar src_0_0 = load_u8(src, 0, 0);
    const uchar src_1_0 = beside_u8(src, 1, 1, 0);
    const short src_m1_0_2 = (short)src_m1_0;
    const short src_1_0_2 = (short)src_1_0;
    const short sum_2 = src_m1_0_2 + src_1_0_2;
    const short src_0_0_2 = (short)src_0_0;
    const short product_2 = src_0_0_2 * 2;
    const short row_sum_2 = sum_2 + product_2;
    const short pair_sum = row_sum + row_sum_2;
    const uchar src_m1_1 = beside_u8(src, 0, -1, 1);
    const uchar src_0_1 = load_u8(src, 0, 1);
    const uchar src_1_1 = beside_u8(src, 1, 1, 1);
    const short src_m1_1_2 = (short)src_m1_1;
    const short src_1_1_2 = (short)src_1_1;
    const short sum_3 = src_m1_1_2 + src_1_1_2;
    const short src_0_1_2 = (short)src_0_1;
    const short product_3 = src_0_1_2 * 2;
    const short row_sum_3 = sum_3 + product_3;
    const short pair_sum_2 = row_sum_2 + row_sum_3;
    const short pair_sum_3 = pair_sum + pair_sum_2;
    const short shifted = pair_sum_3 >> 4;
    const uchar out_0_0 = (uchar)shifted;
    store_u8(out, 0, 0, out_0_0);
}

// The same where only the block's own columns lie inside.
OUTLINE void gaussian3x3_1x1_between(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y)
{
    int src_rows[3];
    find_rows(src_rows, 3, block_y - 1, y1, src_height, border);
    const int src_columns[2] = {
        index_at(border, block_x - 1, src_width), index_at(border, block_x + 1, src_width),
    };
    const Source_u8 src_between = {
        .image = src, .stride = src_stride, .rows = src_rows + 1, .columns = src_columns, .first = (long)block_x,
        .constant_bits = src_border, .between = true
    };
    const Sink_u8 out_between = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .between = true
    };
    gaussian3x3_1x1_block(src_between, out_between);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void gaussian3x3_1x1_edge(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y)
{
    int src_rows[3];
    find_rows(src_rows, 3, block_y - 1, y1, src_height, border);
    const Source_u8 src_edge = {
        .image = src, .stride = src_stride, .rows = src_rows + 1, .x = block_x, .last_x = x1, .width = src_width, .channels = 1, .border = border,
        .constant_bits = src_border, .whole = false
    };
    const Sink_u8 out_edge = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    gaussian3x3_1x1_block(src_edge, out_edge);
}

__kernel void gaussian3x3_1x1(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 1, 1, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = true;
    const int src_columns[2] = {
        index_at(border, block_x - 1, src_width), index_at(border, block_x + 1, src_width),
    };
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x + 1 <= src_width;
    // Whether all that it reads and writes does.
    const bool whole = between && block_y - 1 >= 0 && block_y + 2 <= src_height
        && src_columns[0] >= 0
        && src_columns[1] >= 0;
    if (whole) {
        const int src_beside[2] = { src_columns[0] - block_x, src_columns[1] - block_x };
        const Source_u8 src_inside = {
            .image = src_first, .stride = src_stride, .columns = src_beside, .whole = true
        };
        const Sink_u8 out_inside = {
            .image = out_first, .stride = out_stride, .whole = true
        };
        gaussian3x3_1x1_block(src_inside, out_inside);
    } else if (between) {
        gaussian3x3_1x1_between(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y);
    } else {
        gaussian3x3_1x1_edge(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y);
    }
}

// What a work-item of gaussian3x3_pairs_8x16 computes: 8 x 16 elements.
INLINE void gaussian3x3_pairs_8x16_block(const Source_u8 src, const Sink_u8 out)
{
    uint2 row_sum_even[18], row_sum_odd[18], pair_sum_even[18], pair_sum_odd[18], out_0[18];
    #pragma unroll
    for (int i = 0; i < 18; ++i) {
        const uint src_words_m1 = (uint)beside_u8(src, 0, -1, i - 1) << 24;
        const uint2 src_words_0 = as_uint2(load_u8x8(src, 0, i - 1));
        const uint src_words_2 = (uint)beside_u8(src, 1, 8, i - 1);
        const uint2 src_m1 = (uint2)(src_words_m1, src_words_0.s0);
        const uint2 shifted = src_m1 >> 8;
        const uint2 bits = shifted & (uint2)0x00ff00ffu;
        const uint2 shifted_2 = src_words_0 >> 8;
        const uint2 bits_2 = shifted_2 & (uint2)0x00ff00ffu;
        const uint2 shifted_3 = bits >> 16;
        const uint2 shifted_4 = bits_2 << 16;
        const uint2 bits_3 = shifted_3 | shifted_4;
        const uint2 sum = bits_3 + bits_2;
        const uint2 bits_4 = src_words_0 & (uint2)0x00ff00ffu;
        const uint2 product = bits_4 * (uint2)2u;
        row_sum_even[i] = sum + product;
        const uint2 src_1 = (uint2)(src_words_0.s1, src_words_2);
        const uint2 bits_5 = src_1 & (uint2)0x00ff00ffu;
        const uint2 shifted_5 = bits_4 >> 16;
        const uint2 shifted_6 = bits_5 << 16;
        const uint2 bits_6 = shifted_5 | shifted_6;
        const uint2 sum_2 = bits_4 + bits_6;
        const uint2 product_2 = bits_2 * (uint2)2u;
        row_sum_odd[i] = sum_2 + product_2;
        if (i < 1)
            continue;
        pair_sum_even[i] = row_sum_even[i - 1] + row_sum_even[i];
        pair_sum_odd[i] = row_sum_odd[i - 1] + row_sum_odd[i];
        if (i < 2)
            continue;
        const uint2 pair_sum_even_2 = pair_sum_even[i - 1] + pair_sum_even[i];
        const uint2 shifted_7 = pair_sum_even_2 >> 4;
        const uint2 pair_sum_odd_2 = pair_sum_odd[i - 1] + pair_sum_odd[i];
        const uint2 bits_7 = shifted_7 & (uint2)0x00ff00ffu;
        const uint2 shifted_8 = pair_sum_odd_2 << 4;
        const uint2 bits_8 = shifted_8 & (uint2)0xff00ff00u;
        out_0[i] = bits_7 | bits_8;
    }
    #pragma unroll
    for (int i = 2; i < 18; ++i)
        store_u8x8(out, 0, i - 2, as_uchar8(out_0[i]));
}

// The same where only the block's own columns lie inside.
OUTLINE void gaussian3x3_pairs_8x16_between(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y)
{
    int src_rows[18];
    find_rows(src_rows, 18, block_y - 1, y1, src_height, border);
    const int src_columns[2] = {
        index_at(border, block_x - 1, src_width), index_at(border, block_x + 8, src_width),
    };
    const Source_u8 src_between = {
        .image = src, .stride = src_stride, .rows = src_rows + 1, .columns = src_columns, .first = (long)block_x,
        .constant_bits = src_border, .between = true
    };
    const Sink_u8 out_between = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .between = true
    };
    gaussian3x3_pairs_8x16_block(src_between, out_between);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void gaussian3x3_pairs_8x16_edge(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y)
{
    int src_rows[18];
    find_rows(src_rows, 18, block_y - 1, y1, src_height, border);
    const Source_u8 src_edge = {
        .image = src, .stride = src_stride, .rows = src_rows + 1, .x = block_x, .last_x = x1, .width = src_width, .channels = 1, .border = border,
        .constant_bits = src_border, .whole = false
    };
    const Sink_u8 out_edge = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    gaussian3x3_pairs_8x16_block(src_edge, out_edge);
}

__kernel void gaussian3x3_pairs_8x16(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 8, 16, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(src_first, src_stride, 8)
        && is_aligned(out_first, out_stride, 8);
    const int src_columns[2] = {
        index_at(border, block_x - 1, src_width), index_at(border, block_x + 8, src_width),
    };
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 8 <= x1
        && block_x + 8 <= src_width;
    // Whether all that it reads and writes does.
    const bool whole = between && block_y >= y0 && block_y + 16 <= y1
        && block_y - 1 >= 0 && block_y + 17 <= src_height
        && src_columns[0] >= 0
        && src_columns[1] >= 0;
    if (whole) {
        const int src_beside[2] = { src_columns[0] - block_x, src_columns[1] - block_x };
        const Source_u8 src_inside = {
            .image = src_first, .stride = src_stride, .columns = src_beside, .whole = true
        };
        const Sink_u8 out_inside = {
            .image = out_first, .stride = out_stride, .whole = true
        };
        gaussian3x3_pairs_8x16_block(src_inside, out_inside);
    } else if (between) {
        gaussian3x3_pairs_8x16_between(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y);
    } else {
        gaussian3x3_pairs_8x16_edge(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y);
    }
}
