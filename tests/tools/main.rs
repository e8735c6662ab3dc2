//! The command line, comparisons, differences and reports.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on must fail, loudly"
)]

#[path = "../cases/mod.rs"]
mod cases;
mod cli;
mod compare;
mod compare_cli;
mod diff;
mod distinguish;
mod engine;
mod engines;
mod killed;
mod led;
mod promises;
mod report;
mod serve;
mod shards;
mod strongest;
mod terminal;
mod tune;
mod worth;
