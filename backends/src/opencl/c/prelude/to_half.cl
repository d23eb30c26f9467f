// The bits of the binary16 that are nearest to floats, ties to the even one.
INLINE uintDIGITS to_half_SUFFIX(const VALUE a)
{
    ushortDIGITS halves;
    vstore_halfDIGITS_rte(convert_FLOAT(a), 0, (half *)&halves);
    return convert_uintDIGITS(halves);
}
