use super::*;
use proptest::prelude::*;

const WORDS: [&str; 6] = ["-cl-std=CL1.2", "-cl-mad-enable", "-DA", "-DB=2", "-DC=x", "-w"];

proptest! {
    #[test]
    fn order_does_not_matter(order in Just(WORDS).prop_shuffle()) {
        prop_assert_eq!(BuildOptions::parse(&order.join(" ")), BuildOptions::parse(&WORDS.join(" ")));
    }

    #[test]
    fn the_canonical_text_is_read_back(picked in proptest::sample::subsequence(WORDS.to_vec(), 0..6)) {
        let options = BuildOptions::parse(&picked.join(" ")).unwrap();
        prop_assert_eq!(BuildOptions::parse(&options.to_string()).unwrap(), options);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-DIa=\"' \\\\0é]{0,12}") {
        let _ = BuildOptions::parse(&text);
    }
}

#[test]
fn what_a_cache_cannot_see_is_refused() {
    let refused = |text: &str| BuildOptions::parse(text).unwrap_err();
    assert_eq!(refused("-I/usr/include"), InvalidOption::Include("-I/usr/include".to_owned()));
    assert_eq!(refused("-I headers"), InvalidOption::Include("-I".to_owned()));
    assert_eq!(refused("-DN=1 -DN=2"), InvalidOption::Twice("N".to_owned()));
    assert_eq!(refused("-DN -DN=1"), InvalidOption::Twice("N".to_owned()));
    assert_eq!(refused("-D"), InvalidOption::Macro(String::new()));
    assert_eq!(refused("-D1=2"), InvalidOption::Macro("1=2".to_owned()));
    assert_eq!(refused("fast"), InvalidOption::Word("fast".to_owned()));
    assert_eq!(refused("-DN=\"a\""), InvalidOption::Word("N=\"a\"".to_owned()));
    assert!(BuildOptions::new().define("N", "a b").is_err());
    assert!(BuildOptions::new().flag("-w -x").is_err());
    assert!(BuildOptions::parse("-DN=1 -DN=1").is_ok());
    let [one, other] = ["-cl-std=CL1.2", "-cl-std=CL2.0"].map(str::to_owned);
    assert_eq!(refused("-cl-std=CL1.2 -cl-std=CL2.0"), InvalidOption::Contradiction { one, other });
}

#[test]
fn what_would_change_a_generated_program_is_refused() {
    let of = |text| BuildOptions::parse(text).unwrap();
    let reserved = Err(InvalidOption::Reserved("WINDROW_F16_STORAGE".to_owned()));
    assert_eq!(of("-DN=1 -DWINDROW_F16_STORAGE").check_unreserved(), reserved);
    assert_eq!(of("-w -cl-mad-enable").check_exact(), Err(InvalidOption::Loose("-cl-mad-enable".to_owned())));
    assert_eq!((of("-w -DN=1").check_unreserved(), of("-w -DN=1").check_exact()), (Ok(()), Ok(())));
}

#[test]
fn two_lists_join_unless_they_contradict() {
    let ours = BuildOptions::parse("-w -DA=1").unwrap();
    let joined = ours.clone().and(&BuildOptions::parse("-DB -w").unwrap()).unwrap();
    assert_eq!(joined.to_string(), "-w -DA=1 -DB");
    assert_eq!(ours.and(&BuildOptions::parse("-DA=2").unwrap()), Err(InvalidOption::Twice("A".to_owned())));
    let [one, other] = ["-cl-std=CL1.2", "-cl-std=CL2.0"].map(|text| BuildOptions::parse(text).unwrap());
    assert!(matches!(one.and(&other), Err(InvalidOption::Contradiction { .. })));
}
