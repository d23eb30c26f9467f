use super::{super::record::tests::record, *};
use std::fs::File;

fn folder(bound: u64) -> (tempfile::TempDir, CacheFolder) {
    let place = tempfile::tempdir().unwrap();
    let folder = CacheFolder::with_bound(place.path().join("programs"), bound).unwrap();
    (place, folder)
}

#[test]
fn what_is_stored_is_found() {
    let (_place, folder) = folder(1 << 20);
    let record = record("a", &[1, 2, 3]);
    assert_eq!(folder.load(&record.key), Ok(None));
    folder.store(&record).unwrap();
    assert_eq!(folder.load(&record.key), Ok(Some(vec![1, 2, 3])));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    folder.clear().unwrap();
    assert_eq!((folder.load(&record.key), folder.size().unwrap()), (Ok(None), 0));
}

#[test]
fn a_file_under_another_name_is_foreign() {
    let (_place, folder) = folder(1 << 20);
    let (ours, other) = (record("a", &[1]), record("b", &[2]));
    folder.store(&other).unwrap();
    fs::rename(folder.file(&other.key), folder.file(&ours.key)).unwrap();
    assert!(matches!(folder.load(&ours.key), Err(Rejection::Foreign(_))));
}

#[test]
fn the_oldest_go_first() {
    let records: Vec<Record> = (0..6).map(|k| record(&k.to_string(), &[k; 1000])).collect();
    let length = encode([&records[0]]).unwrap().len() as u64;
    let (_place, folder) = folder(3 * length);
    for (record, age) in records[..3].iter().zip([30, 20, 10]) {
        folder.store(record).unwrap();
        let file = File::options().append(true).open(folder.file(&record.key)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), [0; 10_000]).unwrap();
    // Used now: the next oldest goes instead.
    assert!(folder.load(&records[0].key).unwrap().is_some());
    folder.store(&records[3]).unwrap();
    let kept = |record: &Record| folder.load(&record.key).unwrap().is_some();
    assert_eq!([0, 1, 2, 3].map(|k| kept(&records[k])), [true, false, true, true]);
    assert_eq!(folder.size().unwrap(), 3 * length);
    assert!(folder.path().join("notes.txt").exists());
}

#[test]
fn a_program_over_the_bound_is_not_stored() {
    let (_place, folder) = folder(100);
    assert_eq!(folder.store(&record("a", &[0; 100])).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_a_dead_process_began_is_deleted() {
    let (_place, folder) = folder(1 << 20);
    let [old, new] = ["1-0", "2-0"].map(|name| folder.path().join(format!("x.{name}.{UNFINISHED}")));
    for path in [&old, &new] {
        fs::write(path, [0]).unwrap();
    }
    let file = File::options().append(true).open(&old).unwrap();
    file.set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
    folder.store(&record("a", &[1])).unwrap();
    assert_eq!((old.exists(), new.exists()), (false, true));
}
