//! What holds of the source and of its documentation.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on must fail, loudly"
)]

mod contributing;
mod layers;
mod names;
mod profiles;
