// The greater of each half of two words; no half is above 0x7fff.
#ifdef WINDROW_NVIDIA_PAIRS
INLINE uint max_pair(const uint a, const uint b)
{
    uint greatest;
    asm("max.u16x2 %0, %1, %2;" : "=r"(greatest) : "r"(a), "r"(b));
    return greatest;
}
INLINE VALUE max_pairsLANES(const VALUE a, const VALUE b)
{
    return EACH(max_pair(a@, b@));
}
#else
INLINE VALUE max_pairsLANES(const VALUE a, const VALUE b)
{
    const VALUE top = ((a | 0x80008000u) - b) & 0x80008000u; // where a >= b
    const VALUE mask = top - (top >> 15);
    return (a & mask) | (b & ~mask);
}
#endif
