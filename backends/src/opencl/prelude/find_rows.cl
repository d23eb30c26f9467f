// Bytes to each of `count` rows from `first` on, by the border; -1 for the border's constant. Rows past `last`, which no
// element of the window reads, repeat it.
OUTLINE void find_rows(
    long *rows, const int count, const int first, const int last, const int height, const int stride, const int border)
{
    for (int j = 0; j < count; ++j) {
        const int y = border_index(border, min(first + j, last), height);
        rows[j] = y < 0 ? -1 : (long)y * stride;
    }
}
