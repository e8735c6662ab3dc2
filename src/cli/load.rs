//! Loads a game from the arguments: options, set-up and seed.

use std::io::Write;
use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::files::Disk;
use super::{Stop, screen, text};
use crate::analysis::check::IDLE;
use crate::analysis::playout::option_json;
use crate::definition::{Choices, OptionDef, OptionKind};
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::game::Game;
use crate::notation::position::TextError;
use crate::play::{Machine, Position};
use crate::source::Sources;

/// Which options to play with.
#[derive(clap::Args, Clone, Default, Debug)]
pub(super) struct ChoiceArgs {
    /// Turn an option on, or load an extension file (several by commas)
    #[arg(long, value_name = "OPTION|FILE", value_delimiter = ',')]
    with: Vec<String>,
    /// Turn an option off
    #[arg(long, value_name = "OPTION", value_delimiter = ',')]
    without: Vec<String>,
    /// Give an option a value
    #[arg(long, value_name = "OPTION=VALUE", value_delimiter = ',', value_parser = pair)]
    set: Vec<(String, String)>,
}

impl ChoiceArgs {
    /// The choices as words of a command line, a blank before each.
    pub(super) fn words(&self) -> String {
        let with = self.with.iter().map(|word| format!(" --with {word}"));
        let without = self.without.iter().map(|word| format!(" --without {word}"));
        let set = self.set.iter().map(|(name, value)| format!(" --set {name}={value}"));
        with.chain(without).chain(set).collect()
    }

    /// The choices for the loader.
    pub(super) fn choices(&self) -> Choices {
        Choices { with: self.with.clone(), without: self.without.clone(), set: self.set.clone() }
    }
}

/// Gives an option a value in place of all earlier choices.
pub(super) fn choose(choices: &mut Choices, option: &str, value: String) {
    choices.with.retain(|other| other != option);
    choices.without.retain(|other| other != option);
    choices.set.retain(|(other, _)| other != option);
    choices.set.push((option.to_owned(), value));
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("an option and its value are written OPTION=VALUE".to_owned()),
    }
}

/// How a game begins.
#[derive(clap::Args, Clone, Default, Debug)]
pub(super) struct StartArgs {
    /// Begin with a set-up (its name or text) or with a position (its text)
    #[arg(long, value_name = "TEXT")]
    pub setup: Option<String>,
    /// The seed of everything that is left to chance
    #[arg(long, value_name = "N", value_parser = whole)]
    pub seed: Option<u64>,
}

/// Reads a whole number from a range, `5k` and `2M` too, and tells people which one is expected.
pub(super) fn within<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let units = [('k', 1000), ('M', 1_000_000)];
        let with_unit = units.iter().find_map(|(letter, unit)| Some((text.strip_suffix(*letter)?, *unit)));
        let (digits, unit) = with_unit.unwrap_or((text, 1));
        let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
        let number = number.filter(|number| range.contains(number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("a whole number from {} to {} is expected", range.start(), range.end()))
    }
}

/// Any number of 64 bits that is not negative.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    within(0..=u64::MAX)(text)
}

/// The seed where none is given.
pub(super) const SEED: u64 = 1;

impl StartArgs {
    /// The seed.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(SEED)
    }

    /// The start of a game.
    pub(super) fn start(&self, game: &Game, machine: &mut Machine, seed: u64) -> Result<Position, Stop> {
        let setup = self.setup.as_deref();
        game.start(machine, setup, seed).map_err(|error| setup_error(game, setup, error))
    }
}

/// The reason why a set-up cannot be read.
pub(super) fn setup_error(game: &Game, setup: Option<&str>, error: TextError) -> Stop {
    let names: Vec<&str> = game.rules.setup.named.iter().map(|(n, _)| n.as_str()).collect();
    let near = setup.and_then(|text| nearest(text, names.iter().copied()));
    let advice = error.advice(setup.unwrap_or(""));
    let help = match (near, names.is_empty(), advice) {
        (Some(near), _, _) => Some(format!("did you mean `{near}`?")),
        (None, _, Some(help)) => Some(help),
        (None, false, None) => Some(format!("this game's set-ups with a name are {}", names.join(", "))),
        (None, true, None) => None,
    };
    Stop::Input(format!("the set-up cannot be read: {}", error.message), help)
}

/// A pool of so many threads; 0: as many as there are processors.
pub(super) fn pool(threads: u16) -> Result<rayon::ThreadPool, Stop> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build();
    pool.map_err(|error| Stop::input(format!("no threads can be started: {error}")))
}

/// A game, and the files it came from.
pub(super) struct Loaded {
    pub game: Game,
    pub sources: Sources,
}

/// Loads a game. Of warnings only the number is told: `check` is there to show them.
pub(super) fn load(name: &str, choices: &Choices) -> Result<Loaded, Stop> {
    let mut sources = Sources::default();
    let (game, mut found) = Game::load(name, &Disk, choices, &mut sources);
    let Some(game) = game else {
        // Beside errors a name without a use is a consequence as likely as not.
        found.0.retain(|d| !IDLE.contains(&d.code));
        return Err(Stop::Diagnostics(found, sources));
    };
    // Things that are idle under these options may be used under others.
    let warns = |d: &&Diagnostic| d.severity == Severity::Warning && !IDLE.contains(&d.code);
    let warnings = found.0.iter().filter(warns).count();
    if warnings > 0 {
        // A warning that cannot be printed is no reason to stop.
        let _ = writeln!(
            screen::err(),
            "{}: `farrier check {}` shows more",
            text::many(warnings as u64, "warning"),
            text::plain(name)
        );
    }
    Ok(Loaded { game, sources })
}

/// The game that a record names; the sentence says why it cannot be loaded.
pub(super) fn recorded(name: &str, choices: &Choices) -> Result<Game, String> {
    let (game, found) = Game::load(name, &Disk, choices, &mut Sources::default());
    game.ok_or_else(|| match found.0.first() {
        None => "the game cannot be loaded".to_owned(),
        Some(d) if d.code == "unknown-option" => {
            format!("{}; if it is an extension, give its file with --with", d.message)
        }
        Some(d) if d.labels.is_empty() => match &d.help {
            Some(help) => format!("{}; {help}", d.message),
            None => d.message.clone(),
        },
        // A record may name any file: nothing of that file is shown.
        Some(_) => format!("the game cannot be loaded: `farrier check {name}` says why"),
    })
}

/// The options that are not at their defaults, as JSON.
pub(super) fn options_json(game: &Game) -> Map<String, Value> {
    game.changed_options().into_iter().map(|(n, v)| (n.to_owned(), option_json(v))).collect()
}

/// All options as JSON: their values, defaults and states.
pub(super) fn all_options_json(game: &Game) -> Vec<Value> {
    let one = |o: &OptionDef| {
        let values = match &o.kind {
            OptionKind::Flag => json!([false, true]),
            OptionKind::Words(words) => json!(words),
            OptionKind::Numbers(numbers) => json!(numbers),
            OptionKind::Range(low, high) => json!({ "from": low, "to": high }),
        };
        json!({
            "name": o.name.text,
            "summary": o.summary,
            "values": values,
            "default": option_json(&o.default),
            "value": option_json(&o.value),
            "requires": o.requires.iter().map(|n| &n.text).collect::<Vec<_>>(),
            "conflicts": o.conflicts.iter().map(|n| &n.text).collect::<Vec<_>>(),
            "extension": o.extension,
        })
    };
    game.definition.options.iter().map(one).collect()
}

/// All options as a table; none where the game has none.
pub(super) fn options_table(game: &Game) -> Option<String> {
    let row = |o: &OptionDef| {
        let name = format!("  {}", o.name.text);
        vec![name, o.kind.to_string(), o.default.to_string(), o.value.to_string(), o.summary.clone()]
    };
    let rows: Vec<Vec<String>> = game.definition.options.iter().map(row).collect();
    (!rows.is_empty()).then(|| text::table(&["  option", "can be", "default", "now", "what it does"], rows))
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn numbers_may_have_a_unit() {
        let read = within::<u64>(1..=5_000_000);
        assert_eq!(["7", "5k", "2M"].map(&read), [Ok(7), Ok(5000), Ok(2_000_000)]);
        for wrong in ["", "k", "0k", "6M", "-1k", "1.5k", "5K", "99999999999999999M"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
