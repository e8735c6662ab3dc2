//! Comparing variants.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on may stop")]

use farrier::compare::model::{Comparison, FORMAT};

/// Made-up figures of every kind: what draws comparisons can be tried on them.
fn sample() -> Comparison {
    serde_json::from_str(include_str!("compare/sample.json")).expect("the sample has the form of today")
}

#[test]
fn a_comparison_is_written_and_read() {
    let sample = sample();
    assert_eq!(sample.format, FORMAT);
    let text = serde_json::to_string(&sample).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), sample);
}
