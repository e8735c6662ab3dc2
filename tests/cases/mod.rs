//! How many cases a test of random things tries.

/// So many, times what `FARRIER_CASES` says: `cargo test` is quick, `.ci/run` tries more.
pub fn cases(least: u32) -> u32 {
    let times = std::env::var("FARRIER_CASES").map(|times| times.parse().expect("FARRIER_CASES is a number"));
    least * times.unwrap_or(1)
}
