// Where a block writes an output, from its first element on.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    int from_x, from_y, to_x, to_y; // the window's part of the block
    int channels;
    bool whole; // that is all of it, and stores start at multiples of their sizes
    bool between; // that is all of some rows, and so do they
} Sink_SUFFIX;
