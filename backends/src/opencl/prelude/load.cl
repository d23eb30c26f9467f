// LANES neighbouring elements, which start at a multiple of LANES in the block's row.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    if (source.whole)
        return READ_VECTOR((__global const STORED *)(source.image + row * source.stride) + column);
    if (!source.between)
        return gather_SUFFIX(source, column, row);
    return source.rows[row] < 0
        ? (VALUE)(FROM_WORD(source.constant_bits))
        : READ_VECTOR((__global const STORED *)(source.image + source.rows[row] * source.stride) + source.first + column);
}
