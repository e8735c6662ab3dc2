//! How many games are played where it is not said: as many as the usual work is enough for.
//!
//! The work of a variant's games is taken from a few random ones, in which a counting machine counts operations; no
//! clock is asked. So the numbers depend on nothing but the variants and the agents: the same command plays the same
//! games everywhere, and parts of a run that are played on several machines fit together.

use std::sync::Arc;

use super::Stop;
use crate::analysis::playout;
use crate::compare::lead::LEAST;
use crate::compare::{Contestant, Rules};
use crate::play::{Machine, Rng};
use crate::search::AgentSpec;

/// What games at levels, of strength, random games from positions of the strongest play, and looking ahead in watched
/// games may take in all, in nanoseconds of one core. Where the third is too little for so many games of each variant,
/// nobody is asked who is ahead.
const LEVELS: f64 = 3.2e10;
const LADDER: f64 = 8e9;
const LEADS: f64 = 1e10;
const LOOKS: f64 = 1e10;
const FEWEST_LED: u64 = 10;

/// How many games of each variant there are at least and at most.
const FEWEST: f64 = 20.0;
const MOST: f64 = 2000.0;

/// Random games that say what a game is like, and after how many plies there are no more.
const PROBES: u64 = 20;
const PROBED: u32 = 4000;

/// About what a ply takes in nanoseconds beside its operations, each of which takes about one, as an offer does.
/// Of the shipped games nine in ten take between half as long and twice as long.
const A_PLY: f64 = 20.0;

/// Code that is too large to be compiled takes so many times as long.
const INTERPRETED: f64 = 6.0;

/// What random games of a variant are like.
struct Probe {
    plies: f64,
    /// Legal moves in a position.
    legal: f64,
    /// What a ply takes, in nanoseconds.
    ply: f64,
}

impl Probe {
    /// Plays random games, cut after so many plies.
    fn new(one: &Contestant, most: u32) -> Result<Probe, Stop> {
        let mut machine = Machine::counting(Arc::clone(one.machine.program()))
            .map_err(|why| Stop::Input(why.to_string(), None))?;
        let (mut games, mut plies, mut legal) = (0, 0, 0);
        while games < PROBES && plies < PROBED {
            let Ok(mut pos) = one.game.start(&mut machine, one.setup.as_deref(), games) else { break };
            let game = playout::play(&mut machine, &mut pos, &mut Rng::new(games), most, |_, _, moves, _| {
                legal += moves.len();
            });
            plies += game.plies;
            games += 1;
        }
        let each = |n: f64| n / f64::from(plies.max(1));
        let legal = each(legal as f64);
        let slower = if one.machine.clone().warm_up() { 1.0 } else { INTERPRETED };
        Ok(Probe {
            plies: f64::from(plies) / games.max(1) as f64,
            legal,
            ply: (each(machine.work() as f64) + legal + A_PLY) * slower,
        })
    }
}

/// How many games the usual work is enough for, of each variant.
pub(super) struct Usual {
    /// At each level.
    pub level: u64,
    /// Of each pair of the ladder.
    pub ladder: u64,
    /// At the strongest level, with random games from each position; 0 where they would be too few.
    pub led: u64,
    /// Watched, looking ahead at each ply.
    pub watched: u64,
}

impl Usual {
    /// Of these variants by these rules.
    pub fn of(all: &[Contestant], rules: &Rules) -> Result<Usual, Stop> {
        let [mut levels, mut ladder, mut leads, mut looks] = [0.0; 4];
        for one in all {
            let probe = Probe::new(one, rules.plies)?;
            let making = one.game.making();
            let cost = |agent: &AgentSpec| agent.work(&making, &one.game.program, probe.plies);
            let of_levels: f64 = rules.levels.iter().map(cost).sum();
            let strongest = rules.levels.last().map_or(0.0, cost);
            let pairs: f64 = rules.strength.windows(2).flatten().map(|agent| cost(agent) / 2.0).sum();
            let without = one.restricted.len() / one.game.rules.players.len().max(1);
            let game = probe.plies * probe.ply;
            levels += game * (of_levels + without as f64 * strongest);
            ladder += game * pairs;
            // From the middle of a game half of it is to be played.
            leads += game * f64::from(LEAST) * probe.plies / 2.0;
            looks += game * (1.0 + probe.legal);
        }
        let led = (LEADS / leads.max(1.0)) as u64;
        Ok(Usual {
            level: games(LEVELS / levels.max(1.0)),
            ladder: games(LADDER / ladder.max(1.0)),
            led: if led < FEWEST_LED { 0 } else { led },
            watched: games(LOOKS / looks.max(1.0)),
        })
    }
}

/// A number of games of two digits.
fn games(enough: f64) -> u64 {
    let enough = enough.clamp(FEWEST, MOST);
    let ten = 10f64.powf(enough.log10().floor() - 1.0);
    ((enough / ten).floor() * ten) as u64
}
