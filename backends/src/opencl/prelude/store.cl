// LANES neighbouring elements, which start at a multiple of LANES in the block.
INLINE void store_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    __global SCALAR *p = (__global SCALAR *)(sink.image + row * sink.stride) + column;
    if (!sink.whole)
        vstoreLANES(value, 0, sink.tile + row * sink.pitch + column);
    else if (sink.aligned)
        *(__global VALUE *)p = value;
    else
        vstoreLANES(value, 0, p);
}
