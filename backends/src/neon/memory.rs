//! How inputs become vectors: plain loads, de-interleaving loads for pixels and for strides, single lanes for the rest.

use super::program::{Arg, Call, Lane, Program, Source, VectorId, vectors_of};
use windrow_dsl::ir::{InputId, Kernel, Neighbourhood};

/// An element of an input: which, its channel, and its offset.
pub type Tap = (InputId, u32, i32, i32);

/// The inputs of a body.
#[derive(Debug)]
pub struct Memory<'a> {
    kernel: &'a Kernel,
    /// What the taps read around an element.
    taps: Vec<Neighbourhood>,
    /// What the loads read: the same, or a little more where a de-interleaving load reads on.
    pub reads: Vec<Neighbourhood>,
    /// Output elements along the row of a whole step.
    width: u32,
}

impl<'a> Memory<'a> {
    /// The inputs of a body whose step is `width` elements wide.
    pub fn new(kernel: &'a Kernel, taps: Vec<Neighbourhood>, width: u32) -> Self {
        Self { kernel, reads: taps.clone(), taps, width }
    }

    /// The vectors of a tap for `lanes` elements.
    pub fn load(&mut self, program: &mut Program, lanes: u32, tap: Tap, name: &str) -> Vec<VectorId> {
        let (input, channel, dx, dy) = tap;
        let argument = &self.kernel.inputs[input.0 as usize];
        let (channels, stride, lane) = (argument.channels, argument.stride.0, Lane::of(argument.ty));
        let in_vector = i64::from(128 / lane.bits());
        let mut vectors = Vec::new();
        for place in 0..vectors_of(argument.ty, lanes) as i64 {
            let column = place * in_vector;
            vectors.push(match (channels, stride) {
                (_, 1) => {
                    let offset = i64::from(channels) * (i64::from(dx) + column);
                    let source = Source::Load { input, dy, factor: channels, offset, lane, count: channels };
                    pick(program, source, channels, channel, lane, name)
                }
                (1, 2..=4) => {
                    let start = self.start(input, dx, column, in_vector);
                    let offset = start + i64::from(stride) * column;
                    let source = Source::Load { input, dy, factor: stride, offset, lane, count: stride };
                    pick(program, source, stride, (i64::from(dx) - start) as u32, lane, name)
                }
                _ => {
                    let factor = channels * stride;
                    let offset = i64::from(channels) * i64::from(dx) + i64::from(channel);
                    let offset = offset + i64::from(factor) * column;
                    by_lanes(program, Lanes { input, dy, factor, offset, lane }, name)
                }
            });
        }
        vectors
    }

    /// Where a de-interleaving load for a tap begins: so that neighbouring taps share it, and that it reads nothing
    /// beyond what the taps read anyway, where it can.
    fn start(&mut self, input: InputId, dx: i32, column: i64, in_vector: i64) -> i64 {
        let taps = self.taps[input.0 as usize];
        let stride = i64::from(self.kernel.inputs[input.0 as usize].stride.0);
        let (dx, left, right) = (i64::from(dx), i64::from(taps.left), i64::from(taps.right));
        let greatest = right + stride * (i64::from(self.width) - 1);
        let length = stride * (column + in_vector) - 1;
        let aligned = dx - (dx - right - 1).rem_euclid(stride);
        let start = aligned.min(greatest - length).max(left);
        let beyond = start + length - greatest;
        let reads = &mut self.reads[input.0 as usize];
        reads.right = reads.right.max((right + beyond) as i32);
        start
    }
}

/// One of the vectors of an interleaved load.
fn pick(program: &mut Program, source: Source, count: u32, which: u32, lane: Lane, name: &str) -> VectorId {
    let vectors = program.source(&vec![lane; count as usize], name, source, false);
    let picked = vectors[which as usize];
    program.name(picked, name.to_owned());
    picked
}

/// Elements at a distance that no load has.
struct Lanes {
    input: InputId,
    dy: i32,
    factor: u32,
    offset: i64,
    lane: Lane,
}

fn by_lanes(program: &mut Program, at: Lanes, name: &str) -> VectorId {
    let zero =
        Call::new("vdupq_n", at.lane, vec![Arg::Text("0".to_owned() + if at.lane == Lane::F32 { ".0" } else { "" })]);
    let mut into = program.call_before(at.lane, "nothing", zero);
    for index in 0..128 / at.lane.bits() {
        let offset = at.offset + i64::from(at.factor * index);
        let source =
            Source::LoadLane { input: at.input, dy: at.dy, factor: at.factor, offset, lane: at.lane, into, index };
        into = program.source(&[at.lane], name, source, false)[0];
    }
    into
}
