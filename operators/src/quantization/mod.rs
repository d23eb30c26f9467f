//! Quantised tensors: real = scale · (integer − zero).
pub mod add_quantized_once;
pub mod dequantize;
pub mod dynamic;
pub mod multiply_bytes;
pub mod offset_contribution;
pub mod quantize;
pub mod requantize;
pub mod requantize_channels;
pub mod requantize_float;
pub mod sign;
