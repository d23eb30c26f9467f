//! Taps of one channel of one input, by place.

use crate::ir::{Body, CastMode, InputId, Op, Tap, ValueId};
use std::collections::BTreeMap;

/// An input and a channel of it.
pub type Source = (InputId, u32);

/// What stands at the places (dy, dx) of a window.
#[derive(Clone, Debug)]
pub struct Grid<T>(pub BTreeMap<(i32, i32), T>);

impl<T> Default for Grid<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Clone> Grid<T> {
    /// The rows, from the top, each from the left: (dy, (dx, what stands there)).
    pub fn rows(&self) -> Vec<(i32, Vec<(i32, T)>)> {
        let mut rows: Vec<(i32, Vec<(i32, T)>)> = Vec::new();
        for (&(dy, dx), entry) in &self.0 {
            match rows.last_mut() {
                Some((row, entries)) if *row == dy => entries.push((dx, entry.clone())),
                _ => rows.push((dy, vec![(dx, entry.clone())])),
            }
        }
        rows
    }

    /// The same with x and y exchanged.
    pub fn transposed(&self) -> Self {
        Self(self.0.iter().map(|(&(dy, dx), entry)| ((dx, dy), entry.clone())).collect())
    }
}

/// The element that a value is, widened or not: its node, input and place (dy, dx).
pub fn tap(body: &Body, id: ValueId) -> Option<(ValueId, Source, (i32, i32))> {
    match body.node(id).op {
        Op::Load(ref access) => {
            let Tap { input, channel, dx, dy } = access.tap()?;
            Some((id, (input, channel), (dy, dx)))
        }
        Op::Cast(CastMode::Value | CastMode::Wrapping, inner) if body.node(inner).ty.widens_to(body.node(id).ty) => {
            tap(body, inner)
        }
        _ => None,
    }
}
