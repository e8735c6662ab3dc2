//! `farrier bench`
//!
//! Each part of the work is measured in short slices, those on one thread and those on all in turns, so
//! that whatever else the machine does falls on both. On all threads every thread does the same work on a
//! machine of its own.
//!
//! Rates are of a second on the wall. Each thread also says how much of that time it had a processor: where
//! others use the machine that is less than all of it. The ratio of threads is taken of both clocks: of the
//! wall's it is what one gets now, of the processors' what one would get if each thread had its own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use serde_json::{Value, json};

use super::files::Disk;
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, text};
use crate::analysis::bench::{Counting, Playouts, Spread, Work};
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
    /// Interpret the program, never compile it
    #[arg(long)]
    interpreter: bool,
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
fn machine_of(args: &Args, game: &Game) -> Result<Machine, Stop> {
    match args.interpreter {
        true => game.interpreter().map_err(load::unsound),
        false => load::machine(game),
    }
}

fn measure(args: &Args, name: &str) -> Result<Found, Stop> {
    let files = Remembered::default();
    let game = load::load_from(&files, name, &args.choices.choices())?.game;
    let mut machine = machine_of(args, &game)?;
    let began = Instant::now();
    let compile = machine.warm_up().then(|| began.elapsed().as_secs_f64() * 1e3);
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
    Ok(Found { game, bytes: size_of_val(start.words()), made, counted, playouts, load, compile })
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
        let mut machine = machine_of(args, &game)?;
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
    let (began, busy) = (Instant::now(), ThreadTime::now());
    let done = work.slice(|| began.elapsed() < time);
    let (seconds, busy) = (began.elapsed().as_secs_f64().max(1e-9), busy.elapsed().as_secs_f64());
    let share = (busy / seconds).clamp(1e-9, 1.0);
    Rate { pieces: done.pieces as f64 / seconds, units: done.units as f64 / seconds, share }
}

/// A slice on all threads, each on its own stack with its own memory: rates add up.
fn slice_all(work: &Work, time: Duration, seed: u64) -> Vec<Rate> {
    rayon::broadcast(|thread| {
        let mut work = work.clone();
        if let Work::Playouts(playouts) = &mut work {
            playouts.reseed(seed.wrapping_add(1 + thread.index() as u64));
        }
        slice(&mut work, time)
    })
}

/// What a thread does in a second.
#[derive(Clone, Copy)]
struct Rate {
    pieces: f64,
    units: f64,
    /// How much of the time it had a processor.
    share: f64,
}

/// The rates of a kind of work on one thread and on all.
struct Part {
    one: Vec<Vec<Rate>>,
    all: Vec<Vec<Rate>>,
}

impl Part {
    fn measure(work: &Work, time: Duration, seed: u64) -> Part {
        let mut alone = work.clone();
        // The first piece finds caches and buffers empty.
        alone.slice(|| false);
        let mut part = Part { one: Vec::new(), all: Vec::new() };
        for turn in 0..u64::from(SLICES) {
            part.one.push(vec![slice(&mut alone, time)]);
            part.all.push(slice_all(work, time, seed.wrapping_add(turn << 32)));
        }
        part
    }

    /// A rate on one thread and on all, and how many times as much the latter is.
    fn speed(&self, unit: fn(&Rate) -> f64) -> Speed {
        let spread = |slices: &[Vec<Rate>], unit: &dyn Fn(&Rate) -> f64| {
            let sums = slices.iter().map(|threads| threads.iter().map(unit).sum());
            Spread::of(sums.collect()).unwrap_or(NONE)
        };
        let ratio = |unit: &dyn Fn(&Rate) -> f64| {
            spread(&self.all, unit).median / spread(&self.one, unit).median.max(f64::MIN_POSITIVE)
        };
        Speed {
            one: spread(&self.one, &unit),
            all: spread(&self.all, &unit),
            ratio: ratio(&unit),
            processor_ratio: ratio(&|rate| unit(rate) / rate.share),
        }
    }

    /// Units in a piece, on average: of playouts their length.
    fn mean(&self) -> f64 {
        let rates = || self.one.iter().chain(&self.all).flatten();
        rates().map(|r| r.units).sum::<f64>() / rates().map(|r| r.pieces).sum::<f64>()
    }

    /// How much of the time threads had a processor, on one thread and on all.
    fn shares(&self) -> (f64, f64) {
        let mean = |slices: &[Vec<Rate>]| {
            let rates = || slices.iter().flatten();
            rates().map(|r| r.share).sum::<f64>() / rates().count().max(1) as f64
        };
        (mean(&self.one), mean(&self.all))
    }
}

/// A machine on which a thread has a processor for less than this share of the time has other work.
const BUSY: f64 = 0.95;

/// Of no measurement.
const NONE: Spread = Spread { median: 0.0, lowest: 0.0, highest: 0.0 };

struct Speed {
    one: Spread,
    all: Spread,
    /// By the wall's clock.
    ratio: f64,
    /// By the processors' clocks.
    processor_ratio: f64,
}

/// All that was measured of a game.
struct Found {
    game: Game,
    bytes: usize,
    made: (u32, u64, Part),
    counted: (u32, u64, Part),
    playouts: Part,
    load: Spread,
    /// Milliseconds; none where the program is interpreted.
    compile: Option<f64>,
}

fn spread_json(spread: &Spread) -> Value {
    json!({ "median": spread.median, "lowest": spread.lowest, "highest": spread.highest })
}

impl Speed {
    fn json(&self) -> Value {
        json!({
            "one": spread_json(&self.one),
            "all": spread_json(&self.all),
            "ratio": self.ratio,
            "processor_ratio": self.processor_ratio,
        })
    }

    fn tell(&self, what: &str, unit: &str, out: &mut dyn Write) -> std::io::Result<()> {
        let show = |s: &Spread| {
            let [median, lowest, highest] = [s.median, s.lowest, s.highest].map(|v| text::grouped(v as u64));
            format!("{median:>13}  {:<25}", format!("({lowest} to {highest})"))
        };
        let (one, all) = (show(&self.one), show(&self.all));
        writeln!(
            out,
            "  {what:<23}  {unit:<10}  {one}  {all}  {:>5.2}  ({:.2})",
            self.ratio, self.processor_ratio
        )
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
            "processor_share": { "one": self.playouts.shares().0, "all": self.playouts.shares().1 },
            "position_bytes": self.bytes,
            "load_ms": spread_json(&self.load),
            "compile_ms": self.compile,
        })
    }

    fn tell(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let threads = text::many(rayon::current_num_threads() as u64, "thread");
        writeln!(out, "{}", text::plain(&self.game.definition.title))?;
        writeln!(
            out,
            "  {:<23}  {:<10}  {:>13}  {:<25}  {threads:>13}  {:<25}  ratio  (alone)",
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
        writeln!(
            out,
            "  load         {median:>8.2} ms ({lowest:.2} to {highest:.2}), to the first list of moves"
        )?;
        match self.compile {
            Some(ms) => writeln!(out, "  compile      {ms:>8.2} ms, once some hundred plies were played")?,
            None => writeln!(out, "  interpreted")?,
        }
        let (one, all) = self.playouts.shares();
        if one.min(all) < BUSY {
            writeln!(
                out,
                "  Others use this machine: a thread had a processor {:.0} % of the time alone and {:.0} % beside \
                 the others. The ratio in brackets leaves that out.",
                100.0 * one,
                100.0 * all,
            )?;
        }
        Ok(())
    }
}
