//! Element-wise runs of images whose rows follow each other in memory: one row. The call for a row costs as much as a hundred
//! elements, and a driver's set-up with cold caches as much as ten thousand.

use super::{
    alignment::{LONG, is_aligned},
    whole::add_whole_views,
};
use crate::{
    code::{Rows, WholeView},
    configure::KernelPlan,
    info::{MAX_DIMENSIONS, TensorInfo},
    job::Job,
    list::List,
    region::Rect,
    view::AnyView,
};

/// Whether the rows of `region` follow each other in all images, and neither neighbours nor coordinates tell them apart.
pub(super) fn rows_join(plan: &KernelPlan, job: &Job<'_>, region: Rect) -> bool {
    let (width, height) = (plan.shape.width(), plan.shape.height());
    let dense = |info: &TensorInfo| {
        let follows = || info.row_stride() == (width * info.pixel_size()) as isize;
        info.layout().has_contiguous_rows() && (region.height() == 1 || follows())
    };
    plan.joins_rows
        && !plan.body.carries_rows
        && (region.x0, region.x1) == (0, width)
        && job.rows(plan).all(|view| {
            let info = view.info();
            (info.width(), info.height()) == (width, height) && dense(info)
        })
        && job.written.iter().flatten().all(|view| dense(view.info()))
}

/// Rows that join, as one.
pub(super) struct JoinedRows<'a> {
    plan: &'a KernelPlan,
    job: &'a Job<'a>,
    inputs: List<*const u8>,
    views: List<WholeView>,
    outputs: List<*mut u8>,
    /// The first row's coordinate.
    y: usize,
    /// Elements.
    length: usize,
    /// Elements before the first whose store is aligned, where that is worth a vector more.
    start: usize,
}

impl<'a> JoinedRows<'a> {
    /// Those of `region` in `plane`; `None` where some need a tile.
    pub(super) fn new(
        plan: &'a KernelPlan,
        job: &'a Job<'a>,
        region: Rect,
        plane: &[usize; MAX_DIMENSIONS],
    ) -> Option<JoinedRows<'a>> {
        let (lanes, exact) = (plan.body.lanes as usize, job.in_place.contains(&true));
        let length = region.width() * region.height();
        if length < lanes || exact && !length.is_multiple_of(lanes) {
            return None;
        }
        let at = |view: &AnyView<'_>| {
            let offset = view.info().plane_offset(plane) + region.y0 as isize * view.info().row_stride();
            view.base().as_ptr().wrapping_offset(offset)
        };
        let (inputs, views, outputs) = (List::new(), List::new(), List::new());
        let mut rows = JoinedRows { plan, job, inputs, views, outputs, y: region.y0, length, start: 0 };
        add_whole_views(&mut rows.views, plan, job, plane);
        job.rows(plan).for_each(|view| rows.inputs.push(at(view)));
        job.written.iter().for_each(|place| rows.outputs.push(place.map_or(core::ptr::null_mut(), at)));
        if length >= LONG {
            rows.start = rows.first_aligned(lanes);
        }
        (rows.start == 0 || !exact).then_some(rows)
    }

    fn first_aligned(&self, lanes: usize) -> usize {
        let mut given = self.outputs.iter().zip(self.job.written.iter());
        let aligned = given.find_map(|(row, place)| Some((row, (*place)?))).and_then(|(row, view)| {
            let pixel = view.info().pixel_size();
            (0..lanes).find(|&x| is_aligned(row.addr() + x * pixel, lanes * pixel))
        });
        aligned.unwrap_or(0)
    }

    /// Computes them.
    ///
    /// # Safety
    /// As [`run_window`](super::run_window).
    pub(super) unsafe fn run(&mut self) {
        // SAFETY: the caller's: the rows lie in the images, whole vectors of them; where some are computed twice, no output is an
        // input.
        unsafe {
            if self.start > 0 {
                self.call(self.plan.body.lanes as usize);
                self.advance();
            }
            self.call(self.length - self.start);
        }
    }

    /// Moves to the first element whose store is aligned.
    fn advance(&mut self) {
        let bytes = |view: &AnyView<'_>| self.start * view.info().pixel_size();
        for (row, view) in self.inputs.iter_mut().zip(self.job.rows(self.plan)) {
            *row = row.wrapping_add(bytes(view));
        }
        for (row, place) in self.outputs.iter_mut().zip(self.job.written.iter()) {
            *row = place.map_or(*row, |view| row.wrapping_add(bytes(view)));
        }
    }

    /// # Safety
    /// As [`JoinedRows::run`]; `width` elements, a vector at least, are left of the rows.
    unsafe fn call(&self, width: usize) {
        let (inputs, outputs, views) = (self.inputs.as_slice(), self.outputs.as_slice(), self.views.as_slice());
        let (tables, words, y) = (self.job.pointers.as_slice(), self.plan.words(), self.y as i32);
        // SAFETY: the caller's, and the body's tier runs on this processor: `configure` chose it.
        unsafe {
            (self.plan.body.run)(&Rows {
                inputs,
                outputs,
                views,
                tables,
                words,
                x: 0,
                y,
                outer: [0; MAX_DIMENSIONS - 2],
                width,
                head: 0,
                groups: 1,
                down: &[],
            })
        };
    }
}
