// The row for each of `count` from `first` on, by the border; -1 for the border's constant. Rows past `last`, which no
// element of the window reads, repeat it.
OUTLINE void find_rows(int *rows, const int count, const int first, const int last, const int height, const int border)
{
    for (int j = 0; j < count; ++j)
        rows[j] = index_at(border, min(first + j, last), height);
}
