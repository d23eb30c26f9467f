// Where a block reads an input.
typedef struct {
    __global const uchar *image; // inside the image: the block's first element; else the plane's
    long stride; // bytes from row to row
    const int *rows; // at an edge: the row for each row of the block, or -1 for the border's constant
    const int *columns; // inside: where the elements beside the block stand, counted from its first; between edges: in
                        // their row, or -1
    long first; // between edges: where the block's first stands
    int x, last_x; // at an edge: the block's first column, and the last that an element of the window reads
    int width, channels;
    int border;
    uint constant_bits;
    bool whole; // the block lies inside, and so do its rows; loads start at multiples of their sizes
    bool between; // its columns do, between an upper and a lower edge
} Source_SUFFIX;
