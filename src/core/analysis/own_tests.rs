//! The tests that a definition carries.
//!
//! A test runs with the options that it names. Options given from outside, extension files among them, are added
//! to those; where a test names one of them itself, its own value counts. A test whose options do not go with those
//! given is skipped, and why is said.

use super::perft::{Leaves, Perft};
use super::playout::outcome_name;
use crate::definition::{Choices, Definition, OptionDef, OptionValue, TestDef};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::game::Game;
use crate::notation::moves::MoveError;
use crate::play::{History, Moves};
use crate::source::{Files, Sources, Span};
use crate::wording::many;

/// How a test went.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The test's name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The options that it ran with.
    pub choices: Choices,
    /// The differences from its expectations; none if it passes.
    pub failures: Vec<Diagnostic>,
    /// Why it did not run: its options do not go with those that were given.
    pub skipped: Option<String>,
    /// How many perft counts were left out, being too great.
    pub left_out: usize,
}

impl Verdict {
    /// Whether it ran and nothing differs.
    pub fn passed(&self) -> bool {
        self.skipped.is_none() && self.failures.is_empty()
    }
}

/// How tests are run.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Options from outside.
    pub given: Choices,
    /// The greatest perft count that is looked at.
    pub most: u64,
}

impl Run {
    /// With these options besides a test's own, and without a limit.
    pub fn with(given: Choices) -> Run {
        Run { given, most: u64::MAX }
    }
}

/// The choices of a test: the given ones that it does not name, and its own.
pub fn choices(test: &TestDef, given: &Choices, options: &[OptionDef]) -> Choices {
    let option =
        |word: &str| options.iter().find(|o| o.name.text == word || o.extension.as_deref() == Some(word));
    let free = |word: &str| {
        let name = option(word).map_or(word, |o| o.name.text.as_str());
        test.options.iter().all(|(own, _)| own.text != name)
    };
    let mut out = given.clone();
    out.with.retain(|word| free(word));
    out.without.retain(|word| free(word));
    out.set.retain(|(word, _)| free(word));
    for (name, value) in &test.options {
        let extension = option(&name.text).and_then(|o| o.extension.clone());
        match (value, extension) {
            (OptionValue::Flag(true), Some(path)) if out.with.contains(&path) => {}
            (OptionValue::Flag(true), Some(path)) => out.with.push(path),
            // It is off by not being loaded.
            (OptionValue::Flag(false), Some(_)) => {}
            (OptionValue::Flag(true), None) => out.with.push(name.text.clone()),
            (OptionValue::Flag(false), None) => out.without.push(name.text.clone()),
            (OptionValue::Word(w), _) => out.set.push((name.text.clone(), w.clone())),
            (OptionValue::Number(n), _) => out.set.push((name.text.clone(), n.to_string())),
        }
    }
    out
}

/// Runs all tests of a definition. It is of the game of that name, loaded with the extension files whose tests are
/// to be run.
pub fn run(
    name: &str,
    definition: &Definition,
    how: &Run,
    files: &dyn Files,
    sources: &mut Sources,
) -> Vec<Verdict> {
    let mut out = Vec::new();
    // Most tests have the options of the one before.
    let mut last: Option<(Choices, Option<Game>, Diagnostics)> = None;
    for test in &definition.tests {
        let own = choices(test, &how.given, &definition.options);
        let (choices, game, found) = match last.take() {
            Some(last) if last.0 == own => last,
            _ => {
                let (game, found) = Game::load(name, files, &own, sources);
                (own, game, found)
            }
        };
        let (mut failures, mut skipped, mut left_out) = (Diagnostics::default(), None, 0);
        match &game {
            Some(game) => left_out = one(game, test, how.most, &mut failures),
            None => match clash(name, definition, test, how, &found, files) {
                Some(why) => skipped = Some(why),
                None => failures = found.clone(),
            },
        }
        let (name, choices_here, failures) = (test.name.clone(), choices.clone(), failures.0);
        out.push(Verdict { name, span: test.span, choices: choices_here, failures, skipped, left_out });
        last = Some((choices, game, found));
    }
    out
}

/// Why a test that cannot be loaded is skipped: its options contradict those given, and it is loaded without them.
fn clash(
    name: &str,
    definition: &Definition,
    test: &TestDef,
    how: &Run,
    found: &Diagnostics,
    files: &dyn Files,
) -> Option<String> {
    let mut errors = found.0.iter().filter(|d| d.severity == Severity::Error);
    let clash = errors.clone().all(|d| ["option", "conflict"].contains(&d.code));
    let alone = choices(test, &Choices::default(), &definition.options);
    let loads = clash && Game::load(name, files, &alone, &mut Sources::default()).0.is_some();
    errors.next().filter(|_| loads && !how.given.is_default()).map(|d| d.message.clone())
}

/// Runs one test; how many perft counts were left out.
fn one(game: &Game, test: &TestDef, most: u64, out: &mut Diagnostics) -> usize {
    let mut fail = |span: Span, message: String| {
        out.push(Diagnostic::error("test", span, message));
        0
    };
    let mut machine = match game.machine() {
        Ok(machine) => machine,
        Err(e) => return fail(test.span, e.to_string()),
    };
    let setup = test.setup.as_ref();
    let mut pos = match game.start(&mut machine, setup.map(|t| t.text.as_str()), test.seed) {
        Ok(pos) => pos,
        Err(e) => return fail(setup.map_or(test.span, |t| t.part(e.place)), e.message),
    };
    let mut history = History::new();
    history.push(machine.full_hash(&pos));
    let mut moves = Moves::new();
    machine.moves(&pos, &mut moves);
    if let Some(after) = &test.after {
        for word in after.text.split_whitespace() {
            let from = word.as_ptr() as usize - after.text.as_ptr() as usize;
            let span = after.part(Some((from, from + word.len())));
            match game.read_plies(&mut machine, &pos, &history, &moves, word) {
                Ok(plies) => {
                    plies.into_iter().for_each(|m| machine.play(&mut pos, m, &mut history, &mut moves));
                }
                Err(MoveError::Ambiguous) => {
                    return fail(span, format!("`{word}` is the text of two moves"));
                }
                Err(MoveError::NotLegal(near)) => {
                    let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                    return fail(span, format!("`{word}` is not legal{near}"));
                }
            }
        }
    }
    let mut texts = game.move_texts(&moves);
    texts.sort();
    if let Some(pair) = texts.windows(2).find(|w| w.first() == w.get(1)) {
        let text = pair.first().map_or("", String::as_str);
        fail(test.span, format!("two legal moves have one text, `{text}`"));
    }
    if let Some(legal) = &test.legal {
        let mut wanted: Vec<String> = legal.iter().map(|t| t.text.clone()).collect();
        wanted.sort();
        if wanted != texts {
            let missing: Vec<&String> = wanted.iter().filter(|t| !texts.contains(t)).collect();
            let extra: Vec<&String> = texts.iter().filter(|t| !wanted.contains(t)).collect();
            let list = |l: &[&String]| l.iter().map(|t| t.as_str()).collect::<Vec<_>>().join(" ");
            let span = legal.first().map_or(test.span, |t| t.span);
            let mut message = "the legal moves differ".to_owned();
            if !missing.is_empty() {
                message += &format!("; not legal: {}", list(&missing));
            }
            if !extra.is_empty() {
                message += &format!("; legal too: {}", list(&extra));
            }
            fail(span, message);
        }
    }
    for t in test.includes.iter().filter(|t| !texts.contains(&t.text)) {
        fail(t.span, format!("`{}` is not legal", t.text));
    }
    for t in test.excludes.iter().filter(|t| texts.contains(&t.text)) {
        fail(t.span, format!("`{}` is legal", t.text));
    }
    if let Some((n, span)) = test.count
        && n != texts.len() as u64
    {
        let found = many(texts.len() as u64, "legal move");
        let are = if texts.len() == 1 { "is" } else { "are" };
        fail(span, format!("there {are} {found}, not {n}"));
    }
    if let Some(mover) = &test.mover {
        let found = game.player(moves.mover().index());
        if found != mover.text {
            fail(mover.span, format!("{found} is to decide, not {}", mover.text));
        }
    }
    if let Some(result) = &test.result {
        let found = outcome_name(game, machine.outcome(&pos));
        if found != result.text {
            fail(result.span, format!("the result is {found}, not {}", result.text));
        }
    }
    if let Some((score, span)) = &test.score {
        let found = machine.scores(&pos);
        if *score != found {
            fail(*span, format!("the scores are {found:?}, not {score:?}"));
        }
    }
    if let Some(text) = &test.position {
        let found = game.texts().write(&mut machine, &pos);
        if found != text.text {
            fail(text.span, format!("the position is `{found}`"));
        }
    }
    let Some((counts, span)) = &test.perft else { return 0 };
    let mut perft = Perft::new(&mut machine, Leaves::Counted).after(&history);
    for (wanted, depth) in counts.iter().zip(1..) {
        if *wanted > most {
            return counts.len() + 1 - depth as usize;
        }
        let found = perft.count(&pos, depth);
        if found != *wanted {
            fail(*span, format!("perft({depth}) is {found}, not {wanted}"));
            break;
        }
    }
    0
}
