//! Loops whose variables are sums in lanes: an array for each, of which a turn takes one element and gives it back.

use crate::namer::Namer;
use crate::text::Text;
use windrow_dsl::ir::loops::LANES;

/// The variables of a loop in lanes, each a number or a vector of numbers.
pub struct InLanes {
    /// Their names, those of their arrays, and that of the number of the lane.
    names: Vec<String>,
    arrays: Vec<String>,
    lane: String,
}

impl InLanes {
    /// Of variables of these names.
    pub fn of(names: Vec<String>, namer: &mut Namer) -> Self {
        let arrays = names.iter().map(|name| namer.claim_text(&format!("{name}_lanes"))).collect();
        Self { names, arrays, lane: namer.claim_text("lane") }
    }

    /// Writes the arrays before the loop, where the variables have been declared.
    pub fn write_before(&self, out: &mut Text) {
        for (name, array) in self.names.iter().zip(&self.arrays) {
            out.line(format!("let mut {array} = [{name}; {LANES}];"));
        }
    }

    /// Writes the beginning of a turn, of a loop that begins at `start`.
    pub fn write_turn(&self, out: &mut Text, turn: &str, start: &str) {
        let lane = &self.lane;
        out.line(format!("let {lane} = {turn}.wrapping_sub({start}) as usize % {LANES};"));
        for (name, array) in self.names.iter().zip(&self.arrays) {
            out.line(format!("{name} = {array}[{lane}];"));
        }
    }

    /// Writes the end of a turn, where the variables have been set.
    pub fn write_after(&self, out: &mut Text) {
        for (name, array) in self.names.iter().zip(&self.arrays) {
            out.line(format!("{array}[{}] = {name};", self.lane));
        }
    }

    /// Writes the sums behind the loop; `sum` is that of `a` and `b` for the variable of a place.
    pub fn write_sums(&self, out: &mut Text, sum: impl Fn(usize) -> String) {
        for (place, (name, array)) in self.names.iter().zip(&self.arrays).enumerate() {
            let sum = sum(place);
            out.line(format!("{name} = ::windrow::__rt::scalar::across([{array}], 1, |a, b| {sum});"));
        }
    }
}
