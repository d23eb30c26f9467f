// LANES neighbouring elements.
INLINE void store_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    if (sink.whole)
        vstoreLANES(value, 0, (__global SCALAR *)(sink.image + row * sink.stride) + column);
    else
        vstoreLANES(value, 0, sink.tile + row * sink.pitch + column);
}
