// The index inside 0 .. length that stands for index i, or -1 for the border's constant.
//   1 constant   - - | a b c d | - -        4 reflect101  c b | a b c d | c b
//   2 replicate  a a | a b c d | d d        5 wrap        c d | a b c d | a b
//   3 reflect    b a | a b c d | d c        0 undefined: as replicate; only elements outside the window see it
OUTLINE int border_index(const int border, const int i, const int length)
{
    if (i >= 0 && i < length)
        return i;
    const uint n = (uint)length;
    const uint mirrored = (uint)(i < 0 ? -1 - i : i); // -1 and 0 change places: reflect and wrap are even about them
    uint m;
    switch (border) {
    case 1:
        return -1;
    case 3:
        m = mirrored % (2u * n);
        return (int)(m < n ? m : 2u * n - 1u - m);
    case 4:
        if (n == 1u)
            return 0;
        m = (uint)(i < 0 ? -i : i) % (2u * n - 2u);
        return (int)(m < n ? m : 2u * n - 2u - m);
    case 5:
        m = mirrored % n;
        return (int)(i < 0 ? n - 1u - m : m);
    default:
        return i < 0 ? 0 : length - 1;
    }
}
