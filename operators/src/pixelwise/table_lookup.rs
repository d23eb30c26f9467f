//! Look-up tables (OpenVX `vxTableLookup`).
use windrow::prelude::*;

/// `lut[x]`, 8 bits.
#[kernel(step(16, 1))]
pub fn table_lookup(x: u8, lut: Table<u8, 256>) -> u8 {
    lut[x]
}

/// `lut[x + 32768]`: the entry of x in a table that begins at the least 16-bit value.
#[kernel(step(16, 1))]
pub fn table_lookup_i16(x: i16, lut: Table<i16, 65536>) -> i16 {
    lut[x as i32 + 32768]
}
