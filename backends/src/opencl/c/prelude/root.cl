// The square root, correctly rounded: by the device under the flag, else in integers.
#ifdef WINDROW_DIVIDE
INLINE float root_one_SUFFIX(const float a)
{
    const uint x = as_uint(a);
    if (x << 1 == 0u || x == 0x7f800000u) return a;
    if (x > 0x7f800000u) return as_float(0x7fc00000u);
    const int up = max((int)clz(x) - 8, 0);
    const int exponent = (x >> 23 ? (int)(x >> 23) : 1 - up) - 127;
    const uint m = x >> 23 ? (x & 0x7fffffu) | 0x800000u : x << up;
    // 24 bits and 3 below, bit by bit; the last says whether anything remains.
    const ulong square = (ulong)m << (exponent & 1 ? 30 : 29);
    ulong root = 0;
    for (ulong bit = 1ul << 26; bit != 0; bit >>= 1) {
        const ulong next = root | bit;
        root = next * next <= square ? next : root;
    }
    const uint bits = (uint)root | (uint)(root * root != square);
    const uint kept = bits >> 3, below = bits & 7u;
    const uint rounded = kept + (uint)(below > 4u || (below == 4u && (kept & 1u)));
    return as_float(((uint)((exponent - (exponent & 1)) / 2 + 126) << 23) + rounded);
}
#endif
INLINE VALUE root_SUFFIX(const VALUE a)
{
#ifdef WINDROW_DIVIDE
    return EACH(root_one_SUFFIX(a@));
#else
    return REALS(convert_VALUE(sqrt(convert_FLOAT(a))), sqrt(a));
#endif
}
