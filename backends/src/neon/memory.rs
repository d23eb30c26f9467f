//! NEON's loads: interleaved vectors by one instruction, other distances lane by lane.

use super::instructions::call;
use crate::vector::program::{Arg, Place, Program, Source, VectorId};
use std::rc::Rc;

/// `count` interleaved vectors.
pub fn load(program: &mut Program, place: Place, count: u32, name: &Rc<str>) -> Vec<VectorId> {
    let source = Source::Load { place, count };
    match count {
        1 => program.source(&[place.lane], name, source),
        _ => program.source(&vec![place.lane; count as usize], name, source),
    }
}

/// Elements at a distance that no load has.
pub fn load_lanes(program: &mut Program, place: Place, name: &Rc<str>) -> VectorId {
    let lane = place.lane;
    let zero = Arg::Text("0".to_owned() + if lane.is_float() { ".0" } else { "" });
    let mut into = program.call_named(lane, "nothing", call("vdupq_n", lane, vec![zero]));
    for index in 0..128 / lane.bits() {
        let place = Place { offset: place.offset + i64::from(place.factor * index), ..place };
        into = program.source(&[lane], name, Source::LoadLane { place, into, index })[0];
    }
    into
}
