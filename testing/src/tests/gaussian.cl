// The 3x3 Gaussian, 2x2 elements a work-item, or one.
#ifndef HALF
#define HALF 0
#endif
#ifndef ONE
#define ONE 1 // elements a work-item of the other schedule, along each axis
#endif
#ifndef EDGE
#define EDGE 1 // the edge is repeated by `reflect`
#endif

int border_index(int border, int i, int length)
{
    int period = border == 3 ? 2 * length - (EDGE ? 0 : 1) : border == 4 ? 2 * length - 2 : length;
    int phase;
    if (i >= 0 && i < length)
        return i;
    if (border == 1)
        return -1;
    if (border == 2)
        return i < 0 ? 0 : length - 1;
    if (period == 0)
        return 0;
    phase = ((i % period) + period) % period;
    if (phase < length)
        return phase;
    return period - (border == 3 && EDGE ? 1 : 0) - phase;
}

#define ARGUMENTS \
    __global const uchar *src, long src_offset, int src_stride, long src_plane, int src_width, int src_height, \
    uint src_border, __global uchar *out, long out_offset, int out_stride, long out_plane, \
    int x0, int y0, int x1, int y1, int border

void block(const int size, ARGUMENTS)
{
    const int weights[3] = {1, 2, 1};
    const long plane = get_global_id(2);
    for (int j = 0; j < size; j++) {
        for (int i = 0; i < size; i++) {
            const int x = x0 + (int)get_global_id(0) * size + i;
            const int y = y0 + (int)get_global_id(1) * size + j;
            uint sum = HALF;
#ifdef UNGUARDED
            if (x >= x1 + 1 || y >= y1)
                continue;
#else
            if (x >= x1 || y >= y1)
                continue;
#endif
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    const int column = border_index(border, x + dx, src_width);
                    const int row = border_index(border, y + dy, src_height);
                    const uint value = column < 0 || row < 0
                        ? src_border
                        : src[src_offset + src_plane * plane + (long)src_stride * row + column];
                    sum += weights[dx + 1] * weights[dy + 1] * value;
                }
            }
#ifdef READS_ON
            *(volatile __global const uchar *)(src + src_offset + src_plane * (plane + 1) + (long)src_stride * src_height);
#endif
            out[out_offset + out_plane * plane + (long)out_stride * y + x] = (uchar)(sum >> 4);
        }
    }
}

#define VALUES \
    src, src_offset, src_stride, src_plane, src_width, src_height, src_border, out, out_offset, out_stride, \
    out_plane, x0, y0, x1, y1, border

__kernel void gaussian(ARGUMENTS)
{
    block(2, VALUES);
}

__kernel void gaussian_1x1(ARGUMENTS)
{
    block(ONE, VALUES);
}
