// Absolute difference of two images.
//
//     distance(a: u8, b: u8) -> u8
//
// Work-item (i, j, k) computes a block of columns from x0 + i * its width and rows from y0 + j * its height of plane k,
// as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an image, `_offset` leads to the element (0, 0), `_stride`
// from row to row and `_plane` from plane to plane, in bytes; `_width` and `_height` are in elements.

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

// 16 neighbouring elements, which start at a multiple of 16 in the block.
INLINE uchar16 load_u8x16_aligned(const Source_u8 source, const int column, const int row)
{
    if (!source.whole)
        return vload16(0, source.tile + row * source.pitch + column);
    __global const uchar *p = (__global const uchar *)(source.image + row * source.stride) + column;
    return source.aligned ? *(__global const uchar16 *)p : vload16(0, p);
}

// 16 neighbouring elements, which start at a multiple of 16 in the block.
INLINE void store_u8x16(const Sink_u8 sink, const int column, const int row, const uchar16 value)
{
    __global uchar *p = (__global uchar *)(sink.image + row * sink.stride) + column;
    if (!sink.whole)
        vstore16(value, 0, sink.tile + row * sink.pitch + column);
    else if (sink.aligned)
        *(__global uchar16 *)p = value;
    else
        vstore16(value, 0, p);
}

// What a work-item of distance_kernel computes: 16 x 1 elements.
INLINE void distance_kernel_block(const Source_u8 a, const Source_u8 b, const Sink_u8 out)
{
    const uchar16 a_0 = load_u8x16_aligned(a, 0, 0);
    const uchar16 b_0 = load_u8x16_aligned(b, 0, 0);
    const uchar16 out_0_0 = abs_diff(a_0, b_0);
    store_u8x16(out, 0, 0, out_0_0);
}

__kernel void distance_kernel(
    __global const uchar *a, const long a_offset, const int a_stride, const long a_plane,
        const int a_width, const int a_height,
    __global const uchar *b, const long b_offset, const int b_stride, const long b_plane,
        const int b_width, const int b_height,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1)
{
    const long item_x = x0 + 16 * (long)get_global_id(0), item_y = y0 + (long)get_global_id(1);
    if (item_x >= x1 || item_y >= y1)
        return;
    const int block_x = (int)item_x, last_x = x1 - 1;
    const int block_y = (int)item_y, last_y = y1 - 1;
    const long plane = (long)get_global_id(2);
    a += a_offset + plane * a_plane;
    b += b_offset + plane * b_plane;
    out += out_offset + plane * out_plane;
    // Whether the block lies in the window, and all that it reads in the inputs.
    const bool whole = block_x + 15 <= last_x;
    if (whole) {
        __global const uchar *a_first = a + (long)block_y * a_stride + block_x;
        const Source_u8 a_image = { a_first, a_stride, 0, 0, true, is_aligned(a_first, a_stride, 16) };
        __global const uchar *b_first = b + (long)block_y * b_stride + block_x;
        const Source_u8 b_image = { b_first, b_stride, 0, 0, true, is_aligned(b_first, b_stride, 16) };
        __global uchar *out_first = out + (long)block_y * out_stride + block_x;
        const Sink_u8 out_image = { out_first, out_stride, 0, 0, true, is_aligned(out_first, out_stride, 16) };
        distance_kernel_block(a_image, b_image, out_image);
    } else {
        uchar a_tile[1 * 16];
        fill_u8(a_tile, 16, 1, 1, a, a_stride, a_width, a_height,
            block_x, block_y, last_x, last_y, 0, 0);
        const Source_u8 a_part = { 0, 0, a_tile, 16, false, false };
        uchar b_tile[1 * 16];
        fill_u8(b_tile, 16, 1, 1, b, b_stride, b_width, b_height,
            block_x, block_y, last_x, last_y, 0, 0);
        const Source_u8 b_part = { 0, 0, b_tile, 16, false, false };
        uchar out_tile[1 * 16];
        const Sink_u8 out_part = { 0, 0, out_tile, 16, false, false };
        distance_kernel_block(a_part, b_part, out_part);
        drain_u8(out_tile, 16, min(16, x1 - block_x), min(1, y1 - block_y), 1,
            out + (long)block_y * out_stride + block_x, out_stride);
    }
}
