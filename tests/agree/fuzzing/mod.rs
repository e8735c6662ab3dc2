//! Fuzzing: random definitions, and what becomes of them.
//!
//! `tests/agree/fuzz.rs` tries some thousands of them out in every test run; the test `fuzz` as many as one likes,
//! in processes of their own, and shrinks what it finds.
//!
//! | file | what it does |
//! | --- | --- |
//! | `dice` | random choices of a seed |
//! | `words` | the names that rules can say; terms |
//! | `terms`, `rules` | random expressions; effects, patterns, flows, outcomes |
//! | `page`, `board`, `overlay`, `typed` | text of definitions; random boards, options, definitions that are well typed, mostly |
//! | `chains` | definitions near the limits |
//! | `doc` | definitions as statements and words |
//! | `mutate` | definitions made of shipped ones |
//! | `lockstep` | tries a definition out: everything that plays plays the same |
//! | `word` | plies that are written as one word are read again |
//! | `follow` | the naive evaluator follows what was played |
//! | `caught` | findings; panics that are kept |
//! | `shrink` | the smallest definition that shows the same |
#![allow(dead_code, reason = "two tests each use what they need")]

pub mod board;
pub mod caught;
pub mod chains;
pub mod dice;
pub mod doc;
pub mod follow;
pub mod lockstep;
pub mod mutate;
pub mod overlay;
pub mod page;
pub mod rules;
pub mod shrink;
pub mod terms;
pub mod typed;
pub mod word;
pub mod words;

/// What sort of definitions is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Well typed, mostly.
    Typed,
    /// Made of shipped ones.
    Mutated,
    /// Near the limits.
    Chains,
}

impl Mode {
    /// What is made of a seed.
    pub fn of(seed: u64) -> Mode {
        match seed % 10 {
            0..=6 => Mode::Typed,
            7 | 8 => Mode::Mutated,
            _ => Mode::Chains,
        }
    }
}

/// The definition of a seed.
pub fn definition(mode: Mode, stock: &mutate::Stock, seed: u64) -> String {
    match mode {
        Mode::Typed => typed::definition(seed),
        Mode::Mutated => stock.mutated(seed),
        Mode::Chains => chains::definition(seed),
    }
}
