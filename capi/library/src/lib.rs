//! The C library of all of windrow's operators. `include/windrow.h` says what is in it.

windrow_capi::export!(registry = windrow_operators::registry());
