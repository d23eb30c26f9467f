// LANES neighbouring elements, which start at a multiple of LANES in the block.
INLINE VALUE load_SUFFIX_aligned(const Source_ELEMENT source, const int column, const int row)
{
    if (!source.whole)
        return vloadLANES(0, source.tile + row * source.pitch + column);
    __global const SCALAR *p = (__global const SCALAR *)(source.image + row * source.stride) + column;
    return source.aligned ? *(__global const VALUE *)p : vloadLANES(0, p);
}
