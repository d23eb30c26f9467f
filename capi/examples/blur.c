// Blurs a part of a frame: strided memory of the program's own, and what it says to mistakes.
//
//     cc -I capi/include capi/examples/blur.c libwindrow_c.a -lm -lpthread -ldl -o blur

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "windrow.h"

enum { FRAME_ROWS = 40, FRAME_COLUMNS = 64, ROWS = 24, COLUMNS = 40 };

static uint8_t frame[FRAME_ROWS][FRAME_COLUMNS];
static uint8_t blurred[ROWS][COLUMNS];

// A failed call says why.
static int check(WindrowStatus status, const char *what) {
  if (status == WINDROW_STATUS_OK) return 1;
  fprintf(stderr, "%s: %s: %s\n", what, windrow_status_name(status), windrow_last_error());
  return 0;
}

// Blurs one image into another: found by name, configured once, run as often as wanted.
static int blur(const WindrowTensor *source, const WindrowTensor *result) {
  const WindrowOperator *op;
  if (!check(windrow_operator_find("gaussian3x3", &op), "find")) return 0;
  const WindrowBorder border = {.mode = WINDROW_BORDER_MODE_REPLICATE};
  const WindrowCall call = {
      .inputs = source,
      .input_count = 1,
      .outputs = result,
      .output_count = 1,
      .borders = &border,
      .border_count = 1,
  };
  WindrowPlan *plan;
  if (!check(windrow_configure(op, &call, &plan), "configure")) return 0;
  const int done = check(windrow_run(plan, source, 1, result, 1, 0), "run");
  windrow_plan_free(plan);
  return done;
}

// What a mistake says: an output of another type than the operator's.
static int shows_a_mistake(const WindrowTensor *source) {
  const WindrowOperator *op;
  if (!check(windrow_operator_find("gaussian3x3", &op), "find")) return 0;
  WindrowTensor wrong;
  if (!check(windrow_tensor_dense(NULL, WINDROW_TYPE_F32, 1, 2, source->shape, &wrong), "dense")) return 0;
  const WindrowCall call = {.inputs = source, .input_count = 1, .outputs = &wrong, .output_count = 1};
  WindrowPlan *plan = NULL;
  const WindrowStatus status = windrow_configure(op, &call, &plan);
  if (status != WINDROW_STATUS_INVALID_CONFIGURATION || plan != NULL) return 0;
  printf("%s: %s\n", windrow_status_name(status), windrow_last_error());
  return 1;
}

int main(void) {
  if (windrow_abi_version() != WINDROW_ABI_VERSION) {
    fprintf(stderr, "the library has another interface than its header\n");
    return 1;
  }
  for (int y = 0; y < FRAME_ROWS; y++) {
    for (int x = 0; x < FRAME_COLUMNS; x++) frame[y][x] = (uint8_t)(7 * x + 13 * y + x * y % 11);
  }
  // The part of the frame that begins at row 5 and column 9: the frame's strides, and its own extents.
  const WindrowTensor source = {
      .data = &frame[5][9],
      .element = WINDROW_TYPE_U8,
      .channels = 1,
      .rank = 2,
      .shape = {ROWS, COLUMNS},
      .strides = {FRAME_COLUMNS, 1},
  };
  const size_t shape[] = {ROWS, COLUMNS};
  WindrowTensor result;
  if (!check(windrow_tensor_dense(blurred, WINDROW_TYPE_U8, 1, 2, shape, &result), "dense")) return 1;
  if (!blur(&source, &result) || !shows_a_mistake(&source)) return 1;
  for (int y = 0; y < ROWS; y++) {
    for (int x = 0; x < COLUMNS; x++) printf("%02x", blurred[y][x]);
    printf("\n");
  }
  return 0;
}
