//! The tests that a definition carries.

use super::perft::{Leaves, Perft};
use super::playout::outcome_name;
use crate::definition::{Choices, OptionValue, TestDef};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::Game;
use crate::notation::moves::MoveError;
use crate::play::{History, Moves};
use crate::source::{Files, Sources, Span};

/// How a test went.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The test's name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// What differs from what it says; none if it passes.
    pub failures: Vec<Diagnostic>,
}

/// The choices of a test: what it says, and nothing else but the extension files that it needs.
pub fn choices(test: &TestDef, game: &Game) -> Choices {
    let mut out = Choices::default();
    for (name, value) in &test.options {
        let extension = game
            .definition
            .options
            .iter()
            .find(|o| o.name.text == name.text)
            .and_then(|o| o.extension.clone());
        match (value, extension) {
            (OptionValue::Flag(true), Some(path)) if out.with.contains(&path) => {}
            (OptionValue::Flag(true), Some(path)) => out.with.push(path),
            (OptionValue::Flag(true), None) => out.with.push(name.text.clone()),
            (OptionValue::Flag(false), _) => out.without.push(name.text.clone()),
            (OptionValue::Word(w), _) => out.set.push((name.text.clone(), w.clone())),
            (OptionValue::Number(n), _) => out.set.push((name.text.clone(), n.to_string())),
        }
    }
    out
}

/// Runs all tests of a game, each with its own options: a test of the game itself is not asked what an
/// option or an extension that was chosen from outside makes of it.
pub fn run(game: &Game, files: &dyn Files, sources: &mut Sources) -> Vec<Verdict> {
    let mut out = Vec::new();
    let plain = game.changed_options().is_empty();
    for test in &game.definition.tests {
        let mut failures = Diagnostics::default();
        let (loaded, found) = match plain && test.options.is_empty() {
            true => (Some(game.clone()), Diagnostics::default()),
            false => Game::load(&game.name, files, &choices(test, game), sources),
        };
        match loaded {
            Some(game) => one(&game, test, &mut failures),
            None => failures.append(found),
        }
        out.push(Verdict { name: test.name.clone(), span: test.span, failures: failures.0 });
    }
    out
}

fn one(game: &Game, test: &TestDef, out: &mut Diagnostics) {
    let mut fail = |span: Span, message: String| out.push(Diagnostic::error("test", span, message));
    let mut machine = match game.machine() {
        Ok(machine) => machine,
        Err(e) => return fail(test.span, e.to_string()),
    };
    let setup = test.setup.as_ref();
    let mut pos = match game.start(&mut machine, setup.map(|t| t.text.as_str()), test.seed) {
        Ok(pos) => pos,
        Err(e) => return fail(setup.map_or(test.span, |t| t.span), e.message),
    };
    let mut history = History::new();
    history.push(machine.full_hash(&pos));
    let mut moves = Moves::new();
    machine.moves(&pos, &mut moves);
    if let Some(after) = &test.after {
        for word in after.text.split_whitespace() {
            match game.read_move(&moves, word) {
                Ok(m) => machine.play(&mut pos, m, &mut history, &mut moves),
                Err(MoveError::Ambiguous) => {
                    return fail(after.span, format!("`{word}` is the text of two moves"));
                }
                Err(MoveError::NotLegal(near)) => {
                    let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                    return fail(after.span, format!("`{word}` is not legal{near}"));
                }
            }
        }
    }
    let mut texts = game.move_texts(&moves);
    texts.sort();
    if let Some(pair) = texts.windows(2).find(|w| w.first() == w.get(1)) {
        fail(
            test.span,
            format!("two legal moves have one text, `{}`", pair.first().map_or("", String::as_str)),
        );
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
    for t in &test.includes {
        if !texts.contains(&t.text) {
            fail(t.span, format!("`{}` is not legal", t.text));
        }
    }
    for t in &test.excludes {
        if texts.contains(&t.text) {
            fail(t.span, format!("`{}` is legal", t.text));
        }
    }
    if let Some(n) = test.count
        && n != texts.len() as u64
    {
        fail(test.span, format!("there are {} legal moves, not {n}", texts.len()));
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
    if let Some(score) = &test.score {
        let found = machine.scores(&pos);
        if *score != found {
            fail(test.span, format!("the scores are {found:?}, not {score:?}"));
        }
    }
    if let Some(text) = &test.position {
        let found = game.texts().write(&mut machine, &pos);
        if found != text.text {
            fail(text.span, format!("the position is `{found}`"));
        }
    }
    let mut perft = Perft::new(&mut machine, Leaves::Counted);
    for (wanted, depth) in test.perft.iter().zip(1..) {
        let found = perft.count(&pos, depth);
        if found != *wanted {
            fail(test.span, format!("perft({depth}) is {found}, not {wanted}"));
            break;
        }
    }
}
