// windrow for C and C++: image and tensor operators, found by name, configured, and run over strided memory.
//
//     const WindrowOperator *blur;
//     WindrowPlan *plan;
//     if (windrow_operator_find("gaussian3x3", &blur) != WINDROW_STATUS_OK) puts(windrow_last_error());
//     WindrowBorder border = {.mode = WINDROW_BORDER_MODE_REPLICATE};
//     WindrowCall call = {&source, 1, &result, 1, .borders = &border, .border_count = 1};
//     if (windrow_configure(blur, &call, &plan) != WINDROW_STATUS_OK) puts(windrow_last_error());
//     windrow_run(plan, &source, 1, &result, 1, 0);
//     windrow_plan_free(plan);
//
// The same for every function: a pointer that is not null points to what its type says, for as many elements as the count
// beside it, and nothing writes there during the call. A text ends with a NUL. A handle comes from a function of this library
// and, if it is a plan, was not freed. A call that fails returns a status that is not WINDROW_STATUS_OK and writes no result;
// windrow_last_error() says why. Every function may be called on any thread.
//
// Written by cbindgen from the crate windrow-capi: `cargo run --manifest-path capi/header/Cargo.toml -- write`.

#ifndef WINDROW_H
#define WINDROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The greatest number of dimensions of a tensor.
#define WINDROW_MAX_RANK 6

// The version of this header: a program compares it with `windrow_abi_version()`.
//
// It changes when a program that was compiled before would not run with the library any more.
#define WINDROW_ABI_VERSION 1

// What a call ended with.
enum WindrowStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It did what it says.
  WINDROW_STATUS_OK = 0,
  // A pointer is null that must not be.
  WINDROW_STATUS_NULL_POINTER = 1,
  // A text is not UTF-8.
  WINDROW_STATUS_INVALID_TEXT = 2,
  // A number is outside of what it may be: a code of a type or a border, a rank, an index.
  WINDROW_STATUS_INVALID_NUMBER = 3,
  // No operator has this name.
  WINDROW_STATUS_UNKNOWN_OPERATOR = 4,
  // The operator has no kernel for these tensors, or several.
  WINDROW_STATUS_NO_KERNEL = 5,
  // A uniform, a variant or a table is missing, unknown or wrong.
  WINDROW_STATUS_INVALID_VALUE = 6,
  // A tensor can't be: its extents overflow, its data are misaligned, an output overlaps itself.
  WINDROW_STATUS_INVALID_TENSOR = 7,
  // The kernel can't be configured so: a type, a shape, a border, a bound of a uniform.
  WINDROW_STATUS_INVALID_CONFIGURATION = 8,
  // The run was refused: other shapes than those configured, memory that an output shares.
  WINDROW_STATUS_INVALID_RUN = 9,
  // Threads or memory could not be had.
  WINDROW_STATUS_OUT_OF_RESOURCES = 10,
  // The memory of a DLPack tensor is a device's.
  WINDROW_STATUS_NOT_ON_THE_HOST = 11,
  // A fault of windrow's, which was caught. What the call wrote so far has no meaning.
  WINDROW_STATUS_PANIC = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum WindrowStatus WindrowStatus;
#else
typedef int32_t WindrowStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The type of a number in memory.
enum WindrowType
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // No type: an output that is left out, or whatever type the operator has.
  WINDROW_TYPE_NONE = 0,
  // Unsigned 8 bits.
  WINDROW_TYPE_U8 = 1,
  // Signed 8 bits.
  WINDROW_TYPE_I8 = 2,
  // Unsigned 16 bits.
  WINDROW_TYPE_U16 = 3,
  // Signed 16 bits.
  WINDROW_TYPE_I16 = 4,
  // Unsigned 32 bits.
  WINDROW_TYPE_U32 = 5,
  // Signed 32 bits.
  WINDROW_TYPE_I32 = 6,
  // Unsigned 64 bits.
  WINDROW_TYPE_U64 = 7,
  // Signed 64 bits.
  WINDROW_TYPE_I64 = 8,
  // IEEE 754 binary16.
  WINDROW_TYPE_F16 = 9,
  // The upper half of a binary32. Tensors may hold it; no operator reads it.
  WINDROW_TYPE_BF16 = 10,
  // IEEE 754 binary32.
  WINDROW_TYPE_F32 = 11,
  // IEEE 754 binary64. Tensors may hold it; no operator reads it.
  WINDROW_TYPE_F64 = 12,
  // A byte that is 0 or 1. Tensors may hold it; no operator reads it.
  WINDROW_TYPE_BOOL = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum WindrowType WindrowType;
#else
typedef uint32_t WindrowType;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What reads outside an image find.
enum WindrowBorderMode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Nothing: elements that need them are not computed.
  WINDROW_BORDER_MODE_UNDEFINED = 0,
  // The value of the border.
  WINDROW_BORDER_MODE_CONSTANT = 1,
  // The nearest edge element.
  WINDROW_BORDER_MODE_REPLICATE = 2,
  // The mirrored image, its edge repeated.
  WINDROW_BORDER_MODE_REFLECT = 3,
  // The mirrored image, its edge once.
  WINDROW_BORDER_MODE_REFLECT101 = 4,
  // The image's opposite side.
  WINDROW_BORDER_MODE_WRAP = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum WindrowBorderMode WindrowBorderMode;
#else
typedef uint32_t WindrowBorderMode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kinds of argument.
enum WindrowArgumentKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A tensor that is read.
  WINDROW_ARGUMENT_KIND_INPUT = 1,
  // A tensor that is written.
  WINDROW_ARGUMENT_KIND_OUTPUT = 2,
  // A value that is the same for the whole run: a number, or an array of numbers.
  WINDROW_ARGUMENT_KIND_UNIFORM = 3,
  // A look-up table.
  WINDROW_ARGUMENT_KIND_TABLE = 4,
  // A choice between names.
  WINDROW_ARGUMENT_KIND_VARIANT = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum WindrowArgumentKind WindrowArgumentKind;
#else
typedef uint32_t WindrowArgumentKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A kernel: it takes tensors of certain types. It lives as long as the program.
typedef struct WindrowKernel WindrowKernel;

// An operator: one kernel, or a family of kernels that do the same on other types or sizes. It lives as long as the program.
typedef struct WindrowOperator WindrowOperator;

// A kernel whose arguments were checked, for tensors of certain shapes. Several threads may run one plan at once.
typedef struct WindrowPlan WindrowPlan;

// A tensor in memory of the caller's: extents and strides are outermost first, as `{height, width}`.
typedef struct WindrowTensor {
  // The first element, the one at coordinates 0. It may be null where only the metadata is asked for.
  void *data;
  // The `WindrowType` of a channel. `WINDROW_TYPE_NONE` among outputs: this one is left out.
  uint32_t element;
  // Channels of an element that lie beside each other: 3 for interleaved RGB, 1 for grey.
  uint32_t channels;
  // The number of dimensions, at most `WINDROW_MAX_RANK`.
  uint32_t rank;
  // The extents, `rank` of them.
  size_t shape[WINDROW_MAX_RANK];
  // Bytes from one element to the next of each dimension, `rank` of them: negative ones go backwards, and in what is only
  // read 0 repeats an element. Each is a multiple of the type's size.
  ptrdiff_t strides[WINDROW_MAX_RANK];
} WindrowTensor;

// The device of a DLPack tensor, laid out as DLPack's `DLDevice`.
typedef struct WindrowDlDevice {
  // The kind: 1 is the processor, 3 and 11 are memory of the host that a GPU reaches too.
  int32_t device_type;
  // Which of them.
  int32_t device_id;
} WindrowDlDevice;

// The type of a DLPack tensor, laid out as DLPack's `DLDataType`.
typedef struct WindrowDlDataType {
  // 0 signed, 1 unsigned, 2 float, 4 bfloat, 6 bool.
  uint8_t code;
  // Bits of a number.
  uint8_t bits;
  // Numbers of an element.
  uint16_t lanes;
} WindrowDlDataType;

// A tensor of DLPack, laid out as DLPack's `DLTensor`: cast a `DLTensor *` to it.
typedef struct WindrowDlTensor {
  // The memory; the first element is `byte_offset` behind it.
  void *data;
  // Whose memory it is.
  struct WindrowDlDevice device;
  // The number of dimensions.
  int32_t ndim;
  // The type.
  struct WindrowDlDataType dtype;
  // The extents, outermost first.
  int64_t *shape;
  // Elements, not bytes, from one to the next of each dimension; null where there are no gaps.
  int64_t *strides;
  // Bytes from `data` to the first element.
  uint64_t byte_offset;
} WindrowDlTensor;

// An argument of a kernel.
typedef struct WindrowArgument {
  // Its name, which lives as long as the program.
  const char *name;
  // What it is, a `WindrowArgumentKind`.
  uint32_t kind;
  // The `WindrowType` of a tensor's channel, a uniform's number or a table's entry.
  uint32_t element;
  // The channels of a tensor's element.
  uint32_t channels;
  // Whether this output may be left out.
  bool is_optional;
  // Whether this input is also an output: it is given among the outputs alone.
  bool is_in_place;
  // The number of dimensions of a uniform's array; 0 for a number alone, 1 for a table.
  uint32_t rank;
  // The extents of a uniform's array, outermost first, or the number of a table's entries.
  uint32_t extents[4];
  // The number of a variant's names.
  uint32_t names;
  // Columns read to the left of an element: −1 is one of them.
  int32_t left;
  // Columns read to the right of an element.
  int32_t right;
  // Rows read above an element: −1 is one of them.
  int32_t top;
  // Rows read below an element.
  int32_t bottom;
} WindrowArgument;

// A uniform, a table or a choice, by the name of the argument.
typedef struct WindrowValue {
  // The name of the argument.
  const char *name;
  // The name of a variant's value, in any case of letters; null for a uniform or a table.
  const char *choice;
  // The `WindrowType` of the numbers. An integer uniform takes integers of any type, if the values fit.
  uint32_t element;
  // The number of dimensions: 0 for a number alone, 1 for a table.
  uint32_t rank;
  // The extents of an array, outermost first.
  uint32_t extents[4];
  // The numbers, rows first and without gaps. They are copied while the operator is configured.
  const void *data;
} WindrowValue;

// What reads outside an image find.
typedef struct WindrowBorder {
  // A `WindrowBorderMode`.
  uint32_t mode;
  // The `WindrowType` of a constant's value: one of floats for `real`, an integer's for `integer`.
  uint32_t element;
  // The value of an integer constant.
  int64_t integer;
  // The value of a float constant.
  float real;
} WindrowBorder;

// What an operator is configured with. All zeros is a call without anything: set what the operator takes.
typedef struct WindrowCall {
  // The tensors that are read, in the kernel's order, those left out that are in place. Their data are not looked at.
  const struct WindrowTensor *inputs;
  // The number of inputs.
  size_t input_count;
  // The tensors that are written. Their data are not looked at.
  const struct WindrowTensor *outputs;
  // The number of outputs.
  size_t output_count;
  // Uniforms, tables and choices.
  const struct WindrowValue *values;
  // The number of values.
  size_t value_count;
  // Borders: none, one for all images that are read, or one for each.
  const struct WindrowBorder *borders;
  // The number of borders; 0 means that elements which need one are not computed.
  size_t border_count;
  // The `WindrowType` of the outputs, where kernels differ in that; `WINDROW_TYPE_NONE` for any.
  uint32_t output_element;
  // The columns that a kernel reads around an element, where kernels differ in that; 0 for any.
  uint32_t columns;
  // The rows that a kernel reads around an element, where kernels differ in that; 0 for any.
  uint32_t rows;
} WindrowCall;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the interface that the library was built with.
uint32_t windrow_abi_version(void);

// Returns the number of bytes of a number of a `WindrowType`; 0 where there is no such type.
size_t windrow_type_size(uint32_t element);

// Returns what this thread's last failed call said: the argument, what was found, and the rule.
//
// The text is the library's, and stays until another call fails on this thread. It is empty where none has.
const char *windrow_last_error(void);

// Returns a status in words, "unknown" for a number that is none. The text lives as long as the program.
const char *windrow_status_name(int32_t status);

// Writes a tensor without gaps to `tensor`: its strides follow from the type, the channels and the shape.
//
// `data` is its first element, or null. Fails where the type or the rank is none, or the size overflows.
//
// You promise:
// `shape` has `rank` extents.
WindrowStatus windrow_tensor_dense(void *data,
                                   uint32_t element,
                                   uint32_t channels,
                                   uint32_t rank,
                                   const size_t *shape,
                                   struct WindrowTensor *tensor);

// Describes a DLPack tensor as windrow's, over the same memory: nothing is copied or owned.
//
// With `channels` above 1 the last dimension, of as many elements beside each other, becomes the channels: NumPy's
// `(height, width, 3)` is an image of height × width elements of 3 channels. With 1 or 0 the dimensions stay as they are.
//
// Fails for memory of a device, a type that windrow lacks, more dimensions than `WINDROW_MAX_RANK`, negative extents, channels that
// lie apart.
//
// You promise:
// `shape` has `ndim` extents, and so has `strides` where it is not null.
WindrowStatus windrow_tensor_from_dlpack(const struct WindrowDlTensor *tensor,
                                         uint32_t channels,
                                         struct WindrowTensor *result);

// Returns the number of operators.
size_t windrow_operator_count(void);

// Writes the operator with this index, in the order of their names, to `result`.
//
// You promise:
// `result` is writable.
WindrowStatus windrow_operator_at(size_t index, const struct WindrowOperator **result);

// Writes the operator of this name to `result`; it needs no release.
//
// A family, such as `add`, has kernels for several types; each kernel has a name of its own, such as `add_i16`.
//
// You promise:
// `name` is a text, and `result` writable.
WindrowStatus windrow_operator_find(const char *name,
                                    const struct WindrowOperator **result);

// Returns the name of an operator, which lives as long as the program; null for null.
//
// You promise:
// `op` is an operator of this library, or null.
const char *windrow_operator_name(const struct WindrowOperator *op);

// Returns the number of kernels of an operator; 0 for null.
//
// You promise:
// `op` is an operator of this library, or null.
size_t windrow_operator_kernel_count(const struct WindrowOperator *op);

// Writes the kernel of an operator with this index to `result`; it needs no release.
//
// You promise:
// `op` is an operator of this library, and `result` writable.
WindrowStatus windrow_operator_kernel(const struct WindrowOperator *op,
                                      size_t index,
                                      const struct WindrowKernel **result);

// Returns the name of a kernel, which lives as long as the program; null for null.
//
// You promise:
// `kernel` is a kernel of this library, or null.
const char *windrow_kernel_name(const struct WindrowKernel *kernel);

// Returns what the author of a kernel says of it, which lives as long as the program; null for null.
//
// You promise:
// `kernel` is a kernel of this library, or null.
const char *windrow_kernel_docs(const struct WindrowKernel *kernel);

// Returns which borders a kernel offers: bit m is set where it has the `WindrowBorderMode` m. 0 for null.
//
// You promise:
// `kernel` is a kernel of this library, or null.
uint32_t windrow_kernel_borders(const struct WindrowKernel *kernel);

// Returns the number of arguments of a kernel, its outputs included; 0 for null.
//
// You promise:
// `kernel` is a kernel of this library, or null.
size_t windrow_kernel_argument_count(const struct WindrowKernel *kernel);

// Writes the argument of a kernel with this index to `result`: those that are read in the author's order, and then the outputs.
//
// You promise:
// `kernel` is a kernel of this library, and `result` writable.
WindrowStatus windrow_kernel_argument(const struct WindrowKernel *kernel,
                                      size_t index,
                                      struct WindrowArgument *result);

// Returns the name of a value of a variant: of a kernel, the argument with this index, the value with this one. It lives as long as
// the program; null where there is none.
//
// You promise:
// `kernel` is a kernel of this library, or null.
const char *windrow_kernel_variant(const struct WindrowKernel *kernel,
                                   size_t argument,
                                   size_t value);

// Writes what an operator's outputs would be, without gaps and without data: `capacity` tensors at most to `outputs`, and their
// number to `count`.
//
// It looks at the inputs, the values, the borders' modes and what is asked of the outputs, and not at the outputs of the call. An
// operator that reads all of its images anywhere has the shape of the output that it is given, and fails here.
//
// You promise:
// `op` is an operator of this library, the pointers in `call` point to what their counts say, `outputs` has room for
// `capacity` tensors, and `count` is writable.
WindrowStatus windrow_infer(const struct WindrowOperator *op,
                            const struct WindrowCall *call,
                            struct WindrowTensor *outputs,
                            size_t capacity,
                            size_t *count);

// Chooses the kernel of an operator for a call, checks everything that is the same for all runs, and writes the plan to `plan`.
//
// The plan keeps nothing of the call: tables are copied. `windrow_plan_free` releases it.
//
// You promise:
// `op` is an operator of this library, the pointers in `call` point to what their counts say, and `plan` is writable.
WindrowStatus windrow_configure(const struct WindrowOperator *op,
                                const struct WindrowCall *call,
                                struct WindrowPlan **plan);

// Computes the outputs of a plan.
//
// The tensors are checked against the plan each time: types, channels, shapes, alignment, and that an output shares no memory with
// another tensor, except exactly with an input of which only the element itself is read. Strides and places may differ from run to
// run. Elements that need an undefined border, and bytes between elements, are left as they are.
//
// `threads` is the number of threads: 1 is the caller's alone, 0 as many as there are processors.
//
// You promise:
// `plan` is a plan that was not freed. For the whole call, every element of the inputs is readable and nothing writes to one; every
// element of the outputs is readable and writable, and nobody else reads or writes one.
WindrowStatus windrow_run(const struct WindrowPlan *plan,
                          const struct WindrowTensor *inputs,
                          size_t input_count,
                          const struct WindrowTensor *outputs,
                          size_t output_count,
                          uint32_t threads);

// Returns the kernel that a plan runs; null for null.
//
// You promise:
// `plan` is a plan that was not freed, or null.
const struct WindrowKernel *windrow_plan_kernel(const struct WindrowPlan *plan);

// Returns which of the processor's instruction sets a plan uses, as "avx2"; null for null. The text lives as long as the program.
//
// You promise:
// `plan` is a plan that was not freed, or null.
const char *windrow_plan_tier(const struct WindrowPlan *plan);

// Writes the part of every output that a run writes: the first coordinates, and those behind the last, one for each dimension,
// outermost first. Smaller than the output only with an undefined border.
//
// You promise:
// `plan` is a plan that was not freed; `start` and `end` each have room for `WINDROW_MAX_RANK` numbers.
WindrowStatus windrow_plan_valid_region(const struct WindrowPlan *plan,
                                        size_t *start,
                                        size_t *end);

// Releases a plan; null is nothing.
//
// You promise:
// `plan` was written by `windrow_configure`, was not freed, and no thread runs it.
void windrow_plan_free(struct WindrowPlan *plan);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WINDROW_H */
