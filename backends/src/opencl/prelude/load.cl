// LANES neighbouring elements, which start at a multiple of LANES in the block's row.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    if (source.whole)
        return READ_VECTOR((__global const STORED *)(source.image + row * source.stride) + column);
    const int x = source.x + column;
    if (source.aligned && source.channels == 1 && source.rows[row] >= 0 && x >= 0 && x + LANES <= source.width)
        return READ_VECTOR((__global const STORED *)(source.image + source.rows[row]) + x);
    return gather_SUFFIX(source, column, row);
}
