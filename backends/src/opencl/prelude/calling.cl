// Work-item (i, j, k) computes a block of columns from x0 + i * its width and rows from y0 + j * its height of plane k,
// as far as it lies in the window x0 <= x < x1, y0 <= y < y1. Of an image, `_offset` leads to the element (0, 0), `_stride`
// from row to row and `_plane` from plane to plane, in bytes; `_width` and `_height` are in elements.
