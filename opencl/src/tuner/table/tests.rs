use super::{super::super::program::test_identity as identity, *};

pub(crate) fn key(kernel: &str, width: usize, height: usize) -> TuneKey {
    let shape = ShapeClass::of(width, height, 1);
    TuneKey { kernel: kernel.to_owned(), body: 0, source: Digest::of(b"source"), shape, device: identity() }
}

pub(crate) fn tuning(x: u32, y: u32) -> Tuning {
    let candidate = Candidate { schedule: 1, local: LocalSize::Fixed(x, y) };
    Tuning { candidate, time: Duration::from_nanos(70), default_time: Duration::from_nanos(100) }
}

fn table(rows: &[(TuneKey, Tuning)]) -> TuneTable {
    TuneTable { tunings: rows.iter().cloned().collect() }
}

#[test]
fn a_hit_is_exact_or_near_and_of_the_same_kernel_and_device() {
    let rows =
        [(key("k", 640, 480), tuning(1, 1)), (key("k", 1920, 1080), tuning(2, 2)), (key("l", 800, 600), tuning(3, 3))];
    let table = table(&rows);
    assert_eq!(table.get(&key("k", 620, 470)), Some(&tuning(1, 1)));
    assert_eq!(table.get(&key("k", 800, 600)), None);
    assert_eq!(table.nearest(&key("k", 800, 600), 2.0).map(|(_, tuning)| *tuning), Some(tuning(1, 1)));
    assert_eq!(table.nearest(&key("k", 5000, 600), 2.0), None);
    let other = DeviceIdentity { driver_version: "4".to_owned(), ..identity() };
    assert_eq!(table.nearest(&TuneKey { device: other, ..key("k", 640, 480) }, 2.0), None);
    let changed = TuneKey { source: Digest::of(b"changed"), ..key("k", 640, 480) };
    assert_eq!((table.get(&changed), table.nearest(&changed, 2.0)), (None, None));
}

#[test]
fn classes_grow_with_their_shapes() {
    let mut last = 0;
    for side in 1..5000 {
        let class = ShapeClass::of(side, 1, 1).extents()[0];
        assert!(class >= side as u64 && class >= last && (class as f64) <= side as f64 * 1.25, "{side}: {class}");
        last = class;
    }
    assert_eq!(ShapeClass::of(usize::MAX, 0, usize::MAX).factor(&ShapeClass::of(usize::MAX, 1, usize::MAX)), 1.0);
}

#[test]
fn files_are_merged() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("a/tunings.json");
    assert!(TuneTable::load(&file).unwrap().is_empty());
    table(&[(key("k", 640, 480), tuning(1, 1)), (key("l", 640, 480), tuning(2, 2))]).save(&file).unwrap();
    table(&[(key("k", 640, 480), tuning(4, 4))]).save(&file).unwrap();
    let both = table(&[(key("k", 640, 480), tuning(4, 4)), (key("l", 640, 480), tuning(2, 2))]);
    assert_eq!(TuneTable::load(&file).unwrap(), both);
}

#[test]
fn savers_at_once_lose_nothing() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("tunings.json");
    std::thread::scope(|scope| {
        for k in 0..8 {
            let file = &file;
            scope.spawn(move || table(&[(key(&k.to_string(), 64, 64), tuning(1, 1))]).save(file).unwrap());
        }
    });
    assert_eq!(TuneTable::load(&file).unwrap().len(), 8);
}

#[test]
fn what_is_no_table_is_named_and_kept() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("tunings.json");
    let load = |text: &str| {
        fs::write(&file, text).unwrap();
        TuneTable::load(&file).unwrap_err()
    };
    assert!(matches!(load(""), InvalidTable::Form { .. }));
    assert!(matches!(load("{}"), InvalidTable::Form { .. }));
    assert!(matches!(load("{\"format\": 7}"), InvalidTable::Version { found: 7, .. }));
    assert!(table(&[]).save(&file).is_err());
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"format\": 7}");
    let text = table(&[(key("k", 1, 1), tuning(0, 1))]).text().unwrap();
    assert!(matches!(load(&text), InvalidTable::EmptyGroup { index: 0, .. }));
}
