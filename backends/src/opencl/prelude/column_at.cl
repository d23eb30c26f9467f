// The column inside 0 .. width that stands for column i, or -1 for the border's constant.
INLINE int column_at(const int border, const int i, const int width)
{
    return i >= 0 && i < width ? i : border_index(border, i, width);
}
