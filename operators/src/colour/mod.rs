//! Colour and channels of interleaved pixels.
pub mod channel;
pub mod packed_yuv;
pub mod rgb_to_gray;
pub mod rgbx;
pub mod yuv;
