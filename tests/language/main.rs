//! What definitions may say: boards, rules, overlays; what is refused, and how it is told.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on must fail, loudly"
)]

mod accepted;
mod board;
mod board_properties;
mod bounds;
#[path = "../cases/mod.rs"]
mod cases;
mod definition;
mod definition_kit;
mod diagnostics;
mod hostile;
mod kit;
mod overlays;
mod reference;
mod syntax;
