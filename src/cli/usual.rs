//! How many games are played where it is not said: as many as the usual work is enough for.
//!
//! The work of a variant's games is taken from a few random ones, in which a counting machine counts operations; no
//! clock is asked. So the numbers depend on nothing but the variants and the agents: the same command plays the same
//! games everywhere, and parts of a run that are played on several machines fit together.
//!
//! Where the usual work is too little for so few games that they would say nothing, nobody is asked to think so much:
//! the strongest levels and the ladder are left out, as long as nobody asked for them.

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
const LEVELS: f64 = 4.5e10;
const LADDER: f64 = 1e10;
const LEADS: f64 = 1e10;
const LOOKS: f64 = 1e10;
const FEWEST_LED: f64 = 10.0;

/// How many games of each variant there are at least and at most.
const FEWEST: f64 = 20.0;
const MOST: f64 = 2000.0;

/// Random games that say what a game is like, and after how many plies or operations there are no more.
const PROBES: u64 = 20;
const PROBED: u32 = 4000;
const WORKED: u64 = 20_000_000;

/// About what a ply takes in nanoseconds beside its operations, each of which takes about one, as an offer does.
/// Of 55 shipped games 48 take between half as long and twice as long.
const A_PLY: f64 = 20.0;

/// Code that is too large to be compiled takes so many times as long.
const INTERPRETED: f64 = 10.0;

/// What random games of a variant are like.
struct Probe {
    plies: f64,
    /// What a game takes, in nanoseconds, and what it takes to try each legal move of its positions besides: where there
    /// are many a ply often takes long as well.
    game: f64,
    looks: f64,
}

impl Probe {
    /// Plays random games, cut after so many plies.
    fn new(one: &Contestant, most: u32) -> Result<Probe, Stop> {
        let mut machine = Machine::counting(Arc::clone(one.machine.program()))
            .map_err(|why| Stop::input(why.to_string()))?;
        let (mut games, mut plies) = (0, 0);
        let (mut time, mut looks) = (0.0, 0.0);
        while games < PROBES && plies < PROBED && machine.work() < WORKED {
            let Ok(mut pos) = one.game.start(&mut machine, one.setup.as_deref(), games) else { break };
            let mut before = machine.work();
            let game =
                playout::play(&mut machine, &mut pos, &mut Rng::new(games), most, |machine, _, moves, _| {
                    let legal = moves.len() as f64;
                    let ply = (machine.work() - before) as f64 + legal + A_PLY;
                    before = machine.work();
                    time += ply;
                    looks += ply * legal;
                });
            plies += game.plies;
            games += 1;
        }
        let slower = if one.machine.clone().warm_up() { 1.0 } else { INTERPRETED };
        let a_game = |n: f64| n / (games.max(1) as f64);
        Ok(Probe { plies: a_game(plies.into()), game: a_game(time) * slower, looks: a_game(looks) * slower })
    }
}

/// How many games the usual work is enough for, of each variant; 0 where they would be too few.
#[derive(Debug)]
pub(super) struct Usual {
    /// At each level.
    pub level: u64,
    /// Of each pair of the ladder.
    pub ladder: u64,
    /// At the strongest level, with random games from each position.
    pub led: u64,
    /// Watched, looking ahead at each ply; these are never too few.
    pub watched: u64,
}

impl Usual {
    /// Of these variants by these rules.
    fn of(all: &[Contestant], probes: &[Probe], rules: &Rules) -> Usual {
        let [mut levels, mut ladder, mut leads, mut looks] = [0.0; 4];
        for (one, probe) in all.iter().zip(probes) {
            let making = one.game.making();
            let cost = |agent: &AgentSpec| agent.work(&making, &one.game.program, probe.plies);
            let of_levels: f64 = rules.levels.iter().map(cost).sum();
            let strongest = rules.levels.last().map_or(0.0, cost);
            let pairs: f64 = rules.strength.windows(2).flatten().map(|agent| cost(agent) / 2.0).sum();
            let without = one.restricted.len() / one.game.rules.players.len().max(1);
            levels += probe.game * (of_levels + without as f64 * strongest);
            ladder += probe.game * pairs;
            // From the middle of a game half of it is to be played.
            leads += probe.game * f64::from(LEAST) * probe.plies / 2.0;
            looks += probe.game + probe.looks;
        }
        let enough = |work: f64, each: f64, fewest: f64| {
            let found = work / each.max(1.0);
            if found < fewest { 0 } else { games(found) }
        };
        Usual {
            level: enough(LEVELS, levels, FEWEST),
            ladder: enough(LADDER, ladder, FEWEST),
            led: enough(LEADS, leads, FEWEST_LED),
            watched: games((LOOKS / looks.max(1.0)).max(FEWEST)),
        }
    }

    /// Of these variants, with as many of the levels as there can be games at, one at least, and with the ladder if
    /// there can be games of it. Levels and a ladder that somebody asked for stay.
    pub fn fit(
        all: &[Contestant],
        rules: &mut Rules,
        levels_asked: bool,
        ladder_asked: bool,
    ) -> Result<Usual, Stop> {
        let probes: Vec<Probe> =
            all.iter().map(|one| Probe::new(one, rules.plies)).collect::<Result<_, _>>()?;
        let mut usual = Usual::of(all, &probes, rules);
        while usual.level == 0 && rules.levels.len() > 1 && !levels_asked {
            rules.levels.pop();
            usual = Usual::of(all, &probes, rules);
        }
        if usual.ladder == 0 && !ladder_asked {
            rules.strength.clear();
        }
        usual.level = usual.level.max(FEWEST as u64);
        Ok(usual)
    }
}

/// A number of games of two digits.
fn games(enough: f64) -> u64 {
    let enough = enough.min(MOST);
    let ten = 10f64.powf(enough.log10().floor() - 1.0);
    ((enough / ten).floor() * ten) as u64
}
