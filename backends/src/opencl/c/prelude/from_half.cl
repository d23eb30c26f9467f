// The values of the binary16 whose bits are the lower halves of words.
INLINE FLOAT from_half_SUFFIX(const VALUE bits)
{
    const ushortDIGITS halves = convert_ushortDIGITS(bits & (VALUE)0xffffu);
    return vload_halfDIGITS(0, (const half *)&halves);
}
