//! `farrier matrix`

use std::io::Write;

use super::files::Disk;
use super::selfplay::{self, SelfPlayArgs};
use super::{Done, Exit, Format, Stop};
use crate::compare::{self, Played, matrix};
use crate::definition::{OptionDef, OptionKind, OptionValue};
use crate::diagnostic::{Severity, nearest};
use crate::source::Sources;
use crate::variant::Variant;

#[derive(clap::Args, Debug)]
#[command(after_help = selfplay::help())]
pub(super) struct Args {
    /// A shipped game's name, the path of a definition, or a variant such as `my-game+option`
    game: String,
    /// The options (by commas): `a,b,size=9`; an option that is not just on or off with its other value
    #[arg(long, required = true, value_name = "OPTION[=VALUE]", value_delimiter = ',')]
    options: Vec<String>,
    #[command(flatten)]
    play: SelfPlayArgs,
}

/// An option of the matrix: how it is written behind a variant, and its values.
struct Factor {
    name: String,
    word: String,
    off: String,
    on: String,
}

/// Plays games of the combinations of options and tells what each option does.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let plan = args.play.plan()?;
    let base = selfplay::variant(&args.game)?;
    let factors = factors(&base, &args.options)?;
    let word = |on: &[bool]| {
        let words = factors.iter().zip(on).filter(|(_, on)| **on).map(|(f, _)| f.word.as_str());
        args.game.clone() + &words.collect::<String>()
    };
    let (all, full) = matrix::design(factors.len());
    let mut left_out = Vec::new();
    let mut kept: Vec<Vec<bool>> = Vec::new();
    for on in all {
        match forbidden(&word(&on))? {
            None => kept.push(on),
            Some(reason) => left_out.push((word(&on), reason)),
        }
    }
    if !full {
        let more = matrix::cover(factors.len(), &kept, |on| matches!(forbidden(&word(on)), Ok(None)));
        kept.extend(more);
    }
    if kept.len() < 2 {
        return Err(Stop::Input("fewer than two combinations of these options are allowed".to_owned(), None));
    }
    let words: Vec<String> = kept.iter().map(|on| word(on)).collect();
    let variants = words.iter().map(|w| selfplay::variant(w)).collect::<Result<Vec<_>, _>>()?;
    let contestants = selfplay::contestants(&variants)?;
    let tallies = args.play.play(&contestants, &plan)?;
    let played = Played {
        game: args.game.clone(),
        options: factors.into_iter().map(|f| (f.name, f.off, f.on)).collect(),
        combinations: kept,
        left_out,
        full,
    };
    let found = compare::compare_matrix(&contestants, &tallies, &plan, args.play.metrics(), &played);
    args.play.tell(&found, format, out)?;
    Ok(Exit::Fine)
}

/// The options, each with the value that it is tried in.
fn factors(base: &Variant, words: &[String]) -> Result<Vec<Factor>, Stop> {
    if words.len() > matrix::MOST_OPTIONS {
        return Err(Stop::Usage(format!("a matrix has at most {} options", matrix::MOST_OPTIONS)));
    }
    let mut sources = Sources::default();
    let (game, found) = base.load(&Disk, &mut sources);
    let Some(game) = game else { return Err(Stop::Diagnostics(found, sources)) };
    let options = &game.definition.options;
    let mut out: Vec<Factor> = Vec::new();
    for word in words {
        if word.is_empty() {
            return Err(Stop::Usage(
                "--options: a name is missing; options are written `a,b,size=9`".to_owned(),
            ));
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        let Some(option) = options.iter().find(|o| o.name.text == name) else {
            return Err(unknown(name, options));
        };
        let (on, written) = match (value, &option.kind) {
            (None, OptionKind::Flag) if option.value == OptionValue::Flag(true) => {
                ("off".to_owned(), format!("~{name}"))
            }
            (None, OptionKind::Flag) => ("on".to_owned(), format!("+{name}")),
            (None, _) => {
                return Err(Stop::Usage(format!(
                    "option `{name}` is not just on or off: write {name}=VALUE ({})",
                    option.kind
                )));
            }
            (Some(value), _) => (value.to_owned(), format!(":{name}={value}")),
        };
        let off = option.value.to_string();
        if out.iter().any(|f| f.name == name) {
            return Err(Stop::Usage(format!("option `{name}` is given twice")));
        }
        if off == on {
            return Err(Stop::Usage(format!("option `{name}` is `{on}` already: there is nothing to try")));
        }
        out.push(Factor { name: name.to_owned(), word: written, off, on });
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
    Stop::Input(format!("there is no option `{name}`"), Some(help))
}

/// Why the game does not allow a combination; none where it does. Any other mistake stops.
fn forbidden(word: &str) -> Result<Option<String>, Stop> {
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
