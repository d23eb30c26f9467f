// IEEE 754-2019 maximumNumber: a NaN is ignored, -0 is below +0.
INLINE VALUE maximum_SUFFIX(const VALUE a, const VALUE b)
{
    const VALUE greater = a > b || isnan(b) ? a : b;
    return a == b ? as_VALUE((SIGNED)(as_SIGNED(a) & as_SIGNED(b))) : greater;
}
