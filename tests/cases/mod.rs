//! How many cases a test of random or repeated things tries.

use std::num::NonZeroU32;

/// So many, times what `FARRIER_CASES` says: `cargo test` is quick, `.ci/run` tries more.
pub fn cases(least: u32) -> u32 {
    let times = std::env::var("FARRIER_CASES")
        .map_or(NonZeroU32::MIN, |times| times.parse().expect("FARRIER_CASES is a whole number from 1 on"));
    least * times.get()
}
