//! Colour and channels of interleaved pixels.
pub mod channel;
pub mod rgb_to_gray;
