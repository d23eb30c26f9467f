// Runs a program of one input and one output, both of halves, on the processor: `main WIDTH HEIGHT STRIDE` reads the input
// and writes the output. Rows are STRIDE bytes apart.
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char uchar;

void run(const uchar *source, uchar *target, int stride, int width, int height);

static size_t place[3];

size_t _Z13get_global_idj(unsigned dimension) { return place[dimension]; }

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    const int width = atoi(arguments[1]), height = atoi(arguments[2]), stride = atoi(arguments[3]);
    const size_t length = (size_t)stride * height;
    uchar *source = aligned_alloc(64, (length + 63) / 64 * 64), *target = aligned_alloc(64, (length + 63) / 64 * 64);
    if (fread(source, 1, length, stdin) != length)
        return 3;
    // More work-items than blocks: the program guards its own edges.
    for (place[1] = 0; place[1] < (size_t)height; ++place[1])
        for (place[0] = 0; place[0] < (size_t)width; ++place[0])
            run(source, target, stride, width, height);
    return fwrite(target, 1, length, stdout) == length ? 0 : 4;
}
