// LANES elements of a row, the first so many bytes behind an image's first: side by side, or each by its column.
INLINE VALUE run_SUFFIX(__global const uchar *image, const int at, const OFFSETS column, const bool runs)
{
    __global const STORED *first = (__global const STORED *)(image + at);
    if (runs)
        return LOAD(first, 0);
    return EACH(READ(first, column@ - column.s0));
}
