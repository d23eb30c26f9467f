// LANES elements of a tile in local memory, from a multiple of LANES on.
INLINE VALUE tile_SUFFIX(__local const SCALAR *tile, const int first)
{
    return *(__local const VALUE *)(tile + first);
}
