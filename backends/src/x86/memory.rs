//! Interleaved elements: plain loads and shuffles, shuffles and plain stores. All shuffles stay inside blocks.

use super::X86;
use crate::vector::Machine;
use crate::vector::program::{Arg, Call, Lane, Place, Program, Source, StoreLine, VectorId};
use crate::vector::select::Select;
use std::rc::Rc;

/// A byte that a shuffle makes zero.
const NOTHING: i8 = -128;

/// `count` interleaved vectors.
pub fn load(target: X86, program: &mut Program, place: Place, count: u32, name: &Rc<str>) -> Vec<VectorId> {
    if place.lane == Lane::F64 {
        let vectors = load(target, program, Place { lane: Lane::U64, ..place }, count, name);
        let floats = |vector| target.floats_of_bits(Lane::F64, vector).map(|call| program.call(Lane::F64, name, call));
        return vectors.into_iter().filter_map(floats).collect();
    }
    let lane = place.lane;
    if count == 1 {
        return program.source(&[lane], name, Source::Load { place, count });
    }
    let chunk_name = format!("{name}_part").into();
    let chunks: Vec<VectorId> = (0..count)
        .map(|chunk| {
            let offset = place.offset + i64::from(chunk * 128 / lane.bits());
            let source = Source::Load { place: Place { offset, ..place }, count: 1 };
            program.source(&[lane], &chunk_name, source)[0]
        })
        .collect();
    let mut shuffles = Shuffles { target, program, lane, name };
    match count {
        2 => {
            let [a, b] = [chunks[0], chunks[1]].map(|chunk| shuffles.grouped(chunk, 2));
            ["unpacklo_epi64", "unpackhi_epi64"].map(|base| shuffles.op(base, &[a, b])).to_vec()
        }
        // A chunk has two channels of a pixel.
        4 if lane.bits() == 64 => {
            let pairs = [[chunks[0], chunks[2]], [chunks[1], chunks[3]]];
            let op = |pair: [VectorId; 2]| ["unpacklo_epi64", "unpackhi_epi64"].map(|base| shuffles.op(base, &pair));
            pairs.into_iter().flat_map(op).collect()
        }
        4 => {
            let grouped: Vec<VectorId> = chunks.iter().map(|&chunk| shuffles.grouped(chunk, 4)).collect();
            let mut channels = Vec::new();
            for base in ["unpacklo_epi32", "unpackhi_epi32"] {
                let pairs = [0, 2].map(|at| shuffles.op(base, &[grouped[at], grouped[at + 1]]));
                channels.extend(["unpacklo_epi64", "unpackhi_epi64"].map(|base| shuffles.op(base, &pairs)));
            }
            channels
        }
        _ => {
            let size = lane.bits() / 8;
            // Element e of channel c is element 3e + c of the three chunks.
            (0..3)
                .map(|channel| {
                    shuffles.gathered(&chunks, |byte| 3 * (byte / size) * size + channel * size + byte % size)
                })
                .collect()
        }
    }
}

/// The lines that store interleaved vectors.
pub fn store(select: &mut Select<'_, X86>, line: StoreLine, lines: &mut Vec<StoreLine>) {
    // Floats of 64 bits are moved as integers.
    let line = if line.lane == Lane::F64 { StoreLine { lane: Lane::U64, ..line } } else { line };
    let (lane, name): (Lane, Rc<str>) = (line.lane, "pixels".into());
    let vectors = line.vectors.clone();
    let mut shuffles = Shuffles { target: select.target, program: &mut select.program, lane, name: &name };
    let halves = |shuffles: &mut Shuffles<'_>, width: u32, a: VectorId, b: VectorId| {
        ["unpacklo", "unpackhi"].map(|stem| shuffles.add(shuffles.target.sized(stem, width, &[a, b])))
    };
    let chunks = match vectors.len() {
        1 => vectors,
        2 => halves(&mut shuffles, lane.bits(), vectors[0], vectors[1]).to_vec(),
        4 => {
            let first = halves(&mut shuffles, lane.bits(), vectors[0], vectors[1]);
            let last = halves(&mut shuffles, lane.bits(), vectors[2], vectors[3]);
            let pairs = first.into_iter().zip(last);
            let joined = |(a, b)| if lane.bits() == 64 { [a, b] } else { halves(&mut shuffles, 2 * lane.bits(), a, b) };
            pairs.flat_map(joined).collect()
        }
        _ => {
            let size = lane.bits() / 8;
            let chunk = |chunk: u32| {
                // Byte b of the pixels is of element b / size: of channel element % 3, there at element / 3.
                shuffles.gathered(&vectors, |byte| {
                    let (element, rest) = ((16 * chunk + byte) / size, (16 * chunk + byte) % size);
                    16 * (element % 3) + element / 3 * size + rest
                })
            };
            (0..3).map(chunk).collect()
        }
    };
    for (place, vector) in chunks.into_iter().enumerate() {
        let offset = line.offset + place as i64 * i64::from(128 / lane.bits());
        lines.push(StoreLine { offset, vectors: vec![vector], ..line.clone() });
    }
}

/// Stores vectors of one block after the other instead of two blocks that lie apart: of each two that follow each other, the first
/// blocks and then the second. A store of half a vector takes as long as one of a whole, and as much room while it waits for its line.
pub fn join_stores(machine: &Machine, lines: &mut [StoreLine]) {
    for pair in lines.chunks_exact_mut(2) {
        let [a, b] = pair else { continue };
        let block = i64::from(machine.lanes_in_run(a.lane));
        if a.apart == block || b.offset != a.offset + block {
            continue;
        }
        a.vectors.append(&mut b.vectors);
        b.vectors.clone_from(&a.vectors);
        b.offset = a.offset + a.apart;
        (a.block, b.block) = (Some(0), Some(1));
        (a.apart, b.apart) = (block, block);
    }
}

struct Shuffles<'a> {
    target: X86,
    program: &'a mut Program,
    lane: Lane,
    name: &'a Rc<str>,
}

impl Shuffles<'_> {
    fn op(&mut self, base: &'static str, operands: &[VectorId]) -> VectorId {
        self.add(self.target.call(base, operands))
    }

    fn add(&mut self, call: Call) -> VectorId {
        let lane = match self.lane {
            Lane::F32 => Lane::U32,
            lane => lane,
        };
        self.program.call(lane, self.name, call)
    }

    /// The elements of a chunk by channel: those of the first, those of the second, …
    fn grouped(&mut self, chunk: VectorId, channels: u32) -> VectorId {
        let size = self.lane.bits() / 8;
        let in_channel = 16 / size / channels;
        let source = |byte: u32| {
            let (element, rest) = (byte / size, byte % size);
            (element % in_channel * channels + element / in_channel) * size + rest
        };
        let bytes: [i8; 16] = std::array::from_fn(|byte| source(byte as u32) as i8);
        if bytes.iter().enumerate().all(|(place, &byte)| place as i8 == byte) {
            return chunk;
        }
        let mask = self.target.block_bytes(self.program, bytes, "by_channel");
        self.op("shuffle_epi8", &[chunk, mask])
    }

    /// Bytes of three vectors: byte b is byte `from(b)` of all 48.
    fn gathered(&mut self, vectors: &[VectorId], from: impl Fn(u32) -> u32) -> VectorId {
        let mut joined = None;
        for (place, &vector) in vectors.iter().enumerate() {
            let byte = |byte: usize| {
                let source = from(byte as u32);
                if source / 16 == place as u32 { (source % 16) as i8 } else { NOTHING }
            };
            let mask = self.target.block_bytes(self.program, std::array::from_fn(byte), "from");
            let part = self.op("shuffle_epi8", &[vector, mask]);
            joined = Some(match joined {
                None => part,
                Some(joined) => self.op("or_si", &[joined, part]),
            });
        }
        joined.unwrap_or(vectors[0])
    }
}

/// Elements at a distance that no shuffle reaches.
pub fn load_lanes(target: X86, program: &mut Program, place: Place, name: &Rc<str>) -> VectorId {
    // Floats are moved as integers of their width.
    let lane = if place.lane.is_float() { place.lane.unsigned() } else { place.lane };
    if target == X86::Avx512 {
        return load_lanes_of_blocks(program, Place { lane, ..place }, name);
    }
    let nothing = crate::vector::Target::splat(target, Lane::I32, Arg::Text("0".to_owned()));
    let mut into = program.call_named(Lane::I32, "n_0", nothing);
    let in_block = 128 / lane.bits();
    for index in 0..target.bits() / lane.bits() {
        let (block, lane_of_block) = (index / in_block, index % in_block);
        let offset = place.offset + i64::from(block) * place.apart + i64::from(place.factor * lane_of_block);
        let place = Place { offset, lane, ..place };
        into = program.source(&[lane], name, Source::LoadLane { place, into, index })[0];
    }
    into
}

/// The same block by block: instructions that put a lane in have blocks for operands.
fn load_lanes_of_blocks(program: &mut Program, place: Place, name: &Rc<str>) -> VectorId {
    let (lane, in_block) = (place.lane, 128 / place.lane.bits());
    let nothing = program.call_named(Lane::I32, "nothing", Call::new("_mm_setzero_si128", Vec::new()));
    let blocks = [0, 1, 2, 3].map(|block| {
        (0..in_block).fold(nothing, |into, index| {
            let offset = place.offset + block * place.apart + i64::from(place.factor * index);
            program.source(&[lane], name, Source::LoadLane { place: Place { offset, ..place }, into, index })[0]
        })
    });
    let halves = [[blocks[1], blocks[0]], [blocks[3], blocks[2]]].map(|pair| {
        let args = pair.map(|block| Arg::Whole(block, Lane::U32));
        program.call(lane, name, Call::new("_mm256_set_m128i", args.to_vec()))
    });
    program.call(lane, name, super::avx512::joined_halves(halves))
}
