// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an output,
// `_offset` leads to the element (0, 0) and `_stride` from row to row, in bytes.
// An input is an image of its plane's size: CL_R, of the integer type of its elements or of their bits as
// CL_UNSIGNED_INT32. Its sampler takes coordinates in elements and the nearest element, and is the border: CL_ADDRESS_CLAMP
// for a constant one, else CL_ADDRESS_CLAMP_TO_EDGE. A constant with a bit set stands in `_border`, and the program is
// built with -DWINDROW_CONSTANT; `_border` is 0 for every input that has no such constant.
