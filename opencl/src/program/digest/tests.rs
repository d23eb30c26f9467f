use super::*;

#[test]
fn parts_are_kept_apart() {
    let digest = |parts: [&str; 2]| Digest::of_parts(parts.map(str::as_bytes));
    assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
}

#[test]
fn only_64_digits_are_a_digest() {
    let text = Digest::of(b"").to_string();
    assert_eq!(text.parse(), Ok(Digest::of(b"")));
    for wrong in ["", "12", &text[1..], &format!("{text}0"), &text.replacen('e', "g", 1), &"é".repeat(32)] {
        assert_eq!(wrong.parse::<Digest>(), Err(InvalidDigest), "{wrong}");
    }
}
