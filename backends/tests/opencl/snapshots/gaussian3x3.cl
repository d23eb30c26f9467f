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
    const uchar src_m1_m1 = beside_u8(src, 0, -1, -1);
    const uchar4 src_0_m1 = load_u8x4(src, 0, -1);
    const uchar src_4_m1 = beside_u8(src, 1, 4, -1);
    const short4 src_m1_m1_2 = convert_short4((uchar4)(src_m1_m1, src_0_m1.s012));
    const short4 src_1_m1 = convert_short4((uchar4)(src_0_m1.s123, src_4_m1));
    const short4 v4 = src_m1_m1_2 + src_1_m1;
    const short4 src_0_m1_2 = convert_short4(src_0_m1);
    const short4 v8 = src_0_m1_2 * (short4)2;
    const short4 row_sum = v4 + v8;
    const uchar src_m1_0 = beside_u8(src, 0, -1, 0);
    const uchar4 src_0_0 = load_u8x4(src, 0, 0);
    const uchar src_4_0 = beside_u8(src, 1, 4, 0);
    const short4 src_m1_0_2 = convert_short4((uchar4)(src_m1_0, src_0_0.s012));
    const short4 src_1_0 = convert_short4((uchar4)(src_0_0.s123, src_4_0));
    const short4 v14 = src_m1_0_2 + src_1_0;
    const short4 src_0_0_2 = convert_short4(src_0_0);
    const short4 v17 = src_0_0_2 * (short4)2;
    const short4 row_sum_2 = v14 + v17;
    const short4 pair_sum = row_sum + row_sum_2;
    const uchar src_m1_1 = beside_u8(src, 0, -1, 1);
    const uchar4 src_0_1 = load_u8x4(src, 0, 1);
    const uchar src_4_1 = beside_u8(src, 1, 4, 1);
    const short4 src_m1_1_2 = convert_short4((uchar4)(src_m1_1, src_0_1.s012));
    const short4 src_1_1 = convert_short4((uchar4)(src_0_1.s123, src_4_1));
    const short4 v24 = src_m1_1_2 + src_1_1;
    const short4 src_0_1_2 = convert_short4(src_0_1);
    const short4 v27 = src_0_1_2 * (short4)2;
    const short4 row_sum_3 = v24 + v27;
    const short4 pair_sum_2 = row_sum_2 + row_sum_3;
    const short4 pair_sum_3 = pair_sum + pair_sum_2;
    const short4 v32 = pair_sum_3 >> 4;
    const uchar4 out_0_0 = convert_uchar4(v32);
    const uchar src_m1_2 = beside_u8(src, 0, -1, 2);
    const uchar4 src_0_2 = load_u8x4(src, 0, 2);
    const uchar src_4_2 = beside_u8(src, 1, 4, 2);
    const short4 src_m1_2_2 = convert_short4((uchar4)(src_m1_2, src_0_2.s012));
    const short4 src_1_2 = convert_short4((uchar4)(src_0_2.s123, src_4_2));
    const short4 v38 = src_m1_2_2 + src_1_2;
    const short4 src_0_2_2 = convert_short4(src_0_2);
    const short4 v41 = src_0_2_2 * (short4)2;
    const short4 row_sum_y1 = v38 + v41;
    const short4 pair_sum_y1 = row_sum_3 + row_sum_y1;
    const short4 pair_sum_y1_2 = pair_sum_2 + pair_sum_y1;
    const short4 v45 = pair_sum_y1_2 >> 4;
    const uchar4 out_0_1 = convert_uchar4(v45);
    store_u8x4(out, 0, 0, out_0_0);
    store_u8x4(out, 0, 1, out_0_1);
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
    const uint src_words_m1_m1 = (uint)beside_u8(src, 0, -1, -1) << 24;
    const uint2 src_words_0_m1 = as_uint2(load_u8x8(src, 0, -1));
    const uint src_words_2_m1 = (uint)beside_u8(src, 1, 8, -1);
    const uint2 src_m1_m1 = (uint2)(src_words_m1_m1, src_words_0_m1.s0);
    const uint2 v2 = src_m1_m1 >> 8;
    const uint2 v4 = v2 & (uint2)0x00ff00ffu;
    const uint2 v6 = src_words_0_m1 >> 8;
    const uint2 v7 = v6 & (uint2)0x00ff00ffu;
    const uint2 v9 = v4 >> 16;
    const uint2 v10 = v7 << 16;
    const uint2 v11 = v9 | v10;
    const uint2 v12 = v11 + v7;
    const uint2 v13 = src_words_0_m1 & (uint2)0x00ff00ffu;
    const uint2 v15 = v13 * (uint2)2u;
    const uint2 row_sum_even = v12 + v15;
    const uint src_words_m1_0 = (uint)beside_u8(src, 0, -1, 0) << 24;
    const uint2 src_words_0_0 = as_uint2(load_u8x8(src, 0, 0));
    const uint src_words_2_0 = (uint)beside_u8(src, 1, 8, 0);
    const uint2 src_m1_0 = (uint2)(src_words_m1_0, src_words_0_0.s0);
    const uint2 v18 = src_m1_0 >> 8;
    const uint2 v19 = v18 & (uint2)0x00ff00ffu;
    const uint2 v21 = src_words_0_0 >> 8;
    const uint2 v22 = v21 & (uint2)0x00ff00ffu;
    const uint2 v23 = v19 >> 16;
    const uint2 v24 = v22 << 16;
    const uint2 v25 = v23 | v24;
    const uint2 v26 = v25 + v22;
    const uint2 v27 = src_words_0_0 & (uint2)0x00ff00ffu;
    const uint2 v28 = v27 * (uint2)2u;
    const uint2 row_sum_even_2 = v26 + v28;
    const uint2 pair_sum_even = row_sum_even + row_sum_even_2;
    const uint src_words_m1_1 = (uint)beside_u8(src, 0, -1, 1) << 24;
    const uint2 src_words_0_1 = as_uint2(load_u8x8(src, 0, 1));
    const uint src_words_2_1 = (uint)beside_u8(src, 1, 8, 1);
    const uint2 src_m1_1 = (uint2)(src_words_m1_1, src_words_0_1.s0);
    const uint2 v32 = src_m1_1 >> 8;
    const uint2 v33 = v32 & (uint2)0x00ff00ffu;
    const uint2 v35 = src_words_0_1 >> 8;
    const uint2 v36 = v35 & (uint2)0x00ff00ffu;
    const uint2 v37 = v33 >> 16;
    const uint2 v38 = v36 << 16;
    const uint2 v39 = v37 | v38;
    const uint2 v40 = v39 + v36;
    const uint2 v41 = src_words_0_1 & (uint2)0x00ff00ffu;
    const uint2 v42 = v41 * (uint2)2u;
    const uint2 row_sum_even_3 = v40 + v42;
    const uint2 pair_sum_even_2 = row_sum_even_2 + row_sum_even_3;
    const uint2 pair_sum_even_3 = pair_sum_even + pair_sum_even_2;
    const uint2 v47 = pair_sum_even_3 >> 4;
    const uint2 src_1_m1 = (uint2)(src_words_0_m1.s1, src_words_2_m1);
    const uint2 v49 = src_1_m1 & (uint2)0x00ff00ffu;
    const uint2 v50 = v13 >> 16;
    const uint2 v51 = v49 << 16;
    const uint2 v52 = v50 | v51;
    const uint2 v53 = v13 + v52;
    const uint2 v54 = v7 * (uint2)2u;
    const uint2 row_sum_odd = v53 + v54;
    const uint2 src_1_0 = (uint2)(src_words_0_0.s1, src_words_2_0);
    const uint2 v57 = src_1_0 & (uint2)0x00ff00ffu;
    const uint2 v58 = v27 >> 16;
    const uint2 v59 = v57 << 16;
    const uint2 v60 = v58 | v59;
    const uint2 v61 = v27 + v60;
    const uint2 v62 = v22 * (uint2)2u;
    const uint2 row_sum_odd_2 = v61 + v62;
    const uint2 pair_sum_odd = row_sum_odd + row_sum_odd_2;
    const uint2 src_1_1 = (uint2)(src_words_0_1.s1, src_words_2_1);
    const uint2 v66 = src_1_1 & (uint2)0x00ff00ffu;
    const uint2 v67 = v41 >> 16;
    const uint2 v68 = v66 << 16;
    const uint2 v69 = v67 | v68;
    const uint2 v70 = v41 + v69;
    const uint2 v71 = v36 * (uint2)2u;
    const uint2 row_sum_odd_3 = v70 + v71;
    const uint2 pair_sum_odd_2 = row_sum_odd_2 + row_sum_odd_3;
    const uint2 pair_sum_odd_3 = pair_sum_odd + pair_sum_odd_2;
    const uint2 v75 = v47 & (uint2)0x00ff00ffu;
    const uint2 v76 = pair_sum_odd_3 << 4;
    const uint2 v78 = v76 & (uint2)0xff00ff00u;
    const uint2 out_0_0 = v75 | v78;
    const uint src_words_m1_2 = (uint)beside_u8(src, 0, -1, 2) << 24;
    const uint2 src_words_0_2 = as_uint2(load_u8x8(src, 0, 2));
    const uint src_words_2_2 = (uint)beside_u8(src, 1, 8, 2);
    const uint2 src_m1_2 = (uint2)(src_words_m1_2, src_words_0_2.s0);
    const uint2 v81 = src_m1_2 >> 8;
    const uint2 v82 = v81 & (uint2)0x00ff00ffu;
    const uint2 v84 = src_words_0_2 >> 8;
    const uint2 v85 = v84 & (uint2)0x00ff00ffu;
    const uint2 v86 = v82 >> 16;
    const uint2 v87 = v85 << 16;
    const uint2 v88 = v86 | v87;
    const uint2 v89 = v88 + v85;
    const uint2 v90 = src_words_0_2 & (uint2)0x00ff00ffu;
    const uint2 v91 = v90 * (uint2)2u;
    const uint2 row_sum_even_y1 = v89 + v91;
    const uint2 pair_sum_even_y1 = row_sum_even_3 + row_sum_even_y1;
    const uint2 pair_sum_even_y1_2 = pair_sum_even_2 + pair_sum_even_y1;
    const uint2 v95 = pair_sum_even_y1_2 >> 4;
    const uint2 src_1_2 = (uint2)(src_words_0_2.s1, src_words_2_2);
    const uint2 v97 = src_1_2 & (uint2)0x00ff00ffu;
    const uint2 v98 = v90 >> 16;
    const uint2 v99 = v97 << 16;
    const uint2 v100 = v98 | v99;
    const uint2 v101 = v90 + v100;
    const uint2 v102 = v85 * (uint2)2u;
    const uint2 row_sum_odd_y1 = v101 + v102;
    const uint2 pair_sum_odd_y1 = row_sum_odd_3 + row_sum_odd_y1;
    const uint2 pair_sum_odd_y1_2 = pair_sum_odd_2 + pair_sum_odd_y1;
    const uint2 v106 = v95 & (uint2)0x00ff00ffu;
    const uint2 v107 = pair_sum_odd_y1_2 << 4;
    const uint2 v108 = v107 & (uint2)0xff00ff00u;
    const uint2 out_0_1 = v106 | v108;
    const uint src_words_m1_3 = (uint)beside_u8(src, 0, -1, 3) << 24;
    const uint2 src_words_0_3 = as_uint2(load_u8x8(src, 0, 3));
    const uint src_words_2_3 = (uint)beside_u8(src, 1, 8, 3);
    const uint2 src_m1_3 = (uint2)(src_words_m1_3, src_words_0_3.s0);
    const uint2 v111 = src_m1_3 >> 8;
    const uint2 v112 = v111 & (uint2)0x00ff00ffu;
    const uint2 v114 = src_words_0_3 >> 8;
    const uint2 v115 = v114 & (uint2)0x00ff00ffu;
    const uint2 v116 = v112 >> 16;
    const uint2 v117 = v115 << 16;
    const uint2 v118 = v116 | v117;
    const uint2 v119 = v118 + v115;
    const uint2 v120 = src_words_0_3 & (uint2)0x00ff00ffu;
    const uint2 v121 = v120 * (uint2)2u;
    const uint2 row_sum_even_y2 = v119 + v121;
    const uint2 pair_sum_even_y2 = row_sum_even_y1 + row_sum_even_y2;
    const uint2 pair_sum_even_y2_2 = pair_sum_even_y1 + pair_sum_even_y2;
    const uint2 v125 = pair_sum_even_y2_2 >> 4;
    const uint2 src_1_3 = (uint2)(src_words_0_3.s1, src_words_2_3);
    const uint2 v127 = src_1_3 & (uint2)0x00ff00ffu;
    const uint2 v128 = v120 >> 16;
    const uint2 v129 = v127 << 16;
    const uint2 v130 = v128 | v129;
    const uint2 v131 = v120 + v130;
    const uint2 v132 = v115 * (uint2)2u;
    const uint2 row_sum_odd_y2 = v131 + v132;
    const uint2 pair_sum_odd_y2 = row_sum_odd_y1 + row_sum_odd_y2;
    const uint2 pair_sum_odd_y2_2 = pair_sum_odd_y1 + pair_sum_odd_y2;
    const uint2 v136 = v125 & (uint2)0x00ff00ffu;
    const uint2 v137 = pair_sum_odd_y2_2 << 4;
    const uint2 v138 = v137 & (uint2)0xff00ff00u;
    const uint2 out_0_2 = v136 | v138;
    const uint src_words_m1_4 = (uint)beside_u8(src, 0, -1, 4) << 24;
    const uint2 src_words_0_4 = as_uint2(load_u8x8(src, 0, 4));
    const uint src_words_2_4 = (uint)beside_u8(src, 1, 8, 4);
    const uint2 src_m1_4 = (uint2)(src_words_m1_4, src_words_0_4.s0);
    const uint2 v141 = src_m1_4 >> 8;
    const uint2 v142 = v141 & (uint2)0x00ff00ffu;
    const uint2 v144 = src_words_0_4 >> 8;
    const uint2 v145 = v144 & (uint2)0x00ff00ffu;
    const uint2 v146 = v142 >> 16;
    const uint2 v147 = v145 << 16;
    const uint2 v148 = v146 | v147;
    const uint2 v149 = v148 + v145;
    const uint2 v150 = src_words_0_4 & (uint2)0x00ff00ffu;
    const uint2 v151 = v150 * (uint2)2u;
    const uint2 row_sum_even_y3 = v149 + v151;
    const uint2 pair_sum_even_y3 = row_sum_even_y2 + row_sum_even_y3;
    const uint2 pair_sum_even_y3_2 = pair_sum_even_y2 + pair_sum_even_y3;
    const uint2 v155 = pair_sum_even_y3_2 >> 4;
    const uint2 src_1_4 = (uint2)(src_words_0_4.s1, src_words_2_4);
    const uint2 v157 = src_1_4 & (uint2)0x00ff00ffu;
    const uint2 v158 = v150 >> 16;
    const uint2 v159 = v157 << 16;
    const uint2 v160 = v158 | v159;
    const uint2 v161 = v150 + v160;
    const uint2 v162 = v145 * (uint2)2u;
    const uint2 row_sum_odd_y3 = v161 + v162;
    const uint2 pair_sum_odd_y3 = row_sum_odd_y2 + row_sum_odd_y3;
    const uint2 pair_sum_odd_y3_2 = pair_sum_odd_y2 + pair_sum_odd_y3;
    const uint2 v166 = v155 & (uint2)0x00ff00ffu;
    const uint2 v167 = pair_sum_odd_y3_2 << 4;
    const uint2 v168 = v167 & (uint2)0xff00ff00u;
    const uint2 out_0_3 = v166 | v168;
    const uint src_words_m1_5 = (uint)beside_u8(src, 0, -1, 5) << 24;
    const uint2 src_words_0_5 = as_uint2(load_u8x8(src, 0, 5));
    const uint src_words_2_5 = (uint)beside_u8(src, 1, 8, 5);
    const uint2 src_m1_5 = (uint2)(src_words_m1_5, src_words_0_5.s0);
    const uint2 v171 = src_m1_5 >> 8;
    const uint2 v172 = v171 & (uint2)0x00ff00ffu;
    const uint2 v174 = src_words_0_5 >> 8;
    const uint2 v175 = v174 & (uint2)0x00ff00ffu;
    const uint2 v176 = v172 >> 16;
    const uint2 v177 = v175 << 16;
    const uint2 v178 = v176 | v177;
    const uint2 v179 = v178 + v175;
    const uint2 v180 = src_words_0_5 & (uint2)0x00ff00ffu;
    const uint2 v181 = v180 * (uint2)2u;
    const uint2 row_sum_even_y4 = v179 + v181;
    const uint2 pair_sum_even_y4 = row_sum_even_y3 + row_sum_even_y4;
    const uint2 pair_sum_even_y4_2 = pair_sum_even_y3 + pair_sum_even_y4;
    const uint2 v185 = pair_sum_even_y4_2 >> 4;
    const uint2 src_1_5 = (uint2)(src_words_0_5.s1, src_words_2_5);
    const uint2 v187 = src_1_5 & (uint2)0x00ff00ffu;
    const uint2 v188 = v180 >> 16;
    const uint2 v189 = v187 << 16;
    const uint2 v190 = v188 | v189;
    const uint2 v191 = v180 + v190;
    const uint2 v192 = v175 * (uint2)2u;
    const uint2 row_sum_odd_y4 = v191 + v192;
    const uint2 pair_sum_odd_y4 = row_sum_odd_y3 + row_sum_odd_y4;
    const uint2 pair_sum_odd_y4_2 = pair_sum_odd_y3 + pair_sum_odd_y4;
    const uint2 v196 = v185 & (uint2)0x00ff00ffu;
    const uint2 v197 = pair_sum_odd_y4_2 << 4;
    const uint2 v198 = v197 & (uint2)0xff00ff00u;
    const uint2 out_0_4 = v196 | v198;
    const uint src_words_m1_6 = (uint)beside_u8(src, 0, -1, 6) << 24;
    const uint2 src_words_0_6 = as_uint2(load_u8x8(src, 0, 6));
    const uint src_words_2_6 = (uint)beside_u8(src, 1, 8, 6);
    const uint2 src_m1_6 = (uint2)(src_words_m1_6, src_words_0_6.s0);
    const uint2 v201 = src_m1_6 >> 8;
    const uint2 v202 = v201 & (uint2)0x00ff00ffu;
    const uint2 v204 = src_words_0_6 >> 8;
    const uint2 v205 = v204 & (uint2)0x00ff00ffu;
    const uint2 v206 = v202 >> 16;
    const uint2 v207 = v205 << 16;
    const uint2 v208 = v206 | v207;
    const uint2 v209 = v208 + v205;
    const uint2 v210 = src_words_0_6 & (uint2)0x00ff00ffu;
    const uint2 v211 = v210 * (uint2)2u;
    const uint2 row_sum_even_y5 = v209 + v211;
    const uint2 pair_sum_even_y5 = row_sum_even_y4 + row_sum_even_y5;
    const uint2 pair_sum_even_y5_2 = pair_sum_even_y4 + pair_sum_even_y5;
    const uint2 v215 = pair_sum_even_y5_2 >> 4;
    const uint2 src_1_6 = (uint2)(src_words_0_6.s1, src_words_2_6);
    const uint2 v217 = src_1_6 & (uint2)0x00ff00ffu;
    const uint2 v218 = v210 >> 16;
    const uint2 v219 = v217 << 16;
    const uint2 v220 = v218 | v219;
    const uint2 v221 = v210 + v220;
    const uint2 v222 = v205 * (uint2)2u;
    const uint2 row_sum_odd_y5 = v221 + v222;
    const uint2 pair_sum_odd_y5 = row_sum_odd_y4 + row_sum_odd_y5;
    const uint2 pair_sum_odd_y5_2 = pair_sum_odd_y4 + pair_sum_odd_y5;
    const uint2 v226 = v215 & (uint2)0x00ff00ffu;
    const uint2 v227 = pair_sum_odd_y5_2 << 4;
    const uint2 v228 = v227 & (uint2)0xff00ff00u;
    const uint2 out_0_5 = v226 | v228;
    const uint src_words_m1_7 = (uint)beside_u8(src, 0, -1, 7) << 24;
    const uint2 src_words_0_7 = as_uint2(load_u8x8(src, 0, 7));
    const uint src_words_2_7 = (uint)beside_u8(src, 1, 8, 7);
    const uint2 src_m1_7 = (uint2)(src_words_m1_7, src_words_0_7.s0);
    const uint2 v231 = src_m1_7 >> 8;
    const uint2 v232 = v231 & (uint2)0x00ff00ffu;
    const uint2 v234 = src_words_0_7 >> 8;
    const uint2 v235 = v234 & (uint2)0x00ff00ffu;
    const uint2 v236 = v232 >> 16;
    const uint2 v237 = v235 << 16;
    const uint2 v238 = v236 | v237;
    const uint2 v239 = v238 + v235;
    const uint2 v240 = src_words_0_7 & (uint2)0x00ff00ffu;
    const uint2 v241 = v240 * (uint2)2u;
    const uint2 row_sum_even_y6 = v239 + v241;
    const uint2 pair_sum_even_y6 = row_sum_even_y5 + row_sum_even_y6;
    const uint2 pair_sum_even_y6_2 = pair_sum_even_y5 + pair_sum_even_y6;
    const uint2 v245 = pair_sum_even_y6_2 >> 4;
    const uint2 src_1_7 = (uint2)(src_words_0_7.s1, src_words_2_7);
    const uint2 v247 = src_1_7 & (uint2)0x00ff00ffu;
    const uint2 v248 = v240 >> 16;
    const uint2 v249 = v247 << 16;
    const uint2 v250 = v248 | v249;
    const uint2 v251 = v240 + v250;
    const uint2 v252 = v235 * (uint2)2u;
    const uint2 row_sum_odd_y6 = v251 + v252;
    const uint2 pair_sum_odd_y6 = row_sum_odd_y5 + row_sum_odd_y6;
    const uint2 pair_sum_odd_y6_2 = pair_sum_odd_y5 + pair_sum_odd_y6;
    const uint2 v256 = v245 & (uint2)0x00ff00ffu;
    const uint2 v257 = pair_sum_odd_y6_2 << 4;
    const uint2 v258 = v257 & (uint2)0xff00ff00u;
    const uint2 out_0_6 = v256 | v258;
    const uint src_words_m1_8 = (uint)beside_u8(src, 0, -1, 8) << 24;
    const uint2 src_words_0_8 = as_uint2(load_u8x8(src, 0, 8));
    const uint src_words_2_8 = (uint)beside_u8(src, 1, 8, 8);
    const uint2 src_m1_8 = (uint2)(src_words_m1_8, src_words_0_8.s0);
    const uint2 v261 = src_m1_8 >> 8;
    const uint2 v262 = v261 & (uint2)0x00ff00ffu;
    const uint2 v264 = src_words_0_8 >> 8;
    const uint2 v265 = v264 & (uint2)0x00ff00ffu;
    const uint2 v266 = v262 >> 16;
    const uint2 v267 = v265 << 16;
    const uint2 v268 = v266 | v267;
    const uint2 v269 = v268 + v265;
    const uint2 v270 = src_words_0_8 & (uint2)0x00ff00ffu;
    const uint2 v271 = v270 * (uint2)2u;
    const uint2 row_sum_even_y7 = v269 + v271;
    const uint2 pair_sum_even_y7 = row_sum_even_y6 + row_sum_even_y7;
    const uint2 pair_sum_even_y7_2 = pair_sum_even_y6 + pair_sum_even_y7;
    const uint2 v275 = pair_sum_even_y7_2 >> 4;
    const uint2 src_1_8 = (uint2)(src_words_0_8.s1, src_words_2_8);
    const uint2 v277 = src_1_8 & (uint2)0x00ff00ffu;
    const uint2 v278 = v270 >> 16;
    const uint2 v279 = v277 << 16;
    const uint2 v280 = v278 | v279;
    const uint2 v281 = v270 + v280;
    const uint2 v282 = v265 * (uint2)2u;
    const uint2 row_sum_odd_y7 = v281 + v282;
    const uint2 pair_sum_odd_y7 = row_sum_odd_y6 + row_sum_odd_y7;
    const uint2 pair_sum_odd_y7_2 = pair_sum_odd_y6 + pair_sum_odd_y7;
    const uint2 v286 = v275 & (uint2)0x00ff00ffu;
    const uint2 v287 = pair_sum_odd_y7_2 << 4;
    const uint2 v288 = v287 & (uint2)0xff00ff00u;
    const uint2 out_0_7 = v286 | v288;
    const uint src_words_m1_9 = (uint)beside_u8(src, 0, -1, 9) << 24;
    const uint2 src_words_0_9 = as_uint2(load_u8x8(src, 0, 9));
    const uint src_words_2_9 = (uint)beside_u8(src, 1, 8, 9);
    const uint2 src_m1_9 = (uint2)(src_words_m1_9, src_words_0_9.s0);
    const uint2 v291 = src_m1_9 >> 8;
    const uint2 v292 = v291 & (uint2)0x00ff00ffu;
    const uint2 v294 = src_words_0_9 >> 8;
    const uint2 v295 = v294 & (uint2)0x00ff00ffu;
    const uint2 v296 = v292 >> 16;
    const uint2 v297 = v295 << 16;
    const uint2 v298 = v296 | v297;
    const uint2 v299 = v298 + v295;
    const uint2 v300 = src_words_0_9 & (uint2)0x00ff00ffu;
    const uint2 v301 = v300 * (uint2)2u;
    const uint2 row_sum_even_y8 = v299 + v301;
    const uint2 pair_sum_even_y8 = row_sum_even_y7 + row_sum_even_y8;
    const uint2 pair_sum_even_y8_2 = pair_sum_even_y7 + pair_sum_even_y8;
    const uint2 v305 = pair_sum_even_y8_2 >> 4;
    const uint2 src_1_9 = (uint2)(src_words_0_9.s1, src_words_2_9);
    const uint2 v307 = src_1_9 & (uint2)0x00ff00ffu;
    const uint2 v308 = v300 >> 16;
    const uint2 v309 = v307 << 16;
    const uint2 v310 = v308 | v309;
    const uint2 v311 = v300 + v310;
    const uint2 v312 = v295 * (uint2)2u;
    const uint2 row_sum_odd_y8 = v311 + v312;
    const uint2 pair_sum_odd_y8 = row_sum_odd_y7 + row_sum_odd_y8;
    const uint2 pair_sum_odd_y8_2 = pair_sum_odd_y7 + pair_sum_odd_y8;
    const uint2 v316 = v305 & (uint2)0x00ff00ffu;
    const uint2 v317 = pair_sum_odd_y8_2 << 4;
    const uint2 v318 = v317 & (uint2)0xff00ff00u;
    const uint2 out_0_8 = v316 | v318;
    const uint src_words_m1_10 = (uint)beside_u8(src, 0, -1, 10) << 24;
    const uint2 src_words_0_10 = as_uint2(load_u8x8(src, 0, 10));
    const uint src_words_2_10 = (uint)beside_u8(src, 1, 8, 10);
    const uint2 src_m1_10 = (uint2)(src_words_m1_10, src_words_0_10.s0);
    const uint2 v321 = src_m1_10 >> 8;
    const uint2 v322 = v321 & (uint2)0x00ff00ffu;
    const uint2 v324 = src_words_0_10 >> 8;
    const uint2 v325 = v324 & (uint2)0x00ff00ffu;
    const uint2 v326 = v322 >> 16;
    const uint2 v327 = v325 << 16;
    const uint2 v328 = v326 | v327;
    const uint2 v329 = v328 + v325;
    const uint2 v330 = src_words_0_10 & (uint2)0x00ff00ffu;
    const uint2 v331 = v330 * (uint2)2u;
    const uint2 row_sum_even_y9 = v329 + v331;
    const uint2 pair_sum_even_y9 = row_sum_even_y8 + row_sum_even_y9;
    const uint2 pair_sum_even_y9_2 = pair_sum_even_y8 + pair_sum_even_y9;
    const uint2 v335 = pair_sum_even_y9_2 >> 4;
    const uint2 src_1_10 = (uint2)(src_words_0_10.s1, src_words_2_10);
    const uint2 v337 = src_1_10 & (uint2)0x00ff00ffu;
    const uint2 v338 = v330 >> 16;
    const uint2 v339 = v337 << 16;
    const uint2 v340 = v338 | v339;
    const uint2 v341 = v330 + v340;
    const uint2 v342 = v325 * (uint2)2u;
    const uint2 row_sum_odd_y9 = v341 + v342;
    const uint2 pair_sum_odd_y9 = row_sum_odd_y8 + row_sum_odd_y9;
    const uint2 pair_sum_odd_y9_2 = pair_sum_odd_y8 + pair_sum_odd_y9;
    const uint2 v346 = v335 & (uint2)0x00ff00ffu;
    const uint2 v347 = pair_sum_odd_y9_2 << 4;
    const uint2 v348 = v347 & (uint2)0xff00ff00u;
    const uint2 out_0_9 = v346 | v348;
    const uint src_words_m1_11 = (uint)beside_u8(src, 0, -1, 11) << 24;
    const uint2 src_words_0_11 = as_uint2(load_u8x8(src, 0, 11));
    const uint src_words_2_11 = (uint)beside_u8(src, 1, 8, 11);
    const uint2 src_m1_11 = (uint2)(src_words_m1_11, src_words_0_11.s0);
    const uint2 v351 = src_m1_11 >> 8;
    const uint2 v352 = v351 & (uint2)0x00ff00ffu;
    const uint2 v354 = src_words_0_11 >> 8;
    const uint2 v355 = v354 & (uint2)0x00ff00ffu;
    const uint2 v356 = v352 >> 16;
    const uint2 v357 = v355 << 16;
    const uint2 v358 = v356 | v357;
    const uint2 v359 = v358 + v355;
    const uint2 v360 = src_words_0_11 & (uint2)0x00ff00ffu;
    const uint2 v361 = v360 * (uint2)2u;
    const uint2 row_sum_even_y10 = v359 + v361;
    const uint2 pair_sum_even_y10 = row_sum_even_y9 + row_sum_even_y10;
    const uint2 pair_sum_even_y10_2 = pair_sum_even_y9 + pair_sum_even_y10;
    const uint2 v365 = pair_sum_even_y10_2 >> 4;
    const uint2 src_1_11 = (uint2)(src_words_0_11.s1, src_words_2_11);
    const uint2 v367 = src_1_11 & (uint2)0x00ff00ffu;
    const uint2 v368 = v360 >> 16;
    const uint2 v369 = v367 << 16;
    const uint2 v370 = v368 | v369;
    const uint2 v371 = v360 + v370;
    const uint2 v372 = v355 * (uint2)2u;
    const uint2 row_sum_odd_y10 = v371 + v372;
    const uint2 pair_sum_odd_y10 = row_sum_odd_y9 + row_sum_odd_y10;
    const uint2 pair_sum_odd_y10_2 = pair_sum_odd_y9 + pair_sum_odd_y10;
    const uint2 v376 = v365 & (uint2)0x00ff00ffu;
    const uint2 v377 = pair_sum_odd_y10_2 << 4;
    const uint2 v378 = v377 & (uint2)0xff00ff00u;
    const uint2 out_0_10 = v376 | v378;
    const uint src_words_m1_12 = (uint)beside_u8(src, 0, -1, 12) << 24;
    const uint2 src_words_0_12 = as_uint2(load_u8x8(src, 0, 12));
    const uint src_words_2_12 = (uint)beside_u8(src, 1, 8, 12);
    const uint2 src_m1_12 = (uint2)(src_words_m1_12, src_words_0_12.s0);
    const uint2 v381 = src_m1_12 >> 8;
    const uint2 v382 = v381 & (uint2)0x00ff00ffu;
    const uint2 v384 = src_words_0_12 >> 8;
    const uint2 v385 = v384 & (uint2)0x00ff00ffu;
    const uint2 v386 = v382 >> 16;
    const uint2 v387 = v385 << 16;
    const uint2 v388 = v386 | v387;
    const uint2 v389 = v388 + v385;
    const uint2 v390 = src_words_0_12 & (uint2)0x00ff00ffu;
    const uint2 v391 = v390 * (uint2)2u;
    const uint2 row_sum_even_y11 = v389 + v391;
    const uint2 pair_sum_even_y11 = row_sum_even_y10 + row_sum_even_y11;
    const uint2 pair_sum_even_y11_2 = pair_sum_even_y10 + pair_sum_even_y11;
    const uint2 v395 = pair_sum_even_y11_2 >> 4;
    const uint2 src_1_12 = (uint2)(src_words_0_12.s1, src_words_2_12);
    const uint2 v397 = src_1_12 & (uint2)0x00ff00ffu;
    const uint2 v398 = v390 >> 16;
    const uint2 v399 = v397 << 16;
    const uint2 v400 = v398 | v399;
    const uint2 v401 = v390 + v400;
    const uint2 v402 = v385 * (uint2)2u;
    const uint2 row_sum_odd_y11 = v401 + v402;
    const uint2 pair_sum_odd_y11 = row_sum_odd_y10 + row_sum_odd_y11;
    const uint2 pair_sum_odd_y11_2 = pair_sum_odd_y10 + pair_sum_odd_y11;
    const uint2 v406 = v395 & (uint2)0x00ff00ffu;
    const uint2 v407 = pair_sum_odd_y11_2 << 4;
    const uint2 v408 = v407 & (uint2)0xff00ff00u;
    const uint2 out_0_11 = v406 | v408;
    const uint src_words_m1_13 = (uint)beside_u8(src, 0, -1, 13) << 24;
    const uint2 src_words_0_13 = as_uint2(load_u8x8(src, 0, 13));
    const uint src_words_2_13 = (uint)beside_u8(src, 1, 8, 13);
    const uint2 src_m1_13 = (uint2)(src_words_m1_13, src_words_0_13.s0);
    const uint2 v411 = src_m1_13 >> 8;
    const uint2 v412 = v411 & (uint2)0x00ff00ffu;
    const uint2 v414 = src_words_0_13 >> 8;
    const uint2 v415 = v414 & (uint2)0x00ff00ffu;
    const uint2 v416 = v412 >> 16;
    const uint2 v417 = v415 << 16;
    const uint2 v418 = v416 | v417;
    const uint2 v419 = v418 + v415;
    const uint2 v420 = src_words_0_13 & (uint2)0x00ff00ffu;
    const uint2 v421 = v420 * (uint2)2u;
    const uint2 row_sum_even_y12 = v419 + v421;
    const uint2 pair_sum_even_y12 = row_sum_even_y11 + row_sum_even_y12;
    const uint2 pair_sum_even_y12_2 = pair_sum_even_y11 + pair_sum_even_y12;
    const uint2 v425 = pair_sum_even_y12_2 >> 4;
    const uint2 src_1_13 = (uint2)(src_words_0_13.s1, src_words_2_13);
    const uint2 v427 = src_1_13 & (uint2)0x00ff00ffu;
    const uint2 v428 = v420 >> 16;
    const uint2 v429 = v427 << 16;
    const uint2 v430 = v428 | v429;
    const uint2 v431 = v420 + v430;
    const uint2 v432 = v415 * (uint2)2u;
    const uint2 row_sum_odd_y12 = v431 + v432;
    const uint2 pair_sum_odd_y12 = row_sum_odd_y11 + row_sum_odd_y12;
    const uint2 pair_sum_odd_y12_2 = pair_sum_odd_y11 + pair_sum_odd_y12;
    const uint2 v436 = v425 & (uint2)0x00ff00ffu;
    const uint2 v437 = pair_sum_odd_y12_2 << 4;
    const uint2 v438 = v437 & (uint2)0xff00ff00u;
    const uint2 out_0_12 = v436 | v438;
    const uint src_words_m1_14 = (uint)beside_u8(src, 0, -1, 14) << 24;
    const uint2 src_words_0_14 = as_uint2(load_u8x8(src, 0, 14));
    const uint src_words_2_14 = (uint)beside_u8(src, 1, 8, 14);
    const uint2 src_m1_14 = (uint2)(src_words_m1_14, src_words_0_14.s0);
    const uint2 v441 = src_m1_14 >> 8;
    const uint2 v442 = v441 & (uint2)0x00ff00ffu;
    const uint2 v444 = src_words_0_14 >> 8;
    const uint2 v445 = v444 & (uint2)0x00ff00ffu;
    const uint2 v446 = v442 >> 16;
    const uint2 v447 = v445 << 16;
    const uint2 v448 = v446 | v447;
    const uint2 v449 = v448 + v445;
    const uint2 v450 = src_words_0_14 & (uint2)0x00ff00ffu;
    const uint2 v451 = v450 * (uint2)2u;
    const uint2 row_sum_even_y13 = v449 + v451;
    const uint2 pair_sum_even_y13 = row_sum_even_y12 + row_sum_even_y13;
    const uint2 pair_sum_even_y13_2 = pair_sum_even_y12 + pair_sum_even_y13;
    const uint2 v455 = pair_sum_even_y13_2 >> 4;
    const uint2 src_1_14 = (uint2)(src_words_0_14.s1, src_words_2_14);
    const uint2 v457 = src_1_14 & (uint2)0x00ff00ffu;
    const uint2 v458 = v450 >> 16;
    const uint2 v459 = v457 << 16;
    const uint2 v460 = v458 | v459;
    const uint2 v461 = v450 + v460;
    const uint2 v462 = v445 * (uint2)2u;
    const uint2 row_sum_odd_y13 = v461 + v462;
    const uint2 pair_sum_odd_y13 = row_sum_odd_y12 + row_sum_odd_y13;
    const uint2 pair_sum_odd_y13_2 = pair_sum_odd_y12 + pair_sum_odd_y13;
    const uint2 v466 = v455 & (uint2)0x00ff00ffu;
    const uint2 v467 = pair_sum_odd_y13_2 << 4;
    const uint2 v468 = v467 & (uint2)0xff00ff00u;
    const uint2 out_0_13 = v466 | v468;
    const uint src_words_m1_15 = (uint)beside_u8(src, 0, -1, 15) << 24;
    const uint2 src_words_0_15 = as_uint2(load_u8x8(src, 0, 15));
    const uint src_words_2_15 = (uint)beside_u8(src, 1, 8, 15);
    const uint2 src_m1_15 = (uint2)(src_words_m1_15, src_words_0_15.s0);
    const uint2 v471 = src_m1_15 >> 8;
    const uint2 v472 = v471 & (uint2)0x00ff00ffu;
    const uint2 v474 = src_words_0_15 >> 8;
    const uint2 v475 = v474 & (uint2)0x00ff00ffu;
    const uint2 v476 = v472 >> 16;
    const uint2 v477 = v475 << 16;
    const uint2 v478 = v476 | v477;
    const uint2 v479 = v478 + v475;
    const uint2 v480 = src_words_0_15 & (uint2)0x00ff00ffu;
    const uint2 v481 = v480 * (uint2)2u;
    const uint2 row_sum_even_y14 = v479 + v481;
    const uint2 pair_sum_even_y14 = row_sum_even_y13 + row_sum_even_y14;
    const uint2 pair_sum_even_y14_2 = pair_sum_even_y13 + pair_sum_even_y14;
    const uint2 v485 = pair_sum_even_y14_2 >> 4;
    const uint2 src_1_15 = (uint2)(src_words_0_15.s1, src_words_2_15);
    const uint2 v487 = src_1_15 & (uint2)0x00ff00ffu;
    const uint2 v488 = v480 >> 16;
    const uint2 v489 = v487 << 16;
    const uint2 v490 = v488 | v489;
    const uint2 v491 = v480 + v490;
    const uint2 v492 = v475 * (uint2)2u;
    const uint2 row_sum_odd_y14 = v491 + v492;
    const uint2 pair_sum_odd_y14 = row_sum_odd_y13 + row_sum_odd_y14;
    const uint2 pair_sum_odd_y14_2 = pair_sum_odd_y13 + pair_sum_odd_y14;
    const uint2 v496 = v485 & (uint2)0x00ff00ffu;
    const uint2 v497 = pair_sum_odd_y14_2 << 4;
    const uint2 v498 = v497 & (uint2)0xff00ff00u;
    const uint2 out_0_14 = v496 | v498;
    const uint src_words_m1_16 = (uint)beside_u8(src, 0, -1, 16) << 24;
    const uint2 src_words_0_16 = as_uint2(load_u8x8(src, 0, 16));
    const uint src_words_2_16 = (uint)beside_u8(src, 1, 8, 16);
    const uint2 src_m1_16 = (uint2)(src_words_m1_16, src_words_0_16.s0);
    const uint2 v501 = src_m1_16 >> 8;
    const uint2 v502 = v501 & (uint2)0x00ff00ffu;
    const uint2 v504 = src_words_0_16 >> 8;
    const uint2 v505 = v504 & (uint2)0x00ff00ffu;
    const uint2 v506 = v502 >> 16;
    const uint2 v507 = v505 << 16;
    const uint2 v508 = v506 | v507;
    const uint2 v509 = v508 + v505;
    const uint2 v510 = src_words_0_16 & (uint2)0x00ff00ffu;
    const uint2 v511 = v510 * (uint2)2u;
    const uint2 row_sum_even_y15 = v509 + v511;
    const uint2 pair_sum_even_y15 = row_sum_even_y14 + row_sum_even_y15;
    const uint2 pair_sum_even_y15_2 = pair_sum_even_y14 + pair_sum_even_y15;
    const uint2 v515 = pair_sum_even_y15_2 >> 4;
    const uint2 src_1_16 = (uint2)(src_words_0_16.s1, src_words_2_16);
    const uint2 v517 = src_1_16 & (uint2)0x00ff00ffu;
    const uint2 v518 = v510 >> 16;
    const uint2 v519 = v517 << 16;
    const uint2 v520 = v518 | v519;
    const uint2 v521 = v510 + v520;
    const uint2 v522 = v505 * (uint2)2u;
    const uint2 row_sum_odd_y15 = v521 + v522;
    const uint2 pair_sum_odd_y15 = row_sum_odd_y14 + row_sum_odd_y15;
    const uint2 pair_sum_odd_y15_2 = pair_sum_odd_y14 + pair_sum_odd_y15;
    const uint2 v526 = v515 & (uint2)0x00ff00ffu;
    const uint2 v527 = pair_sum_odd_y15_2 << 4;
    const uint2 v528 = v527 & (uint2)0xff00ff00u;
    const uint2 out_0_15 = v526 | v528;
    store_u8x8(out, 0, 0, as_uchar8(out_0_0));
    store_u8x8(out, 0, 1, as_uchar8(out_0_1));
    store_u8x8(out, 0, 2, as_uchar8(out_0_2));
    store_u8x8(out, 0, 3, as_uchar8(out_0_3));
    store_u8x8(out, 0, 4, as_uchar8(out_0_4));
    store_u8x8(out, 0, 5, as_uchar8(out_0_5));
    store_u8x8(out, 0, 6, as_uchar8(out_0_6));
    store_u8x8(out, 0, 7, as_uchar8(out_0_7));
    store_u8x8(out, 0, 8, as_uchar8(out_0_8));
    store_u8x8(out, 0, 9, as_uchar8(out_0_9));
    store_u8x8(out, 0, 10, as_uchar8(out_0_10));
    store_u8x8(out, 0, 11, as_uchar8(out_0_11));
    store_u8x8(out, 0, 12, as_uchar8(out_0_12));
    store_u8x8(out, 0, 13, as_uchar8(out_0_13));
    store_u8x8(out, 0, 14, as_uchar8(out_0_14));
    store_u8x8(out, 0, 15, as_uchar8(out_0_15));
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
