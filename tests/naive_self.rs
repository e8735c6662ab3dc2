//! The naive evaluator by itself: small rules made by hand.

mod naive;
