//! `farrier tune`

use std::collections::BTreeSet;
use std::io::Write;

use indicatif::ProgressBar;

use super::agents::{self, agent};
use super::matrix::{Factor, factors, forbidden};
use super::selfplay;
use super::{Done, Exit, Format, Stop, compared, load, text};
use crate::compare::matrix::combination;
use crate::compare::metric_of;
use crate::compare::numbers::alone;
use crate::compare::record::GameRecord;
use crate::compare::run::{self, Archive, Plan, Taker};
use crate::compare::tune::{self, Found, Goal, Race};
use crate::compare::{Contestant, Rules};
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
    /// The options to turn (by commas): `a,b,size=9` [default: all options of the game]
    #[arg(long, value_name = "OPTION[=VALUE]", value_delimiter = ',')]
    options: Option<Vec<String>>,
    /// Who plays, against itself, after two random plies
    #[arg(long, value_name = "AGENT", default_value = "level:2", value_parser = agent)]
    agent: AgentSpec,
    /// Games of each variant in the first round
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = load::within::<u64>(1..=1_000_000))]
    first: u64,
    /// The most games of one variant
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = load::within::<u64>(1..=10_000_000))]
    most: u64,
    /// How many variants are left at the end
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
}

fn goal(text: &str) -> Result<Goal, String> {
    Goal::parse(text).ok_or_else(|| "balance, decisive, or length=PLIES is expected".to_owned())
}

/// The most variants that are tried; of more, so many are drawn.
const MOST: u64 = 512;

/// The settings to be tried, each with which factors are on: all, or so many that are drawn; and how many there are.
fn settings(factors: &[Factor], seed: u64) -> (Vec<Vec<bool>>, u64) {
    let values: Vec<usize> = factors.chunk_by(|a, b| a.option == b.option).map(<[Factor]>::len).collect();
    let all = values.iter().fold(1u64, |all, n| all.saturating_mul(*n as u64 + 1));
    let mut numbers: BTreeSet<u64> = (0..all.min(MOST)).collect();
    if all > MOST {
        // The game as it is takes part in any case.
        numbers = [0].into();
        let mut rng = Rng::new(seed);
        while (numbers.len() as u64) < MOST {
            numbers.insert(rng.bits() % all);
        }
    }
    (numbers.into_iter().map(|number| combination(&values, number)).collect(), all)
}

/// Lets the settings of a game race for what is wanted.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let base = selfplay::variant(&args.game)?;
    let factors = factors(&base, args.options.as_deref())?;
    let (all, possible) = settings(&factors, args.seed);
    let tried = all.len() as u64;
    let mut variants = Vec::new();
    let mut left_out = 0u64;
    for on in &all {
        let words = factors.iter().zip(on).filter(|(_, on)| **on).map(|(factor, _)| factor.word.as_str());
        let word = args.game.clone() + &words.collect::<String>();
        match forbidden(&word)? {
            None => variants.push(selfplay::variant(&word)?),
            Some(_) => left_out += 1,
        }
    }
    let contestants = selfplay::contestants(&variants)?;
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
    let found = play(args, &contestants, &plan, race)?;
    tell(args, &contestants, &found, format, out)?;
    if format == Format::Text {
        let even = contestants.len() as u64 * args.most;
        let drawn = if possible > tried {
            format!(" of {} possible ones", text::count(possible))
        } else {
            String::new()
        };
        let not = match left_out {
            0 => String::new(),
            n => format!(" {} the game does not allow.", text::many(n, "combination")),
        };
        writeln!(
            out,
            "{}{drawn} raced in {}; all of them in {} each would be {}.{not}",
            text::many(contestants.len() as u64, "variant"),
            text::many(found.games, "game"),
            text::count(args.most),
            text::count(even)
        )?;
    }
    Ok(Exit::Fine)
}

/// Runs the race, with a progress bar, and keeps its games where that is wanted.
fn play(args: &Args, all: &[Contestant], plan: &Plan, race: Race) -> Result<Found, Stop> {
    let mut archive = Archive::default();
    let mut kept = match &args.resume {
        Some(path) => Some(selfplay::open(path, &mut archive, all, plan)?),
        None => None,
    };
    let bar = ProgressBar::new(race.games(all.len()));
    bar.set_style(selfplay::style());
    let round = |one: &Contestant, part: &Plan| {
        bar.set_message(text::plain(&one.name));
        let mut take = |game: &GameRecord, new: bool| -> Result<(), Stop> {
            bar.inc(1);
            match &mut kept {
                Some((log, seal)) if new => log.add(&seal.seal(&run::line(game))),
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

fn tell(
    args: &Args,
    all: &[Contestant],
    found: &Found,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let name = |place: usize| all.get(place).map_or("", |one| one.name.as_str());
    if format == Format::Json {
        let candidates = found.candidates.iter().enumerate().map(|(i, one)| {
            let goals = args.goals.iter().zip(&one.figures).zip(&one.off);
            let goals = goals.map(|((goal, figure), off)| {
                serde_json::json!({ "goal": goal.to_string(), "figure": figure, "off": off })
            });
            serde_json::json!({
                "variant": name(one.place), "front": i < found.front, "games": one.games,
                "goals": goals.collect::<Vec<_>>(),
            })
        });
        let told = serde_json::json!({
            "game": args.game, "agent": args.agent.to_string(), "seed": args.seed, "games": found.games,
            "candidates": candidates.collect::<Vec<_>>(),
        });
        writeln!(out, "{told}")?;
        return Ok(());
    }
    let wanted: Vec<String> = args.goals.iter().map(Goal::to_string).collect();
    writeln!(out, "{}, {}, played by {}, seed {}\n", args.game, wanted.join(" and "), args.agent, args.seed)?;
    let agent = args.agent.to_string();
    let metrics: Vec<_> = args.goals.iter().filter_map(|goal| metric_of(&goal.key(&agent))).collect();
    let mut head = vec!["  variant".to_owned(), "games".to_owned()];
    head.extend(metrics.iter().map(|m| m.name.clone()));
    let last = found.candidates.iter().map(|one| one.rounds).max().unwrap_or(0);
    let told = |one: &tune::Candidate| {
        let mut row = vec![format!("  {}", name(one.place)), text::count(one.games)];
        row.extend(one.figures.iter().zip(&metrics).map(|(figure, m)| {
            let unit = if m.unit == "share" { " %" } else { " plies" };
            figure.map_or_else(|| "-".to_owned(), |e| alone(&e, &m.unit).whole(unit))
        }));
        row
    };
    let front = found.candidates.iter().take(found.front).map(told).collect();
    writeln!(out, "nearest to what is wanted: no other variant surpasses these\n")?;
    write!(out, "{}", text::plain(&compared::table(&head, front)))?;
    let others = found.candidates.iter().skip(found.front).filter(|one| one.rounds == last);
    let others: Vec<Vec<String>> = others.map(told).collect();
    if !others.is_empty() {
        writeln!(out, "as closely looked at\n")?;
        write!(out, "{}", text::plain(&compared::table(&head, others)))?;
    }
    Ok(())
}
