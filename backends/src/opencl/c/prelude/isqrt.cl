// The integer square root, rounded down. The float estimate is at most one off, wherever roots are within 4 units in the
// last place.
INLINE VALUE isqrt_SUFFIX(const VALUE a)
{
    VALUE root = min(convert_VALUE(sqrt(convert_FLOAT(a))), (VALUE)65535u); // estimate
    root = root * root > a ? root - (VALUE)1u : root;
    return a - root * root > (VALUE)2u * root ? root + (VALUE)1u : root;
}
