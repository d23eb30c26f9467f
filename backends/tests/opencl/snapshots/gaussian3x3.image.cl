// 3x3 Gaussian blur with the weights [1 2 1; 2 4 2; 1 2 1] / 16.
//
//     gaussian3x3(src: Neighbourhood<u8>) -> u8
//
// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an output,
// `_offset` leads to the element (0, 0) and `_stride` from row to row, in bytes.
// An input is an image of its plane's size: CL_R, of the integer type of its elements or of their bits as
// CL_UNSIGNED_INT32. Its sampler takes coordinates in elements and the nearest element, and is the border: CL_ADDRESS_CLAMP
// for a constant one, else CL_ADDRESS_CLAMP_TO_EDGE. A constant with a bit set stands in `_border`, and the program is
// built with -DWINDROW_CONSTANT; `_border` is 0 for every input that has no such constant.

#pragma OPENCL FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))
#define OUTLINE static __attribute__((noinline)) // what few work-items run

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

// An element beside the block's first, or what stands for it outside the image.
INLINE uchar sample_u8(
    __read_only image2d_t image, const sampler_t sampler, const uint border, const int2 first, const int column,
    const int row)
{
    const int2 at = first + (int2)(column, row);
#ifdef WINDROW_CONSTANT
    if (border != 0 && any(at < (int2)(0) || at >= get_image_dim(image)))
        return (uchar)border;
#endif
    return (uchar)read_imageui(image, sampler, at).x;
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

// 4 neighbouring elements, which start at a multiple of 4 in the block's row.
INLINE void store_u8x4(const Sink_u8 sink, const int column, const int row, const uchar4 value)
{
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y))
        *(__global uint *)((__global uchar *)(sink.image + row * sink.stride) + column) = as_uint(value);
    else if (!sink.between)
        scatter_u8x4(sink, column, row, value);
}

// What a work-item of gaussian3x3_image computes: 4 x 16 elements.
INLINE void gaussian3x3_image_block(
    __read_only image2d_t src, const sampler_t src_sampler, const uint src_border, const int2 src_first,
    const Sink_u8 out)
{
    short4 row_sum[18], pair_sum[18];
    uchar4 out_0[18];
    #pragma unroll
    for (int i = 0; i < 18; ++i) {
        const uchar src_m1 = sample_u8(src, src_sampler, src_border, src_first, -1, i - 1);
        const uchar src_0 = sample_u8(src, src_sampler, src_border, src_first, 0, i - 1);
        const uchar src_1 = sample_u8(src, src_sampler, src_border, src_first, 1, i - 1);
        const uchar src_2 = sample_u8(src, src_sampler, src_border, src_first, 2, i - 1);
        const uchar src_3 = sample_u8(src, src_sampler, src_border, src_first, 3, i - 1);
        const uchar src_4 = sample_u8(src, src_sampler, src_border, src_first, 4, i - 1);
        const short4 src_m1_2 = convert_short4((uchar4)(src_m1, src_0, src_1, src_2));
        const short4 src_1_2 = convert_short4((uchar4)(src_1, src_2, src_3, src_4));
        const short4 sum = src_m1_2 + src_1_2;
        const short4 src_0_2 = convert_short4((uchar4)(src_0, src_1, src_2, src_3));
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
    for (int i = 2; i < 18; ++i)
        store_u8x4(out, 0, i - 2, out_0[i]);
}

__kernel void gaussian3x3_image(
    __read_only image2d_t src, const sampler_t src_sampler, const uint src_border,
    __global uchar *out, const long out_offset, const int out_stride,
    const int x0, const int y0, const int x1, const int y1)
{
    int block_x, block_y;
    if (!find_block(&block_x, &block_y, 4, 16, x0, y0, x1, y1))
        return;
    out += out_offset;
    __global uchar *out_first = out + (long)block_y * out_stride + block_x;
    const bool aligned = is_aligned(out_first, out_stride, 4);
    const bool between = aligned && block_x >= x0 && block_x + 4 <= x1;
    const bool whole = between && block_y >= y0 && block_y + 16 <= y1;
    const Sink_u8 out_sink = {
        .image = out_first, .stride = out_stride, .channels = 1,
        .from_x = x0 - block_x, .from_y = y0 - block_y, .to_x = x1 - block_x, .to_y = y1 - block_y,
        .whole = whole, .between = between
    };
    gaussian3x3_image_block(src, src_sampler, src_border, (int2)(block_x, block_y), out_sink);
}
