use super::{
    super::{identity::tests::identity, options::BuildOptions},
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
    let read = decode(&encode(&records).unwrap());
    assert_eq!(read, Records { whole: records.to_vec(), rejected: Vec::new() });
}

#[test]
fn a_broken_record_hides_no_other() {
    let records = [record("a", &[1; 40]), record("b", &[2; 40])];
    let mut file = encode(&records).unwrap();
    file[MAGIC.len() + 4 + Digest::LENGTH + 40] ^= 1;
    let read = decode(&file);
    assert_eq!(read, Records { whole: records[1..].to_vec(), rejected: vec![Rejection::Checksum] });
}

#[test]
fn what_is_wrong_is_named() {
    let file = encode(&[record("a", &[1; 40])]).unwrap();
    let reasons = |file: &[u8]| decode(file).rejected;
    assert_eq!(reasons(b""), [Rejection::NotACache]);
    assert_eq!(reasons(b"WINDROWP\x01"), [Rejection::Truncated]);
    assert_eq!(reasons(b"WINDROWP\x09\0\0\0"), [Rejection::Version { found: 9, expected: VERSION }]);
    assert_eq!(reasons(&file[..file.len() - 1]), [Rejection::Truncated]);
    let frame = Frame { sum: *Digest::of(&[9, 9, 9]).bytes(), payload: &[9, 9, 9] };
    let unreadable = postcard::to_extend(&frame, file[..MAGIC.len() + 4].to_vec()).unwrap();
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
        (any::<usize>(), proptest::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, new)| Damage::Insert(at, new)),
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
        let mut file = encode(&records).unwrap();
        for damage in &damages {
            apply(&mut file, damage);
        }
        for found in decode(&file).whole {
            prop_assert!(records.contains(&found), "{found:?}");
        }
    }
}
