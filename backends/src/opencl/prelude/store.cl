// LANES neighbouring elements, which start at a multiple of LANES in the block's row.
INLINE void store_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    if (sink.whole && sink.aligned)
        *(__global WHOLE *)((__global SCALAR *)(sink.image + row * sink.stride) + column) = as_WHOLE(value);
    else
        scatter_SUFFIX(sink, column, row, value);
}
