// LANES neighbouring elements, those outside the image by its border.
OUTLINE VALUE gather_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    __global const STORED *elements = (__global const STORED *)(source.image + max(source.rows[row], 0) * source.stride);
    const int first = source.x * source.channels + column;
    const int end = min(source.last_x + 1, source.width) * source.channels;
    SCALAR gathered[LANES];
    if (source.rows[row] >= 0 && first >= 0 && first <= end - LANES) {
        _Pragma("unroll")
        for (int i = 0; i < LANES; ++i)
            gathered[i] = READ(elements, first + i);
        return GATHERED;
    }
    for (int i = 0; i < LANES; ++i) {
        const int element = column + i;
        const int pixel = (element < 0 ? element - source.channels + 1 : element) / source.channels;
        const int x = border_index(source.border, min(source.x + pixel, source.last_x), source.width);
        const bool is_inside = x >= 0 && source.rows[row] >= 0;
        gathered[i] = is_inside ? READ(elements, (long)x * source.channels + element - pixel * source.channels)
                                : WORD(source.constant_bits);
    }
    return GATHERED;
}
