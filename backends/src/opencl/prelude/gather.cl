// LANES neighbouring elements, those outside the image by its border.
OUTLINE VALUE gather_SUFFIX(const Source_ELEMENT source, const int column, const int row)
{
    const bool is_inside = source.rows[row] >= 0;
    __global const STORED *elements = (__global const STORED *)(source.image + max(source.rows[row], 0) * source.stride);
    SCALAR gathered[LANES];
    for (int i = 0; i < LANES; ++i) {
        const int element = source.columns[column + i];
        gathered[i] = is_inside && element >= 0 ? READ(elements, element) : FROM_WORD(source.constant_bits);
    }
    return GATHERED;
}
