use super::*;

pub(crate) fn launch(kernel: &str, queued: u64) -> LaunchRecord {
    let timestamps = Timestamps { queued, submitted: queued + 10, started: queued + 1000, ended: queued + 3500 };
    let (kernel, device) = (kernel.to_owned(), "gpu \"0\"".to_owned());
    LaunchRecord { kernel, device, timestamps, global: [64, 32, 1], local: Some([16, 4, 1]), offset: 500 }
}

pub(crate) fn profile() -> Profile {
    let span = |thread, started| CpuSpan { kernel: "blur".to_owned(), thread, started, ended: started + 9000 };
    Profile {
        launches: vec![launch("a", 0), launch("b", 4000), launch("a", 8000)],
        spans: vec![span(0, 100), span(1, 200)],
    }
}

#[test]
fn the_longest_comes_first() {
    let table = profile().table();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["2", "18.0", "9.0", "9.0", "blur,", "CPU"]);
    assert_eq!(rows[1][..5], ["2", "5.0", "2.5", "2.5", "a,"]);
    assert_eq!(rows[2][..5], ["1", "2.5", "2.5", "2.5", "b,"]);
}

#[test]
fn json_is_read_back() {
    assert_eq!(serde_json::from_str::<Profile>(&profile().json().unwrap()).unwrap(), profile());
}

#[test]
fn stamps_out_of_order_are_told() {
    let good = launch("a", 5).timestamps;
    assert!(good.is_monotone());
    assert!(!Timestamps { started: 0, ..good }.is_monotone());
    assert_eq!(Timestamps { ended: 0, ..good }.run(), Duration::ZERO);
}
