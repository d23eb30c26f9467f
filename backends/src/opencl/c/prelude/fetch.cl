// Elements of an image, each so many bytes behind its first.
INLINE VALUE fetch_SUFFIX(__global const uchar *image, const OFFSETS i)
{
    return EACH(READ((__global const STORED *)(image + i@), 0));
}
