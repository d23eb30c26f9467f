//! How inputs become vectors: plain loads, de-interleaving loads for pixels and for strides, single lanes for the rest.

use super::Target;
use super::program::{Base, Lane, Place, Program, VectorId};
use super::selection::Memory;
use std::rc::Rc;
use windrow_dsl::ir::{Input, InputId, Kernel, Neighbourhood, Tap};

/// The order of elements in several vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneOrder {
    /// That of memory.
    Memory,
    /// That of all values of a step: see [`super::machine::Lanes`].
    Runs,
}

impl<'a> Memory<'a> {
    /// The inputs of a body whose step is `width` elements wide.
    pub fn new(kernel: &'a Kernel, taps: Vec<Neighbourhood>, width: u32) -> Self {
        Self { kernel, reads: taps.clone(), taps, width }
    }

    /// The vectors of a tap for `lanes` elements.
    pub fn load<T: Target>(
        &mut self,
        target: T,
        program: &mut Program,
        lanes: u32,
        tap: Tap,
        name: &Rc<str>,
    ) -> Vec<VectorId> {
        let Tap { input, channel, dx, dy } = tap;
        let argument = &self.kernel.inputs[input.0 as usize];
        let (channels, stride, lane) = (argument.channels, argument.stride().0, Lane::of(argument.ty));
        let machine = target.machine();
        let (in_block, apart) = (i64::from(machine.lanes_in_run(lane)), machine.apart(lanes));
        let mut vectors = Vec::new();
        for part in 0..machine.vectors_of(argument.ty, lanes) as i64 {
            let column = part * in_block;
            let factor = channels * stride;
            let place = Place { base: Base::Row(input, dy), factor, offset: 0, apart: i64::from(factor) * apart, lane };
            vectors.push(match (channels, stride) {
                (_, 1) => {
                    let offset = i64::from(channels) * (i64::from(dx) + column);
                    let loaded = target.load(program, Place { offset, ..place }, channels, name);
                    named(program, loaded[channel as usize], name)
                }
                (1, 2..=4) => {
                    let last = column + apart * i64::from(machine.lanes.runs() - 1);
                    let start = self.start(input, dx, last, in_block);
                    let offset = start + i64::from(stride) * column;
                    let loaded = target.load(program, Place { offset, ..place }, stride, name);
                    named(program, loaded[(i64::from(dx) - start) as usize], name)
                }
                _ => {
                    let offset = i64::from(channels) * i64::from(dx) + i64::from(channel);
                    let offset = offset + i64::from(factor) * column;
                    target.load_lanes(program, Place { offset, ..place }, name)
                }
            });
        }
        vectors
    }

    /// The elements from a tap on, where every second one is the tap's: for each vector of the tap two. Nothing beyond what
    /// is read anyway, where the element behind the tap is a tap too.
    pub fn load_behind<T: Target>(
        &mut self,
        target: T,
        program: &mut Program,
        lanes: u32,
        tap: Tap,
        order: LaneOrder,
        name: &Rc<str>,
    ) -> Vec<VectorId> {
        let Tap { input, channel, dx, dy } = tap;
        let argument = &self.kernel.inputs[input.0 as usize];
        self.load_from(target, program, lanes, (input, element(argument, channel, dx), dy), order, name)
    }

    /// The same around a tap, for it alone: begun so that taps which follow each other share it. 1, where it begins with the
    /// element before the tap's; else 0.
    pub fn load_around<T: Target>(
        &mut self,
        target: T,
        program: &mut Program,
        lanes: u32,
        tap: Tap,
        order: LaneOrder,
        name: &Rc<str>,
    ) -> (Vec<VectorId>, usize) {
        let Tap { input, channel, dx, dy } = tap;
        let argument = &self.kernel.inputs[input.0 as usize];
        let (element, Neighbourhood { left, right, .. }) =
            (element(argument, channel, dx), self.taps[input.0 as usize]);
        let is_second = if argument.channels == 2 { channel == 1 } else { dx > left && (right - dx) % 2 == 0 };
        let start = element - i64::from(is_second);
        if argument.channels == 1 {
            let beyond = start + i64::from(2 * lanes) - 1 - i64::from(right) - 2 * (i64::from(self.width) - 1);
            let reads = &mut self.reads[input.0 as usize];
            reads.right = reads.right.max(right + beyond.max(0) as i32);
        }
        (self.load_from(target, program, lanes, (input, start, dy), order, name), usize::from(is_second))
    }

    /// The elements of an input whose columns are two elements wide.
    fn load_from<T: Target>(
        &self,
        target: T,
        program: &mut Program,
        lanes: u32,
        (input, element, dy): (InputId, i64, i32),
        order: LaneOrder,
        name: &Rc<str>,
    ) -> Vec<VectorId> {
        let ty = self.kernel.inputs[input.0 as usize].ty;
        let (machine, lane) = (target.machine(), Lane::of(ty));
        let in_block = i64::from(machine.lanes_in_run(lane));
        let (apart, step) = match order {
            LaneOrder::Memory => (in_block, in_block * i64::from(machine.lanes.runs())),
            LaneOrder::Runs => (2 * machine.apart(lanes), in_block),
        };
        let place = Place { base: Base::Row(input, dy), factor: 2, offset: element, apart, lane };
        let parts = 0..2 * machine.vectors_of(ty, lanes) as i64;
        let load = |part| target.load(program, Place { offset: element + part * step, ..place }, 1, name);
        parts.flat_map(load).collect()
    }

    /// Where a de-interleaving load for a tap begins: so that neighbouring taps share it, and that it reads nothing
    /// beyond what the taps read anyway, where it can.
    fn start(&mut self, input: InputId, dx: i32, column: i64, in_block: i64) -> i64 {
        let taps = self.taps[input.0 as usize];
        let stride = i64::from(self.kernel.inputs[input.0 as usize].stride().0);
        let (dx, left, right) = (i64::from(dx), i64::from(taps.left), i64::from(taps.right));
        let greatest = right + stride * (i64::from(self.width) - 1);
        let length = stride * (column + in_block) - 1;
        let aligned = dx - (dx - right - 1).rem_euclid(stride);
        let start = aligned.min(greatest - length).max(left);
        let beyond = start + length - greatest;
        let reads = &mut self.reads[input.0 as usize];
        reads.right = reads.right.max((right + beyond) as i32);
        start
    }
}

/// Elements from a row's start to a tap's of the first column.
pub fn element(argument: &Input, channel: u32, dx: i32) -> i64 {
    i64::from(argument.channels) * i64::from(dx) + i64::from(channel)
}

/// One of the vectors of an interleaved load, under the name of its tap.
fn named(program: &mut Program, picked: VectorId, name: &Rc<str>) -> VectorId {
    program.name(picked, name);
    picked
}
