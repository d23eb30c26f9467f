// |a - b|, for every a and b: not every driver's abs_diff() knows the differences above INT_MAX.
INLINE UNSIGNED abs_diff_SUFFIX(const VALUE a, const VALUE b)
{
    return a > b ? as_UNSIGNED(a) - as_UNSIGNED(b) : as_UNSIGNED(b) - as_UNSIGNED(a);
}
