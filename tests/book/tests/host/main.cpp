// Calls `blur` of the page of recipes, which the compiler includes first:
//
//     host FILE.cl OPTIONS ENTRY BLOCK_X BLOCK_Y WIDTH HEIGHT < image > blurred

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static void check(cl_int error, const char *call)
{
    if (error != CL_SUCCESS) {
        std::fprintf(stderr, "%s: error %d\n", call, error);
        std::exit(1);
    }
}

int main(int, char **arguments)
{
    std::ifstream file(arguments[1]);
    const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const char *text = source.c_str();
    const size_t block[] = {std::strtoul(arguments[4], nullptr, 10), std::strtoul(arguments[5], nullptr, 10)};
    const cl_int width = std::atoi(arguments[6]), height = std::atoi(arguments[7]);
    std::vector<unsigned char> photo(size_t(width) * size_t(height)), blurred(photo.size());
    if (std::fread(photo.data(), 1, photo.size(), stdin) != photo.size())
        return 2;

    cl_int error;
    cl_platform_id platform;
    cl_device_id device;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, arguments[2], nullptr, nullptr), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, arguments[3], &error);
    check(error, "clCreateKernel");
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, photo.size(), photo.data(), &error);
    check(error, "clCreateBuffer");
    cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, photo.size(), nullptr, &error);
    check(error, "clCreateBuffer");

    check(blur(queue, kernel, block, from, to, width, height), "blur");
    check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, photo.size(), blurred.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");
    std::fwrite(blurred.data(), 1, blurred.size(), stdout);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
