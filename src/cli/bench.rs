//! `farrier bench`
//!
//! Each kind of work is measured in rounds of short slices: one thread works while the others rest, then all
//! work at once, then another thread alone. Every thread does the same work on a machine of its own, the same
//! one whether it is alone or not. The kinds take turns.
//!
//! ```text
//! round: thread r alone | all threads | thread r + 1 alone  ->  rate of one, rate of all, their ratio
//! rounds ->  the median of each
//! ```
//!
//! The speed of a processor changes from one moment to the next, with the other work on it. A ratio is
//! therefore taken within a round, whose slices saw much the same, and never of two medians, which may have
//! seen different times. And the last kind of work is a yardstick, which no rules can slow down: where it
//! gains less by more threads, so does all else.
//!
//! Rates are of a second on the wall. Each thread also says how much of that time it had a processor: where
//! others use the machine that is less than all of it. The ratio of threads is taken of both clocks: of the
//! wall's it is what one gets now, of the processors' what one would get if each thread had its own.

use std::io::Write;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use serde_json::{Value, json};

use super::files::Disk;
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, text};
use crate::analysis::bench::{Counting, Playouts, Spread, Work, Yardstick};
use crate::analysis::perft::{Leaves, Perft};
use crate::analysis::workers::Workers;
use crate::game::Game;
use crate::play::{Machine, Moves, Position};
use crate::source::Sources;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Shipped games' names, or paths of definitions
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// How long each kind of work is measured
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
    /// How many plies deep perft counts [default: as deep as a slice has time for]
    #[arg(long, value_parser = load::within::<u32>(1..=100))]
    depth: Option<u32>,
    /// Cut a playout after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 10_000, value_parser = load::within::<u32>(0..=u64::from(u32::MAX)))]
    most: u32,
    /// Interpret the program, never compile it
    #[arg(long)]
    interpreter: bool,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// Work is measured in so many rounds. They are short: a disturbance lasts longer than one of them.
const ROUNDS: u32 = 25;

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
    Ok(if args.interpreter { game.interpreter()? } else { game.machine()? })
}

fn measure(args: &Args, name: &str) -> Result<Found, Stop> {
    let game = load::load(name, &args.choices.choices())?.game;
    let mut machine = machine_of(args, &game)?;
    let began = Instant::now();
    let compile = machine.warm_up().then(|| began.elapsed().as_secs_f64() * 1e3);
    let seed = args.start.seed();
    let start = args.start.start(&game, &mut machine, seed)?;
    let slice = Duration::from_secs_f64(args.seconds / f64::from(ROUNDS * 3));
    let perft = |leaves| {
        let mut machine = machine.clone();
        let depth = args.depth.unwrap_or_else(|| depth(&mut machine, &start, leaves, slice));
        let nodes = Perft::new(&mut machine, leaves).count(&start, depth);
        (depth, nodes, Work::Perft(Box::new(Counting { machine, start: start.clone(), depth, leaves })))
    };
    let [made, counted] = [Leaves::Made, Leaves::Counted].map(perft);
    let playouts = Work::Playouts(Box::new(Playouts::new(machine.clone(), start.clone(), seed, args.most)));
    let works = [&made.2, &counted.2, &playouts, &Work::Yardstick(Yardstick::default())];
    let [of_made, of_counted, playouts, yardstick] = Part::measure(works, slice, seed);
    let (made, counted) = ((made.0, made.1, of_made), (counted.0, counted.1, of_counted));
    let load = loading(args, name)?;
    Ok(Found { game, bytes: size_of_val(start.words()), made, counted, playouts, yardstick, load, compile })
}

/// The deepest perft that is expected to fit into a slice; not one in which games have ended so often that
/// there are fewer nodes than a ply before.
fn depth(machine: &mut Machine, start: &Position, leaves: Leaves, slice: Duration) -> u32 {
    let mut perft = Perft::new(machine, leaves);
    let (mut before, mut growth) = (1, 1.0_f64);
    for depth in 1..100 {
        let mut count = || {
            let began = Instant::now();
            (perft.count(start, depth), began.elapsed())
        };
        // The first time, code may still have to be compiled.
        let (nodes, took) = (0..2).map(|_| count()).min().unwrap_or_default();
        if nodes < before {
            return (depth - 1).max(1);
        }
        growth = growth.max(nodes as f64 / before as f64);
        if took.as_secs_f64() * growth > slice.as_secs_f64() {
            return depth;
        }
        before = nodes;
    }
    100
}

/// How long it takes, in milliseconds, from the texts of the files to the first list of legal moves. The disk
/// is not measured: it is read once.
fn loading(args: &Args, name: &str) -> Result<Spread, Stop> {
    let choices = args.choices.choices();
    let whole = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || (whole.elapsed().as_secs_f64() < args.seconds && times.len() < 10_000) {
        let began = Instant::now();
        let (game, _) = Game::load(name, &Disk, &choices, &mut Sources::default());
        let Some(game) = game else { break };
        let mut machine = machine_of(args, &game)?;
        let pos = args.start.start(&game, &mut machine, args.start.seed())?;
        let mut moves = Moves::new();
        machine.moves(&pos, &mut moves);
        std::hint::black_box(&moves);
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Spread::of(times).ok_or_else(|| Stop::input(format!("`{name}` changed while it was measured")))
}

/// A slice of work on one thread.
fn slice(work: &mut Work, time: Duration) -> Rate {
    let (began, busy) = (Instant::now(), ThreadTime::now());
    let done = work.slice(|| began.elapsed() < time);
    let (seconds, busy) = (began.elapsed().as_secs_f64().max(1e-9), busy.elapsed().as_secs_f64());
    let share = (busy / seconds).clamp(1e-9, 1.0);
    Rate { pieces: done.pieces as f64 / seconds, units: done.units as f64 / seconds, share }
}

/// All threads, each with work of its own.
struct Crew<'w>(Workers<'w, Work>);

impl<'w> Crew<'w> {
    fn new(work: &'w Work, seed: u64) -> Crew<'w> {
        Crew(Workers::new(move |thread| {
            let mut work = work.clone();
            if let Work::Playouts(playouts) = &mut work {
                playouts.reseed(seed.wrapping_add(thread as u64));
            }
            // The first piece finds caches and buffers empty.
            work.slice(|| false);
            work
        }))
    }

    /// A slice of one thread while the others rest.
    fn alone(&self, turn: usize, time: Duration) -> Rate {
        let rates = rayon::broadcast(|thread| {
            (thread.index() == turn % thread.num_threads()).then(|| self.slice(time))
        });
        rates.into_iter().flatten().next().unwrap_or(Rate { pieces: 0.0, units: 0.0, share: 1.0 })
    }

    /// A slice of all threads at once.
    fn all(&self, time: Duration) -> Vec<Rate> {
        rayon::broadcast(|_| self.slice(time))
    }

    fn slice(&self, time: Duration) -> Rate {
        self.0.with(|work| slice(work, time))
    }
}

/// The work that a thread does in a second.
#[derive(Clone, Copy)]
struct Rate {
    pieces: f64,
    units: f64,
    /// How much of the time it had a processor.
    share: f64,
}

/// A kind of work on one thread, then on all, then on another.
struct Round {
    alone: [Rate; 2],
    all: Vec<Rate>,
}

impl Round {
    fn one(&self, unit: impl Fn(&Rate) -> f64) -> f64 {
        self.alone.iter().map(unit).sum::<f64>() / 2.0
    }

    fn all(&self, unit: impl Fn(&Rate) -> f64) -> f64 {
        self.all.iter().map(unit).sum()
    }
}

/// All that was measured of a kind of work.
struct Part(Vec<Round>);

impl Part {
    /// Measures kinds of work in turns.
    fn measure<const N: usize>(works: [&Work; N], time: Duration, seed: u64) -> [Part; N] {
        let crews = works.map(|work| Crew::new(work, seed));
        let mut parts = works.map(|_| Part(Vec::new()));
        for turn in 0..ROUNDS as usize {
            for (crew, part) in crews.iter().zip(&mut parts) {
                let first = crew.alone(turn, time);
                let all = crew.all(time);
                part.0.push(Round { alone: [first, crew.alone(turn + 1, time)], all });
            }
        }
        parts
    }

    /// A rate on one thread and on all, and how many times as much the latter is.
    fn speed(&self, unit: fn(&Rate) -> f64) -> Speed {
        let spread =
            |value: &dyn Fn(&Round) -> f64| Spread::of(self.0.iter().map(value).collect()).unwrap_or(NONE);
        let ratio = |unit: &dyn Fn(&Rate) -> f64| {
            spread(&|round| round.all(unit) / round.one(unit).max(f64::MIN_POSITIVE)).median
        };
        Speed {
            one: spread(&|round| round.one(unit)),
            all: spread(&|round| round.all(unit)),
            ratio: ratio(&unit),
            processor_ratio: ratio(&|rate| unit(rate) / rate.share),
        }
    }

    /// Units in a piece, on average: of playouts their length.
    fn mean(&self) -> f64 {
        let sum = |of: fn(&Rate) -> f64| {
            self.0.iter().flat_map(|round| round.alone.iter().chain(&round.all)).map(of).sum::<f64>()
        };
        sum(|r| r.units) / sum(|r| r.pieces)
    }

    /// How much of the time threads had a processor, on one thread and on all.
    fn shares(&self) -> (f64, f64) {
        let mean = |threads: fn(&Round) -> &[Rate]| {
            let rates = || self.0.iter().flat_map(threads);
            rates().map(|r| r.share).sum::<f64>() / rates().count().max(1) as f64
        };
        (mean(|round| &round.alone), mean(|round| &round.all))
    }
}

/// A machine on which a thread has a processor for less than this share of the time has other work.
const BUSY: f64 = 0.95;

/// No measurement.
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
    yardstick: Part,
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
            let [median, lowest, highest] = [s.median, s.lowest, s.highest].map(|v| text::count(v as u64));
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
            "rounds": ROUNDS,
            "threads": rayon::current_num_threads(),
            "perft_made": perft(&self.made),
            "perft_counted": perft(&self.counted),
            "playouts": {
                "playouts_per_second": self.playouts.speed(|r| r.pieces).json(),
                "plies_per_second": self.playouts.speed(|r| r.units).json(),
                "mean_length": self.playouts.mean(),
            },
            "yardstick": { "steps_per_second": self.yardstick.speed(|r| r.units).json() },
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
        for ((depth, _, part), how) in [(&self.made, "made"), (&self.counted, "counted")] {
            part.speed(|r| r.units).tell(&format!("perft {depth}, leaves {how}"), "nodes/s", out)?;
        }
        self.playouts.speed(|r| r.pieces).tell("random playouts", "playouts/s", out)?;
        self.playouts.speed(|r| r.units).tell("", "plies/s", out)?;
        self.yardstick.speed(|r| r.units).tell("yardstick", "steps/s", out)?;
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
