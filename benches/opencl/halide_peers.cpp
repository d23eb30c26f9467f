// Runs Halide's pipelines on images that lie on the device; bench.py calls it through ctypes.

#include "HalideRuntime.h"
#include "HalideRuntimeOpenCL.h"
#include <chrono>
#include <cstdint>
#include <cstring>
#include <vector>

PROTOTYPES

struct Row {
    const char *operation, *schedule;
    int inputs, outputs, halo;
    const char *element;
    int channels;
    const char *result;
    void *function;
};

static const Row rows[] = {
    ROWS,
};

static halide_type_t type_of(const char *name)
{
    if (!strcmp(name, "f32"))
        return halide_type_t(halide_type_float, 32);
    if (!strcmp(name, "i16"))
        return halide_type_t(halide_type_int, 16);
    return halide_type_t(halide_type_uint, 8);
}

struct Image {
    halide_buffer_t buffer;
    halide_dimension_t dimensions[3];

    void describe(void *host, int size, int halo, int channels, halide_type_t type)
    {
        const int length = size + 2 * halo;
        memset(&buffer, 0, sizeof buffer);
        dimensions[0] = {-halo, length, channels, 0};
        dimensions[1] = {-halo, length, length * channels, 0};
        dimensions[2] = {0, channels, 1, 0};
        buffer.host = (uint8_t *)host;
        buffer.type = type;
        buffer.dim = dimensions;
        buffer.dimensions = channels > 1 ? 3 : 2;
    }
};

static Image images[4];
static int current;

extern "C" int peer_count() { return sizeof rows / sizeof rows[0]; }
extern "C" const char *peer_operation(int i) { return rows[i].operation; }
extern "C" const char *peer_schedule(int i) { return rows[i].schedule; }
extern "C" int peer_halo(int i) { return rows[i].halo; }

extern "C" int peer_run()
{
    const Row &row = rows[current];
    halide_buffer_t *b[3] = {&images[0].buffer, &images[1].buffer, &images[2].buffer};
    if (row.inputs + row.outputs == 3)
        return ((int (*)(halide_buffer_t *, halide_buffer_t *, halide_buffer_t *))row.function)(b[0], b[1], b[2]);
    return ((int (*)(halide_buffer_t *, halide_buffer_t *))row.function)(b[0], b[1]);
}

// Brings the inputs to the device, and runs once.
extern "C" int peer_open(int i, int size, void *first, void *second, void *out, void *other)
{
    const Row &row = rows[i];
    current = i;
    void *given[] = {first, second};
    void *taken[] = {out, other};
    for (int k = 0; k < row.inputs; ++k) {
        images[k].describe(given[k], size, row.halo, row.channels, type_of(row.element));
        images[k].buffer.set_host_dirty(true);
        if (int error = halide_copy_to_device(nullptr, &images[k].buffer, halide_opencl_device_interface()))
            return error;
    }
    for (int k = 0; k < row.outputs; ++k)
        images[row.inputs + k].describe(taken[k], size, 0, 1, type_of(row.result));
    if (int error = peer_run())
        return error;
    return halide_device_sync(nullptr, &images[row.inputs].buffer);
}

// Microseconds of one of `launches` launches that are waited for together.
extern "C" double peer_time(int launches)
{
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < launches; ++k)
        peer_run();
    halide_device_sync(nullptr, &images[rows[current].inputs].buffer);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    return time.count() / launches;
}

// Brings the outputs back, and lets go of the device's memory.
extern "C" int peer_close()
{
    const Row &row = rows[current];
    int error = 0;
    for (int k = 0; k < row.inputs + row.outputs; ++k) {
        if (k >= row.inputs)
            error |= halide_copy_to_host(nullptr, &images[k].buffer);
        halide_device_free(nullptr, &images[k].buffer);
    }
    return error;
}
