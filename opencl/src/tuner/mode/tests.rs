use super::*;

#[test]
fn modes_are_read_as_they_are_written() {
    for mode in TuneMode::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    assert!("on".parse::<TuneMode>().is_err());
}
