// Where a block reads an input: in the image itself, or, at its edges, in a tile that was filled through the border.
// Both pointers are to the element of the block's first column and row.
typedef struct {
    __global const uchar *image;
    long stride; // bytes from row to row
    const SCALAR *tile;
    int pitch; // elements from row to row
    bool whole; // read the image
    bool aligned; // each row of the block starts at a multiple of a vector's size
} Source_SUFFIX;
