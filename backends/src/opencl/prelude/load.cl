// LANES neighbouring elements, which start at a multiple of LANES in the block's row.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    if (source.whole)
        return as_VALUE(*(__global const WHOLE *)((__global const SCALAR *)(source.image + row * source.stride) + column));
    const int x = source.x + column;
    if (source.aligned && source.channels == 1 && source.rows[row] >= 0 && x >= 0 && x + LANES <= source.width)
        return as_VALUE(*(__global const WHOLE *)((__global const SCALAR *)(source.image + source.rows[row]) + x));
    return gather_SUFFIX(source, column, row);
}
