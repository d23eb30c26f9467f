// One element beside the block, the `place`-th that it reads there of each row.
INLINE VALUE beside_SUFFIX(const Source_ELEMENT source, const int place, const int column, const int row)
{
    return source.whole
        ? READ((__global const STORED *)(source.image + row * source.stride), source.columns[place])
        : gather_SUFFIX(source, column, row);
}
