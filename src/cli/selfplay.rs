//! Code that `compare` and `matrix` share: how games are played, and the files beside the result.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};

use super::agents::{self, agent};
use super::files::Disk;
use super::files::draft::{self, Draft};
use super::files::log::Log;
use super::usual::Usual;
use super::{Format, Stop, compared, load, screen, text};
use crate::analysis::check::IDLE;
use crate::compare::lead::LEAST;
use crate::compare::model::{Comparison, STRENGTH};
use crate::compare::record::GameRecord;
use crate::compare::run::{self, Archive, ArchiveError, Keeper, Plan, RunError, Taker};
use crate::compare::{self, Contestant, LEADS, LoadError, MAX_WATCHED, Rules, Shard, Tally};
use crate::diagnostic::nearest;
use crate::search::{AGENTS, AgentSpec};
use crate::source::Sources;
use crate::variant::Variant;

#[derive(clap::Args, Debug)]
pub(super) struct SelfPlayArgs {
    /// How many games of each variant
    #[arg(long, value_name = "N", default_value_t = Plan::default().games, value_parser = load::within::<u64>(1..=10_000_000_000))]
    games: u64,
    /// Who plays: an agent such as `random` or `flat:200`, or two by a comma, tried in both seats
    #[arg(long, value_name = "AGENT[,AGENT]", default_value = "random", value_delimiter = ',', value_parser = agent)]
    agents: Vec<AgentSpec>,
    /// Play further games of agents, the strongest first, each against the next: does more thought win more? (none: no
    /// such games) [default: where there are the default levels, five agents each of which thinks twice as much as the
    /// next; not of a matrix, nor of slow games]
    #[arg(long, value_name = "AGENT,AGENT,...", value_delimiter = ',')]
    strength: Option<Vec<String>>,
    /// How many of these games of each variant and pair [default: 200, or as many as a
    /// quarter of a minute is about enough for]
    #[arg(long, value_name = "N", value_parser = load::within::<u64>(1..=10_000_000))]
    strength_games: Option<u64>,
    /// Play further games of agents that think, each against itself, the weakest first: who begins, draws and lengths
    /// are told of each, and the strongest leads (none: no such games) [default: level:1,level:3 where the agents are
    /// random; of slow games level:1 alone]
    #[arg(long, value_name = "AGENT,...", value_delimiter = ',')]
    levels: Option<Vec<String>>,
    /// How many of these games of each variant, for each agent [default: as many as a minute
    /// of two cores is about enough for]
    #[arg(long, value_name = "N", value_parser = load::within::<u64>(1..=10_000_000))]
    level_games: Option<u64>,
    /// Of the games to compare, watch so many move by move: what is told of single moves is of these [default: 1000,
    /// fewer where looking ahead takes long]
    #[arg(long, value_name = "N", value_parser = load::within::<u64>(0..=MAX_WATCHED))]
    watch: Option<u64>,
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
    /// counts no score [default: 100 in games of agents that think, at the strongest level too, else 0]
    #[arg(long, value_name = "N", value_parser = leads)]
    leads: Option<u32>,
    /// Only these metrics (their keys, by commas): fewer tests find smaller differences
    #[arg(long, value_name = "KEY", value_delimiter = ',', value_parser = metric)]
    pub metrics: Vec<String>,
    /// Keep the games in a file, and go on with those that are in it
    #[arg(long, value_name = "FILE")]
    resume: Option<String>,
    /// Write a line of JSON for each game
    #[arg(long, value_name = "FILE")]
    jsonl: Option<String>,
    #[command(flatten)]
    pub results: ResultArgs,
}

/// Files beside the result.
#[derive(clap::Args, Debug)]
pub(super) struct ResultArgs {
    /// Write all figures as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// Write a page with pictures (HTML)
    #[cfg(feature = "report")]
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
}

/// The help on variants, agents and metrics.
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

/// The default levels of thought.
pub(super) const LEVELS: [&str; 2] = ["level:1", "level:3"];

/// The default ladder of strength: each agent thinks twice as much as the next.
const LADDER: [&str; 5] = ["auto:512", "auto:256", "auto:128", "auto:64", "auto:32"];

/// The most agents in a list.
const MAX_AGENTS: usize = 8;

/// The agents of a list; the word `none` stands for no agents.
fn agents_of(what: &str, words: &[String]) -> Result<Vec<AgentSpec>, Stop> {
    let words = if words.iter().all(|word| word == "none") { &[] } else { words };
    if words.len() > MAX_AGENTS {
        return Err(Stop::Usage(format!("{what} takes {MAX_AGENTS} agents at most")));
    }
    words.iter().map(|word| agent(word).map_err(|why| Stop::Usage(format!("{what}: {why}")))).collect()
}

impl SelfPlayArgs {
    /// Whether thinking agents play by default: the given agents are random, and a metric of thinking agents is wanted.
    fn thinks(&self, wanted: impl Fn(&str) -> bool) -> bool {
        let asked = self.metrics.is_empty() || self.metrics.iter().any(|key| wanted(key));
        asked && self.agents.iter().all(|agent| !agent.thinks())
    }

    /// The agents of the levels of thought.
    fn levels(&self) -> Result<Vec<AgentSpec>, Stop> {
        match &self.levels {
            Some(words) => agents_of("--levels", words),
            None if self.thinks(compare::is_levelled) => agents_of("--levels", &LEVELS.map(str::to_owned)),
            None => Ok(Vec::new()),
        }
    }

    /// Whose strength is told. A `ladder` is usual where there are the usual levels.
    fn strength(&self, ladder: bool) -> Result<Vec<AgentSpec>, Stop> {
        let found = match &self.strength {
            Some(words) => agents_of("--strength", words)?,
            None if ladder && self.levels.is_none() && self.thinks(|key| key == STRENGTH) => {
                agents_of("--strength", &LADDER.map(str::to_owned))?
            }
            None => Vec::new(),
        };
        match found.len() {
            1 => Err(Stop::usage("--strength takes two agents or more, the strongest first")),
            _ => Ok(found),
        }
    }

    /// Whether there are games at levels of thought.
    pub(super) fn has_levels(&self) -> Result<bool, Stop> {
        Ok(!self.levels()?.is_empty())
    }

    /// The games to play of these variants. For `ladder` see [`SelfPlayArgs::strength`].
    pub(super) fn plan(&self, all: &[Contestant], ladder: bool) -> Result<Plan, Stop> {
        if self.agents.len() > 2 {
            return Err(Stop::usage("--agents takes one agent for all seats, or two"));
        }
        let looked = |m: &String| compare::LOOKS.contains(&m.as_str());
        let looks = !self.no_looks && (self.metrics.is_empty() || self.metrics.iter().any(looked));
        let thinks = self.agents.iter().any(AgentSpec::thinks);
        let asked = self.metrics.is_empty() || self.metrics.iter().any(|m| LEADS.contains(&m.as_str()));
        let usual = if asked { LEAST } else { 0 };
        let mut rules = Rules {
            agents: self.agents.clone(),
            strength: self.strength(ladder)?,
            seed: self.seed,
            plies: self.plies,
            opening: self.opening,
            looks,
            leads: self.leads.unwrap_or(if thinks { usual } else { 0 }),
            level_leads: self.leads.unwrap_or(usual),
            level_watch: Rules::default().level_watch,
            levels: self.levels()?,
            watch: if self.needs_watching() { self.watch.unwrap_or(Rules::default().watch) } else { 0 },
        };
        let levels_asked = self.levels.is_some() || self.level_games.is_some();
        let ladder_asked = self.strength.is_some() || self.strength_games.is_some();
        let usual = Usual::fit(all, &mut rules, levels_asked, ladder_asked)?;
        match usual.led {
            _ if rules.levels.is_empty() => rules.level_leads = 0,
            _ if self.leads.is_some() => {}
            0 => rules.level_leads = 0,
            led => rules.level_watch = rules.level_watch.min(led),
        }
        if self.watch.is_none() && rules.looks {
            rules.watch = rules.watch.min(usual.watched);
        }
        let ladder_games =
            if self.strength.is_some() { Plan::default().strength_games } else { usual.ladder };
        Ok(Plan {
            level_games: self.level_games.unwrap_or(if rules.levels.is_empty() { 0 } else { usual.level }),
            strength_games: self.strength_games.unwrap_or(ladder_games),
            rules,
            games: self.games,
            making: agents::making(),
            from: 0,
            shard: Shard::default(),
        })
    }

    /// Whether a metric is wanted that is found only by watching games.
    fn needs_watching(&self) -> bool {
        self.metrics.is_empty() || self.metrics.iter().any(|key| compare::is_watched(key))
    }

    /// Plays all games, with a progress bar where there is a terminal.
    pub(super) fn play(&self, all: &[Contestant], plan: &Plan) -> Result<Vec<Tally>, Stop> {
        let Some(threads) = self.threads else { return self.play_here(all, plan) };
        load::pool(threads)?.install(|| self.play_here(all, plan))
    }

    fn play_here(&self, all: &[Contestant], plan: &Plan) -> Result<Vec<Tally>, Stop> {
        // A file that cannot be written is reported before the games, not after them.
        let results = || self.results.files();
        draft::apart(results().chain(&self.jsonl).chain(&self.resume))?;
        results().try_for_each(|path| Draft::begin(path).map(drop))?;
        let mut archive = Archive::default();
        let mut kept = self.resume.as_ref().map(|path| open(path, &mut archive, all, plan)).transpose()?;
        let mut lines = self.jsonl.as_deref().map(Draft::begin).transpose()?;
        let bar = ProgressBar::new(all.iter().map(|one| plan.here(one)).sum()).with_style(style());
        let mut tallies = Vec::new();
        for one in all {
            bar.set_message(text::plain(&one.name));
            let wanted = kept.is_some() || lines.is_some();
            let mut count = |games| -> Result<(), Stop> {
                bar.inc(games);
                Ok(())
            };
            let mut take = |game: &GameRecord, new: bool| -> Result<(), Stop> {
                bar.inc(1);
                if !new && lines.is_none() {
                    return Ok(());
                }
                if let (Some((log, keeper)), true) = (&mut kept, new) {
                    log.add(&keeper.line(game))?;
                }
                lines.as_mut().map_or(Ok(()), |draft| draft.add((run::line(game) + "\n").as_bytes()))
            };
            let taker = if wanted { Taker::Games(&mut take) } else { Taker::Count(&mut count) };
            let tally = run::play(one, plan, &mut archive, taker)
                .map_err(|error| unplayed(&format!("`{}`", one.name), error))?;
            tallies.push(tally);
        }
        if let Some(draft) = lines {
            draft.keep()?;
        }
        bar.finish_and_clear();
        Ok(tallies)
    }
}

impl ResultArgs {
    /// The files that are to be written.
    fn files(&self) -> impl Iterator<Item = &String> {
        #[cfg(feature = "report")]
        let page = self.report.iter();
        #[cfg(not(feature = "report"))]
        let page = std::iter::empty();
        self.csv.iter().chain(page)
    }

    /// Writes the files beside the result, then the result.
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

/// Why games could not be played.
pub(super) fn unplayed(whose: &str, error: RunError<Stop>) -> Stop {
    match error {
        RunError::Taker(stop) => stop,
        RunError::Agent(error) => Stop::Usage(error.to_string()),
        RunError::Start(error) => {
            Stop::Input(format!("{whose} cannot be set up: {}", error.message), error.help)
        }
    }
}

/// How the progress of games is shown.
pub(super) fn style() -> ProgressStyle {
    let form = "{msg} {wide_bar} {human_pos} of {human_len} games, {eta} left";
    ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The command line as it was given, words with blanks in quotation marks.
#[cfg(feature = "report")]
pub(super) fn asked() -> String {
    let word = |word: String| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word };
    let words = std::env::args_os().skip(1).map(|w| word(w.to_string_lossy().into_owned()));
    ["farrier".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The longest line of a file of games: a game of the most plies has a line of a third of this.
const MAX_LINE_BYTES: usize = 64 << 20;

/// Opens the file that games are kept in and reads those that are there. A last line that is not whole is
/// of a run that was stopped in the middle of it: it is taken away.
pub(super) fn open(
    path: &str,
    archive: &mut Archive,
    all: &[Contestant],
    plan: &Plan,
) -> Result<(Log, Keeper), Stop> {
    let mut log = Log::open(path)?;
    let read = |archive: &mut Archive, number: u64, line: &[u8]| {
        let told = |error: ArchiveError| {
            Stop::advised(format!("`{path}`, line {number}: {}", error.message), error.help)
        };
        archive.read(&String::from_utf8_lossy(line), &plan.rules).map_err(told)
    };
    let torn = log.read(MAX_LINE_BYTES, |number, line| read(archive, number, line))?;
    if let Some((number, line)) = &torn
        && !archive.may_go_on(&String::from_utf8_lossy(line))
    {
        // A text that this program did not begin to write must not be lost.
        read(archive, *number, line)?;
    }
    let lines = archive
        .admit(all, &plan.rules)
        .map_err(|error| Stop::advised(format!("`{path}`: {}", error.message), error.help))?;
    if torn.is_some() {
        screen::note(&format!(
            "the last line of `{path}` is not whole, as when a run is stopped: its game is played again"
        ));
    }
    log.cut()?;
    lines.iter().try_for_each(|line| log.add(line))?;
    Ok((log, archive.keeper()))
}

/// A variant from a word.
pub(super) fn variant(word: &str) -> Result<Variant, Stop> {
    Variant::parse(word).map_err(|error| Stop::Usage(error.message))
}

/// Loads the games in which a player may not use the named rules, or the rules that options add and change.
pub(super) fn restrict(
    contestants: &mut [Contestant],
    variants: &[Variant],
    named: Option<&[String]>,
) -> Result<(), Stop> {
    for (one, variant) in contestants.iter_mut().zip(variants) {
        one.restrict(variant, &Disk, named).map_err(Stop::input)?;
    }
    let found = |name: &&String| contestants.iter().flat_map(|c| &c.restricted).any(|r| r.what == **name);
    let missing = named.unwrap_or_default().iter().find(|name| !found(name));
    missing.map_or(Ok(()), |name| Err(unrestricted(name, contestants)))
}

/// Why no game restricts a player by that name.
fn unrestricted(name: &str, contestants: &[Contestant]) -> Stop {
    if contestants.iter().all(|c| c.game.program.swaps_sides()) {
        let message = "players can swap sides: nothing can be kept from one of them";
        return Stop::advised(message, "say `--restrict none`");
    }
    let rules = contestants.iter().map(|c| &c.game.rules);
    let known: Vec<&str> = rules
        .flat_map(|r| r.decisions.iter().map(|d| &*d.name).chain(r.kinds.iter().map(|k| &*k.name)))
        .chain(contestants.iter().flat_map(|c| c.without.iter().map(|(option, _)| &**option)))
        .collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    Stop::advised(format!("no variant has a decision, a piece or an option `{name}` to go without"), help)
}

/// Loads variants.
pub(super) fn contestants(variants: &[Variant]) -> Result<Vec<Contestant>, Stop> {
    let mut sources = Sources::default();
    Contestant::load_all(variants, &Disk, &mut sources).map_err(|error| match error {
        LoadError::Diagnostics(mut found) => {
            found.0.retain(|d| !IDLE.contains(&d.code));
            Stop::Diagnostics(found, sources)
        }
        LoadError::Program(error) => error.into(),
    })
}
