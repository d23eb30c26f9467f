// Finds the first element of the block that this work-item computes; false if the window has none for it. The last row
// of blocks comes first: those at an edge take longest.
INLINE bool find_block(
    int *x, int *y, const int columns, const int rows, const int x0, const int y0, const int x1, const int y1)
{
    const int blocks_x = (x1 - 1) / columns - x0 / columns + 1, blocks_y = (y1 - 1) / rows - y0 / rows + 1;
    const size_t item_x = get_global_id(0), item_y = get_global_id(1);
    if ((long)item_x >= blocks_x || (long)item_y >= blocks_y)
        return false;
    *x = columns * (x0 / columns + (int)item_x);
    *y = rows * (y0 / rows + (item_y == 0 ? blocks_y : (int)item_y) - 1);
    return true;
}
