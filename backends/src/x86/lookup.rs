//! Tables: bytes by shuffles, 16 entries each; words by gathering; the rest lane by lane.

use super::X86;
use crate::vector::program::{Arg, Call, Lane, Origin, Source, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::{TableId, Type, ValueId};

/// Entries of one shuffle.
pub const PART: u32 = 16;

impl Select<'_, X86> {
    /// The entries of a table at an index's lanes.
    pub fn entries(&mut self, table: TableId, index: ValueId) -> Vec<VectorId> {
        let argument = &self.kernel.tables[table.0 as usize];
        let (entry, length) = (Lane::of(argument.ty), argument.length);
        let index_type = self.body.node(index).ty;
        let indices = self.vectors(index);
        if argument.ty.bits() == 8 && index_type == Type::U8 && length <= 256 {
            return self.map(indices, |select, index| select.look_bytes_up(table, entry, length, index));
        }
        // Those of 64 bits are moved as integers.
        let entry = if entry == Lane::F64 { Lane::U64 } else { entry };
        let lanes = vec![entry; self.count(argument.ty)];
        let from = Origin::Table(table);
        self.source(&lanes, Source::Gather { from, indices, index_lane: Lane::of(index_type), entry_lane: entry })
    }

    /// Each shuffle gives zero where an index is not of its part.
    fn look_bytes_up(&mut self, table: TableId, entry: Lane, length: u32, index: VectorId) -> VectorId {
        let name = self.name();
        // An index of 16 or more becomes at least 128, for which a shuffle gives zero.
        let beyond = self.splat_int(112, Lane::U8);
        let mut found = None;
        for part in 0..length.div_ceil(PART) {
            let start = self.splat_int(i128::from(part * PART), Lane::U8);
            let moved = if part == 0 { index } else { self.op("sub_epi8", Lane::U8, &[index, start]) };
            let moved = self.op("adds_epu8", Lane::U8, &[moved, beyond]);
            let args = vec![Arg::Table(table, part), Arg::Whole(moved, Lane::U8)];
            let call = Call::new(self.target.name("shuffle_epi8"), args);
            let entries = self.program.call(entry, &name, call);
            found = Some(match found {
                None => entries,
                Some(found) => self.op("or_si", entry, &[found, entries]),
            });
        }
        found.unwrap_or(index)
    }
}
