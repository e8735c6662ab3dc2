//! Random definitions: whatever loads is played alike by the interpreter, compiled code and the naive evaluator.
#![cfg(feature = "jit")]

mod fuzzing;
mod naive;
mod random;

use std::time::Duration;

use fuzzing::lockstep::{Limits, keep_panics, try_out};
use fuzzing::typed;

const LIMITS: Limits = Limits { games: 2, plies: 10, fuel: 100_000, time: Duration::from_secs(1), stage };

static AT: std::sync::Mutex<Option<(cpu_time::ProcessTime, String)>> = std::sync::Mutex::new(None);
static SPENT: std::sync::Mutex<std::collections::BTreeMap<String, f64>> =
    std::sync::Mutex::new(std::collections::BTreeMap::new());
fn stage(what: &str) {
    let mut at = AT.lock().unwrap();
    if let Some((t, w)) = at.take() {
        *SPENT.lock().unwrap().entry(w).or_insert(0.0) += t.elapsed().as_secs_f64();
    }
    *at = Some((cpu_time::ProcessTime::now(), what.to_owned()));
}

#[test]
fn random_definitions_are_played_alike() {
    keep_panics();
    let (mut loaded, mut codes, mut plies, mut followed, mut compiled) =
        (0, std::collections::BTreeMap::new(), 0, 0, 0);
    let most: u64 = std::env::var("FUZZ").ok().and_then(|s| s.parse().ok()).unwrap_or(1000);
    let mut classes = std::collections::BTreeMap::new();
    for seed in 0..most {
        let text = typed::definition(seed);
        let t0 = cpu_time::ProcessTime::now();
        let res = try_out(&text, seed, &LIMITS);
        let tt = t0.elapsed().as_secs_f64();
        if tt > 0.7 {
            println!("seed {seed}: {tt}");
        }
        match res {
            Ok(t) => {
                loaded += u32::from(t.loaded);
                compiled += u32::from(t.compiled);
                plies += t.plies;
                followed += t.followed;
                if !t.loaded {
                    if let Some(first) = t.refused.first() {
                        *codes.entry(first.clone()).or_insert(0) += 1;
                    }
                }
            }
            Err(f) => {
                let e = classes.entry(f.class.clone()).or_insert((0, seed, f.report.clone()));
                e.0 += 1;
            }
        }
    }
    println!("{:?}", SPENT.lock().unwrap());
    println!("loaded {loaded}, compiled {compiled}, plies {plies}, followed {followed}");
    let mut codes: Vec<_> = codes.into_iter().collect();
    codes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (c, n) in codes.iter().take(60) {
        println!("{n} {c}");
    }
    for (c, (n, s, r)) in classes {
        println!("FINDING {n} x {c} (seed {s}) {}", r.chars().take(300).collect::<String>());
    }
}
