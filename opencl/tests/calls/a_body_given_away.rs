//! A body written by hand is one kernel's.

use windrow::HandWritten;

enum mine {}
enum other {}

fn given_away(body: HandWritten<other>) -> HandWritten<mine> {
    body
}

fn main() {}
