// Where a block writes an output: in the image itself, or, at its edges, in a tile of which the window's part is kept.
typedef struct {
    __global uchar *image;
    long stride; // bytes from row to row
    SCALAR *tile;
    int pitch; // elements from row to row
    bool whole; // write the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Sink_SUFFIX;
