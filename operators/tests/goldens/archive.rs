//! The golden arrays, as the archive holds them.

use std::{collections::BTreeMap, error::Error, io::Read};

const ARCHIVE: &[u8] = include_bytes!("openvx.tar.gz");

/// The arrays by name, without `_rnd.raw`: `gaussian3x3_undef_17x16`.
pub struct Archive {
    pub arrays: BTreeMap<String, Golden>,
    /// What the manifest gives in numbers, by name: `histogram_b16_o20_r200_17x16`.
    pub numbers: BTreeMap<String, Vec<String>>,
}

/// One array.
pub struct Golden {
    /// As in the manifest: `U008`, `S016`, …
    pub format: String,
    pub width: usize,
    pub height: usize,
    pub bytes: Vec<u8>,
}

impl Archive {
    /// Unpacks the archive, and holds every array to the size and the hash that the manifest gives.
    pub fn open() -> Result<Archive, Box<dyn Error>> {
        let mut files = BTreeMap::new();
        for entry in tar::Archive::new(flate2::read::GzDecoder::new(ARCHIVE)).entries()? {
            let mut entry = entry?;
            let name = entry.path()?.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            files.insert(name, bytes);
        }
        let manifest = files.remove("manifest.tsv").ok_or("the archive holds no manifest.tsv")?;
        let (mut arrays, mut numbers) = (BTreeMap::new(), BTreeMap::new());
        for row in String::from_utf8(manifest)?.lines() {
            let columns: Vec<&str> = row.split('\t').collect();
            let [name, format, size, hash] = columns[..] else {
                let values = columns.iter().skip(1).flat_map(|column| column.split_whitespace()).map(str::to_owned);
                numbers.insert(columns[0].trim_end_matches("_rnd").to_owned(), values.collect());
                continue;
            };
            let bytes = files.remove(&format!("{name}.raw")).ok_or_else(|| format!("{name}.raw is missing"))?;
            if format!("{:016x}", fnv(&bytes)) != hash {
                return Err(format!("{name}.raw does not have the hash that the manifest gives").into());
            }
            let (width, height) = size.split_once('x').ok_or_else(|| format!("{name} has the size {size}"))?;
            let golden = Golden { format: format.to_owned(), width: width.parse()?, height: height.parse()?, bytes };
            arrays.insert(name.trim_end_matches("_rnd").to_owned(), golden);
        }
        match files.keys().next() {
            Some(unlisted) => Err(format!("{unlisted} is not in the manifest").into()),
            None => Ok(Archive { arrays, numbers }),
        }
    }
}

/// FNV-1a in 64 bits, from the manifest's own basis.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(1469598103934665603, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}
