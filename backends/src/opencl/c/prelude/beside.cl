// One element beside the block, the `place`-th that it reads there of each row.
INLINE VALUE beside_SUFFIX(const Source_ELEMENT source, const int place, const int column, const int row)
{
    if (source.whole)
        return READ((__global const STORED *)(source.image + row * source.stride), source.columns[place]);
    if (!source.between)
        return gather_SUFFIX(source, column, row);
    return source.rows[row] < 0 || source.columns[place] < 0
        ? WORD(source.constant_bits)
        : READ((__global const STORED *)(source.image + source.rows[row] * source.stride), source.columns[place]);
}
