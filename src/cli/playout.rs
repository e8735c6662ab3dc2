//! `farrier playout`

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use rayon::prelude::*;
use serde_json::json;

use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, text};
use crate::analysis::playout::{self, Space};
use crate::analysis::workers::Workers;
use crate::game::Game;
use crate::notation::record::{BEFORE, Record, TOGETHER};
use crate::play::{Machine, Moves, Outcome, Position, Rng};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// How many games [default: 100, with --record 1]
    #[arg(long, value_name = "N", value_parser = load::whole)]
    count: Option<u64>,
    /// Print records (JSON Lines) that `farrier replay` verifies
    #[arg(long)]
    record: bool,
    /// Cut a game after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000, value_parser = load::within::<u32>(0..=u64::from(u32::MAX)))]
    most: u32,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

impl Args {
    /// Whether records are printed.
    pub(super) fn prints_records(&self) -> bool {
        self.record
    }
}

/// How many games are played between two writings.
const AT_ONCE: u64 = 256;

/// Plays games of random moves; game `i` has the seed `seed + i`, so that one can be played again alone.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let game = load::load(&args.game, &args.choices.choices())?.game;
    let mut machine = game.machine()?;
    let count = args.count.unwrap_or(if args.record { 1 } else { 100 });
    let seed = args.start.seed();
    // A set-up that cannot be read is said before any game, not by each.
    let start = args.start.start(&game, &mut machine, seed)?;
    if args.record {
        return records(args, &game, &machine, count, seed, out);
    }
    let dealt = game.program.layout.is_dealt();
    let mut first = Moves::new();
    machine.moves(&start, &mut first);
    let workers = Workers::new(|_| Worker {
        machine: machine.clone(),
        start: (!dealt).then(|| start.clone()),
        first: first.clone(),
        pos: start.clone(),
        space: Space::default(),
        sums: Sums::default(),
    });
    (0..count)
        .into_par_iter()
        .try_for_each(|i| workers.with(|worker| worker.play(args, &game, seed.wrapping_add(i))))?;
    let mut all = Sums::default();
    workers.into_all().for_each(|worker| all.add(worker.sums));
    all.tell(&game, seed, format, out)?;
    Ok(Exit::Fine)
}

/// Writes records, in the order of their seeds.
fn records(args: &Args, game: &Game, machine: &Machine, count: u64, seed: u64, out: &mut dyn Write) -> Done {
    let workers = Workers::new(|_| machine.clone());
    let mut at = 0;
    while at < count {
        let some = at..count.min(at.saturating_add(AT_ONCE));
        at = some.end;
        let seeds: Vec<u64> = some.map(|i| seed.wrapping_add(i)).collect();
        let records: Vec<Result<Record, Stop>> = seeds
            .into_par_iter()
            .map(|seed| workers.with(|machine| record(args, game, machine, seed)))
            .collect();
        for record in records {
            write!(out, "{}", record?.write())?;
        }
    }
    Ok(Exit::Fine)
}

fn record(args: &Args, game: &Game, machine: &mut Machine, seed: u64) -> Result<Record, Stop> {
    let start = args.start.start(game, machine, seed)?;
    let mut record = playout::record(game, machine, &start, seed, args.most);
    match &args.start.setup {
        // The replay begins with the user's set-up too.
        Some(setup) => record.header.setup = Some(setup.clone()),
        None if record.header.setup.is_some() || !game.program.layout.is_dealt() => {}
        None => record.header.seed = Some(seed),
    }
    Ok(record)
}

/// Sums over some games.
#[derive(Default)]
struct Sums {
    games: u64,
    results: HashMap<Option<Outcome>, u64>,
    plies: u64,
    shortest: Option<u32>,
    longest: u32,
    choices: u64,
}

/// A thread that plays games.
struct Worker {
    machine: Machine,
    /// Where every game begins, if nothing is dealt.
    start: Option<Position>,
    /// What is legal there.
    first: Moves,
    pos: Position,
    space: Space,
    sums: Sums,
}

impl Worker {
    fn play(&mut self, args: &Args, game: &Game, seed: u64) -> Result<(), Stop> {
        let Worker { machine, start, first, pos, space, sums } = self;
        match start {
            Some(start) => pos.copy_from(start),
            None => {
                *pos = args.start.start(game, machine, seed)?;
                machine.moves(pos, first);
            }
        }
        let played = playout::play_from(space, machine, pos, first, &mut Rng::new(seed), args.most);
        sums.games += 1;
        sums.choices += played.choices;
        *sums.results.entry(played.outcome).or_default() += 1;
        sums.plies += u64::from(played.plies);
        sums.shortest = sums.shortest.into_iter().chain([played.plies]).min();
        sums.longest = sums.longest.max(played.plies);
        Ok(())
    }
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
        let mut named: BTreeMap<String, u64> = BTreeMap::new();
        for (outcome, n) in &self.results {
            *named.entry(playout::outcome_name(game, *outcome)).or_default() += n;
        }
        let players = game.rules.players.iter().map(String::as_str);
        let ends = ["draw", "unfinished"];
        // Players who win together, and places.
        let more = named.keys().map(String::as_str);
        let more = more.filter(|name| !ends.contains(name) && !game.rules.players.iter().any(|p| p == name));
        let known = players.chain(more).chain(ends);
        let results: Vec<(&str, u64)> =
            known.map(|name| (name, named.get(name).copied().unwrap_or(0))).collect();
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
            // Where players win together only, none wins alone.
            if n == 0 && (name == "unfinished" || !game.program.teams.is_empty()) {
                continue;
            }
            let what = match name {
                "draw" | "unfinished" => "     ",
                places if places.contains(BEFORE) => "     ",
                several if several.contains(TOGETHER) => " win ",
                _ => " wins",
            };
            let percent = 100.0 * mean(n, self.games);
            writeln!(out, "  {:wide$}{what}  {:>8}  {percent:5.1} %", text::plain(name), text::count(n))?;
        }
        writeln!(out, "length     {length:.1} plies on average, {shortest} to {}", self.longest)?;
        writeln!(out, "branching  {branching:.1} legal moves on average")
    }
}
