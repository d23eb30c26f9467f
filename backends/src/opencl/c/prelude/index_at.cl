// The same, where few are outside.
INLINE int index_at(const int border, const int i, const int length)
{
    return i >= 0 && i < length ? i : border_index(border, i, length);
}
