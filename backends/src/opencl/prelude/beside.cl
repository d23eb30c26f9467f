// One element beside the block, the `place`-th that it reads there of each row.
INLINE VALUE beside_SUFFIX(const Source_ELEMENT source, const int place, const int column, const int row)
{
    return source.whole
        ? ((__global const SCALAR *)(source.image + row * source.stride))[source.columns[place]]
        : gather_SUFFIX(source, column, row);
}
