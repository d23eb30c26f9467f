// LANES elements, `step` apart.
INLINE VALUE load_SUFFIX_apart(const Source_ELEMENT source, const int step, const int column, const int row)
{
    if (source.whole) {
        __global const SCALAR *p = (__global const SCALAR *)(source.image + row * source.stride) + column;
        return (VALUE)(EACH_P);
    } else {
        const SCALAR *p = source.tile + row * source.pitch + column;
        return (VALUE)(EACH_P);
    }
}
