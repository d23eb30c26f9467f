// LANES elements, `step` apart.
INLINE void store_SUFFIX_apart(const Sink_ELEMENT sink, const int step, const int column, const int row, const VALUE value)
{
    if (sink.whole) {
        __global SCALAR *p = (__global SCALAR *)(sink.image + row * sink.stride) + column;
        EACH_STORE
    } else {
        SCALAR *p = sink.tile + row * sink.pitch + column;
        EACH_STORE
    }
}
