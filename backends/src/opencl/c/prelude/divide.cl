// The quotient, correctly rounded: by the device under the flag, else in integers.
#ifdef WINDROW_DIVIDE
INLINE float divide_one_SUFFIX(const float a, const float b)
{
    const uint inf = 0x7f800000u, x = as_uint(a) & 0x7fffffffu, y = as_uint(b) & 0x7fffffffu;
    const uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    if (x > inf || y > inf || (x == inf && y == inf) || (x == 0u && y == 0u)) return as_float(0x7fc00000u);
    if (x == inf || y == 0u) return as_float(sign | inf);
    if (x == 0u || y == inf) return as_float(sign);
    // Significands of 24 bits: those of denormals are moved up.
    const int p = max((int)clz(x) - 8, 0), q = max((int)clz(y) - 8, 0);
    const uint m = x >> 23 ? (x & 0x7fffffu) | 0x800000u : x << p, n = y >> 23 ? (y & 0x7fffffu) | 0x800000u : y << q;
    int exponent = (x >> 23 ? (int)(x >> 23) : 1 - p) - (y >> 23 ? (int)(y >> 23) : 1 - q) + 127;
    // 24 bits and 3 below, the last of which says whether anything remains.
    const ulong most = (ulong)m << 26;
    ulong quotient = most / n;
    const uint rest = quotient * n != most;
    if (quotient < (1ul << 26)) { quotient <<= 1; exponent -= 1; }
    uint bits = (uint)quotient | rest;
    if (exponent >= 255) return as_float(sign | inf);
    const int down = clamp(1 - exponent, 0, 30);
    bits = (bits >> down) | (uint)((bits & ((1u << down) - 1u)) != 0u);
    const uint kept = bits >> 3, below = bits & 7u;
    const uint rounded = kept + (uint)(below > 4u || (below == 4u && (kept & 1u)));
    return as_float(sign | (((uint)(max(exponent, 1) - 1) << 23) + rounded));
}
#endif
INLINE VALUE divide_SUFFIX(const VALUE a, const VALUE b)
{
#ifdef WINDROW_DIVIDE
    return EACH(divide_one_SUFFIX(a@, b@));
#else
    return REALS(convert_VALUE(convert_FLOAT(a) / convert_FLOAT(b)), a / b);
#endif
}
