//! Random definitions: whatever loads is played alike by the interpreter, compiled code and the naive evaluator.
//! The test `fuzz` tries more of them, when it is asked for.
#![cfg(feature = "jit")]

use std::time::{Duration, Instant};

use crate::cases::cases;
use crate::fuzzing::caught::{Finding, keep_panics};
use crate::fuzzing::lockstep::{Limits, Tried, try_out};
use crate::fuzzing::mutate::Stock;
use crate::fuzzing::shrink::shrink;
use crate::fuzzing::{Mode, definition};

/// Little of each: what matters is how many there are.
const LIMITS: Limits =
    Limits { games: 2, plies: 10, fuel: 20_000, time: Duration::from_secs(20), stage: |_| {} };

/// Tries a definition out on a thread as deep as the one that a program begins with.
fn tried(text: &str, seed: u64) -> Result<Tried, Finding> {
    std::thread::scope(|scope| {
        let run = || try_out(text, seed, &LIMITS);
        std::thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

/// How long a finding may be made smaller before it is shown.
const SHRINKING: Duration = Duration::from_secs(60);

/// Tries so many definitions out: how many could be loaded, how many plies were played naively, and how many
/// words of several plies were read.
fn try_all(mode: Mode, most: u32) -> (u32, u32, u32) {
    keep_panics();
    let stock = Stock::new();
    let (mut loaded, mut followed, mut words) = (0, 0, 0);
    for seed in 0..u64::from(most) {
        let text = definition(mode, &stock, seed);
        match tried(&text, seed) {
            Ok(tried) => {
                loaded += u32::from(tried.loaded);
                followed += tried.followed;
                words += tried.words;
            }
            Err(Finding { class, report }) => {
                let until = Instant::now() + SHRINKING;
                let small = shrink(&text, 3000, &mut |text| {
                    Instant::now() < until && tried(text, seed).is_err_and(|found| found.class == class)
                });
                panic!("{class}\n{report}\n\nseed {seed} ({mode:?}):\n{small}");
            }
        }
    }
    (loaded, followed, words)
}

#[test]
fn typed_definitions_load_and_are_played_alike() {
    let tried = cases(100);
    let (loaded, followed, words) = try_all(Mode::Typed, tried);
    assert!(loaded > tried / 5 * 3, "{loaded} of {tried} can be loaded");
    assert!(followed > tried * 4, "{followed} plies were played naively");
    assert!(words > tried / 20, "{words} words of several plies were read");
}

#[test]
fn mutated_definitions_are_played_alike() {
    let tried = cases(80);
    let (loaded, ..) = try_all(Mode::Mutated, tried);
    assert!(loaded > tried / 8, "{loaded} of {tried} can be loaded");
}

#[test]
fn definitions_near_the_limits_are_played_alike_or_refused() {
    let tried = cases(24);
    let (loaded, ..) = try_all(Mode::Chains, tried);
    assert!(loaded > tried / 6, "{loaded} of {tried} can be loaded");
}
