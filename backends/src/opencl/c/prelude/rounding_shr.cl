// a / 2^n, rounded to nearest, halves up, with no intermediate overflow.
INLINE VALUE rounding_shr_SUFFIX(const VALUE a, const VALUE n)
{
    const VALUE below = n == (VALUE)0 ? (VALUE)0 : (VALUE)((a >> ((n - (VALUE)1) & (VALUE)MASK)) & (VALUE)1);
    return (a >> n) + below;
}
