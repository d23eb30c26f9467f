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

    /// A shuffle gives zero where an index is negative, and the entry of the index's last four bits elsewhere. So part after part is
    /// subtracted from the index, and each part's shuffle gives what the entries of this part and the one before differ in: what has been
    /// found when the index becomes negative is the entry. Indices of 128 and more are negative from the start. They are found in the
    /// second half of a table, where the others are.
    fn look_bytes_up(&mut self, table: TableId, entry: Lane, length: u32, index: VectorId) -> VectorId {
        const PARTS_OF_HALF: u32 = 128 / PART;
        let part_length = self.splat_int(PART.into(), Lane::U8);
        let (mut found, mut left) = (None, index);
        for part in 0..length.div_ceil(PART) {
            if part == PARTS_OF_HALF {
                let half = self.splat_int(128, Lane::U8);
                left = self.op("xor_si", Lane::U8, &[index, half]);
            } else if part > 0 {
                left = self.op("subs_epi8", Lane::U8, &[left, part_length]);
            }
            let own = Arg::Table(table, part);
            let changes = if part.is_multiple_of(PARTS_OF_HALF) {
                own
            } else {
                let name = self.name();
                let call = Call::new(self.target.name("xor_si"), vec![own, Arg::Table(table, part - 1)]);
                Arg::Whole(self.program.call(entry, &name, call), entry)
            };
            let name = self.name();
            let call = Call::new(self.target.name("shuffle_epi8"), vec![changes, Arg::Whole(left, Lane::U8)]);
            let changes = self.program.call(entry, &name, call);
            found = Some(match found {
                None => changes,
                Some(found) => self.op("xor_si", entry, &[found, changes]),
            });
        }
        found.unwrap_or(index)
    }
}
