//! Runs a body over a sub-window: the driver between a configured kernel and rows in memory.
//!
//! ```text
//!   x0   a                            b   x1
//!   ┌────┬────────────────────────────┬────┐ y0     a..b: every column that the body reads lies in the images; rows
//!   │tile│  the images' own rows      │tile│        outside are other rows (replicate, reflect, wrap); the tiles
//!   │    │                            │    │        are whole vectors wide, and several groups tall. Groups of
//!   └────┴────────────────────────────┴────┘ y1     `rows` rows: the last direct one is moved up over the one before,
//!                                                   unless an output is an input too
//! ```
//!
//! Edges narrower than a vector share a tile, side by side, and nothing stands where nothing outside is read. The direct
//! columns then begin wherever they do, and their second step where stores are aligned ([`Rows::head`](crate::code::Rows)).
//!
//! Where nothing tells elements apart and rows follow each other in memory, they are one row, and need no driver (`dense`).
//!
//! No store falls outside the sub-window. An element is stored again only where no output is an input: in the last
//! vector of a row, in the last group of rows, and beside the tiles at the edges, which store whole vectors. What is
//! narrower than a vector or lower than a group is copied from the tile instead (see `stage`).

mod columns;
mod dense;
mod direct;
mod driver;
mod pointers;
mod side_by_side;
mod staged;

use crate::{
    configure::Plan, float_environment::DefaultFloats, job::Job, limits::MAX_DIMENSIONS, region::Rect, window::Window,
};

use dense::{JoinedRows, rows_join};
use driver::Driver;

/// Computes the elements of `window` that are valid.
///
/// # Safety
/// `job` was bound to `plan`, `window` is a sub-window of the plan's, and nothing else touches its elements of the outputs, nor
/// writes the inputs, until this returns.
pub(crate) unsafe fn run_window(plan: &Plan, job: &Job<'_, '_>, window: &Window) {
    let (x, y) = (window.dimension(0), window.dimension(1));
    let region = Rect::new(x.start(), y.start(), x.end(), y.end()).intersect(&plan.valid.plane());
    if region.is_empty() {
        return;
    }
    let _floats = DefaultFloats::set_for(plan.spec());
    let joined = rows_join(plan, job, region);
    for plane in plan.planes(window) {
        let rows = if joined { JoinedRows::new(plan, job, region, &plane) } else { None };
        // SAFETY: the caller's; the planes of a window are disjoint.
        match rows {
            Some(mut rows) => unsafe { rows.run() },
            None => unsafe { run_plane(plan, job, region, plane, joined) },
        }
    }
}

/// Computes one plane. By itself: what is the same for all planes would be looked up before the first one for as many arguments as
/// there may be, cold memory of which most runs have no use.
///
/// # Safety
/// As [`run_window`]; `region` is that of its window, whose rows may be joined.
#[inline(never)]
unsafe fn run_plane(plan: &Plan, job: &Job<'_, '_>, region: Rect, plane: [usize; MAX_DIMENSIONS], joined: bool) {
    let mut driver = Driver::new(plan, job, region);
    driver.attach(plane, joined);
    // SAFETY: the caller's.
    unsafe { if driver.needs_no_tile() { driver.run_without_tile() } else { driver.run_with_tile() } }
}
