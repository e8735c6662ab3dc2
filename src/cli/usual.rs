//! The default number of games: as many as the usual work is enough for.
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

/// The usual work in nanoseconds of one core: of games at levels, of games of strength, of random games from positions
/// of the strongest play, and of looking ahead in watched games.
const LEVELS_WORK: f64 = 4.5e10;
const LADDER_WORK: f64 = 1e10;
const LEADS_WORK: f64 = 1e10;
const LOOKS_WORK: f64 = 1e10;

/// With fewer games than these no random games are played from positions.
const MIN_LED_GAMES: f64 = 10.0;

/// The least and the most games of each variant.
const MIN_GAMES: f64 = 20.0;
const MAX_GAMES: f64 = 2000.0;

/// The number of random games of a probe, and the plies or operations after which it stops.
const MAX_PROBE_GAMES: u64 = 20;
const MAX_PROBE_PLIES: u32 = 4000;
const MAX_PROBE_OPERATIONS: u64 = 20_000_000;

/// The nanoseconds that a ply takes beside its operations. Each operation and each offer takes about one.
/// Most shipped games take between half as long and twice as long.
const NANOSECONDS_OF_A_PLY: f64 = 20.0;

/// Code that is too large to be compiled takes so many times as long.
const INTERPRETER_FACTOR: f64 = 10.0;

/// The length and the cost of random games of a variant.
struct Probe {
    plies: f64,
    /// The nanoseconds of a game.
    game: f64,
    /// The nanoseconds of trying each legal move of its positions. Plies with many moves often take long as well.
    looks: f64,
}

impl Probe {
    /// Plays random games and cuts them after `most` plies.
    fn new(one: &Contestant, most: u32) -> Result<Probe, Stop> {
        let mut machine = Machine::counting(Arc::clone(one.machine.program()))
            .map_err(|why| Stop::input(why.to_string()))?;
        let (mut games, mut plies) = (0, 0);
        let (mut time, mut looks) = (0.0, 0.0);
        while games < MAX_PROBE_GAMES && plies < MAX_PROBE_PLIES && machine.work() < MAX_PROBE_OPERATIONS {
            let Ok(mut pos) = one.game.start(&mut machine, one.setup.as_deref(), games) else { break };
            let mut before = machine.work();
            let game =
                playout::play(&mut machine, &mut pos, &mut Rng::new(games), most, |machine, _, moves, _| {
                    let legal = moves.len() as f64;
                    let ply = (machine.work() - before) as f64 + legal + NANOSECONDS_OF_A_PLY;
                    before = machine.work();
                    time += ply;
                    looks += ply * legal;
                });
            plies += game.plies;
            games += 1;
        }
        let slower = if one.machine.clone().warm_up() { 1.0 } else { INTERPRETER_FACTOR };
        let a_game = |n: f64| n / (games.max(1) as f64);
        Ok(Probe { plies: a_game(plies.into()), game: a_game(time) * slower, looks: a_game(looks) * slower })
    }
}

/// The games of each variant that the usual work is enough for; 0 where they would be too few.
#[derive(Debug)]
pub(super) struct Usual {
    /// Games at each level.
    pub level: u64,
    /// Games of each pair of the ladder.
    pub ladder: u64,
    /// Games at the strongest level, with random games from each position.
    pub led: u64,
    /// Watched games, looking ahead at each ply; these are never too few.
    pub watched: u64,
}

impl Usual {
    /// The numbers for these variants by these rules.
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
            level: enough(LEVELS_WORK, levels, MIN_GAMES),
            ladder: enough(LADDER_WORK, ladder, MIN_GAMES),
            led: enough(LEADS_WORK, leads, MIN_LED_GAMES),
            watched: games((LOOKS_WORK / looks.max(1.0)).max(MIN_GAMES)),
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
        usual.level = usual.level.max(MIN_GAMES as u64);
        Ok(usual)
    }
}

/// A number of games of two digits.
fn games(enough: f64) -> u64 {
    let enough = enough.min(MAX_GAMES);
    let ten = 10f64.powf(enough.log10().floor() - 1.0);
    ((enough / ten).floor() * ten) as u64
}
