// The lesser of each half of two words; no half is above 0x7fff.
#ifdef WINDROW_NVIDIA_PAIRS
INLINE uint min_pair(const uint a, const uint b)
{
    uint least;
    asm("min.u16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    return least;
}
INLINE VALUE min_pairsLANES(const VALUE a, const VALUE b)
{
    return EACH(min_pair(a@, b@));
}
#else
INLINE VALUE min_pairsLANES(const VALUE a, const VALUE b)
{
    const VALUE top = ((a | 0x80008000u) - b) & 0x80008000u; // where a >= b
    const VALUE mask = top - (top >> 15);
    return (b & mask) | (a & ~mask);
}
#endif
