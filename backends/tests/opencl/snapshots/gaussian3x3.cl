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

// Where a block reads an input.
typedef struct {
    __global const uchar *image; // inside the image: the block's first element; else the plane's
    long stride; // bytes from row to row
    const int *columns; // inside: where the elements beside the block stand, counted from its first
    const long *rows; // at an edge: bytes to each row of the block, or -1 for the border's constant
    int x, last_x; // at an edge: the block's first column, and the last that an element of the window reads
    int width, channels;
    int border;
    uint constant_bits;
    bool whole; // the block lies inside, and so do its rows; loads start at multiples of their sizes
    bool aligned; // at an edge: loads start there too
} Source_u8;

// Where a block writes an output, from its first element on.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    int from_x, from_y, to_x, to_y; // the window's part of the block
    int channels;
    bool whole; // that is all of it
    bool aligned; // every store starts at a multiple of its size
} Sink_u8;

// Whether rows `stride` bytes apart, from `first` on, all start at a multiple of `size`, a power of two.
INLINE bool is_aligned(__global const uchar *first, const int stride, const int size)
{
    return (((ulong)first | (ulong)(long)stride) & (ulong)(size - 1)) == 0;
}

// Bytes to each of `count` rows from `first` on, by the border; -1 for the border's constant. Rows past `last`, which no
// element of the window reads, repeat it.
OUTLINE void find_rows(
    long *rows, const int count, const int first, const int last, const int height, const int stride, const int border)
{
    for (int j = 0; j < count; ++j) {
        const int y = border_index(border, min(first + j, last), height);
        rows[j] = y < 0 ? -1 : (long)y * stride;
    }
}

// 1 neighbouring elements, those outside the image by its border.
OUTLINE uchar gather_u8(const Source_u8 source, const int column, const int row)
{
    __global const uchar *elements = (__global const uchar *)(source.image + max(source.rows[row], 0l));
    uchar gathered[1];
    for (int i = 0; i < 1; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? elements[(long)x * source.channels + element - pixel * source.channels]
                                : (uchar)source.constant_bits;
    }
    return gathered[0];
}

// 4 neighbouring elements, those outside the image by its border.
OUTLINE uchar4 gather_u8x4(const Source_u8 source, const int column, const int row)
{
    __global const uchar *elements = (__global const uchar *)(source.image + max(source.rows[row], 0l));
    uchar gathered[4];
    for (int i = 0; i < 4; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? elements[(long)x * source.channels + element - pixel * source.channels]
                                : (uchar)source.constant_bits;
    }
    return vload4(0, gathered);
}

// 8 neighbouring elements, those outside the image by its border.
OUTLINE uchar8 gather_u8x8(const Source_u8 source, const int column, const int row)
{
    __global const uchar *elements = (__global const uchar *)(source.image + max(source.rows[row], 0l));
    uchar gathered[8];
    for (int i = 0; i < 8; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? elements[(long)x * source.channels + element - pixel * source.channels]
                                : (uchar)source.constant_bits;
    }
    return vload8(0, gathered);
}

// The column inside 0 .. width that stands for column i, or -1 for the border's constant.
INLINE int column_at(const int border, const int i, const int width)
{
    return i >= 0 && i < width ? i : border_index(border, i, width);
}

// One element beside the block, the `place`-th that it reads there of each row.
INLINE uchar beside_u8(const Source_u8 source, const int place, const int column, const int row)
{
    return source.whole
        ? ((__global const uchar *)(source.image + row * source.stride))[source.columns[place]]
        : gather_u8(source, column, row);
}

// 1 neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_u8(const Sink_u8 sink, const int column, const int row, const uchar value)
{
    __global uchar *elements = (__global uchar *)(sink.image + row * sink.stride);
    uchar scattered[1];
    scattered[0] = value;
    for (int i = 0; i < 1; ++i) {
        const int x = (column + i) / sink.channels;
        if (sink.from_y <= row && row < sink.to_y && sink.from_x <= x && x < sink.to_x)
            elements[column + i] = scattered[i];
    }
}

// 4 neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_u8x4(const Sink_u8 sink, const int column, const int row, const uchar4 value)
{
    __global uchar *elements = (__global uchar *)(sink.image + row * sink.stride);
    uchar scattered[4];
    vstore4(value, 0, scattered);
    for (int i = 0; i < 4; ++i) {
        const int x = (column + i) / sink.channels;
        if (sink.from_y <= row && row < sink.to_y && sink.from_x <= x && x < sink.to_x)
            elements[column + i] = scattered[i];
    }
}

// 8 neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_u8x8(const Sink_u8 sink, const int column, const int row, const uchar8 value)
{
    __global uchar *elements = (__global uchar *)(sink.image + row * sink.stride);
    uchar scattered[8];
    vstore8(value, 0, scattered);
    for (int i = 0; i < 8; ++i) {
        const int x = (column + i) / sink.channels;
        if (sink.from_y <= row && row < sink.to_y && sink.from_x <= x && x < sink.to_x)
            elements[column + i] = scattered[i];
    }
}

// One element.
INLINE uchar load_u8(const Source_u8 source, const int column, const int row)
{
    return source.whole
        ? ((__global const uchar *)(source.image + row * source.stride))[column]
        : gather_u8(source, column, row);
}

// 4 neighbouring elements, which start at a multiple of 4 in the block's row.
INLINE uchar4 load_u8x4(const Source_u8 source, const int column, const int row)
{
    if (source.whole)
        return as_uchar4(*(__global const uint *)((__global const uchar *)(source.image + row * source.stride) + column));
    const int x = source.x + column;
    if (source.aligned && source.channels == 1 && source.rows[row] >= 0 && x >= 0 && x + 4 <= source.width)
        return as_uchar4(*(__global const uint *)((__global const uchar *)(source.image + source.rows[row]) + x));
    return gather_u8x4(source, column, row);
}

// 8 neighbouring elements, which start at a multiple of 8 in the block's row.
INLINE uchar8 load_u8x8(const Source_u8 source, const int column, const int row)
{
    if (source.whole)
        return as_uchar8(*(__global const uint2 *)((__global const uchar *)(source.image + row * source.stride) + column));
    const int x = source.x + column;
    if (source.aligned && source.channels == 1 && source.rows[row] >= 0 && x >= 0 && x + 8 <= source.width)
        return as_uchar8(*(__global const uint2 *)((__global const uchar *)(source.image + source.rows[row]) + x));
    return gather_u8x8(source, column, row);
}

// One element.
INLINE void store_u8(const Sink_u8 sink, const int column, const int row, const uchar value)
{
    if (sink.whole)
        ((__global uchar *)(sink.image + row * sink.stride))[column] = value;
    else
        scatter_u8(sink, column, row, value);
}

// 4 neighbouring elements, which start at a multiple of 4 in the block's row.
INLINE void store_u8x4(const Sink_u8 sink, const int column, const int row, const uchar4 value)
{
    if (sink.whole && sink.aligned)
        *(__global uint *)((__global uchar *)(sink.image + row * sink.stride) + column) = as_uint(value);
    else
        scatter_u8x4(sink, column, row, value);
}

// 8 neighbouring elements, which start at a multiple of 8 in the block's row.
INLINE void store_u8x8(const Sink_u8 sink, const int column, const int row, const uchar8 value)
{
    if (sink.whole && sink.aligned)
        *(__global uint2 *)((__global uchar *)(sink.image + row * sink.stride) + column) = as_uint2(value);
    else
        scatter_u8x8(sink, column, row, value);
}

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
        const short4 v6 = src_m1_2 + src_1;
        const short4 src_0_2 = convert_short4(src_0);
        const short4 v9 = src_0_2 * (short4)2;
        row_sum[i] = v6 + v9;
        if (i < 1)
            continue;
        pair_sum[i] = row_sum[i - 1] + row_sum[i];
        if (i < 2)
            continue;
        const short4 pair_sum_2 = pair_sum[i - 1] + pair_sum[i];
        const short4 v15 = pair_sum_2 >> 4;
        out_0[i] = convert_uchar4(v15);
    }
    #pragma unroll
    for (int i = 2; i < 4; ++i)
        store_u8x4(out, 0, i - 2, out_0[i]);
}

// The same at an edge, or where rows are not aligned.
OUTLINE void gaussian3x3_edge(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y, const bool aligned)
{
    long src_rows[4];
    find_rows(src_rows, 4, block_y - 1, y1, src_height, src_stride, border);
    const Source_u8 src_edge = {
        src, src_stride, 0, src_rows + 1, block_x, x1, src_width, 1, border, src_border, false, aligned
    };
    const int from_x = max(x0 - block_x, 0), to_x = min(x1 - block_x, 4);
    const int from_y = max(y0 - block_y, 0), to_y = min(y1 - block_y, 2);
    const bool whole = from_x == 0 && from_y == 0 && to_x == 4 && to_y == 2;
    const Sink_u8 out_edge = {
        out_first, out_stride, from_x, from_y, to_x, to_y, 1, whole, aligned
    };
    gaussian3x3_block(src_edge, out_edge);
}

__kernel void gaussian3x3(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    const int blocks_x = (x1 - 1) / 4 - x0 / 4 + 1, blocks_y = (y1 - 1) / 2 - y0 / 2 + 1;
    const size_t item_x = get_global_id(0), item_y = get_global_id(1);
    if ((long)item_x >= blocks_x || (long)item_y >= blocks_y)
        return;
    const int block_x = 4 * (x0 / 4 + (int)item_x);
    // The last row of blocks comes first: those at the edge take longest.
    const int block_y = 2 * (y0 / 2 + (item_y == 0 ? blocks_y : (int)item_y) - 1);
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(src_first, src_stride, 4)
        && is_aligned(out_first, out_stride, 4);
    const int src_columns[2] = {
        column_at(border, block_x - 1, src_width), column_at(border, block_x + 4, src_width),
    };
    // Whether the block lies in the window, and what it reads in the inputs.
    const bool whole = block_x >= x0 && block_x + 4 <= x1 && block_y >= y0 && block_y + 2 <= y1
        && block_y - 1 >= 0 && block_y + 3 <= src_height && block_x + 4 <= src_width
        && src_columns[0] >= 0 && src_columns[1] >= 0;
    if (whole && aligned) {
        const int src_beside[2] = { src_columns[0] - block_x, src_columns[1] - block_x };
        const Source_u8 src_inside = { src_first, src_stride, src_beside, 0, 0, 0, 0, 0, 0, 0, true, true };
        const Sink_u8 out_inside = { out_first, out_stride, 0, 0, 0, 0, 0, true, true };
        gaussian3x3_block(src_inside, out_inside);
    } else {
        gaussian3x3_edge(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y, aligned);
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
    const short v4 = src_m1_m1_2 + src_1_m1_2;
    const short src_0_m1_2 = (short)src_0_m1;
    const short v8 = src_0_m1_2 * 2;
    const short row_sum = v4 + v8;
    const uchar src_m1_0 = beside_u8(src, 0, -1, 0);
    const uchar src_0_0 = load_u8(src, 0, 0);
    const uchar src_1_0 = beside_u8(src, 1, 1, 0);
    const short src_m1_0_2 = (short)src_m1_0;
    const short src_1_0_2 = (short)src_1_0;
    const short v14 = src_m1_0_2 + src_1_0_2;
    const short src_0_0_2 = (short)src_0_0;
    const short v17 = src_0_0_2 * 2;
    const short row_sum_2 = v14 + v17;
    const short pair_sum = row_sum + row_sum_2;
    const uchar src_m1_1 = beside_u8(src, 0, -1, 1);
    const uchar src_0_1 = load_u8(src, 0, 1);
    const uchar src_1_1 = beside_u8(src, 1, 1, 1);
    const short src_m1_1_2 = (short)src_m1_1;
    const short src_1_1_2 = (short)src_1_1;
    const short v24 = src_m1_1_2 + src_1_1_2;
    const short src_0_1_2 = (short)src_0_1;
    const short v27 = src_0_1_2 * 2;
    const short row_sum_3 = v24 + v27;
    const short pair_sum_2 = row_sum_2 + row_sum_3;
    const short pair_sum_3 = pair_sum + pair_sum_2;
    const short v32 = pair_sum_3 >> 4;
    const uchar out_0_0 = (uchar)v32;
    store_u8(out, 0, 0, out_0_0);
}

// The same at an edge, or where rows are not aligned.
OUTLINE void gaussian3x3_1x1_edge(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y, const bool aligned)
{
    long src_rows[3];
    find_rows(src_rows, 3, block_y - 1, y1, src_height, src_stride, border);
    const Source_u8 src_edge = {
        src, src_stride, 0, src_rows + 1, block_x, x1, src_width, 1, border, src_border, false, aligned
    };
    const int from_x = max(x0 - block_x, 0), to_x = min(x1 - block_x, 1);
    const int from_y = max(y0 - block_y, 0), to_y = min(y1 - block_y, 1);
    const bool whole = from_x == 0 && from_y == 0 && to_x == 1 && to_y == 1;
    const Sink_u8 out_edge = {
        out_first, out_stride, from_x, from_y, to_x, to_y, 1, whole, aligned
    };
    gaussian3x3_1x1_block(src_edge, out_edge);
}

__kernel void gaussian3x3_1x1(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    const int blocks_x = x1 - x0, blocks_y = y1 - y0;
    const size_t item_x = get_global_id(0), item_y = get_global_id(1);
    if ((long)item_x >= blocks_x || (long)item_y >= blocks_y)
        return;
    const int block_x = x0 + (int)item_x;
    // The last row of blocks comes first: those at the edge take longest.
    const int block_y = y0 + (item_y == 0 ? blocks_y : (int)item_y) - 1;
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = true;
    const int src_columns[2] = {
        column_at(border, block_x - 1, src_width), column_at(border, block_x + 1, src_width),
    };
    // Whether the block lies in the window, and what it reads in the inputs.
    const bool whole = block_y - 1 >= 0 && block_y + 2 <= src_height && block_x + 1 <= src_width
        && src_columns[0] >= 0 && src_columns[1] >= 0;
    if (whole && aligned) {
        const int src_beside[2] = { src_columns[0] - block_x, src_columns[1] - block_x };
        const Source_u8 src_inside = { src_first, src_stride, src_beside, 0, 0, 0, 0, 0, 0, 0, true, true };
        const Sink_u8 out_inside = { out_first, out_stride, 0, 0, 0, 0, 0, true, true };
        gaussian3x3_1x1_block(src_inside, out_inside);
    } else {
        gaussian3x3_1x1_edge(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y, aligned);
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
        const uint2 v7 = src_m1 >> 8;
        const uint2 v8 = v7 & (uint2)0x00ff00ffu;
        const uint2 v10 = src_words_0 >> 8;
        const uint2 v11 = v10 & (uint2)0x00ff00ffu;
        const uint2 v12 = v8 >> 16;
        const uint2 v13 = v11 << 16;
        const uint2 v14 = v12 | v13;
        const uint2 v15 = v14 + v11;
        const uint2 v16 = src_words_0 & (uint2)0x00ff00ffu;
        const uint2 v17 = v16 * (uint2)2u;
        row_sum_even[i] = v15 + v17;
        const uint2 src_1 = (uint2)(src_words_0.s1, src_words_2);
        const uint2 v20 = src_1 & (uint2)0x00ff00ffu;
        const uint2 v21 = v16 >> 16;
        const uint2 v22 = v20 << 16;
        const uint2 v23 = v21 | v22;
        const uint2 v24 = v16 + v23;
        const uint2 v25 = v11 * (uint2)2u;
        row_sum_odd[i] = v24 + v25;
        if (i < 1)
            continue;
        pair_sum_even[i] = row_sum_even[i - 1] + row_sum_even[i];
        pair_sum_odd[i] = row_sum_odd[i - 1] + row_sum_odd[i];
        if (i < 2)
            continue;
        const uint2 pair_sum_even_2 = pair_sum_even[i - 1] + pair_sum_even[i];
        const uint2 v33 = pair_sum_even_2 >> 4;
        const uint2 pair_sum_odd_2 = pair_sum_odd[i - 1] + pair_sum_odd[i];
        const uint2 v36 = v33 & (uint2)0x00ff00ffu;
        const uint2 v37 = pair_sum_odd_2 << 4;
        const uint2 v38 = v37 & (uint2)0xff00ff00u;
        out_0[i] = v36 | v38;
    }
    #pragma unroll
    for (int i = 2; i < 18; ++i)
        store_u8x8(out, 0, i - 2, as_uchar8(out_0[i]));
}

// The same at an edge, or where rows are not aligned.
OUTLINE void gaussian3x3_pairs_8x16_edge(
    __global const uchar *src, const int src_stride, const int src_width, const int src_height, const uint src_border,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1, const int border,
    const int block_x, const int block_y, const bool aligned)
{
    long src_rows[18];
    find_rows(src_rows, 18, block_y - 1, y1, src_height, src_stride, border);
    const Source_u8 src_edge = {
        src, src_stride, 0, src_rows + 1, block_x, x1, src_width, 1, border, src_border, false, aligned
    };
    const int from_x = max(x0 - block_x, 0), to_x = min(x1 - block_x, 8);
    const int from_y = max(y0 - block_y, 0), to_y = min(y1 - block_y, 16);
    const bool whole = from_x == 0 && from_y == 0 && to_x == 8 && to_y == 16;
    const Sink_u8 out_edge = {
        out_first, out_stride, from_x, from_y, to_x, to_y, 1, whole, aligned
    };
    gaussian3x3_pairs_8x16_block(src_edge, out_edge);
}

__kernel void gaussian3x3_pairs_8x16(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    const int blocks_x = (x1 - 1) / 8 - x0 / 8 + 1, blocks_y = (y1 - 1) / 16 - y0 / 16 + 1;
    const size_t item_x = get_global_id(0), item_y = get_global_id(1);
    if ((long)item_x >= blocks_x || (long)item_y >= blocks_y)
        return;
    const int block_x = 8 * (x0 / 8 + (int)item_x);
    // The last row of blocks comes first: those at the edge take longest.
    const int block_y = 16 * (y0 / 16 + (item_y == 0 ? blocks_y : (int)item_y) - 1);
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(src_first, src_stride, 8)
        && is_aligned(out_first, out_stride, 8);
    const int src_columns[2] = {
        column_at(border, block_x - 1, src_width), column_at(border, block_x + 8, src_width),
    };
    // Whether the block lies in the window, and what it reads in the inputs.
    const bool whole = block_x >= x0 && block_x + 8 <= x1 && block_y >= y0 && block_y + 16 <= y1
        && block_y - 1 >= 0 && block_y + 17 <= src_height && block_x + 8 <= src_width
        && src_columns[0] >= 0 && src_columns[1] >= 0;
    if (whole && aligned) {
        const int src_beside[2] = { src_columns[0] - block_x, src_columns[1] - block_x };
        const Source_u8 src_inside = { src_first, src_stride, src_beside, 0, 0, 0, 0, 0, 0, 0, true, true };
        const Sink_u8 out_inside = { out_first, out_stride, 0, 0, 0, 0, 0, true, true };
        gaussian3x3_pairs_8x16_block(src_inside, out_inside);
    } else {
        gaussian3x3_pairs_8x16_edge(
            src, src_stride, src_width, src_height, src_border,
            out_first, out_stride,
            x0, y0, x1, y1, border,
            block_x, block_y, aligned);
    }
}
