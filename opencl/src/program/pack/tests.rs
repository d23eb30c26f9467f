use super::{
    super::{identity::tests::flipped, record::tests::record},
    *,
};

fn open(file: &Path) -> Pack {
    // SAFETY: written by this test, and not run.
    unsafe { Pack::open(file) }.unwrap()
}

#[test]
fn a_pack_gives_what_was_put_in_and_names_what_is_foreign() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("kernels.pack");
    let records = [record("a", &[1]), record("b", &[2])];
    Pack::write(&file, &records).unwrap();
    let pack = open(&file);
    assert_eq!(pack.load(&records[1].key), Ok(Some([2].as_slice())));
    assert_eq!(pack.load(&record("c", &[]).key), Ok(None));
    for device in flipped() {
        let key = ProgramKey { device, ..records[0].key.clone() };
        assert!(matches!(pack.load(&key), Err(Rejection::Foreign(Mismatch::Device { .. }))));
    }
}

#[test]
fn of_several_builds_of_a_source_the_wanted_one_is_named() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("kernels.pack");
    let built = |options: &str| {
        let key = ProgramKey { options: options.to_owned(), ..record("a", &[1]).key };
        Record { key, ..record("a", &[1]) }
    };
    Pack::write(&file, &["", "-DA", "-DB", "-DC"].map(built)).unwrap();
    let pack = open(&file);
    for device in flipped() {
        let key = ProgramKey { device, ..built("-DB").key };
        assert!(matches!(pack.load(&key), Err(Rejection::Foreign(Mismatch::Device { .. }))));
    }
    assert!(matches!(pack.load(&built("-DD").key), Err(Rejection::Foreign(Mismatch::Options { .. }))));
}

#[test]
fn a_damaged_record_is_left_out() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("kernels.pack");
    let records = [record("a", &[1; 20]), record("b", &[2; 20])];
    Pack::write(&file, &records).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let pack = open(&file);
    assert_eq!((pack.programs().count(), pack.rejected().len()), (1, 1));
    assert_eq!(pack.load(&records[1].key), Ok(None));
}
