//! `farrier tune`

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use indicatif::ProgressBar;

use super::agents::{self, agent};
#[cfg(feature = "report")]
use super::files::draft;
use super::files::{self, name};
use super::matrix::{Factor, factors, forbidden};
use super::selfplay;
use super::{Done, Exit, Format, Stop, compared, load, text};
use crate::compare::matrix::combination;
use crate::compare::metric_of;
use crate::compare::model::{Tuned, TunedVariant};
use crate::compare::record::GameRecord;
use crate::compare::run::{self, Archive, Plan, Taker};
use crate::compare::tune::{self, Found, Goal, Race, words};
use crate::compare::{Contestant, Rules};
use crate::notation::position::TextError;
use crate::play::Rng;
use crate::search::AgentSpec;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, the path of a definition, or a variant such as `my-game+option`
    game: String,
    /// What is wanted, the most important first: balance (who begins gets half of the points), decisive (no draws),
    /// length=N (so many plies)
    #[arg(long = "goal", value_name = "GOAL", default_value = "balance", value_parser = goal)]
    goals: Vec<Goal>,
    /// The options to turn (by commas): `a,b,size=9`, `size=5/7/9`, `size=5..9` [default: all options of the game]
    #[arg(long, value_name = "OPTION[=VALUE]", value_delimiter = ',')]
    options: Option<Vec<String>>,
    /// A start to try besides the game's own, again for each: a named set-up, the text of one, or a position (all: all
    /// that have names)
    #[arg(long = "setup", value_name = "TEXT")]
    setups: Vec<String>,
    /// A file with starts to try, a line each
    #[arg(long = "setups", value_name = "FILE")]
    file: Option<String>,
    /// Who plays, against itself, after two random plies
    #[arg(long, value_name = "AGENT", default_value = "level:2", value_parser = agent)]
    agent: AgentSpec,
    /// Games of each variant in the first round
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = load::within::<u64>(1..=1_000_000))]
    first: u64,
    /// The most games of one variant
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = load::within::<u64>(1..=10_000_000))]
    most: u64,
    /// How many variants are left at the end: these play the most games
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = load::within::<u32>(1..=1000))]
    left: u32,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = load::SEED, value_parser = load::whole)]
    seed: u64,
    /// Cut a game after so many plies
    #[arg(long, value_name = "N", default_value_t = Rules::default().plies, value_parser = load::within::<u32>(1..=1_000_000))]
    plies: u32,
    /// Keep the games in a file, and go on with those that are in it
    #[arg(long, value_name = "FILE")]
    resume: Option<String>,
    /// Write a page with pictures (HTML)
    #[cfg(feature = "report")]
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
}

fn goal(text: &str) -> Result<Goal, String> {
    Goal::parse(text).ok_or_else(|| "balance, decisive, or length=PLIES is expected".to_owned())
}

/// The most variants that are tried; of more, so many are drawn.
const MAX_VARIANTS: u64 = 512;

/// The most values of options.
const MAX_VALUES: usize = 256;

/// The largest file of starts.
const MAX_STARTS_BYTES: u64 = 1 << 20;

/// The settings to be tried, each with its start and with which factors are on: all, or so many that are drawn; and how
/// many there are.
fn settings(factors: &[Factor], starts: usize, seed: u64) -> (Vec<(usize, Vec<bool>)>, u64) {
    let values: Vec<usize> = factors.chunk_by(|a, b| a.option == b.option).map(<[Factor]>::len).collect();
    let of_options = values.iter().fold(1u64, |all, n| all.saturating_mul(*n as u64 + 1));
    let all = of_options.saturating_mul(starts as u64);
    let mut numbers: BTreeSet<u64> = (0..all.min(MAX_VARIANTS)).collect();
    if all > MAX_VARIANTS {
        // The game as it is takes part in any case.
        numbers = [0].into();
        let mut rng = Rng::new(seed);
        while (numbers.len() as u64) < MAX_VARIANTS {
            numbers.insert(rng.bits() % all);
        }
    }
    let setting = |number: u64| ((number / of_options) as usize, combination(&values, number % of_options));
    (numbers.into_iter().map(setting).collect(), all)
}

/// The starts to be tried: the game's own, then those that are named.
fn starts(args: &Args, base: &Contestant) -> Result<Vec<Option<String>>, Stop> {
    let mut all: Vec<String> = Vec::new();
    for word in &args.setups {
        match word.as_str() {
            "all" => all.extend(base.game.rules.setup.named.iter().map(|(name, _)| name.clone())),
            _ => all.push(word.clone()),
        }
    }
    if let Some(file) = &args.file {
        let text = files::text(&name::path(file), MAX_STARTS_BYTES)
            .map_err(|why| Stop::input(format!("`{file}`: {why}")))?;
        all.extend(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
    }
    if all.is_empty() && (!args.setups.is_empty() || args.file.is_some()) {
        return Err(Stop::advised("there are no starts to try", "give `--setup TEXT` the text of one"));
    }
    Ok([None].into_iter().chain(all.into_iter().map(Some)).collect())
}

/// The variants that take part; how many there could be, and how many the game does not allow.
fn contestants(args: &Args) -> Result<(Vec<Contestant>, u64, u64), Stop> {
    let base = selfplay::variant(&args.game)?;
    let plain = selfplay::contestants(std::slice::from_ref(&base))?;
    let starts = starts(args, plain.first().ok_or_else(|| Stop::usage("no game"))?)?;
    // Starts alone are enough to choose from.
    let none = args.options.is_none()
        && starts.len() > 1
        && plain.iter().all(|one| one.game.definition.options.is_empty());
    let factors = if none { Vec::new() } else { factors(&base, args.options.as_deref(), MAX_VALUES)? };
    let (settings, possible) = settings(&factors, starts.len(), args.seed);
    let words: BTreeSet<Vec<bool>> = settings.iter().map(|(_, on)| on.clone()).collect();
    let mut loaded: BTreeMap<Vec<bool>, Option<Contestant>> = BTreeMap::new();
    for on in words {
        let words = factors.iter().zip(&on).filter(|(_, on)| **on).map(|(factor, _)| factor.word.as_str());
        let word = args.game.clone() + &words.collect::<String>();
        let one = match forbidden(&word)? {
            None => selfplay::contestants(&[selfplay::variant(&word)?])?.pop(),
            Some(_) => None,
        };
        loaded.insert(on, one);
    }
    let (mut all, mut left_out) = (Vec::new(), 0);
    for (start, on) in settings {
        let Some(Some(one)) = loaded.get(&on) else {
            left_out += 1;
            continue;
        };
        let setup = starts.get(start).cloned().flatten();
        let wrong = |error: TextError| {
            let from = setup.as_deref().unwrap_or_default();
            Stop::Input(format!("`{}` cannot start from `{from}`: {}", one.name, error.message), error.help)
        };
        all.push(one.from(setup.as_deref()).map_err(wrong)?);
    }
    Ok((all, possible, left_out))
}

/// Lets the settings of a game race for the goals.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let (contestants, possible, left_out) = contestants(args)?;
    let rules = Rules {
        levels: vec![args.agent.clone()],
        watch: 0,
        looks: false,
        seed: args.seed,
        plies: args.plies,
        ..Rules::default()
    };
    let plan = Plan { rules, games: 0, making: agents::making(), ..Plan::default() };
    let race = Race { first: args.first.min(args.most), most: args.most, left: args.left as usize };
    #[cfg(feature = "report")]
    if let Some(path) = &args.report {
        draft::apart([path].into_iter().chain(&args.resume))?;
        draft::Draft::begin(path).map(drop)?;
    }
    let found = play(args, &contestants, &plan, race)?;
    let even = contestants.len() as u64 * args.most;
    let tuned = Tuned { possible, left_out, even, ..tuned(args, &contestants, found) };
    #[cfg(feature = "report")]
    if let Some(path) = &args.report {
        draft::write(path, crate::report::tuned(&tuned, &selfplay::asked()))?;
    }
    match format {
        Format::Json => writeln!(out, "{}", serde_json::to_string(&tuned).map_err(std::io::Error::other)?)?,
        Format::Text => tell(&tuned, out)?,
    }
    Ok(Exit::Fine)
}

/// The result of the race, as data.
fn tuned(args: &Args, all: &[Contestant], found: Found) -> Tuned {
    let agent = args.agent.to_string();
    let candidates = found.candidates.into_iter().enumerate().filter_map(|(i, one)| {
        let contestant = all.get(one.place)?;
        Some(TunedVariant {
            variant: contestant.variant().to_owned(),
            setup: contestant.setup.clone(),
            front: i < found.front,
            rounds: one.rounds,
            games: one.games,
            figures: one.figures,
            off: one.off,
        })
    });
    Tuned {
        game: args.game.clone(),
        seed: args.seed,
        goals: args.goals.iter().map(Goal::to_string).collect(),
        metrics: args.goals.iter().filter_map(|goal| metric_of(&goal.key(&agent))).collect(),
        wanted: args.goals.iter().map(|goal| goal.wanted()).collect(),
        games: found.games,
        candidates: candidates.collect(),
        agent,
        ..Tuned::default()
    }
}

/// Runs the race, with a progress bar, and keeps its games where that is wanted.
fn play(args: &Args, all: &[Contestant], plan: &Plan, race: Race) -> Result<Found, Stop> {
    let mut archive = Archive::default();
    let open = |path: &String| selfplay::open(path, &mut archive, all, plan);
    let mut kept = args.resume.as_ref().map(open).transpose()?;
    let bar = ProgressBar::new(race.games(all.len())).with_style(selfplay::style());
    let round = |one: &Contestant, part: &Plan| {
        bar.set_message(text::plain(&one.name));
        let mut take = |game: &GameRecord, new: bool| -> Result<(), Stop> {
            bar.inc(1);
            match &mut kept {
                Some((log, keeper)) if new => log.add(&keeper.line(game)),
                _ => Ok(()),
            }
        };
        let mut count = |games| -> Result<(), Stop> {
            bar.inc(games);
            Ok(())
        };
        let keep = args.resume.is_some();
        let taker = if keep { Taker::Games(&mut take) } else { Taker::Count(&mut count) };
        run::play(one, part, &mut archive, taker)
    };
    let found = tune::race(all, plan, &args.goals, race, round);
    bar.finish_and_clear();
    found.map_err(|error| selfplay::unplayed("a variant", error))
}

/// The result of the race, for people.
fn tell(t: &Tuned, out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "{}, {}, played by {}, seed {}\n", t.game, t.goals.join(" and "), t.agent, t.seed)?;
    let mut head = vec!["  variant".to_owned(), "games".to_owned()];
    head.extend(t.metrics.iter().map(|m| m.name.clone()));
    let told = |one: &TunedVariant| {
        let mut row = vec![format!("  {}", one.name()), text::count(one.games)];
        row.extend(one.figures.iter().zip(&t.metrics).map(|(figure, m)| words::figure(figure.as_ref(), m)));
        row
    };
    writeln!(out, "nearest to what is wanted: no other variant surpasses these\n")?;
    write!(out, "{}", text::plain(&compared::table(&head, t.front().map(told).collect())))?;
    let others: Vec<Vec<String>> = t.others().map(told).collect();
    if !others.is_empty() {
        writeln!(out, "as closely looked at\n")?;
        write!(out, "{}", text::plain(&compared::table(&head, others)))?;
    }
    if let Some(best) = t.front().next() {
        writeln!(out, "play it: {}", text::plain(&best.command()))?;
    }
    writeln!(out, "{}", words::raced(t))?;
    Ok(())
}
