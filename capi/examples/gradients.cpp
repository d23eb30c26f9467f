// Gradients and a convolution from C++: handles that release themselves, errors as exceptions, and a tensor of DLPack.
//
//     c++ -std=c++17 -I capi/include capi/examples/gradients.cpp -L target/debug -lwindrow_c -o gradients

#include <array>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "windrow.h"

namespace windrow {

/// A failed call.
struct Error : std::runtime_error {
  explicit Error(WindrowStatus status)
      : std::runtime_error(std::string(windrow_status_name(status)) + ": " + windrow_last_error()), status(status) {}
  WindrowStatus status;
};

inline void check(WindrowStatus status) {
  if (status != WINDROW_STATUS_OK) throw Error(status);
}

/// The elements of a vector, without gaps.
template <typename T>
WindrowTensor dense(std::vector<T> &elements, WindrowType element, std::initializer_list<std::size_t> shape) {
  WindrowTensor tensor;
  check(windrow_tensor_dense(elements.data(), element, 1, static_cast<std::uint32_t>(shape.size()), shape.begin(), &tensor));
  return tensor;
}

/// A configured operator, which is released with its value.
class Plan {
 public:
  Plan(const char *name, const WindrowCall &call) {
    const WindrowOperator *op = nullptr;
    check(windrow_operator_find(name, &op));
    WindrowPlan *plan = nullptr;
    check(windrow_configure(op, &call, &plan));
    plan_.reset(plan);
  }

  void run(const std::vector<WindrowTensor> &inputs, const std::vector<WindrowTensor> &outputs, std::uint32_t threads = 0) const {
    check(windrow_run(plan_.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size(), threads));
  }

 private:
  struct Free {
    void operator()(WindrowPlan *plan) const { windrow_plan_free(plan); }
  };
  std::unique_ptr<WindrowPlan, Free> plan_;
};

}  // namespace windrow

namespace {

constexpr std::size_t rows = 24, columns = 40;

template <typename T>
void print(const std::vector<T> &elements) {
  for (std::size_t index = 0; index < elements.size(); index++) {
    std::printf("%d%c", static_cast<int>(elements[index]), (index + 1) % columns == 0 ? '\n' : ' ');
  }
}

/// Both gradients of an image that another library lends through DLPack.
void gradients(const WindrowDlTensor &lent) {
  WindrowTensor source;
  windrow::check(windrow_tensor_from_dlpack(&lent, 1, &source));
  std::vector<std::int16_t> dx(rows * columns), dy(rows * columns);
  const std::vector<WindrowTensor> outputs = {
      windrow::dense(dx, WINDROW_TYPE_I16, {rows, columns}),
      windrow::dense(dy, WINDROW_TYPE_I16, {rows, columns}),
  };
  WindrowBorder border = {};
  border.mode = WINDROW_BORDER_MODE_CONSTANT;
  border.element = WINDROW_TYPE_U8;
  border.integer = 100;
  WindrowCall call = {};
  call.inputs = &source, call.input_count = 1;
  call.outputs = outputs.data(), call.output_count = outputs.size();
  call.borders = &border, call.border_count = 1;
  windrow::Plan("sobel3x3", call).run({source}, outputs);
  print(dx);
  print(dy);
}

/// A convolution: the family's kernel follows from the types and from the extents of the coefficients.
void convolution(std::vector<std::uint8_t> &pixels) {
  const WindrowTensor source = windrow::dense(pixels, WINDROW_TYPE_U8, {rows, columns});
  std::vector<std::int16_t> sums(rows * columns);
  const std::vector<WindrowTensor> outputs = {windrow::dense(sums, WINDROW_TYPE_I16, {rows, columns})};
  const std::int16_t k[3][3] = {{0, -1, 0}, {-1, 5, -1}, {0, -1, 0}};
  const std::int32_t scale = 1;
  std::array<WindrowValue, 2> values = {};
  values[0].name = "k", values[0].element = WINDROW_TYPE_I16, values[0].rank = 2;
  values[0].extents[0] = values[0].extents[1] = 3, values[0].data = k;
  values[1].name = "scale", values[1].element = WINDROW_TYPE_I32, values[1].data = &scale;
  WindrowBorder border = {};
  border.mode = WINDROW_BORDER_MODE_REFLECT101;
  WindrowCall call = {};
  call.inputs = &source, call.input_count = 1;
  call.outputs = outputs.data(), call.output_count = outputs.size();
  call.values = values.data(), call.value_count = values.size();
  call.borders = &border, call.border_count = 1;
  windrow::Plan("convolve", call).run({source}, outputs, 1);
  print(sums);
}

}  // namespace

int main() try {
  std::vector<std::uint8_t> pixels(rows * columns);
  for (std::size_t y = 0; y < rows; y++) {
    for (std::size_t x = 0; x < columns; x++) pixels[y * columns + x] = static_cast<std::uint8_t>(7 * x + 13 * y + x * y % 11);
  }
  std::int64_t shape[] = {rows, columns};
  WindrowDlTensor lent = {};
  lent.data = pixels.data(), lent.device.device_type = 1;
  lent.ndim = 2, lent.shape = shape;
  lent.dtype.code = 1, lent.dtype.bits = 8, lent.dtype.lanes = 1;
  gradients(lent);
  convolution(pixels);
  try {
    windrow::Plan("gaussian4x4", WindrowCall{});
  } catch (const windrow::Error &error) {
    std::printf("%s\n", error.what());
  }
  return 0;
} catch (const windrow::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
