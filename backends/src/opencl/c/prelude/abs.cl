// |a|, for every a: not every driver's abs() knows the magnitude of INT_MIN.
INLINE UNSIGNED abs_SUFFIX(const VALUE a)
{
    return a < 0 ? (UNSIGNED)0u - as_UNSIGNED(a) : as_UNSIGNED(a);
}
