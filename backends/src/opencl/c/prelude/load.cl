// NEIGHBOURS.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    if (source.whole)
        return LOAD((__global const STORED *)(source.image + row * source.stride), column);
    if (!source.between)
        return gather_SUFFIX(source, column, row);
    return source.rows[row] < 0
        ? SPREAD(WORD(source.constant_bits))
        : LOAD((__global const STORED *)(source.image + source.rows[row] * source.stride), source.first + column);
}
