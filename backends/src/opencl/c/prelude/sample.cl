// An element beside the block's first, or what stands for it outside the image.
INLINE SCALAR sample_SUFFIX(
    __read_only image2d_t image, const sampler_t sampler, const uint border, const int2 first, const int column,
    const int row)
{
    const int2 at = first + (int2)(column, row);
#ifdef WINDROW_CONSTANT
    if (border != 0 && any(at < (int2)(0) || at >= get_image_dim(image)))
        return WORD(border);
#endif
    return WORD(SAMPLED);
}
