//! The driver's scratch, which no result shows: what a body may read of a tile is never uninitialised, nor more cleared.

use std::vec;

use super::*;

#[test]
fn a_tile_is_cleared_once_and_no_further() {
    let mut bytes = vec![0xAAu8; 64];
    let mut memory = PointerMemory::<1>::uninit();
    let mut scratch = Scratch::new(RowPointers::over(&mut memory), bytes.as_mut_ptr());
    for (wanted, zeros) in [(0, 0), (16, 16), (8, 16), (16, 16), (48, 48)] {
        // SAFETY: the array holds them.
        unsafe { scratch.clear(wanted) };
        assert_eq!(scratch.written, zeros);
        // SAFETY: as above; read through the same pointer.
        let found = unsafe { core::slice::from_raw_parts(scratch.tile, 64) };
        assert!(found[..zeros].iter().all(|&byte| byte == 0) && found[zeros..].iter().all(|&byte| byte == 0xAA));
        // What a run has written stays.
    }
}
