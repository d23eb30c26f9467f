// Where a block reads an input.
typedef struct {
    __global const uchar *image; // inside the image: the block's first element; else the plane's
    long stride; // bytes from row to row
    const int *rows; // at an edge: the row for each row of the block, or -1 for the border's constant
    const int *columns; // where elements of a row stand, or -1: those beside the block, inside counted from its first; at
                        // an edge all that it reads
    long first; // between edges: where the block's first stands
    uint constant_bits;
    bool whole; // the block lies inside, and so do its rows; loads start at multiples of their sizes
    bool between; // its columns do, between an upper and a lower edge
} Source_SUFFIX;
