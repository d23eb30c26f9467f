// Absolute difference of two images.
//
//     distance(a: u8, b: u8) -> u8
//
// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j, k) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, of plane k, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an
// image, `_offset` leads to the element (0, 0), `_stride` from row to row and `_plane` from plane to plane, in bytes;
// `_width` and `_height` are in elements.

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

// 16 neighbouring elements, those outside the image by its border.
OUTLINE uchar16 gather_u8x16(const Source_u8 source, const int column, const int row)
{
    __global const uchar *elements = (__global const uchar *)(source.image + max(source.rows[row], 0) * source.stride);
    const int first = source.x * source.channels + column;
    const int end = min(source.last_x + 1, source.width) * source.channels;
    uchar gathered[16];
    if (source.rows[row] >= 0 && first >= 0 && first <= end - 16) {
        _Pragma("unroll")
        for (int i = 0; i < 16; ++i)
            gathered[i] = elements[first + i];
        return vload16(0, gathered);
    }
    for (int i = 0; i < 16; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? elements[(long)x * source.channels + element - pixel * source.channels]
                                : (uchar)source.constant_bits;
    }
    return vload16(0, gathered);
}

// 16 neighbouring elements, which start at a multiple of 16 in the block's row.
INLINE uchar16 load_u8x16(const Source_u8 source, const int column, const int row)
{
    if (source.whole)
        return as_uchar16(*(__global const uint4 *)((__global const uchar *)(source.image + row * source.stride) + column));
    if (!source.between)
        return gather_u8x16(source, column, row);
    return source.rows[row] < 0
        ? (uchar16)((uchar)source.constant_bits)
        : as_uchar16(*(__global const uint4 *)((__global const uchar *)(source.image + source.rows[row] * source.stride) + source.first + column));
}

// 16 neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_u8x16(const Sink_u8 sink, const int column, const int row, const uchar16 value)
{
    __global uchar *elements = (__global uchar *)(sink.image + row * sink.stride) + column;
    const int from = sink.from_x * sink.channels - column, to = sink.to_x * sink.channels - column;
    uchar scattered[16];
    vstore16(value, 0, scattered);
    if (row < sink.from_y || row >= sink.to_y)
        return;
    _Pragma("unroll")
    for (int i = 0; i < 16; ++i)
        if (from <= i && i < to)
            elements[i] = scattered[i];
}

// 16 neighbouring elements, which start at a multiple of 16 in the block's row.
INLINE void store_u8x16(const Sink_u8 sink, const int column, const int row, const uchar16 value)
{
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y))
        *(__global uint4 *)((__global uchar *)(sink.image + row * sink.stride) + column) = as_uint4(value);
    else if (!sink.between)
        scatter_u8x16(sink, column, row, value);
}

// The lesser of each half of two words; no half is above 0x7fff.
#ifdef WINDROW_NVIDIA_PAIRS
INLINE uint min_pair(const uint a, const uint b)
{
    uint least;
    asm("min.u16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    return least;
}
INLINE uint4 min_pairs4(const uint4 a, const uint4 b)
{
    return (uint4)(min_pair(a.s0, b.s0), min_pair(a.s1, b.s1), min_pair(a.s2, b.s2), min_pair(a.s3, b.s3));
}
#else
INLINE uint4 min_pairs4(const uint4 a, const uint4 b)
{
    const uint4 top = ((a | 0x80008000u) - b) & 0x80008000u; // where a >= b
    const uint4 mask = top - (top >> 15);
    return (b & mask) | (a & ~mask);
}
#endif

// The greater of each half of two words; no half is above 0x7fff.
#ifdef WINDROW_NVIDIA_PAIRS
INLINE uint max_pair(const uint a, const uint b)
{
    uint greatest;
    asm("max.u16x2 %0, %1, %2;" : "=r"(greatest) : "r"(a), "r"(b));
    return greatest;
}
INLINE uint4 max_pairs4(const uint4 a, const uint4 b)
{
    return (uint4)(max_pair(a.s0, b.s0), max_pair(a.s1, b.s1), max_pair(a.s2, b.s2), max_pair(a.s3, b.s3));
}
#else
INLINE uint4 max_pairs4(const uint4 a, const uint4 b)
{
    const uint4 top = ((a | 0x80008000u) - b) & 0x80008000u; // where a >= b
    const uint4 mask = top - (top >> 15);
    return (a & mask) | (b & ~mask);
}
#endif

// What a work-item of distance_kernel computes: 16 x 1 elements.
INLINE void distance_kernel_block(const Source_u8 a, const Source_u8 b, const Sink_u8 out)
{
    const uchar16 a_0 = load_u8x16(a, 0, 0);
    const uchar16 b_0 = load_u8x16(b, 0, 0);
    const uchar16 out_0_0 = abs_diff(a_0, b_0);
    store_u8x16(out, 0, 0, out_0_0);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void distance_kernel_edge(
    __global const uchar *a, const int a_stride, const int a_width, const int a_height,
    __global const uchar *b, const int b_stride, const int b_width, const int b_height,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int a_rows[1];
    find_rows(a_rows, 1, block_y, y1 - 1, a_height, 0);
    const Source_u8 a_edge = {
        .image = a, .stride = a_stride, .rows = a_rows, .x = block_x, .last_x = x1 - 1, .width = a_width, .channels = 1, .border = 0,
        .constant_bits = 0, .whole = false
    };
    int b_rows[1];
    find_rows(b_rows, 1, block_y, y1 - 1, b_height, 0);
    const Source_u8 b_edge = {
        .image = b, .stride = b_stride, .rows = b_rows, .x = block_x, .last_x = x1 - 1, .width = b_width, .channels = 1, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_u8 out_edge = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    distance_kernel_block(a_edge, b_edge, out_edge);
}

__kernel void distance_kernel(
    __global const uchar *a, const long a_offset, const int a_stride, const long a_plane,
        const int a_width, const int a_height,
    __global const uchar *b, const long b_offset, const int b_stride, const long b_plane,
        const int b_width, const int b_height,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 16, 1, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    a += a_offset + plane * a_plane;
    b += b_offset + plane * b_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *a_first = a + (long)block_y * a_stride + block_x;
    __global const uchar *b_first = b + (long)block_y * b_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(a_first, a_stride, 16)
        && is_aligned(b_first, b_stride, 16)
        && is_aligned(out_first, out_stride, 16);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 16 <= x1;
    if (between) {
        const Source_u8 a_inside = {
            .image = a_first, .stride = a_stride, .whole = true
        };
        const Source_u8 b_inside = {
            .image = b_first, .stride = b_stride, .whole = true
        };
        const Sink_u8 out_inside = {
            .image = out_first, .stride = out_stride, .whole = true
        };
        distance_kernel_block(a_inside, b_inside, out_inside);
    } else {
        distance_kernel_edge(
            a, a_stride, a_width, a_height,
            b, b_stride, b_width, b_height,
            out_first, out_stride,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}

// What a work-item of distance_kernel_pairs_16x4 computes: 16 x 4 elements.
INLINE void distance_kernel_pairs_16x4_block(const Source_u8 a, const Source_u8 b, const Sink_u8 out)
{
    uint4 out_0[4];
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint4 a_words_0 = as_uint4(load_u8x16(a, 0, i));
        const uint4 a_even = a_words_0 & (uint4)0x00ff00ffu;
        const uint4 b_words_0 = as_uint4(load_u8x16(b, 0, i));
        const uint4 b_even = b_words_0 & (uint4)0x00ff00ffu;
        const uint4 greatest = max_pairs4(a_even, b_even);
        const uint4 least = min_pairs4(a_even, b_even);
        const uint4 difference = greatest - least;
        const uint4 shifted = a_words_0 >> 8;
        const uint4 a_odd = shifted & (uint4)0x00ff00ffu;
        const uint4 shifted_2 = b_words_0 >> 8;
        const uint4 b_odd = shifted_2 & (uint4)0x00ff00ffu;
        const uint4 greatest_2 = max_pairs4(a_odd, b_odd);
        const uint4 least_2 = min_pairs4(a_odd, b_odd);
        const uint4 difference_2 = greatest_2 - least_2;
        const uint4 shifted_3 = difference_2 << 8;
        out_0[i] = difference | shifted_3;
    }
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        store_u8x16(out, 0, i, as_uchar16(out_0[i]));
}

// The same where only the block's own columns lie inside.
OUTLINE void distance_kernel_pairs_16x4_between(
    __global const uchar *a, const int a_stride, const int a_width, const int a_height,
    __global const uchar *b, const int b_stride, const int b_width, const int b_height,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int a_rows[4];
    find_rows(a_rows, 4, block_y, y1 - 1, a_height, 0);
    const Source_u8 a_between = {
        .image = a, .stride = a_stride, .rows = a_rows, .first = (long)block_x,
        .constant_bits = 0, .between = true
    };
    int b_rows[4];
    find_rows(b_rows, 4, block_y, y1 - 1, b_height, 0);
    const Source_u8 b_between = {
        .image = b, .stride = b_stride, .rows = b_rows, .first = (long)block_x,
        .constant_bits = 0, .between = true
    };
    const Sink_u8 out_between = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .between = true
    };
    distance_kernel_pairs_16x4_block(a_between, b_between, out_between);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void distance_kernel_pairs_16x4_edge(
    __global const uchar *a, const int a_stride, const int a_width, const int a_height,
    __global const uchar *b, const int b_stride, const int b_width, const int b_height,
    __global uchar *out_first, const int out_stride,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int a_rows[4];
    find_rows(a_rows, 4, block_y, y1 - 1, a_height, 0);
    const Source_u8 a_edge = {
        .image = a, .stride = a_stride, .rows = a_rows, .x = block_x, .last_x = x1 - 1, .width = a_width, .channels = 1, .border = 0,
        .constant_bits = 0, .whole = false
    };
    int b_rows[4];
    find_rows(b_rows, 4, block_y, y1 - 1, b_height, 0);
    const Source_u8 b_edge = {
        .image = b, .stride = b_stride, .rows = b_rows, .x = block_x, .last_x = x1 - 1, .width = b_width, .channels = 1, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_u8 out_edge = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    distance_kernel_pairs_16x4_block(a_edge, b_edge, out_edge);
}

__kernel void distance_kernel_pairs_16x4(
    __global const uchar *a, const long a_offset, const int a_stride, const long a_plane,
        const int a_width, const int a_height,
    __global const uchar *b, const long b_offset, const int b_stride, const long b_plane,
        const int b_width, const int b_height,
    __global uchar *out, const long out_offset, const int out_stride, const long out_plane,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 16, 4, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    a += a_offset + plane * a_plane;
    b += b_offset + plane * b_plane;
    out += out_offset + plane * out_plane;
    __global const uchar *a_first = a + (long)block_y * a_stride + block_x;
    __global const uchar *b_first = b + (long)block_y * b_stride + block_x;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(a_first, a_stride, 16)
        && is_aligned(b_first, b_stride, 16)
        && is_aligned(out_first, out_stride, 16);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 16 <= x1;
    // Whether all that it reads and writes does.
    const bool whole = between && block_y >= y0 && block_y + 4 <= y1;
    if (whole) {
        const Source_u8 a_inside = {
            .image = a_first, .stride = a_stride, .whole = true
        };
        const Source_u8 b_inside = {
            .image = b_first, .stride = b_stride, .whole = true
        };
        const Sink_u8 out_inside = {
            .image = out_first, .stride = out_stride, .whole = true
        };
        distance_kernel_pairs_16x4_block(a_inside, b_inside, out_inside);
    } else if (between) {
        distance_kernel_pairs_16x4_between(
            a, a_stride, a_width, a_height,
            b, b_stride, b_width, b_height,
            out_first, out_stride,
            x0, y0, x1, y1,
            block_x, block_y);
    } else {
        distance_kernel_pairs_16x4_edge(
            a, a_stride, a_width, a_height,
            b, b_stride, b_width, b_height,
            out_first, out_stride,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}
