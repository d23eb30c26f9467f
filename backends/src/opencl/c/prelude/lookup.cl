// The entries at LANES indices.
INLINE VALUE lookup_SUFFIX(__global const TABLE *table, const uintLANES i)
{
    return EACH(table[i@]);
}
