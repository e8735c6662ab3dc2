//! `farrier bench`
//!
//! Each part of the work is measured in short slices, those on one thread and those on all in turns, so
//! that whatever else the machine does falls on both. On all threads every thread does the same work on a
//! machine of its own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::files::Disk;
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, text};
use crate::analysis::bench::{Amount, Counting, Playouts, Spread, Work};
use crate::analysis::perft::{Leaves, Perft};
use crate::game::Game;
use crate::play::{Machine, Moves, Position};
use crate::source::{FileError, Files, Sources};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Shipped games' names, or paths of definitions
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// How long each part is measured
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// How many plies deep perft counts [default: as deep as a slice has time for]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Cut a playout after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000)]
    most: u32,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// Into how many slices a part is cut.
const SLICES: u32 = 9;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 3600.0 => Ok(s),
        _ => Err("a number of seconds above 0, at most 3600".to_owned()),
    }
}

/// Measures how fast games are played.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    for (i, name) in args.games.iter().enumerate() {
        let found = measure(args, name)?;
        match format {
            Format::Json => writeln!(out, "{}", found.json(args))?,
            Format::Text => {
                if i > 0 {
                    writeln!(out)?;
                }
                found.tell(out)?;
            }
        }
        out.flush()?;
    }
    Ok(Exit::Fine)
}

/// The machine whose clones do all the work: how a game is run is chosen here and nowhere else.
fn player(game: &Game) -> Result<Machine, Stop> {
    load::machine(game)
}

fn measure(args: &Args, name: &str) -> Result<Found, Stop> {
    let files = Remembered::default();
    let game = load::load_from(&files, name, &args.choices.choices())?.game;
    let mut machine = player(&game)?;
    let seed = args.start.seed();
    let start = args.start.start(&game, &mut machine, seed)?;
    let slice = Duration::from_secs_f64(args.seconds / f64::from(SLICES));
    let perft = |leaves| {
        let mut machine = machine.clone();
        let depth = args.depth.unwrap_or_else(|| depth(&mut machine, &start, leaves, slice));
        let nodes = Perft::new(&mut machine, leaves).count(&start, depth);
        let work = Work::Perft(Box::new(Counting { machine, start: start.clone(), depth, leaves }));
        (depth, nodes, Part::measure(&work, slice, seed))
    };
    let made = perft(Leaves::Made);
    let counted = perft(Leaves::Counted);
    let work = Work::Playouts(Box::new(Playouts::new(machine.clone(), start.clone(), seed, args.most)));
    let playouts = Part::measure(&work, slice, seed);
    let load = loading(args, name, &files)?;
    Ok(Found { game, bytes: size_of_val(start.words()), made, counted, playouts, load })
}

/// The deepest perft that is expected to fit into a slice; not one in which games have ended so often that
/// there are fewer nodes than a ply before.
fn depth(machine: &mut Machine, start: &Position, leaves: Leaves, slice: Duration) -> u32 {
    let mut perft = Perft::new(machine, leaves);
    let (mut before, mut growth) = (1, 1.0_f64);
    for depth in 1..100 {
        let began = Instant::now();
        let nodes = perft.count(start, depth);
        if nodes < before {
            return (depth - 1).max(1);
        }
        growth = growth.max(nodes as f64 / before as f64);
        if began.elapsed().as_secs_f64() * growth > slice.as_secs_f64() {
            return depth;
        }
        before = nodes;
    }
    100
}

/// How long it takes, in milliseconds, from the texts of the files to the first list of legal moves.
fn loading(args: &Args, name: &str, files: &Remembered) -> Result<Spread, Stop> {
    let choices = args.choices.choices();
    let whole = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || (whole.elapsed().as_secs_f64() < args.seconds && times.len() < 10_000) {
        let began = Instant::now();
        let (game, _) = Game::load(name, files, &choices, &mut Sources::default());
        let Some(game) = game else { break };
        let mut machine = player(&game)?;
        let pos = args.start.start(&game, &mut machine, args.start.seed())?;
        let mut moves = Moves::new();
        machine.moves(&pos, &mut moves);
        std::hint::black_box(&moves);
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Spread::of(times).ok_or_else(|| Stop::Input(format!("`{name}` changed while it was measured"), None))
}

/// Files that are read once: the disk is not measured.
#[derive(Default)]
struct Remembered(RefCell<BTreeMap<String, Result<String, FileError>>>);

impl Files for Remembered {
    fn read(&self, path: &str) -> Result<String, FileError> {
        self.0.borrow_mut().entry(path.to_owned()).or_insert_with(|| Disk.read(path)).clone()
    }

    fn names(&self) -> Vec<String> {
        Disk.names()
    }
}

/// A slice on one thread: what was done in a second.
fn slice(work: &mut Work, time: Duration) -> Rate {
    let began = Instant::now();
    let done = work.slice(|| began.elapsed() < time);
    Rate::of(done, began.elapsed())
}

/// A slice on all threads, each on its own stack with its own memory: rates add up.
fn slice_all(work: &Work, time: Duration, seed: u64) -> Rate {
    let rates = rayon::broadcast(|thread| {
        let mut work = work.clone();
        if let Work::Playouts(playouts) = &mut work {
            playouts.reseed(seed.wrapping_add(1 + thread.index() as u64));
        }
        slice(&mut work, time)
    });
    rates.into_iter().fold(Rate::default(), |sum, rate| Rate {
        pieces: sum.pieces + rate.pieces,
        units: sum.units + rate.units,
    })
}

/// What is done in a second.
#[derive(Clone, Copy, Default)]
struct Rate {
    pieces: f64,
    units: f64,
}

impl Rate {
    fn of(done: Amount, time: Duration) -> Rate {
        let seconds = time.as_secs_f64().max(1e-9);
        Rate { pieces: done.pieces as f64 / seconds, units: done.units as f64 / seconds }
    }
}

/// The rates of a kind of work on one thread and on all.
struct Part {
    one: Vec<Rate>,
    all: Vec<Rate>,
}

impl Part {
    fn measure(work: &Work, time: Duration, seed: u64) -> Part {
        let mut alone = work.clone();
        // The first piece finds caches and buffers empty.
        alone.slice(|| false);
        let mut part = Part { one: Vec::new(), all: Vec::new() };
        for turn in 0..u64::from(SLICES) {
            part.one.push(slice(&mut alone, time));
            part.all.push(slice_all(work, time, seed.wrapping_add(turn << 32)));
        }
        part
    }

    /// A rate on one thread and on all, and how many times as much the latter is.
    fn speed(&self, unit: fn(&Rate) -> f64) -> Speed {
        let spread = |rates: &[Rate]| Spread::of(rates.iter().map(unit).collect()).unwrap_or(NONE);
        let (one, all) = (spread(&self.one), spread(&self.all));
        Speed { one, all, ratio: all.median / one.median.max(f64::MIN_POSITIVE) }
    }

    /// Units in a piece, on average: of playouts their length.
    fn mean(&self) -> f64 {
        let sum = |unit: fn(&Rate) -> f64| self.one.iter().chain(&self.all).map(unit).sum::<f64>();
        sum(|r| r.units) / sum(|r| r.pieces)
    }
}

/// Of no measurement.
const NONE: Spread = Spread { median: 0.0, lowest: 0.0, highest: 0.0 };

struct Speed {
    one: Spread,
    all: Spread,
    ratio: f64,
}

/// All that was measured of a game.
struct Found {
    game: Game,
    bytes: usize,
    made: (u32, u64, Part),
    counted: (u32, u64, Part),
    playouts: Part,
    load: Spread,
}

fn spread_json(spread: &Spread) -> Value {
    json!({ "median": spread.median, "lowest": spread.lowest, "highest": spread.highest })
}

impl Speed {
    fn json(&self) -> Value {
        json!({ "one": spread_json(&self.one), "all": spread_json(&self.all), "ratio": self.ratio })
    }

    fn tell(&self, what: &str, unit: &str, out: &mut dyn Write) -> std::io::Result<()> {
        let show = |s: &Spread| {
            let [median, lowest, highest] = [s.median, s.lowest, s.highest].map(|v| text::grouped(v as u64));
            format!("{median:>13}  {:<25}", format!("({lowest} to {highest})"))
        };
        let (one, all) = (show(&self.one), show(&self.all));
        writeln!(out, "  {what:<23}  {unit:<10}  {one}  {all}  {:>5.2}", self.ratio)
    }
}

impl Found {
    fn json(&self, args: &Args) -> Value {
        let perft = |(depth, nodes, part): &(u32, u64, Part)| json!({ "depth": depth, "nodes": nodes, "nodes_per_second": part.speed(|r| r.units).json() });
        json!({
            "game": self.game.name,
            "options": load::options_json(&self.game),
            "seed": args.start.seed(),
            "seconds": args.seconds,
            "slices": SLICES,
            "threads": rayon::current_num_threads(),
            "perft_made": perft(&self.made),
            "perft_counted": perft(&self.counted),
            "playouts": {
                "playouts_per_second": self.playouts.speed(|r| r.pieces).json(),
                "plies_per_second": self.playouts.speed(|r| r.units).json(),
                "mean_length": self.playouts.mean(),
            },
            "position_bytes": self.bytes,
            "load_ms": spread_json(&self.load),
        })
    }

    fn tell(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let threads = text::many(rayon::current_num_threads() as u64, "thread");
        writeln!(out, "{}", text::plain(&self.game.definition.title))?;
        writeln!(
            out,
            "  {:<23}  {:<10}  {:>13}  {:<25}  {threads:>13}  {:<25}  ratio",
            "", "", "1 thread", "", ""
        )?;
        let made = format!("perft {}, leaves made", self.made.0);
        self.made.2.speed(|r| r.units).tell(&made, "nodes/s", out)?;
        let counted = format!("perft {}, leaves counted", self.counted.0);
        self.counted.2.speed(|r| r.units).tell(&counted, "nodes/s", out)?;
        self.playouts.speed(|r| r.pieces).tell("random playouts", "playouts/s", out)?;
        self.playouts.speed(|r| r.units).tell("", "plies/s", out)?;
        writeln!(out, "  mean length  {:>8.1} plies", self.playouts.mean())?;
        writeln!(out, "  position     {:>8} bytes", self.bytes)?;
        let Spread { median, lowest, highest } = self.load;
        writeln!(out, "  load         {median:>8.2} ms ({lowest:.2} to {highest:.2})")
    }
}
