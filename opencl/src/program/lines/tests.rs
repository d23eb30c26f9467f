use super::*;

#[test]
fn what_is_no_pair_is_passed_over() {
    let lines = LineTable::parse("f", "x 5:2 :: 4:9 7:99999999999 8:3 5:1");
    assert_eq!([4, 5, 7, 8].map(|line| lines.of(line)), [None, Some(2), Some(2), Some(3)]);
    assert_eq!(LineTable::default().of(1), None);
}
