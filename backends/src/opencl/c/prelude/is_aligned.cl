// Whether rows `stride` bytes apart, from `first` on, all start at a multiple of `size`, a power of two.
INLINE bool is_aligned(__global const uchar *first, const int stride, const int size)
{
    return (((ulong)first | (ulong)(long)stride) & (ulong)(size - 1)) == 0;
}
