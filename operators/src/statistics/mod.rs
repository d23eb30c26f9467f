//! What images hold as a whole: counts, sums up to a place, moments, extremes.
pub mod cumulative_sum;
pub mod equalization;
pub mod extremes;
pub mod histogram;
pub mod integral_image;
pub mod mean_std_dev;
