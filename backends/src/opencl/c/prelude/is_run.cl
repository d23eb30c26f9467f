// Whether the elements of LANES columns lie side by side, and at a multiple of their size in all rows, which are `apart` bytes apart.
INLINE bool is_run_SUFFIX(__global const uchar *image, const long apart, const OFFSETS column)
{
    const ulong first = (ulong)((__global const STORED *)image + column.s0);
    return column.sLAST - column.s0 == LANES - 1 && ((first | (ulong)apart) & (LANES * sizeof(STORED) - 1)) == 0;
}
