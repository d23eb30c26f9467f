// The built-in functions that the test's programs call, where clang compiles them for the processor. What halves are
// converted by is its own instruction.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OVERLOAD __attribute__((overloadable))

float OVERLOAD vload_half(size_t i, const __global half *p) { return p[i]; }
void OVERLOAD vstore_half_rte(float v, size_t i, __global half *p) { p[i] = (half)v; }
half4 OVERLOAD convert_half4(float4 v) { return __builtin_convertvector(v, half4); }
float4 OVERLOAD convert_float4(half4 v) { return __builtin_convertvector(v, float4); }
short4 OVERLOAD convert_short4(int4 v) { return __builtin_convertvector(v, short4); }
int4 OVERLOAD convert_int4(short4 v) { return __builtin_convertvector(v, int4); }

float4 OVERLOAD vload_half4(size_t i, const __global half *p)
{
    return (float4)(p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]);
}

void OVERLOAD vstore_half4_rte(float4 v, size_t i, __global half *p)
{
    for (int lane = 0; lane < 4; ++lane)
        p[4 * i + lane] = (half)v[lane];
}

half4 OVERLOAD vload4(size_t i, const half *p) { return (half4)(p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }

void OVERLOAD vstore4(half4 v, size_t i, half *p)
{
    for (int lane = 0; lane < 4; ++lane)
        p[4 * i + lane] = v[lane];
}

int OVERLOAD min(int a, int b) { return a < b ? a : b; }
int OVERLOAD max(int a, int b) { return a > b ? a : b; }
long OVERLOAD max(long a, long b) { return a > b ? a : b; }
short4 OVERLOAD isnan(half4 v) { return v != v; }
half4 OVERLOAD select(half4 a, half4 b, short4 c) { return c < (short4)0 ? b : a; }
half4 OVERLOAD fabs(half4 v) { return as_half4(as_short4(v) & (short4)0x7fff); }
float4 OVERLOAD sqrt(float4 v)
{
    for (int lane = 0; lane < 4; ++lane)
        v[lane] = __builtin_sqrtf(v[lane]);
    return v;
}
