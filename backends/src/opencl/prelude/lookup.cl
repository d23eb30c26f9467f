// The entries at LANES indices.
INLINE VALUE lookup_SUFFIX(__global const SCALAR *table, const uintLANES i)
{
    return (VALUE)(EACH_ENTRY);
}
