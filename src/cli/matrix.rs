//! `farrier matrix`

use std::io::Write;

use super::files::Disk;
use super::selfplay::{self, SelfPlayArgs};
use super::{Done, Exit, Format, Stop};
use crate::compare::{self, Played, matrix};
use crate::definition::OptionDef;
use crate::diagnostic::{Severity, nearest};
use crate::source::Sources;
use crate::variant::Variant;

#[derive(clap::Args, Debug)]
#[command(after_help = selfplay::help())]
pub(super) struct Args {
    /// A shipped game's name, the path of a definition, or a variant such as `my-game+option`
    game: String,
    /// The options (by commas): `a,b,size=9`; one that is not just on or off is tried in all its values, a long range in
    /// five, or in those that are given: `size=5/7/9` or `size=5..9` [default: all options of the game]
    #[arg(long, value_name = "OPTION[=VALUE]", value_delimiter = ',')]
    options: Option<Vec<String>>,
    #[command(flatten)]
    play: SelfPlayArgs,
}

/// An option of the matrix in one of its other values: how it is written behind a variant, and its values.
pub(super) struct Factor {
    /// The option, with its value where several are tried.
    name: String,
    pub(super) option: String,
    pub(super) word: String,
    off: String,
    on: String,
}

/// Plays games of the combinations of options and tells the effect of each option.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let base = selfplay::variant(&args.game)?;
    let factors = factors(&base, args.options.as_deref(), matrix::MAX_OPTIONS)?;
    let word = |on: &[bool]| {
        let words = factors.iter().zip(on).filter(|(_, on)| **on).map(|(f, _)| f.word.as_str());
        args.game.clone() + &words.collect::<String>()
    };
    let groups = factors.chunk_by(|a, b| a.option == b.option).map(<[Factor]>::len);
    let (all, full) = matrix::design_of(&groups.collect::<Vec<_>>());
    let mut left_out = Vec::new();
    let mut kept: Vec<Vec<bool>> = Vec::new();
    for on in all.into_iter().filter(|on| once(&factors, on)) {
        match forbidden(&word(&on))? {
            None => kept.push(on),
            Some(reason) => left_out.push((word(&on), reason)),
        }
    }
    if !full {
        let allowed = |on: &[bool]| once(&factors, on) && matches!(forbidden(&word(on)), Ok(None));
        let more = matrix::cover(factors.len(), &kept, allowed);
        kept.extend(more);
    }
    if kept.len() < 2 {
        return Err(Stop::input("fewer than two combinations of these options are allowed"));
    }
    let words: Vec<String> = kept.iter().map(|on| word(on)).collect();
    let variants = words.iter().map(|w| selfplay::variant(w)).collect::<Result<Vec<_>, _>>()?;
    let contestants = selfplay::contestants(&variants)?;
    let plan = args.play.plan(&contestants, false)?;
    let tallies = args.play.play(&contestants, &plan)?;
    let played = Played {
        game: args.game.clone(),
        options: factors.into_iter().map(|f| (f.name, f.off, f.on)).collect(),
        combinations: kept,
        left_out,
        full,
    };
    let found = compare::compare_matrix(&contestants, &tallies, &plan, &args.play.metrics, &played);
    args.play.results.tell(&found, format, out)?;
    Ok(Exit::Fine)
}

/// Whether each option has one value at most.
pub(super) fn once(factors: &[Factor], on: &[bool]) -> bool {
    let mut last = None;
    let mut on = factors.iter().zip(on).filter(|(_, on)| **on).map(|(factor, _)| &factor.option);
    on.all(|option| last.replace(option) != Some(option))
}

/// The values that are given: `9`, `5/7/9`, `5..9`.
fn given(values: &str, most: usize) -> Vec<String> {
    let range = values.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match range {
        // As many as are refused, even without the value that the option has now.
        Some((low, high)) => (low..=high).take(most + 2).map(|n: i64| n.to_string()).collect(),
        None => values.split('/').map(str::to_owned).collect(),
    }
}

/// The options, each with the values that it is tried in, at most so many; all of the game where none are named.
pub(super) fn factors(base: &Variant, words: Option<&[String]>, most: usize) -> Result<Vec<Factor>, Stop> {
    let mut sources = Sources::default();
    let (game, found) = base.load(&Disk, &mut sources);
    let Some(game) = game else { return Err(Stop::Diagnostics(found, sources)) };
    let options = &game.definition.options;
    let all: Vec<String> = options.iter().map(|option| option.name.text.clone()).collect();
    let words = words.unwrap_or(&all);
    if words.is_empty() {
        return Err(Stop::input("this game has no options"));
    }
    let mut out: Vec<Factor> = Vec::new();
    for word in words {
        if word.is_empty() {
            return Err(Stop::usage("--options: a name is missing; options are written `a,b,size=9`"));
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        let Some(option) = options.iter().find(|o| o.name.text == name) else {
            return Err(unknown(name, options));
        };
        if out.iter().any(|f| f.option == name) {
            return Err(Stop::Usage(format!("option `{name}` is given twice")));
        }
        let off = option.value.to_string();
        let tried = match value.map(|values| given(values, most)) {
            None => option.others(),
            Some(values) if values.is_empty() => {
                return Err(Stop::Usage(format!("`{word}` has no values: a range goes up")));
            }
            Some(values) if values.iter().all(|value| *value == off) => {
                return Err(Stop::Usage(format!(
                    "option `{name}` is `{off}` already: there is nothing to try"
                )));
            }
            Some(values) => {
                let other = values.into_iter().filter(|value| *value != off);
                other.map(|value| (format!(":{name}={value}"), value)).collect()
            }
        };
        for (word, on) in tried {
            // It says what is done: an option that is on already is switched off.
            let label = word.trim_start_matches(['+', ':']).to_owned();
            out.push(Factor { name: label, option: name.to_owned(), word, off: off.clone(), on });
        }
    }
    if out.len() > most {
        let help = "name some with `--options`, and values as `size=9`";
        let message = format!("at most {most} options can be tried, each other value counted");
        return Err(Stop::advised(message, help));
    }
    Ok(out)
}

fn unknown(name: &str, options: &[OptionDef]) -> Stop {
    let names = || options.iter().map(|o| o.name.text.as_str());
    let help = match (nearest(name, names()), options.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => "this game has no options".to_owned(),
        (None, false) => format!("the options are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Stop::advised(format!("there is no option `{name}`"), help)
}

/// Why the game does not allow a combination; none where it does. Any other mistake stops.
pub(super) fn forbidden(word: &str) -> Result<Option<String>, Stop> {
    let mut sources = Sources::default();
    let (game, found) = selfplay::variant(word)?.load(&Disk, &mut sources);
    if game.is_some() {
        return Ok(None);
    }
    let mut errors = found.0.iter().filter(|d| d.severity == Severity::Error);
    let says = |d: &crate::diagnostic::Diagnostic| {
        d.code == "option" && (d.message.contains(" requires ") || d.message.contains(" conflicts with "))
    };
    match errors.clone().all(says).then(|| errors.next()).flatten() {
        Some(first) => Ok(Some(first.message.clone())),
        None => Err(Stop::Diagnostics(found, sources)),
    }
}
