//! `farrier playout`

use std::collections::BTreeMap;
use std::io::Write;

use rayon::prelude::*;
use serde_json::json;

use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, text};
use crate::analysis::playout;
use crate::game::Game;
use crate::notation::record::Record;
use crate::play::{Machine, Rng};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// How many games [default: 100, with --record 1]
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Print records (JSON Lines) that `farrier replay` verifies
    #[arg(long)]
    record: bool,
    /// Cut a game after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000)]
    most: u32,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// How many games are played between two writings.
const AT_ONCE: u64 = 256;

/// Plays games of random moves; game `i` has the seed `seed + i`, so that one can be played again alone.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let machine = load::machine(&game)?;
    let count = args.count.unwrap_or(if args.record { 1 } else { 100 });
    let seed = args.start.seed();
    // A set-up that cannot be read is said before any game, not by each.
    args.start.start(&game, &mut machine.clone(), seed)?;
    let mut all = Sums::default();
    let mut at = 0;
    while at < count {
        let some = at..count.min(at.saturating_add(AT_ONCE));
        at = some.end;
        let seeds = some.map(|i| seed.wrapping_add(i));
        if args.record {
            let records: Vec<Result<Record, Stop>> = (seeds.collect::<Vec<_>>().into_par_iter())
                .map_init(|| machine.clone(), |machine, seed| record(args, &game, machine, seed))
                .collect();
            for record in records {
                write!(out, "{}", record?.write())?;
            }
        } else {
            let games: Vec<Result<Sums, Stop>> = (seeds.collect::<Vec<_>>().into_par_iter())
                .map_init(|| machine.clone(), |machine, seed| one(args, &game, machine, seed))
                .collect();
            for game in games {
                all.add(game?);
            }
        }
    }
    if !args.record {
        all.tell(&game, seed, format, out)?;
    }
    Ok(Exit::Fine)
}

fn record(args: &Args, game: &Game, machine: &mut Machine, seed: u64) -> Result<Record, Stop> {
    let start = args.start.start(game, machine, seed)?;
    let mut record = playout::record(game, machine, &start, seed, args.most);
    match &args.start.setup {
        // What the user said begins the replay too, whatever it was.
        Some(setup) => record.header.setup = Some(setup.clone()),
        None if record.header.setup.is_none() && !game.program.layout.deals.is_empty() => {
            record.header.seed = Some(seed);
        }
        None => {}
    }
    Ok(record)
}

/// What is known of some games.
#[derive(Default)]
struct Sums {
    games: u64,
    results: BTreeMap<String, u64>,
    plies: u64,
    shortest: Option<u32>,
    longest: u32,
    choices: u64,
}

fn one(args: &Args, game: &Game, machine: &mut Machine, seed: u64) -> Result<Sums, Stop> {
    let mut pos = args.start.start(game, machine, seed)?;
    let mut choices = 0;
    let played = playout::play(machine, &mut pos, &mut Rng::new(seed), args.most, |_, _, moves, _| {
        choices += moves.len() as u64;
    });
    Ok(Sums {
        games: 1,
        results: BTreeMap::from([(playout::outcome_name(game, played.outcome), 1)]),
        plies: u64::from(played.plies),
        shortest: Some(played.plies),
        longest: played.plies,
        choices,
    })
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.games += other.games;
        for (result, n) in other.results {
            *self.results.entry(result).or_default() += n;
        }
        self.plies += other.plies;
        self.shortest = self.shortest.into_iter().chain(other.shortest).min();
        self.longest = self.longest.max(other.longest);
        self.choices += other.choices;
    }

    fn tell(&self, game: &Game, seed: u64, format: Format, out: &mut dyn Write) -> std::io::Result<()> {
        let mean = |sum: u64, n: u64| if n == 0 { 0.0 } else { sum as f64 / n as f64 };
        let (length, branching) = (mean(self.plies, self.games), mean(self.choices, self.plies));
        let shortest = self.shortest.unwrap_or(0);
        let known = game.rules.players.iter().map(String::as_str).chain(["draw", "unfinished"]);
        let results: Vec<(&str, u64)> =
            known.map(|name| (name, self.results.get(name).copied().unwrap_or(0))).collect();
        if format == Format::Json {
            let results: serde_json::Map<_, _> =
                results.into_iter().map(|(name, n)| (name.to_owned(), json!(n))).collect();
            let shown = json!({
                "game": game.name,
                "options": load::options_json(game),
                "seed": seed,
                "games": self.games,
                "results": results,
                "length": { "mean": length, "shortest": shortest, "longest": self.longest },
                "branching": branching,
            });
            return writeln!(out, "{shown}");
        }
        let title = &game.definition.title;
        writeln!(out, "{}: {}", text::plain(title), text::many(self.games, "random game"))?;
        let wide = results.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, n) in results {
            if n == 0 && name == "unfinished" {
                continue;
            }
            let what = if matches!(name, "draw" | "unfinished") { "     " } else { " wins" };
            let percent = 100.0 * mean(n, self.games);
            writeln!(out, "  {:wide$}{what}  {:>8}  {percent:5.1} %", text::plain(name), text::grouped(n))?;
        }
        writeln!(out, "length     {length:.1} plies on average, {shortest} to {}", self.longest)?;
        writeln!(out, "branching  {branching:.1} legal moves on average")
    }
}
