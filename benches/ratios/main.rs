//! How fast Farrier is as a ratio: beside programs written by hand for one game each, beside chess
//! libraries, and against what general systems are known to do.
//!
//! ```sh
//! cargo bench --features bench --bench ratios                          # beside the chess libraries
//! FARRIER_NATIVE=../native RUSTFLAGS="-C target-cpu=native" cargo bench --features bench --bench ratios
//! cargo bench --features bench --bench ratios -- --quick chess hex     # short slices, some games
//! cargo bench --features bench --bench ratios -- --without lift chess  # programs made without a pass
//! cargo bench --features bench --bench ratios -- --passes              # what each pass is worth
//! ```
//!
//! A machine that others use too is never twice the same, so a figure alone says little. Both sides of a
//! ratio take turns (A B A B ... A) in one run, in slices of processor time; each slice of Farrier is compared
//! with the two of the other side that it lies between, and the median of that is the ratio. Printed is a
//! table in Markdown.
//!
//! `FARRIER_NATIVE` names the folder of the programs written by hand. They are an outside program that is
//! built into a folder of our own and run; what it must understand stands in `native.rs`. It is built for
//! this processor. To build Farrier in the same way say `RUSTFLAGS="-C target-cpu=native"`; which was done
//! is printed.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program that prints, and that stops where it cannot measure"
)]

mod chess;
mod native;
mod ours;
mod table;

use clap::Parser;
use farrier::analysis::bench::Spread;
use farrier::analysis::perft::Leaves;
use farrier::improve::{Pass, Passes};
use farrier::shipped::Shipped;

use native::Native;
use ours::{How, Ours};
use table::{Row, head, row};

/// What was done in a slice: so many in a second, and how long a playout was.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    /// Playouts or nodes in a second of processor time.
    rate: f64,
    /// Plies of a playout, on average; of a perft the nodes of one count.
    size: f64,
}

/// One side of a ratio: does a slice of so many seconds.
type Side<'a> = Box<dyn FnMut(f64) -> Slice + 'a>;

/// The ratios between Farrier and other programs.
#[derive(Parser, Debug)]
struct Args {
    /// Only games whose names hold one of these words
    only: Vec<String>,
    /// Seconds of a slice [default: 1, with --quick 0.2]
    #[arg(long)]
    seconds: Option<f64>,
    /// Slices of each side [default: 5, with --quick 3]
    #[arg(long)]
    slices: Option<usize>,
    /// A short run
    #[arg(long)]
    quick: bool,
    /// Interpret Farrier's programs, never compile them
    #[arg(long)]
    interpreter: bool,
    /// Make Farrier's programs without a pass (may be given several times)
    #[arg(long, value_name = "PASS", value_parser = pass)]
    without: Vec<Pass>,
    /// Measure what each pass is worth on each shipped game, and nothing else
    #[arg(long)]
    passes: bool,
    /// What `cargo bench` says to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

fn pass(name: &str) -> Result<Pass, String> {
    let names = Pass::ALL.map(Pass::name);
    let found = Pass::ALL.into_iter().find(|pass| pass.name() == name);
    found.ok_or_else(|| format!("the passes are {}", names.join(", ")))
}

/// A game that was written by hand too.
struct ByHand {
    /// Farrier's name; options follow after `+`.
    name: &'static str,
    native: &'static str,
    options: &'static [&'static str],
    setup: Option<&'static str>,
    /// Perft depth of about a million nodes.
    depth: u32,
}

const ALL_FOUR: &[&str] = &["neighbor-attack", "switch-move", "single-pawn-blocks", "doubled-free-pawn"];

/// The games written by hand, with their default options but where it says so.
const BY_HAND: [ByHand; 7] = [
    ByHand { name: "chess", native: "chess", options: &[], setup: None, depth: 5 },
    ByHand { name: "knightcap", native: "knightcap", options: &[], setup: None, depth: 5 },
    ByHand { name: "knight-fight", native: "knight-fight", options: &[], setup: Some("in order"), depth: 7 },
    ByHand { name: "knights-and-pawns", native: "knights-and-pawns", options: &[], setup: None, depth: 6 },
    ByHand {
        name: "knights-and-pawns",
        native: "knights-and-pawns",
        options: ALL_FOUR,
        setup: None,
        depth: 5,
    },
    ByHand { name: "knightshade", native: "knightshade", options: &[], setup: None, depth: 4 },
    ByHand {
        name: "knight-scattering-chess",
        native: "knight-scattering-chess",
        options: &[],
        setup: None,
        depth: 5,
    },
];

/// Playouts in a second of compiled Regular Boardgames, measured in one quiet run in which shakmaty made
/// [`SHAKMATY_THEN`] on the same core.
const GENERAL: [(&str, f64); 9] = [
    ("chess", 640.0),
    ("knightthrough", 51_000.0),
    ("breakthrough", 32_500.0),
    ("amazons", 17_200.0),
    ("reversi", 14_700.0),
    ("draughts", 52_500.0),
    ("hex", 41_300.0),
    ("gomoku", 166_000.0),
    ("connect-four", 567_000.0),
];

/// Playouts of chess by shakmaty in a second of that run.
const SHAKMATY_THEN: f64 = 10_300.0;

/// What Farrier must be of a figure of [`GENERAL`], at least: the best that is reported of any general
/// system is 1.9 times that.
const GOAL: f64 = 1.9;

/// Plies after which a playout of the chess libraries is cut; Farrier's beside them too.
const CUT: u32 = 500;

/// Columns of playouts: their plies on average, of the other side and of Farrier, and the ratio of the plies
/// that are made in a second: where rules differ, as when a draw is called, playouts are not the same work.
const LENGTHS: [&str; 3] = ["their plies", "our plies", "ratio in plies"];

/// No shipped game lasts so long.
const MOST: u32 = 10_000;

/// Takes turns, and gives back the slices of each side, one more of theirs. A first slice each, short and not
/// counted, fills caches and buffers.
fn turns(args: &Args, mut theirs: Side<'_>, mut ours: Side<'_>) -> (Vec<Slice>, Vec<Slice>) {
    let (seconds, slices) = args.times();
    theirs(seconds / 10.0);
    ours(seconds / 10.0);
    let mut found = (vec![theirs(seconds)], Vec::new());
    for _ in 0..slices {
        found.1.push(ours(seconds));
        found.0.push(theirs(seconds));
    }
    found
}

fn spread(values: impl Iterator<Item = f64>) -> Spread {
    Spread::of(values.collect()).expect("there are slices")
}

fn rates(slices: &[Slice]) -> Spread {
    spread(slices.iter().map(|s| s.rate))
}

/// Each slice of ours by the mean of the two between which it lies.
fn ratios(theirs: &[Slice], ours: &[Slice]) -> Spread {
    spread(theirs.windows(2).zip(ours).map(|(near, ours)| 2.0 * ours.rate / (near[0].rate + near[1].rate)))
}

fn size(slices: &[Slice]) -> f64 {
    slices.iter().map(|s| s.size).sum::<f64>() / slices.len() as f64
}

impl Args {
    fn how(&self) -> How {
        let passes = self.without.iter().fold(Passes::ALL, |passes, pass| passes.without(*pass));
        How { interpreter: self.interpreter, passes }
    }

    fn times(&self) -> (f64, usize) {
        let (seconds, slices) = if self.quick { (0.2, 3) } else { (1.0, 5) };
        (self.seconds.unwrap_or(seconds), self.slices.unwrap_or(slices).max(1))
    }

    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| name.contains(word.as_str()))
    }

    /// Perft of a quick run is a ply less deep.
    fn depth(&self, depth: u32) -> u32 {
        depth - u32::from(self.quick)
    }

    /// A row of the table: both sides take turns.
    fn compare(&self, what: &str, theirs: Side<'_>, ours: Side<'_>) -> Row {
        let (theirs, ours) = turns(self, theirs, ours);
        Row {
            what: what.to_owned(),
            theirs: rates(&theirs),
            ours: rates(&ours),
            ratio: ratios(&theirs, &ours),
            sizes: (size(&theirs), size(&ours)),
        }
    }
}

fn main() {
    let args = Args::parse();
    if args.passes {
        return passes(&args);
    }
    let native = Native::find();
    print!("{}", preface(&args, &native));
    match &native {
        Ok(native) => by_hand(&args, native),
        Err(_) => println!("\n## Beside programs written by hand\n\nNot measured."),
    }
    if args.wants("chess") {
        libraries(&args);
    }
    general(&args);
}

/// What each pass is worth: playouts with all passes by those without it.
fn passes(args: &Args) {
    let names: String = Pass::ALL.map(|pass| format!(" {} |", pass.name())).concat();
    println!("|  |{names}\n| --- |{}", " --: |".repeat(Pass::ALL.len()));
    for name in Shipped::list().iter().filter(|name| args.wants(name)) {
        print!("| {name} |");
        for pass in Pass::ALL {
            if !Ours::uses(name, pass) {
                print!(" |");
                continue;
            }
            let how = args.how();
            let mut with = Ours::new(name, &[], None, how);
            let mut without = Ours::new(name, &[], None, How { passes: how.passes.without(pass), ..how });
            let (theirs, ours) = (Box::new(without.playouts(MOST)), Box::new(with.playouts(MOST)));
            let found = args.compare(name, theirs, ours);
            print!(" {:.2} |", found.ratio.median);
        }
        println!();
    }
}

/// What is measured, where and how.
fn preface(args: &Args, native: &Result<Native, String>) -> String {
    let (seconds, slices) = args.times();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let built = if cfg!(any(target_feature = "popcnt", target_arch = "aarch64")) {
        "for this processor or one like it"
    } else {
        "for any processor of its kind (`RUSTFLAGS=\"-C target-cpu=native\"` would build it for this one)"
    };
    let native = match native {
        Ok(native) => format!("- Programs written by hand: {}, built for this processor.", native.folder),
        Err(why) => format!("- Programs written by hand: **not measured**, {why}."),
    };
    format!(
        "# Ratios\n\n\
         - Farrier {}, built {built}.\n\
         {native}\n\
         - One thread; processor time; both sides in turns, {slices} slices of {seconds} s each; medians, \
         lowest and highest behind them. A ratio is Farrier's figure by the other's just before and after.\n\
         - The machine has {cores} cores ({}).\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
    )
}

fn by_hand(args: &Args, native: &Native) {
    let wanted: Vec<&ByHand> = BY_HAND.iter().filter(|g| args.wants(g.name)).collect();
    if wanted.is_empty() {
        return;
    }
    let title = |g: &ByHand| match g.options.len() {
        0 => g.name.to_owned(),
        n => format!("{}, {n} options", g.name),
    };
    println!("\n## Beside programs written by hand\n\nRandom playouts in a second, plies on average:\n");
    println!("{}", head("by hand", &LENGTHS));
    for g in &wanted {
        let mut ours = Ours::new(g.name, g.options, g.setup, args.how());
        let theirs = |s| native.playouts(g.native, g.options, ours_setup(g), s);
        let found = args.compare(&title(g), Box::new(theirs), Box::new(ours.playouts(MOST)));
        println!("{}", row(&found, true));
    }
    println!("\nPerft in which every leaf is made, nodes in a second:\n");
    println!("{}", head("by hand", &[]));
    for g in &wanted {
        let mut ours = Ours::new(g.name, g.options, g.setup, args.how());
        let depth = args.depth(g.depth);
        let theirs = |s| native.perft(g.native, g.options, ours_setup(g), depth, s);
        let what = format!("{}, {depth} plies", title(g));
        let found = args.compare(&what, Box::new(theirs), Box::new(ours.perft(depth, Leaves::Made)));
        found.same_size();
        println!("{}", row(&found, false));
    }
}

/// A set-up as the programs written by hand read it: the text that the name stands for.
fn ours_setup(g: &ByHand) -> Option<String> {
    g.setup.map(|name| Ours::setup_text(g.name, name))
}

fn libraries(args: &Args) {
    let mut ours = Ours::new("chess", &[], None, args.how());
    println!("\n## Beside chess libraries\n\nRandom playouts, cut after {CUT} plies:\n");
    println!("{}", head("library", &LENGTHS));
    let found = args.compare("shakmaty", chess::shakmaty_playouts(CUT), Box::new(ours.playouts(CUT)));
    println!("{}", row(&found, true));
    let found = args.compare("cozy-chess", chess::cozy_playouts(CUT), Box::new(ours.playouts(CUT)));
    println!("{}", row(&found, true));
    let depth = args.depth(5);
    println!("\nPerft {depth} in which every leaf is made, nodes in a second:\n");
    println!("{}", head("library", &[]));
    for (name, theirs) in
        [("shakmaty", chess::shakmaty_perft(depth)), ("cozy-chess", chess::cozy_perft(depth))]
    {
        let found = args.compare(name, theirs, Box::new(ours.perft(depth, Leaves::Made)));
        found.same_size();
        println!("{}", row(&found, false));
    }
}

/// Against the figures of compiled Regular Boardgames, brought to this machine by shakmaty's playouts, which
/// take turns with Farrier's.
fn general(args: &Args) {
    let wanted: Vec<_> = GENERAL.iter().filter(|(name, _)| args.wants(name)).collect();
    if wanted.is_empty() {
        return;
    }
    println!(
        "\n## Against general systems\n\nCompiled Regular Boardgames as it was measured, times shakmaty's \
         playouts now / {SHAKMATY_THEN:.0}. The goal is a ratio of {GOAL}.\n"
    );
    println!("{}", head("Regular Boardgames", &[LENGTHS[0], LENGTHS[1], LENGTHS[2], "goal"]));
    for (name, figure) in wanted {
        let mut ours = Ours::new(name, &[], None, args.how());
        let mut shakmaty = chess::shakmaty_playouts(CUT);
        let theirs = |s| {
            let Slice { rate, .. } = shakmaty(s);
            Slice { rate: figure * rate / SHAKMATY_THEN, size: f64::NAN }
        };
        let found = args.compare(name, Box::new(theirs), Box::new(ours.playouts(MOST)));
        println!("{} {} |", row(&found, true), if found.ratio.median >= GOAL { "reached" } else { "missed" });
    }
}
