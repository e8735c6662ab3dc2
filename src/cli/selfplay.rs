//! What `compare` and `matrix` share: how games are played, and the files beside the result.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};

use super::agents::{self, agent};
use super::files::Disk;
use super::files::draft::{self, Draft};
use super::files::log::Log;
use super::{Format, Stop, compared, load, screen, text};
use crate::analysis::check::IDLE;
use crate::compare::lead::LEAST;
use crate::compare::model::Comparison;
use crate::compare::record::GameRecord;
use crate::compare::run::{self, Archive, ArchiveError, Plan, RunError};
use crate::compare::seal::Seal;
use crate::compare::{self, Contestant, LEADS, LoadError, Rules, Tally};
use crate::diagnostic::nearest;
use crate::search::{AGENTS, AgentSpec};
use crate::source::Sources;
use crate::variant::Variant;

#[derive(clap::Args, Debug)]
pub(super) struct SelfPlayArgs {
    /// How many games of each variant
    #[arg(long, value_name = "N", default_value_t = Plan::default().games, value_parser = load::within::<u64>(1..=10_000_000))]
    games: u64,
    /// Who plays: an agent such as `random` or `flat:200`, or two by a comma, tried in both seats
    #[arg(long, value_name = "AGENT[,AGENT]", default_value = "random", value_delimiter = ',', value_parser = agent)]
    agents: Vec<AgentSpec>,
    /// Play further games of a stronger agent against a weaker one: does more thought win more?
    #[arg(long, value_name = "AGENT,AGENT", value_delimiter = ',', value_parser = agent)]
    strength: Vec<AgentSpec>,
    /// How many of these games of each variant
    #[arg(long, value_name = "N", default_value_t = Plan::default().strength_games, value_parser = load::within::<u64>(1..=10_000_000))]
    strength_games: u64,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = load::SEED, value_parser = load::whole)]
    seed: u64,
    /// How many threads; the figures do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = load::within::<u16>(1..=256))]
    threads: Option<u16>,
    /// Cut a game after so many plies
    #[arg(long, value_name = "N", default_value_t = Rules::default().plies, value_parser = load::within::<u32>(1..=1_000_000))]
    plies: u32,
    /// How many plies are an opening
    #[arg(long, value_name = "N", default_value_t = Rules::default().opening, value_parser = load::within::<u32>(1..=20))]
    opening: u32,
    /// Do not look ahead for only wins and only defences: that takes longer than the games
    #[arg(long)]
    no_looks: bool,
    /// Ask so many random games from each position who is ahead (0: none, else at least 100), where the game
    /// counts no score [default: 100 where an agent thinks, else 0]
    #[arg(long, value_name = "N", value_parser = leads)]
    leads: Option<u32>,
    /// Only these metrics (their keys, by commas): fewer tests find smaller differences
    #[arg(long, value_name = "KEY", value_delimiter = ',', value_parser = metric)]
    metrics: Vec<String>,
    /// Keep the games in a file, and go on with those that are in it
    #[arg(long, value_name = "FILE")]
    resume: Option<String>,
    /// Write all figures as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// Write a line of JSON for each game
    #[arg(long, value_name = "FILE")]
    jsonl: Option<String>,
    /// Write a page with pictures (HTML)
    #[cfg(feature = "report")]
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
}

/// What the words of the command line mean.
pub(super) fn help() -> String {
    let agents = AGENTS.iter().map(|a| match a.node {
        Some(node) => format!("  {}:BUDGET  {} (a node: {node})", a.name, a.summary),
        None => format!("  {}  {}", a.name, a.summary),
    });
    format!(
        "A variant is one word: GAME, GAME+OPTION, GAME~OPTION, GAME:OPTION=VALUE, or a path in place of \
         GAME.\n\nAgents:\n{}\nA budget is for each choice: a time as 500ms or 2s, or nodes as 200 or 50k.\n\nMetrics:\n  {}",
        agents.collect::<Vec<_>>().join("\n"),
        compare::keys().join(", ")
    )
}

fn leads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Ok(0),
        Ok(n) if (LEAST..=1_000_000).contains(&n) => Ok(n),
        _ => Err(format!("0, or a whole number from {LEAST} to 1000000 is expected: fewer say too little")),
    }
}

fn metric(text: &str) -> Result<String, String> {
    let keys = compare::keys();
    match (keys.contains(&text), nearest(text, keys.iter().copied())) {
        (true, _) => Ok(text.to_owned()),
        (false, Some(near)) => Err(format!("there is no such metric; did you mean `{near}`?")),
        (false, None) => Err(format!("there is no such metric; there are {}", keys.join(", "))),
    }
}

impl SelfPlayArgs {
    /// What is to be played.
    pub(super) fn plan(&self) -> Result<Plan, Stop> {
        if self.agents.len() > 2 {
            return Err(Stop::Usage("--agents takes one agent for all seats, or two".to_owned()));
        }
        let strength = match &self.strength[..] {
            [] => None,
            [stronger, weaker] => Some([stronger.clone(), weaker.clone()]),
            _ => return Err(Stop::Usage("--strength takes two agents, the stronger first".to_owned())),
        };
        let looked = |m: &String| compare::LOOKS.contains(&m.as_str());
        let looks = !self.no_looks && (self.metrics.is_empty() || self.metrics.iter().any(looked));
        let thinks = self.agents.iter().any(AgentSpec::thinks);
        let asked = self.metrics.is_empty() || self.metrics.iter().any(|m| LEADS.contains(&m.as_str()));
        let usual = if thinks && asked { LEAST } else { 0 };
        let rules = Rules {
            agents: self.agents.clone(),
            strength,
            seed: self.seed,
            plies: self.plies,
            opening: self.opening,
            looks,
            leads: self.leads.unwrap_or(usual),
        };
        Ok(Plan { rules, games: self.games, strength_games: self.strength_games, making: agents::making() })
    }

    /// The metrics that are wanted; all if empty.
    pub(super) fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// Plays all games, with a progress bar where there is a terminal.
    pub(super) fn play(&self, all: &[Contestant], plan: &Plan) -> Result<Vec<Tally>, Stop> {
        let Some(threads) = self.threads else { return self.play_here(all, plan) };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build()
            .map_err(|e| Stop::Input(format!("no threads can be started: {e}"), None))?;
        pool.install(|| self.play_here(all, plan))
    }

    fn play_here(&self, all: &[Contestant], plan: &Plan) -> Result<Vec<Tally>, Stop> {
        // A file that cannot be written is reported before the games, not after them.
        let results = || self.csv.iter().chain(self.page());
        draft::apart(results().chain(&self.jsonl).chain(&self.resume))?;
        results().try_for_each(|path| Draft::begin(path).map(drop))?;
        let mut archive = Archive::default();
        let mut kept = match &self.resume {
            Some(path) => Some(open(path, &mut archive, all, plan)?),
            None => None,
        };
        let mut lines = self.jsonl.as_deref().map(Draft::begin).transpose()?;
        let strength = if plan.rules.strength.is_some() { plan.strength_games } else { 0 };
        let bar = ProgressBar::new((plan.games + strength) * all.len() as u64);
        let form = "{msg} {wide_bar} {human_pos} of {human_len} games, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        let mut tallies = Vec::new();
        for one in all {
            bar.set_message(text::plain(&one.name));
            let mut taker = |game: &GameRecord, new: bool| -> Result<(), Stop> {
                bar.inc(1);
                if !new && lines.is_none() {
                    return Ok(());
                }
                let line = run::line(game);
                if let (Some((log, seal)), true) = (&mut kept, new) {
                    log.add(&seal.seal(&line))?;
                }
                match &mut lines {
                    Some(draft) => draft.add((line + "\n").as_bytes()),
                    None => Ok(()),
                }
            };
            let tally = run::play(one, plan, &mut archive, &mut taker).map_err(|error| match error {
                RunError::Taker(stop) => stop,
                RunError::Agent(error) => Stop::Usage(error.to_string()),
                RunError::Start(error) => {
                    let name = &one.name;
                    Stop::Input(format!("`{name}` cannot be set up: {}", error.message), error.help)
                }
            })?;
            tallies.push(tally);
        }
        if let Some(draft) = lines {
            draft.keep()?;
        }
        bar.finish_and_clear();
        Ok(tallies)
    }

    /// Where the page is to be written.
    #[cfg(feature = "report")]
    fn page(&self) -> Option<&String> {
        self.report.as_ref()
    }

    #[cfg(not(feature = "report"))]
    fn page(&self) -> Option<&String> {
        None
    }

    /// Writes what was asked for beside the result, then the result.
    pub(super) fn tell(&self, found: &Comparison, format: Format, out: &mut dyn Write) -> Result<(), Stop> {
        if let Some(path) = &self.csv {
            draft::write(path, compared::csv(found)?)?;
        }
        #[cfg(feature = "report")]
        if let Some(path) = &self.report {
            draft::write(path, crate::report::page(found, Some(&asked())))?;
        }
        match format {
            Format::Json => {
                let text = serde_json::to_string(found).map_err(std::io::Error::other)?;
                writeln!(out, "{text}")?;
            }
            Format::Text => write!(out, "{}", compared::text(found))?,
        }
        Ok(())
    }
}

/// The command line as it was given, words with blanks in quotation marks.
#[cfg(feature = "report")]
fn asked() -> String {
    let word = |word: String| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word };
    let words = std::env::args_os().skip(1).map(|w| word(w.to_string_lossy().into_owned()));
    ["farrier".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The longest line of a file of games: a game of the most plies has a line of a third of this.
const LINE: usize = 64 << 20;

/// Opens the file that games are kept in and reads those that are there. A last line that is not whole is
/// of a run that was stopped in the middle of it: it is taken away.
fn open(path: &str, archive: &mut Archive, all: &[Contestant], plan: &Plan) -> Result<(Log, Seal), Stop> {
    let mut log = Log::open(path)?;
    let read = |archive: &mut Archive, number: u64, line: &[u8]| {
        let told = |error: ArchiveError| {
            Stop::Input(format!("`{path}`, line {number}: {}", error.message), Some(error.help))
        };
        archive.read(&String::from_utf8_lossy(line), &plan.rules).map_err(told)
    };
    let torn = log.read(LINE, |number, line| read(archive, number, line))?;
    if let Some((number, line)) = &torn
        && !archive.may_go_on(&String::from_utf8_lossy(line))
    {
        // A text that this program did not begin to write must not be lost.
        read(archive, *number, line)?;
    }
    let lines = archive
        .admit(all, &plan.rules)
        .map_err(|error| Stop::Input(format!("`{path}`: {}", error.message), Some(error.help)))?;
    if torn.is_some() {
        screen::note(&format!(
            "the last line of `{path}` is not whole, as when a run is stopped: its game is played again"
        ));
        log.cut()?;
    }
    lines.iter().try_for_each(|line| log.add(line))?;
    Ok((log, archive.seal()))
}

/// A variant from a word.
pub(super) fn variant(word: &str) -> Result<Variant, Stop> {
    Variant::parse(word).map_err(|error| Stop::Usage(error.message))
}

/// Loads variants.
pub(super) fn contestants(variants: &[Variant]) -> Result<Vec<Contestant>, Stop> {
    let mut sources = Sources::default();
    Contestant::load_all(variants, &Disk, &mut sources).map_err(|error| match error {
        LoadError::Diagnostics(mut found) => {
            found.0.retain(|d| !IDLE.contains(&d.code));
            Stop::Diagnostics(found, sources)
        }
        LoadError::Program(error) => load::unsound(error),
    })
}
