// Where each of `count` elements of a row stands, from the `first` beside the first of pixel `x` on, by the border; -1 for
// the border's constant. Pixels past `last`, which no element of the window reads, repeat it.
OUTLINE void find_columns(
    int *columns, const int count, const int first, const int x, const int last, const int width, const int channels,
    const int border)
{
    for (int j = 0; j < count; ++j) {
        const int element = first + j;
        const int pixel = (element < 0 ? element - channels + 1 : element) / channels;
        const int column = index_at(border, min(x + pixel, last), width);
        columns[j] = column < 0 ? -1 : column * channels + element - pixel * channels;
    }
}
