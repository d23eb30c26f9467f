// Fills a tile with `columns` x `rows` pixels from (left, top) on, those outside the image by its border. Pixels past
// `last_x` or `last_y`, which no element of the window reads, repeat the last.
static void fill_SUFFIX(
    SCALAR *tile, const int columns, const int rows, const int channels,
    __global const uchar *image, const int stride, const int width, const int height,
    const int left, const int top, const int last_x, const int last_y, const int border, const uint constant_bits)
{
    for (int j = 0; j < rows; ++j) {
        const int y = border_index(border, min(top + j, last_y), height);
        __global const SCALAR *row = (__global const SCALAR *)(image + (long)max(y, 0) * stride);
        for (int i = 0; i < columns; ++i) {
            const int x = border_index(border, min(left + i, last_x), width);
            for (int c = 0; c < channels; ++c)
                *tile++ = x < 0 || y < 0 ? FROM_WORD(constant_bits) : row[(long)x * channels + c];
        }
    }
}
