// One element.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    return source.whole
        ? READ((__global const STORED *)(source.image + row * source.stride), column)
        : gather_SUFFIX(source, column, row);
}
