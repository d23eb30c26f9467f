// One element.
INLINE void store_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    if (sink.whole)
        WRITE((__global STORED *)(sink.image + row * sink.stride), column, value);
    else
        scatter_SUFFIX(sink, column, row, value);
}
