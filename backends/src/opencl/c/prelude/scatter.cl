// LANES neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    __global STORED *elements = (__global STORED *)(sink.image + row * sink.stride) + column;
    const int from = sink.from_x * sink.channels - column, to = sink.to_x * sink.channels - column;
    SCALAR scattered[LANES];
    SCATTERED;
    if (row < sink.from_y || row >= sink.to_y)
        return;
    _Pragma("unroll")
    for (int i = 0; i < LANES; ++i)
        if (from <= i && i < to)
            WRITE(elements, i, scattered[i]);
}
