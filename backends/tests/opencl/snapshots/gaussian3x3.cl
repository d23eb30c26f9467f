// 3x3 Gaussian blur with the weights [1 2 1; 2 4 2; 1 2 1] / 16.
//
//     gaussian3x3(src: Neighbourhood<u8>) -> u8
//
// Work-item (i, j, k) computes a block of columns from x0 + i * its width and rows from y0 + j * its height of plane k,
// as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an image, `_offset` leads to the element (0, 0), `_stride`
// from row to row and `_plane` from plane to plane, in bytes; `_width` and `_height` are in elements.
// `border`: 0 undefined, 1 constant (`_border`: its bits), 2 replicate, 3 reflect, 4 reflect101, 5 wrap.

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
    const uchar *tile;
    int pitch; // elements from row to row
    bool whole; // read the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Source_u8;

// Where a block writes an output: in the image itself, or, at its edges, in a tile of which the window's part is kept.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    uchar *tile;
    int pitch; // elements from row to row
    bool whole; // write the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Sink_u8;

// Whether rows `stride` bytes apart, from `first` on, all start at a multiple of `size`, a power of two.
INLINE bool is_aligned(__global const uchar *first, const int stride, const int size)
{
    return (((ulong)first | (ulong)(long)stride) & (ulong)(size - 1)) == 0;
}

// Fills a tile with `columns` x `rows` pixels from (left, top) on, those outside the image by its border. Pixels past
// `last_x` or `last_y`, which no element of the window reads, repeat the last.
static void fill_u8(
    uchar *tile, const int columns, const int rows, const int channels,
    __global const uchar *image, const int stride, const int width, const int height,
    const int left, const int top, const int last_x, const int last_y, const int border, const uint constant_bits)
{
    for (int j = 0; j < rows; ++j) {
        const int y = border_index(border, min(top + j, last_y), height);
        __global const uchar *row = (__global const uchar *)(image + (long)max(y, 0) * stride);
        for (int i = 0; i < columns; ++i) {
            const int x = border_index(border, min(left + i, last_x), width);
            for (int c = 0; c < channels; ++c)
                *tile++ = x < 0 || y < 0 ? (uchar)constant_bits : row[(long)x * channels + c];
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

// One element.
INLINE uchar load_u8(const Source_u8 source, const int column, const int row)
{
    return source.whole
        ? ((__global const uchar *)(source.image + row * source.stride))[column]
        : source.tile[row * source.pitch + column];
}

// 4 neighbouring elements.
INLINE uchar4 load_u8x4(const Source_u8 source, const int column, const int row)
{
    return source.whole
        ? vload4(0, (__global const uchar *)(source.image + row * source.stride) + column)
        : vload4(0, source.tile + row * source.pitch + column);
}

// One element.
INLINE void store_u8(const Sink_u8 sink, const int column, const int row, const uchar value)
{
    if (sink.whole)
        ((__global uchar *)(sink.image + row * sink.stride))[column] = value;
    else
        sink.tile[row * sink.pitch + column] = value;
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

// What a work-item of gaussian3x3 computes: 4 x 2 elements.
INLINE void gaussian3x3_block(const Source_u8 src, const Sink_u8 out)
{
    const short4 src_m1_0 = convert_short4(load_u8x4(src, -1, 0));
    const short4 v4 = src_m1_0 * (short4)2;
    const short4 src_m1_m1 = convert_short4(load_u8x4(src, -1, -1));
    const short4 v6 = src_m1_m1 + v4;
    const short4 src_m1_1 = convert_short4(load_u8x4(src, -1, 1));
    const short4 column_m1 = v6 + src_m1_1;
    const short4 src_0_0 = convert_short4(load_u8x4(src, 0, 0));
    const short4 v13 = src_0_0 * (short4)2;
    const short4 src_0_m1 = convert_short4(load_u8x4(src, 0, -1));
    const short4 v15 = src_0_m1 + v13;
    const short4 src_0_1 = convert_short4(load_u8x4(src, 0, 1));
    const short4 column_0 = v15 + src_0_1;
    const short4 v19 = column_0 * (short4)2;
    const short4 v20 = column_m1 + v19;
    const short4 src_1_0 = convert_short4(load_u8x4(src, 1, 0));
    const short4 v24 = src_1_0 * (short4)2;
    const short4 src_1_m1 = convert_short4(load_u8x4(src, 1, -1));
    const short4 v26 = src_1_m1 + v24;
    const short4 src_1_1 = convert_short4(load_u8x4(src, 1, 1));
    const short4 column_1 = v26 + src_1_1;
    const short4 v30 = v20 + column_1;
    const short4 v32 = v30 >> 4;
    const uchar4 out_0_0 = convert_uchar4(v32);
    const short4 v34 = src_m1_1 * (short4)2;
    const short4 v35 = src_m1_0 + v34;
    const short4 src_m1_2 = convert_short4(load_u8x4(src, -1, 2));
    const short4 column_m1_y1 = v35 + src_m1_2;
    const short4 v39 = src_0_1 * (short4)2;
    const short4 v40 = src_0_0 + v39;
    const short4 src_0_2 = convert_short4(load_u8x4(src, 0, 2));
    const short4 column_0_y1 = v40 + src_0_2;
    const short4 v44 = column_0_y1 * (short4)2;
    const short4 v45 = column_m1_y1 + v44;
    const short4 v46 = src_1_1 * (short4)2;
    const short4 v47 = src_1_0 + v46;
    const short4 src_1_2 = convert_short4(load_u8x4(src, 1, 2));
    const short4 column_1_y1 = v47 + src_1_2;
    const short4 v51 = v45 + column_1_y1;
    const short4 v52 = v51 >> 4;
    const uchar4 out_0_1 = convert_uchar4(v52);
    store_u8x4(out, 0, 0, out_0_0);
    store_u8x4(out, 0, 1, out_0_1);
}

__kernel void gaussian3x3(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    const long item_x = x0 + 4 * (long)get_global_id(0), item_y = y0 + 2 * (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x + 3 <= last_x && block_y + 1 <= last_y
        && block_x - 1 >= 0 && block_y - 1 >= 0 && block_x + 5 <= src_width && block_y + 3 <= src_height;
    if (whole) {
        __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
        const Source_u8 src_image = { src_first, src_stride, 0, 0, true, is_aligned(src_first, src_stride, 4) };
        __global uchar *out_first = out + (long)block_y * out_stride + block_x;
        const Sink_u8 out_image = { out_first, out_stride, 0, 0, true, is_aligned(out_first, out_stride, 4) };
        gaussian3x3_block(src_image, out_image);
    } else {
        uchar src_tile[4 * 6];
        fill_u8(src_tile, 6, 4, 1, src, src_stride, src_width, src_height,
            block_x - 1, block_y - 1, last_x + 1, last_y + 1, border, src_border);
        const Source_u8 src_part = { 0, 0, src_tile + 7, 6, false, false };
        uchar out_tile[2 * 4];
        const Sink_u8 out_part = { 0, 0, out_tile, 4, false, false };
        gaussian3x3_block(src_part, out_part);
        drain_u8(out_tile, 4, min(4, x1 - block_x), min(2, y1 - block_y), 1,
            out + (long)block_y * out_stride + block_x, out_stride);
    }
}

// What a work-item of gaussian3x3_1x1 computes: 1 x 1 elements.
INLINE void gaussian3x3_1x1_block(const Source_u8 src, const Sink_u8 out)
{
    const short src_m1_0 = (short)load_u8(src, -1, 0);
    const short v4 = src_m1_0 * 2;
    const short src_m1_m1 = (short)load_u8(src, -1, -1);
    const short v6 = src_m1_m1 + v4;
    const short src_m1_1 = (short)load_u8(src, -1, 1);
    const short column_m1 = v6 + src_m1_1;
    const short src_0_0 = (short)load_u8(src, 0, 0);
    const short v13 = src_0_0 * 2;
    const short src_0_m1 = (short)load_u8(src, 0, -1);
    const short v15 = src_0_m1 + v13;
    const short src_0_1 = (short)load_u8(src, 0, 1);
    const short column_0 = v15 + src_0_1;
    const short v19 = column_0 * 2;
    const short v20 = column_m1 + v19;
    const short src_1_0 = (short)load_u8(src, 1, 0);
    const short v24 = src_1_0 * 2;
    const short src_1_m1 = (short)load_u8(src, 1, -1);
    const short v26 = src_1_m1 + v24;
    const short src_1_1 = (short)load_u8(src, 1, 1);
    const short column_1 = v26 + src_1_1;
    const short v30 = v20 + column_1;
    const short v32 = v30 >> 4;
    const uchar out_0_0 = (uchar)v32;
    store_u8(out, 0, 0, out_0_0);
}

__kernel void gaussian3x3_1x1(
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1, const int border)
{
    const long item_x = x0 + (long)get_global_id(0), item_y = y0 + (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    src += src_offset + plane * src_plane;
    out += out_offset + plane * out_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x - 1 >= 0 && block_y - 1 >= 0 && block_x + 2 <= src_width && block_y + 2 <= src_height;
    if (whole) {
        __global const uchar *src_first = src + (long)block_y * src_stride + block_x;
        const Source_u8 src_image = { src_first, src_stride, 0, 0, true, false };
        __global uchar *out_first = out + (long)block_y * out_stride + block_x;
        const Sink_u8 out_image = { out_first, out_stride, 0, 0, true, false };
        gaussian3x3_1x1_block(src_image, out_image);
    } else {
        uchar src_tile[3 * 3];
        fill_u8(src_tile, 3, 3, 1, src, src_stride, src_width, src_height,
            block_x - 1, block_y - 1, last_x + 1, last_y + 1, border, src_border);
        const Source_u8 src_part = { 0, 0, src_tile + 4, 3, false, false };
        uchar out_tile[1 * 1];
        const Sink_u8 out_part = { 0, 0, out_tile, 1, false, false };
        gaussian3x3_1x1_block(src_part, out_part);
        drain_u8(out_tile, 1, min(1, x1 - block_x), min(1, y1 - block_y), 1,
            out + (long)block_y * out_stride + block_x, out_stride);
    }
}
