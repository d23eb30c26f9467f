//! windrow
