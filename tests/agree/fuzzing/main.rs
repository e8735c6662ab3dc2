//! Tries out as many random definitions as there is time for, and shrinks what it finds.
//!
//! ```text
//! cargo test --release --test fuzz -- --minutes 10
//!     --seed S         where the seeds begin (0)
//!     --threads T      how many processes (1)
//!     --typed, --mutated, --chains
//!                      only such definitions
//!     --out FOLDER     where findings are written (target/fuzz)
//!     --show           prints the definition of the seed and does nothing else
//!     --try FILE       tries one definition out and says what is found
//! ```
//!
//! A process of its own tries the definitions out, so that its end is a finding like any other: the parent sends
//! a seed or a text in a line and is told what came of it; lines that begin with a dot say what is done next. A
//! process that works at one definition for more than ten seconds of its own time says that it hangs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool of tests that cannot go on must stop, loudly"
)]

#[path = "mod.rs"]
mod fuzzing;
#[path = "../random.rs"]
mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use fuzzing::caught::keep_panics;
use fuzzing::lockstep::{Limits, sort_of, try_out};
use fuzzing::mutate::Stock;
use fuzzing::shrink::shrink;
use fuzzing::{Mode, definition};

/// What a process is asked to try.
#[derive(Serialize, Deserialize)]
struct Request {
    seed: u64,
    text: String,
    /// Seconds after which it hangs.
    patience: f64,
}

/// What came of it.
#[derive(Serialize, Deserialize, Default)]
struct Reply {
    loaded: bool,
    compiled: bool,
    plies: u32,
    followed: u32,
    refused: Vec<String>,
    /// Class and report.
    finding: Option<(String, String)>,
}

/// After so many seconds something hangs.
const PATIENCE: f64 = 10.0;

/// What is done now, since when, and how long it may take; told by the process at work to its watch.
static NOW: Mutex<(String, Option<(ProcessTime, f64)>)> = Mutex::new((String::new(), None));

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

fn stage(what: &str) {
    NOW.lock().unwrap().0 = what.to_owned();
    say(&format!(".{what}"));
}

/// The process at work.
fn work() {
    keep_panics();
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let now = NOW.lock().unwrap();
            let (what, Some((since, patience))) = &*now else { continue };
            let took = since.elapsed().as_secs_f64();
            if took > *patience {
                let report = format!("{what} takes more than {took:.0} seconds");
                let finding = Some((format!("hang: {what}"), report));
                say(&serde_json::to_string(&Reply { finding, ..Reply::default() }).unwrap());
                std::process::exit(1);
            }
        }
    });
    let limits = Limits { games: 3, plies: 24, fuel: 400_000, time: Duration::from_secs(2), stage };
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line.unwrap()).unwrap();
        NOW.lock().unwrap().1 = Some((ProcessTime::now(), request.patience));
        let reply = match try_out(&request.text, request.seed, &limits) {
            Ok(t) => Reply {
                loaded: t.loaded,
                compiled: t.compiled,
                plies: t.plies,
                followed: t.followed,
                refused: t.refused,
                finding: None,
            },
            Err(f) => Reply { loaded: true, finding: Some((f.class, f.report)), ..Reply::default() },
        };
        NOW.lock().unwrap().1 = None;
        say(&serde_json::to_string(&reply).unwrap());
    }
}

/// A process at work, as its parent sees it.
struct Worker {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    errors: Option<JoinHandle<String>>,
}

impl Worker {
    fn new() -> Worker {
        let exe = std::env::current_exe().expect("the path of this program");
        // Memory that runs away is a finding, not the end of the machine.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 8000000; exec \"$0\" --work"]).arg(exe);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let mut errors = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Worker { child, to, from, errors: Some(errors) }
    }

    /// Has a definition tried out; a process that ended is replaced.
    fn ask(&mut self, seed: u64, text: &str, patience: f64) -> Reply {
        let request = Request { seed, text: text.to_owned(), patience };
        let _ = writeln!(self.to, "{}", serde_json::to_string(&request).unwrap());
        let _ = self.to.flush();
        let mut stage = String::new();
        loop {
            let mut line = String::new();
            match self.from.read_line(&mut line) {
                Ok(n) if n > 0 => match line.trim_end().strip_prefix('.') {
                    Some(next) => next.clone_into(&mut stage),
                    None => {
                        let reply: Reply = serde_json::from_str(&line).expect("a reply");
                        if reply.finding.as_ref().is_some_and(|(class, _)| class.starts_with("hang")) {
                            self.restart();
                        }
                        return reply;
                    }
                },
                _ => {
                    let (status, errors) = self.restart();
                    let what = match errors.contains("overflowed its stack") {
                        true => "stack overflow".to_owned(),
                        false => status,
                    };
                    let finding = Some((format!("crash: {what} while {stage}"), errors));
                    return Reply { finding, ..Reply::default() };
                }
            }
        }
    }

    /// Another process; how this one ended and what it said.
    fn restart(&mut self) -> (String, String) {
        let status = self.child.wait().map(|s| s.to_string()).unwrap_or_default();
        let errors = self.errors.take().and_then(|e| e.join().ok()).unwrap_or_default();
        *self = Worker::new();
        (status, errors)
    }
}

/// What was found so far.
#[derive(Default)]
struct Sum {
    tried: u64,
    loaded: u64,
    compiled: u64,
    plies: u64,
    followed: u64,
    /// Of each sort of error how many, and one of them.
    refused: BTreeMap<String, (u64, String)>,
    /// Of each class how many, and when the first was found.
    classes: BTreeMap<String, (u64, f64)>,
    written: BTreeSet<String>,
}

/// So many findings of a class are shrunk and written.
const OF_A_CLASS: u64 = 3;

/// What it takes.
const USAGE: &str = "usage: fuzz [--minutes N] [--seed S] [--threads T] [--typed | --mutated | --chains] [--out FOLDER] [--show | --try FILE]";

struct Arguments {
    minutes: f64,
    seed: u64,
    threads: u64,
    mode: Option<Mode>,
    out: String,
    one: Option<String>,
    show: bool,
}

fn arguments() -> Arguments {
    let mut found = Arguments {
        minutes: 1.0,
        seed: 0,
        threads: 1,
        mode: None,
        out: "target/fuzz".to_owned(),
        one: None,
        show: false,
    };
    let mut list = std::env::args().skip(1);
    while let Some(arg) = list.next() {
        let mut value = || list.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--minutes" => found.minutes = value().parse().expect("a number of minutes"),
            "--seed" => found.seed = value().parse().expect("a number"),
            "--threads" => found.threads = value().parse().expect("a number of processes"),
            "--out" => found.out = value(),
            "--show" => found.show = true,
            "--try" => found.one = Some(value()),
            "--typed" => found.mode = Some(Mode::Typed),
            "--mutated" => found.mode = Some(Mode::Mutated),
            "--chains" => found.mode = Some(Mode::Chains),
            other => {
                eprintln!("{other} is not known; {USAGE}");
                std::process::exit(2);
            }
        }
    }
    found
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--work") {
        work();
        return ExitCode::SUCCESS;
    }
    let arguments = arguments();
    if let Some(path) = &arguments.one {
        let text = std::fs::read_to_string(path).expect("a file");
        let reply = Worker::new().ask(arguments.seed, &text, PATIENCE);
        println!("{}", serde_json::to_string_pretty(&reply).unwrap());
        return ExitCode::from(u8::from(reply.finding.is_some()));
    }
    if arguments.show {
        let mode = arguments.mode.unwrap_or_else(|| Mode::of(arguments.seed));
        print!("{}", definition(mode, &Stock::new(), arguments.seed));
        return ExitCode::SUCCESS;
    }
    std::fs::create_dir_all(&arguments.out).expect("a folder for findings");
    let begin = Instant::now();
    let (sum, next) = (Mutex::new(Sum::default()), AtomicU64::new(arguments.seed));
    let stock = Stock::new();
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                let mut worker = Worker::new();
                while begin.elapsed().as_secs_f64() < arguments.minutes * 60.0 {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    one(&arguments, &stock, &mut worker, seed, begin, &sum);
                }
            });
        }
    });
    let sum = sum.into_inner().unwrap();
    let Sum { tried, loaded, compiled, plies, followed, .. } = &sum;
    println!(
        "{tried} definitions, {loaded} loaded, {compiled} compiled, {plies} plies, {followed} of them played naively too"
    );
    let mut refused: Vec<&(u64, String)> = sum.refused.values().collect();
    refused.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    for (n, what) in refused.iter().take(25) {
        println!("  refused {n} such as {}", what.replace('\n', " "));
    }
    for (class, (n, at)) in &sum.classes {
        println!("{n} x {class} (first after {at:.0} s)");
    }
    println!(
        "{} findings of {} classes",
        sum.classes.values().map(|(n, _)| n).sum::<u64>(),
        sum.classes.len()
    );
    ExitCode::from(u8::from(!sum.classes.is_empty()))
}

/// Tries one seed out, shrinks and writes what is found.
fn one(
    arguments: &Arguments,
    stock: &Stock,
    worker: &mut Worker,
    seed: u64,
    begin: Instant,
    sum: &Mutex<Sum>,
) {
    let mode = arguments.mode.unwrap_or_else(|| Mode::of(seed));
    let text = definition(mode, stock, seed);
    let reply = worker.ask(seed, &text, PATIENCE);
    let count = {
        let mut sum = sum.lock().unwrap();
        sum.tried += 1;
        sum.loaded += u64::from(reply.loaded);
        sum.compiled += u64::from(reply.compiled);
        sum.plies += u64::from(reply.plies);
        sum.followed += u64::from(reply.followed);
        if let Some(what) = reply.refused.first() {
            sum.refused.entry(sort_of(what)).or_insert((0, format!("seed {seed}, {what}"))).0 += 1;
        }
        let Some((class, _)) = &reply.finding else { return };
        let of = sum.classes.entry(class.clone()).or_insert((0, begin.elapsed().as_secs_f64()));
        of.0 += 1;
        of.0
    };
    let Some((class, report)) = reply.finding else { return };
    let hangs = class.starts_with("hang");
    if count > if hangs { 1 } else { OF_A_CLASS } {
        return;
    }
    println!("{:.0} s, seed {seed} ({mode:?}): {class}", begin.elapsed().as_secs_f64());
    // What hangs is told from what does not in less time, and tried less often.
    let (tries, patience, until) = if hangs { (60, 3.0, 120) } else { (4000, PATIENCE, 120) };
    let until = Instant::now() + Duration::from_secs(until);
    let mut last = report;
    let small = shrink(&text, tries, &mut |text| {
        if Instant::now() > until {
            return false;
        }
        match worker.ask(seed, text, patience).finding {
            Some((found, report)) if found == class => {
                last = report;
                true
            }
            _ => false,
        }
    });
    if sum.lock().unwrap().written.insert(small.clone()) {
        let report: String = last.chars().take(3000).collect();
        let report: String = report.lines().map(|l| format!("# {l}\n")).collect();
        let kept: String =
            class.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
        let path = format!("{}/{kept}-{seed}.toml", arguments.out);
        let head = format!("# {class}\n# seed {seed}, {mode:?}\n{report}\n");
        std::fs::write(path, head + &small).expect("a finding is written");
    }
}
