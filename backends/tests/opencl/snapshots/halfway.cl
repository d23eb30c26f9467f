// The mean of an image at a place and of the element above it.
//
//     halfway(place: [i16; 2], src: View<[u8; 3]>, src_at: f32) -> (out0: [u8; 3], out1: f32)
//
// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j, k) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, of plane k, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an
// image, `_offset` leads to the element (0, 0), `_stride` from row to row and `_plane` from plane to plane, in bytes;
// `_width` and `_height` are in elements.
// Read anywhere, less than 2^31 bytes a plane: `src`.

#pragma OPENCL FP_CONTRACT OFF

// Floats: `real` is what they are computed in, `stored` what they are in memory. The build chooses.
#ifdef WINDROW_F16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define real half
#define real4 half4
#define convert_real4 convert_half4
#else
#define real float
#define real4 float4
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
} Source_i16;

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

// 8 neighbouring elements, those outside the image by its border.
OUTLINE short8 gather_i16x8(const Source_i16 source, const int column, const int row)
{
    __global const short *elements = (__global const short *)(source.image + max(source.rows[row], 0) * source.stride);
    const int first = source.x * source.channels + column;
    const int end = min(source.last_x + 1, source.width) * source.channels;
    short gathered[8];
    if (source.rows[row] >= 0 && first >= 0 && first <= end - 8) {
        _Pragma("unroll")
        for (int i = 0; i < 8; ++i)
            gathered[i] = elements[first + i];
        return vload8(0, gathered);
    }
    for (int i = 0; i < 8; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? elements[(long)x * source.channels + element - pixel * source.channels]
                                : as_short((ushort)source.constant_bits);
    }
    return vload8(0, gathered);
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

// 8 neighbouring elements, which start at a multiple of 8 in the block's row.
INLINE short8 load_i16x8(const Source_i16 source, const int column, const int row)
{
    if (source.whole)
        return as_short8(*(__global const uint4 *)((__global const short *)(source.image + row * source.stride) + column));
    if (!source.between)
        return gather_i16x8(source, column, row);
    return source.rows[row] < 0
        ? (short8)(as_short((ushort)source.constant_bits))
        : as_short8(*(__global const uint4 *)((__global const short *)(source.image + source.rows[row] * source.stride) + source.first + column));
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

// Elements of an image, each so many bytes behind its first.
INLINE uchar4 fetch_u8x4(__global const uchar *image, const int4 i)
{
    return (uchar4)(((__global const uchar *)(image + i.s0))[0], ((__global const uchar *)(image + i.s1))[0], ((__global const uchar *)(image + i.s2))[0],
        ((__global const uchar *)(image + i.s3))[0]);
}

// What a work-item of halfway computes: 4 x 2 elements.
INLINE void halfway_block(
    const Source_i16 place,
    __global const uchar *src, const int src_stride, const int src_width, const int src_height,
    const Source_f32 src_at,
    const Sink_u8 out0,
    const Sink_f32 out1)
{
    const int difference = src_height - 1;
    const int difference_2 = src_width - 1;
    real4 out1_0[2];
    uchar4 out0_0_c0[2], out0_0_c1[2], out0_0_c2[2];
    #pragma unroll
    for (int i = 0; i < 2; ++i) {
        const short8 place_0 = load_i16x8(place, 0, i);
        const short4 place_0_2 = place_0.s0246;
        const short4 place_1 = place_0.s1357;
        const real4 src_at_0 = load_f32x4(src_at, 0, i);
        out1_0[i] = src_at_0;
        const short4 holds = place_0_2 >= (short4)0;
        const int4 cast = convert_int4(place_0_2);
        const int4 holds_2 = cast < (int4)src_height;
        const short4 bits = holds & convert_short4(holds_2);
        const short4 holds_3 = place_1 >= (short4)0;
        const int4 cast_2 = convert_int4(place_1);
        const int4 holds_4 = cast_2 < (int4)src_width;
        const short4 bits_2 = holds_3 & convert_short4(holds_4);
        const short4 bits_3 = bits & bits_2;
        const int4 greatest = max(cast, (int4)0);
        const int4 least = min(greatest, (int4)difference);
        const int4 greatest_2 = max(cast_2, (int4)0);
        const int4 least_2 = min(greatest_2, (int4)difference_2);
        const int4 src_at_2 = least * src_stride + 3 * least_2;
        const uchar4 src_c0 = fetch_u8x4(src, src_at_2);
        const uchar4 src_c1 = fetch_u8x4(src + 1, src_at_2);
        const uchar4 src_c2 = fetch_u8x4(src + 2, src_at_2);
        const uchar4 below_0 = select((uchar4)0, src_c0, convert_char4(bits_3));
        const uchar4 below_1 = select((uchar4)0, src_c1, convert_char4(bits_3));
        const uchar4 below_2 = select((uchar4)0, src_c2, convert_char4(bits_3));
        const int4 difference_3 = cast - (int4)1;
        const int4 holds_5 = difference_3 >= (int4)0;
        const int4 holds_6 = difference_3 < (int4)src_height;
        const int4 bits_4 = holds_5 & holds_6;
        const int4 bits_5 = bits_4 & convert_int4(bits_2);
        const int4 greatest_3 = max(difference_3, (int4)0);
        const int4 least_3 = min(greatest_3, (int4)difference);
        const int4 src_at_3 = least_3 * src_stride + 3 * least_2;
        const uchar4 src_c0_2 = fetch_u8x4(src, src_at_3);
        const uchar4 src_c1_2 = fetch_u8x4(src + 1, src_at_3);
        const uchar4 src_c2_2 = fetch_u8x4(src + 2, src_at_3);
        const uchar4 above_0 = select(below_0, src_c0_2, convert_char4(bits_5));
        const uchar4 above_1 = select(below_1, src_c1_2, convert_char4(bits_5));
        const uchar4 above_2 = select(below_2, src_c2_2, convert_char4(bits_5));
        out0_0_c0[i] = hadd(above_0, below_0);
        out0_0_c1[i] = hadd(above_1, below_1);
        out0_0_c2[i] = hadd(above_2, below_2);
    }
    #pragma unroll
    for (int i = 0; i < 2; ++i) {
        store_u8x4(out0, 0, i, (uchar4)(out0_0_c0[i].s0, out0_0_c1[i].s0, out0_0_c2[i].s0, out0_0_c0[i].s1));
        store_u8x4(out0, 4, i, (uchar4)(out0_0_c1[i].s1, out0_0_c2[i].s1, out0_0_c0[i].s2, out0_0_c1[i].s2));
        store_u8x4(out0, 8, i, (uchar4)(out0_0_c2[i].s2, out0_0_c0[i].s3, out0_0_c1[i].s3, out0_0_c2[i].s3));
        store_f32x4(out1, 0, i, out1_0[i]);
    }
}

// The same where only the block's own columns lie inside.
OUTLINE void halfway_between(
    __global const uchar *place, const int place_stride, const int place_width, const int place_height,
    __global const uchar *src, const int src_stride, const int src_width, const int src_height,
    __global const uchar *src_at, const int src_at_stride, const int src_at_width, const int src_at_height,
    __global uchar *out0_first, const int out0_stride,
    __global uchar *out1_first, const int out1_stride,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int place_rows[2];
    find_rows(place_rows, 2, block_y, y1 - 1, place_height, 0);
    const Source_i16 place_between = {
        .image = place, .stride = place_stride, .rows = place_rows, .first = 2 * (long)block_x,
        .constant_bits = 0, .between = true
    };
    int src_at_rows[2];
    find_rows(src_at_rows, 2, block_y, y1 - 1, src_at_height, 0);
    const Source_f32 src_at_between = {
        .image = src_at, .stride = src_at_stride, .rows = src_at_rows, .first = (long)block_x,
        .constant_bits = 0, .between = true
    };
    const Sink_u8 out0_between = {
        .image = out0_first, .stride = out0_stride, .channels = 3,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .between = true
    };
    const Sink_f32 out1_between = {
        .image = out1_first, .stride = out1_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .between = true
    };
    halfway_block(place_between, src, src_stride, src_width, src_height, src_at_between, out0_between, out1_between);
}

// The same at any edge, or where rows are not aligned.
OUTLINE void halfway_edge(
    __global const uchar *place, const int place_stride, const int place_width, const int place_height,
    __global const uchar *src, const int src_stride, const int src_width, const int src_height,
    __global const uchar *src_at, const int src_at_stride, const int src_at_width, const int src_at_height,
    __global uchar *out0_first, const int out0_stride,
    __global uchar *out1_first, const int out1_stride,
    const int x0, const int y0, const int x1, const int y1,
    const int block_x, const int block_y)
{
    int place_rows[2];
    find_rows(place_rows, 2, block_y, y1 - 1, place_height, 0);
    const Source_i16 place_edge = {
        .image = place, .stride = place_stride, .rows = place_rows, .x = block_x, .last_x = x1 - 1, .width = place_width, .channels = 2, .border = 0,
        .constant_bits = 0, .whole = false
    };
    int src_at_rows[2];
    find_rows(src_at_rows, 2, block_y, y1 - 1, src_at_height, 0);
    const Source_f32 src_at_edge = {
        .image = src_at, .stride = src_at_stride, .rows = src_at_rows, .x = block_x, .last_x = x1 - 1, .width = src_at_width, .channels = 1, .border = 0,
        .constant_bits = 0, .whole = false
    };
    const Sink_u8 out0_edge = {
        .image = out0_first, .stride = out0_stride, .channels = 3,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    const Sink_f32 out1_edge = {
        .image = out1_first, .stride = out1_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = false
    };
    halfway_block(place_edge, src, src_stride, src_width, src_height, src_at_edge, out0_edge, out1_edge);
}

__kernel void halfway(
    __global const uchar *place, const long place_offset, const int place_stride, const long place_plane,
        const int place_width, const int place_height,
    __global const uchar *src, const long src_offset, const int src_stride, const long src_plane,
        const int src_width, const int src_height,
    __global const uchar *src_at, const long src_at_offset, const int src_at_stride, const long src_at_plane,
        const int src_at_width, const int src_at_height,
    __global uchar *out0, const long out0_offset, const int out0_stride, const long out0_plane,
    __global uchar *out1, const long out1_offset, const int out1_stride, const long out1_plane,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 2, x0, y0, x1, y1))
        return;
    const long plane = (long)get_global_id(2);
    place += place_offset + plane * place_plane;
    src += src_offset + plane * src_plane;
    src_at += src_at_offset + plane * src_at_plane;
    out0 += out0_offset + plane * out0_plane;
    out1 += out1_offset + plane * out1_plane;
    __global const uchar *place_first = place + (long)block_y * place_stride + 4 * (long)block_x;
    __global const uchar *src_at_first = src_at + (long)block_y * src_at_stride + REAL_BYTES * (long)block_x;
    __global uchar *out0_first = out0 + (long)block_y * out0_stride + 3 * (long)block_x;
    __global uchar *out1_first = out1 + (long)block_y * out1_stride + REAL_BYTES * (long)block_x;
    const bool aligned = is_aligned(place_first, place_stride, 16)
        && is_aligned(src_at_first, src_at_stride, 4 * REAL_BYTES)
        && is_aligned(out0_first, out0_stride, 4)
        && is_aligned(out1_first, out1_stride, 4 * REAL_BYTES);
    // Whether the block's own columns lie inside.
    const bool between = aligned
        && block_x >= x0 && block_x + 4 <= x1;
    // Whether all that it reads and writes does.
    const bool whole = between && block_y >= y0 && block_y + 2 <= y1;
    if (whole) {
        const Source_i16 place_inside = {
            .image = place_first, .stride = place_stride, .whole = true
        };
        const Source_f32 src_at_inside = {
            .image = src_at_first, .stride = src_at_stride, .whole = true
        };
        const Sink_u8 out0_inside = {
            .image = out0_first, .stride = out0_stride, .whole = true
        };
        const Sink_f32 out1_inside = {
            .image = out1_first, .stride = out1_stride, .whole = true
        };
        halfway_block(place_inside, src, src_stride, src_width, src_height, src_at_inside, out0_inside, out1_inside);
    } else if (between) {
        halfway_between(
            place, place_stride, place_width, place_height,
            src, src_stride, src_width, src_height,
            src_at, src_at_stride, src_at_width, src_at_height,
            out0_first, out0_stride,
            out1_first, out1_stride,
            x0, y0, x1, y1,
            block_x, block_y);
    } else {
        halfway_edge(
            place, place_stride, place_width, place_height,
            src, src_stride, src_width, src_height,
            src_at, src_at_stride, src_at_width, src_at_height,
            out0_first, out0_stride,
            out1_first, out1_stride,
            x0, y0, x1, y1,
            block_x, block_y);
    }
}
