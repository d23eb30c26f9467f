//! What is made of gradients.
pub mod magnitude;
pub mod phase;
