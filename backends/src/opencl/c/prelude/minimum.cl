// IEEE 754-2019 minimumNumber: a NaN is ignored, -0 is below +0.
INLINE VALUE minimum_SUFFIX(const VALUE a, const VALUE b)
{
    const VALUE lesser = a < b || isnan(b) ? a : b;
    return a == b ? as_VALUE((SIGNED)(as_SIGNED(a) | as_SIGNED(b))) : lesser;
}
