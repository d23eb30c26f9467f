// Copies the first `columns` x `rows` pixels of a tile to an image.
static void drain_SUFFIX(
    const SCALAR *tile, const int pitch, const int columns, const int rows, const int channels,
    __global uchar *image, const int stride)
{
    for (int j = 0; j < rows; ++j) {
        __global SCALAR *row = (__global SCALAR *)(image + (long)j * stride);
        for (int i = 0; i < columns * channels; ++i)
            row[i] = tile[j * pitch + i];
    }
}
