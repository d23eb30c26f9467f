//! Writes a loop that multiplies quads of rows by vectors of quads, four turns at a time: those of a row are the lanes of one vector, from
//! which an instruction takes one. Without that each would be loaded into all lanes of a vector of its own.

use super::forms::is_same_in;
use super::{IN_VIEW, Printer};
use crate::scalar::Memory;
use crate::text::Text;
use crate::vector::Target;
use crate::vector::program::{Arg, Call, Line, Operand, Quad, Source, Turns, VectorId};
use windrow_dsl::ir::{BinaryOp, Op, Order};

/// Turns that are taken together.
const TOGETHER: usize = 4;

/// The quads of a row, which a loop has in all lanes of a vector.
struct Repeated<'t> {
    quad: &'t Quad,
    number: VectorId,
    splat: VectorId,
}

impl<T: Target> Printer<'_, T> {
    /// Writes a loop, four turns at a time where the target takes factors from lanes.
    pub(super) fn write_by_lane(&mut self, out: &mut Text, turns: &Turns) {
        let Some(repeated) = self.repeated(turns).filter(|repeated| !repeated.is_empty()) else {
            return self.write_loop(out, turns);
        };
        let (turn, end) = (self.name(turns.turn), self.operand(&turns.ends[1]));
        let group = self.names.claim_text(&format!("{turn}_group"));
        out.open(format!("for {group} in 0..{end} >> 2"));
        let mut lanes = Vec::with_capacity(repeated.len());
        for Repeated { quad, splat, .. } in &repeated {
            let name = self.names.claim_text(&format!("{}_lanes", self.name(*splat)));
            let (view, row) = (self.view(quad.input), self.operand(&quad.at[0]));
            let plane = quad.plane.as_ref().map(|plane| format!(".wrapping_offset({} as isize)", self.operand(plane)));
            let pointer = format!("{view}.at({row}, {group} << 4){}", plane.unwrap_or_default());
            out.line(IN_VIEW);
            T::write_lanes(out, &name, &pointer, quad.flips);
            lanes.push((*splat, name));
        }
        let is_lane = |line: &Line| {
            let made = line.results.first();
            repeated.iter().any(|repeated| [repeated.number, repeated.splat].contains(&made))
        };
        let mut of_lanes = turns.clone();
        of_lanes.lines.retain(|line| !is_lane(line));
        for lane in 0..TOGETHER {
            self.lanes_of = lanes.iter().map(|(splat, name)| (*splat, (name.clone(), lane))).collect();
            out.open("");
            out.line(format!("let {turn} = {group} << 2 | {lane};"));
            self.write_turn(out, &of_lanes);
            out.close("");
        }
        self.lanes_of.clear();
        out.close("");
        let mut left = turns.clone();
        left.ends[0] = Operand::Text(format!("({end} & !3)"));
        self.write_loop(out, &left);
    }

    /// The quads that a loop from 0 on has in all lanes, where each row's follow each other from turn to turn, and dot products alone read
    /// them; `None` where some do not.
    fn repeated<'t>(&self, turns: &'t Turns) -> Option<Vec<Repeated<'t>>> {
        let is_from_zero = matches!(&turns.ends[0], Operand::Text(text) if text == "0i32");
        if turns.order == Order::Lanes || !is_from_zero {
            return None;
        }
        let quads = turns.lines.iter().filter_map(|line| match &line.source {
            Source::Quad(quad) => Some((quad.as_ref(), line.results.first())),
            _ => None,
        });
        let repeated = quads.map(|(quad, number)| {
            let is_same = quad.plane.iter().chain([&quad.at[0]]).all(|operand| is_same_in(turns, operand));
            let is_chosen = quad.choice.as_ref().is_some_and(|[condition, _]| match condition {
                Operand::Made(condition) => !self.held.contains(condition),
                Operand::Text(_) => true,
            });
            let splat = self.splat_of(turns, number)?;
            let follow = self.is_four_turns(turns, &quad.at[1]) && self.held.contains(&number);
            (is_same && !is_chosen && follow).then_some(Repeated { quad, number, splat })
        });
        repeated.collect()
    }

    /// The vector that has a number in all lanes and is read by dot products alone, where nothing else reads the number.
    fn splat_of(&self, turns: &Turns, number: VectorId) -> Option<VectorId> {
        let readers = |id: VectorId| {
            turns.lines.iter().filter(move |line| {
                let mut reads = false;
                self.program.reads(&line.source, &mut |read| reads |= read == id);
                reads
            })
        };
        let call = |line: &Line| match &line.source {
            Source::Call(call) => Some(call.clone()),
            _ => None,
        };
        let mut of_number = readers(number);
        let (line, None) = (of_number.next()?, of_number.next()) else { return None };
        let is_splat = |call: Call| matches!(call.args.as_slice(), [Arg::Scalar(before, _, after)] if before.is_empty() && after.is_empty());
        let splat = line.results.first();
        let is_factor = |line: &Line| call(line).and_then(|call| self.target.lane_factors(&call)) == Some(splat);
        (call(line).is_some_and(is_splat) && readers(splat).all(is_factor)).then_some(splat)
    }

    /// Whether a column is four times the number of the turn.
    fn is_four_turns(&self, turns: &Turns, column: &Operand) -> bool {
        let Operand::Made(column) = column else { return false };
        let line = turns.lines.iter().find(|line| line.results.first() == *column);
        let Some(Source::Scalar { value, operands, .. }) = line.map(|line| &line.source) else { return false };
        let Op::Binary(BinaryOp::Shl(_), _, by) = self.body.node(*value).op else { return false };
        self.body.node(by).op.integer() == Some(2) && operands.first() == Some(&Operand::Made(turns.turn))
    }
}
