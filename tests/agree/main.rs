//! The naive evaluator, the interpreter and compiled code play alike.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on must fail, loudly"
)]

#[path = "../cases/mod.rs"]
mod cases;
mod compiled;
mod fuzz;
mod fuzzing;
mod naive_self;
mod passes;
mod random;
mod shipped;
