// The entries at LANES indices.
INLINE VALUE lookup_SUFFIX(__global const TABLE_TYPE *table, const uintLANES i)
{
    return (VALUE)(EACH_ENTRY);
}
