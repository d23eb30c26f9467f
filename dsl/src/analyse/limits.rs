//! How much work an analysis of one body may be, so that no kernel makes it explode: where it is spent, less is proved.

/// How far operands are looked at again inside a path condition.
pub(super) const REPEAT_DEPTH: u32 = 4;
/// Terms evaluated at vertices, for a whole body.
pub(super) const VERTEX_WORK: u32 = 4_000_000;
/// Reductions that the search for order facts may try, for a whole body.
pub(super) const ORDER_WORK: u32 = 6_000;
/// Conditions looked at and ranges narrowed by them, for a whole body.
pub(super) const CONDITION_WORK: u32 = 100_000;
/// Words of truth tables of `min` and `max` written down, for a whole body.
pub(super) const LATTICE_WORK: u32 = 2_000_000;
/// How deep conditions nest before the rest of one is ignored.
pub(super) const CONDITION_DEPTH: u32 = 32;
/// Facts with more terms than this don't narrow the ranges of their atoms.
pub(super) const MAX_FACT_TERMS: usize = 24;
/// How far a refined range is carried back.
pub(super) const REFINE_DEPTH: u32 = 8;
