//! Built programs as bytes, for a disk.
//!
//! ```text
//! file    = head · frame*, both as in `frame`
//! payload = name: text · source: SHA-256 · options: text · device: six texts · binary (the rest)
//! ```
//!
//! A frame is read only after its payload's sum was found right, and a binary reaches a driver only out of a frame that was
//! read: drivers abort on binaries that were cut short.

use super::{
    frame::{Magic, Reader, put_frame, put_head, put_text},
    identity::DeviceIdentity,
    key::ProgramKey,
    rejection::Rejection,
};

const MAGIC: &Magic = b"WINDROWP";

/// A built program with all that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The kernel's name, for messages.
    pub name: String,
    /// What it depends on.
    pub key: ProgramKey,
    /// What the driver made of it.
    pub binary: Vec<u8>,
}

/// What a file holds: the records that are whole, and why others are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Records {
    pub whole: Vec<Record>,
    pub rejected: Vec<Rejection>,
}

/// A file of these records.
pub(super) fn encode<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<u8> {
    let mut file = Vec::new();
    put_head(&mut file, MAGIC);
    for record in records {
        put_frame(&mut file, &payload(record));
    }
    file
}

/// The records of a file. Any bytes are legal here; what is no record is a reason.
pub(super) fn decode(file: &[u8]) -> Records {
    let mut records = Records::default();
    let mut reader = Reader::new(file);
    if let Err(reason) = reader.head(MAGIC) {
        records.rejected.push(reason);
        return records;
    }
    while !reader.rest().is_empty() {
        // A sum that is right over a form that is not: another program wrote it.
        let record =
            reader.frame().and_then(|payload| read_record(&mut Reader::new(payload)).ok_or(Rejection::Malformed));
        match record {
            Ok(record) => records.whole.push(record),
            Err(reason) => {
                let ends = reason == Rejection::Truncated;
                records.rejected.push(reason);
                if ends {
                    return records;
                }
            }
        }
    }
    records
}

fn payload(record: &Record) -> Vec<u8> {
    let mut payload = Vec::with_capacity(record.binary.len() + 512);
    put_text(&mut payload, &record.name);
    put_key(&mut payload, &record.key);
    payload.extend(&record.binary);
    payload
}

fn read_record(reader: &mut Reader<'_>) -> Option<Record> {
    Some(Record { name: reader.text()?, key: read_key(reader)?, binary: reader.rest().to_vec() })
}

fn put_key(payload: &mut Vec<u8>, key: &ProgramKey) {
    payload.extend(key.source.bytes());
    put_text(payload, &key.options);
    for (_, field) in key.device.fields() {
        put_text(payload, field);
    }
}

fn read_key(reader: &mut Reader<'_>) -> Option<ProgramKey> {
    Some(ProgramKey {
        source: reader.digest()?,
        options: reader.text()?,
        device: DeviceIdentity {
            platform: reader.text()?,
            name: reader.text()?,
            vendor: reader.text()?,
            device_version: reader.text()?,
            driver_version: reader.text()?,
            c_version: reader.text()?,
        },
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::{
        super::{digest::Digest, frame::VERSION, identity::tests::identity, options::BuildOptions},
        *,
    };
    use proptest::prelude::*;

    pub(crate) fn record(name: &str, binary: &[u8]) -> Record {
        let key = ProgramKey::new(name, &BuildOptions::new(), &identity());
        Record { name: name.to_owned(), key, binary: binary.to_vec() }
    }

    #[test]
    fn records_come_back() {
        let records = [record("a", &[1, 2, 3]), record("b", &[]), record("é", &[0; 1000])];
        let read = decode(&encode(&records));
        assert_eq!(read, Records { whole: records.to_vec(), rejected: Vec::new() });
    }

    #[test]
    fn a_broken_record_hides_no_other() {
        let records = [record("a", &[1; 40]), record("b", &[2; 40])];
        let mut file = encode(&records);
        file[MAGIC.len() + 4 + 8 + Digest::LENGTH + 30] ^= 1;
        let read = decode(&file);
        assert_eq!(read, Records { whole: records[1..].to_vec(), rejected: vec![Rejection::Checksum] });
    }

    #[test]
    fn what_is_wrong_is_named() {
        let file = encode(&[record("a", &[1; 40])]);
        let reasons = |file: &[u8]| decode(file).rejected;
        assert_eq!(reasons(b""), [Rejection::NotACache]);
        assert_eq!(reasons(b"WINDROWP\x01"), [Rejection::Truncated]);
        assert_eq!(reasons(b"WINDROWP\x02\0\0\0"), [Rejection::Version { found: 2, expected: VERSION }]);
        assert_eq!(reasons(&file[..file.len() - 1]), [Rejection::Truncated]);
        let mut unreadable = MAGIC.to_vec();
        unreadable.extend(VERSION.to_le_bytes());
        unreadable.extend(3u64.to_le_bytes());
        unreadable.extend(Digest::of(&[9, 9, 9]).bytes());
        unreadable.extend([9, 9, 9]);
        assert_eq!(reasons(&unreadable), [Rejection::Malformed]);
    }

    /// How a file may be damaged.
    #[derive(Clone, Debug)]
    enum Damage {
        Flip(usize, u8),
        Cut(usize),
        Insert(usize, Vec<u8>),
        Remove(usize, usize),
        Swap(usize, usize),
    }

    fn damage() -> impl Strategy<Value = Damage> {
        prop_oneof![
            (any::<usize>(), 1u8..).prop_map(|(at, bits)| Damage::Flip(at, bits)),
            any::<usize>().prop_map(Damage::Cut),
            (any::<usize>(), proptest::collection::vec(any::<u8>(), 1..20))
                .prop_map(|(at, new)| Damage::Insert(at, new)),
            (any::<usize>(), 1usize..200).prop_map(|(at, length)| Damage::Remove(at, length)),
            (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Damage::Swap(a, b)),
        ]
    }

    fn apply(file: &mut Vec<u8>, damage: &Damage) {
        let length = file.len().max(1);
        match damage {
            Damage::Flip(at, bits) => {
                if let Some(byte) = file.get_mut(at % length) {
                    *byte ^= bits;
                }
            }
            Damage::Cut(at) => file.truncate(at % length),
            Damage::Insert(at, new) => {
                let at = (at % length).min(file.len());
                file.splice(at..at, new.iter().copied());
            }
            Damage::Remove(at, count) => {
                let at = (at % length).min(file.len());
                file.drain(at..(at + count).min(file.len()));
            }
            Damage::Swap(a, b) => {
                if !file.is_empty() {
                    file.swap(a % length, b % length);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// Ten thousand damaged files: each is read without a panic, and what comes out of it is what was put in.
        #[test]
        fn a_damaged_file_gives_no_other_record(damages in proptest::collection::vec(damage(), 1..4)) {
            let records = [record("a", &[1; 60]), record("b", &[2; 90]), record("c", &[3; 30])];
            let mut file = encode(&records);
            for damage in &damages {
                apply(&mut file, damage);
            }
            for found in decode(&file).whole {
                prop_assert!(records.contains(&found), "{found:?}");
            }
        }
    }
}
