//! Vectors of four blocks: between the order of memory and that of all values, whose blocks each hold a run of a step.
//!
//! A value of n vectors fills 4n blocks of memory; run r of the step is the blocks from r · n on, and vector v of the value
//! holds the v-th block of each run. So either order is the other's blocks, transposed.

use crate::vector::program::{Arg, Call, Lane, StoreLine, VectorId};
use crate::vector::select::Select;
use crate::x86::X86;

/// Blocks of a vector.
const BLOCKS: usize = 4;

/// Four blocks from these addresses, as text.
pub fn load_blocks(at: [String; BLOCKS]) -> String {
    let [a, b, c, d] = at;
    format!(
        "_mm512_inserti64x4::<1>(_mm512_castsi256_si512(_mm256_loadu2_m128i({b}, {a})), _mm256_loadu2_m128i({d}, {c}))"
    )
}

/// The four blocks of a vector to these addresses, as text.
pub fn store_blocks(at: [String; BLOCKS], vector: &str) -> String {
    let [a, b, c, d] = at;
    let (low, high) =
        (format!("_mm512_castsi512_si256({vector})"), format!("_mm512_extracti64x4_epi64::<1>({vector})"));
    format!("_mm256_storeu2_m128i({b}, {a}, {low}); _mm256_storeu2_m128i({d}, {c}, {high})")
}

impl Select<'_, X86> {
    /// Vectors in the order of memory, in that of all values.
    pub fn runs_of_blocks(&mut self, vectors: Vec<VectorId>, lane: Lane) -> Vec<VectorId> {
        let apart = vectors.len() / BLOCKS;
        match *vectors.as_slice() {
            [a, b] => [0b10_00_10_00, 0b11_01_11_01].map(|blocks| self.blocks(blocks, lane, a, b)).to_vec(),
            _ => {
                let group = |start: usize| std::array::from_fn(|run| vectors[start + run * apart]);
                (0..apart).flat_map(|start| self.transposed(group(start), lane)).collect()
            }
        }
    }

    /// Vectors in the order of all values, in that of memory.
    fn memory_of_runs(&mut self, vectors: &[VectorId], lane: Lane) -> Vec<VectorId> {
        match *vectors {
            [a, b] => ["0, 1, 8, 9, 2, 3, 10, 11", "4, 5, 12, 13, 6, 7, 14, 15"]
                .map(|from| {
                    let from = self.quarters(from, "blocks");
                    let args = [a, from, b].map(|id| Arg::Whole(id, Lane::U32));
                    self.call(of_integers(lane), Call::new("_mm512_permutex2var_epi64", args.to_vec()))
                })
                .to_vec(),
            _ => {
                let groups = vectors.chunks_exact(BLOCKS);
                let groups: Vec<[VectorId; BLOCKS]> =
                    groups.map(|group| self.transposed([group[0], group[1], group[2], group[3]], lane)).collect();
                (0..BLOCKS).flat_map(|run| groups.iter().map(move |group| group[run])).collect()
            }
        }
    }

    /// The first blocks of four vectors, the second ones, …
    fn transposed(&mut self, [a, b, c, d]: [VectorId; BLOCKS], lane: Lane) -> [VectorId; BLOCKS] {
        let (low, high) = (0b01_00_01_00, 0b11_10_11_10);
        let [a, b] = [(a, b), (c, d)].map(|(a, b)| [low, high].map(|half| self.blocks(half, lane, a, b)));
        let (even, odd) = (0b10_00_10_00, 0b11_01_11_01);
        let [first, third] = [0, 1].map(|half| [even, odd].map(|place| self.blocks(place, lane, a[half], b[half])));
        [first[0], first[1], third[0], third[1]]
    }

    /// Two blocks of one vector and two of another.
    fn blocks(&mut self, blocks: u32, lane: Lane, a: VectorId, b: VectorId) -> VectorId {
        self.op_n("shuffle_i64x2", blocks, of_integers(lane), &[a, b])
    }

    /// The even quarters of blocks and then the odd ones: what packing took from two vectors in turn.
    pub fn whole_halves(&mut self, lane: Lane, a: VectorId) -> VectorId {
        let from = self.quarters("0, 2, 4, 6, 1, 3, 5, 7", "halves");
        let args = vec![Arg::Whole(from, Lane::U32), Arg::Whole(a, Lane::U32)];
        self.call(lane, Call::new("_mm512_permutexvar_epi64", args))
    }

    /// The inverse: a quarter of the lower half and one of the upper half in turn.
    pub fn blocks_of_halves(&mut self, lane: Lane, a: VectorId) -> VectorId {
        let from = self.quarters("0, 4, 1, 5, 2, 6, 3, 7", "halves");
        let args = vec![Arg::Whole(from, Lane::U32), Arg::Whole(a, Lane::U32)];
        self.call(lane, Call::new("_mm512_permutexvar_epi64", args))
    }

    /// Places of 64 bits, for a permutation.
    fn quarters(&mut self, places: &str, name: &str) -> VectorId {
        let places = places.split(", ").map(|place| Arg::Text(place.to_owned())).collect();
        self.program.call_named(Lane::I64, name, Call::new("_mm512_setr_epi64", places))
    }

    /// Stores an output's vectors whole, in the order of memory, instead of four blocks of each that lie apart.
    pub fn join_stores_of_blocks(&mut self, lines: &mut [StoreLine]) {
        let Some(first) = lines.first().cloned() else { return };
        let in_block = i64::from(128 / first.lane.bits());
        if first.apart != in_block * lines.len() as i64 || lines.len() < 2 {
            return;
        }
        let vectors: Vec<VectorId> = lines.iter().map(|line| line.vectors[0]).collect();
        let whole = self.memory_of_runs(&vectors, first.lane);
        for (place, (line, vector)) in lines.iter_mut().zip(whole).enumerate() {
            line.vectors = vec![vector];
            line.offset = first.offset + place as i64 * in_block * BLOCKS as i64;
            line.apart = in_block;
        }
    }
}

/// What permutations of integers give: floats are moved as integers of their width.
fn of_integers(lane: Lane) -> Lane {
    if lane.is_float() { lane.unsigned() } else { lane }
}
