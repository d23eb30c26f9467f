// NEIGHBOURS.
INLINE void store_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    if (sink.whole || (sink.between && sink.from_y <= row && row < sink.to_y))
        STORE((__global STORED *)(sink.image + row * sink.stride), column, value);
    else if (!sink.between)
        scatter_SUFFIX(sink, column, row, value);
}
