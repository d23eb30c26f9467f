// One element.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    if (source.whole)
        return READ((__global const STORED *)(source.image + row * source.stride), column);
    if (!source.between)
        return gather_SUFFIX(source, column, row);
    return source.rows[row] < 0
        ? FROM_WORD(source.constant_bits)
        : READ((__global const STORED *)(source.image + source.rows[row] * source.stride), source.first + column);
}
