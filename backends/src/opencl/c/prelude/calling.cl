// The plane is cut into blocks from its element (0, 0) on. Work-item (i, j, k) computes the i-th block of columns and the
// j-th of rows from that of (x0, y0) on, of plane k, as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an
// image, `_offset` leads to the element (0, 0), `_stride` from row to row and `_plane` from plane to plane, in bytes;
// `_width` and `_height` are in elements.
