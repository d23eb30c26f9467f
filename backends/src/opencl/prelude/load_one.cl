// One element.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    return source.whole
        ? ((__global const SCALAR *)(source.image + row * source.stride))[column]
        : gather_SUFFIX(source, column, row);
}
