// LANES neighbouring elements.
INLINE VALUE load_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    return source.whole
        ? vloadLANES(0, (__global const SCALAR *)(source.image + row * source.stride) + column)
        : vloadLANES(0, source.tile + row * source.pitch + column);
}
