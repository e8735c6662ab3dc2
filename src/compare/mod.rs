//! Comparing variants: self-play, what is measured in it, and what the differences mean.

pub mod model;
pub mod record;
pub mod stats;
