// b, or 1 where a / b has no value: a select takes the other side there.
INLINE VALUE divisor_SUFFIX(const VALUE a, const VALUE b)
{
    return HARMFUL ? (VALUE)1 : b;
}
