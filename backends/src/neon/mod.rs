//! neon
