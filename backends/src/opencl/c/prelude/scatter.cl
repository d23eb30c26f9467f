// LANES neighbouring elements, as far as they lie in the window.
OUTLINE void scatter_SUFFIX(const Sink_ELEMENT sink, const int column, const int row, const VALUE value)
{
    __global STORED *elements = (__global STORED *)(sink.image + row * sink.stride);
    SCALAR scattered[LANES];
    SCATTERED;
    if (row < sink.from_y || row >= sink.to_y)
        return;
    for (int i = 0; i < LANES; ++i) {
        const int x = (column + i) / sink.channels;
        if (sink.from_x <= x && x < sink.to_x)
            WRITE(elements, column + i, scattered[i]);
    }
}
