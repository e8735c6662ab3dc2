//! Moves as text.

use crate::diagnostic::nearest;
use crate::ids::{Dir, Site};
use crate::play::{Move, Moves};
use crate::program::{Program, VarKind};
use crate::semantics::{MovePart, Rules};

/// The text of a pass.
pub const PASS: &str = "pass";

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// No legal move has this text; the legal one that is nearest to it, if any is near.
    NotLegal(Option<String>),
    /// Several legal moves have this text: a mistake of the definition.
    Ambiguous,
}

impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MoveError::NotLegal(Some(near)) => {
                write!(f, "no legal move has this text; did you mean `{near}`?")
            }
            MoveError::NotLegal(None) => f.write_str("no legal move has this text"),
            MoveError::Ambiguous => f.write_str("several legal moves have this text"),
        }
    }
}

impl std::error::Error for MoveError {}

/// The text of a move.
pub fn text(rules: &Rules, program: &Program, number: Move) -> String {
    let mut out = String::new();
    words(rules, program, number, &mut |word| out += word);
    out
}

/// The text of a move right behind the ply before it in the turn; none where its own text stands there, behind a blank.
pub fn joined(rules: &Rules, program: &Program, number: Move) -> Option<String> {
    let parts = decision(rules, program, number)?.joined.as_ref()?;
    let mut out = String::new();
    words_of(rules, program, number, parts, &mut |word| out += word);
    Some(out)
}

/// The words that the text of a move is made of, one after the other: the text between the fields of
/// the decision's `text`, and the value of each field.
pub fn words(rules: &Rules, program: &Program, number: Move, tell: &mut dyn FnMut(&str)) {
    match decision(rules, program, number) {
        Some(decision) => words_of(rules, program, number, &decision.text, tell),
        None => tell(PASS),
    }
}

/// The words of some parts of a text.
fn words_of(rules: &Rules, program: &Program, number: Move, parts: &[MovePart], tell: &mut dyn FnMut(&str)) {
    let Some(leaf) = program.leaf_of(number.0).and_then(|i| program.leaves.get(i)) else { return };
    let Some(code) = leaf.decision.and_then(|d| program.decisions.get(d)) else { return };
    let code_of = number.0 - leaf.base;
    for part in parts {
        match part {
            MovePart::Literal(t) => tell(t),
            MovePart::Var(i, width) => {
                let Some(var) = code.vars.get(*i) else { continue };
                let value = var.value(code_of);
                match (var.kind, usize::try_from(value)) {
                    (VarKind::Int, _) => tell(&format!("{value:0w$}", w = *width)),
                    (_, Err(_)) => {}
                    (VarKind::Site, Ok(site)) => tell(rules.board.name(Site(site as u16))),
                    (VarKind::Kind, Ok(kind)) => tell(rules.kinds.get(kind).map_or("", |k| &k.letter)),
                    (VarKind::Player, Ok(player)) => tell(rules.players.get(player).map_or("", |p| p)),
                    (VarKind::Direction, Ok(dir)) => tell(rules.board.label(Dir(dir as u16))),
                }
            }
        }
    }
}

/// The decision that a move is of, none for a pass.
pub fn decision<'r>(
    rules: &'r Rules,
    program: &Program,
    number: Move,
) -> Option<&'r crate::semantics::Decision> {
    let leaf = program.leaf_of(number.0).and_then(|i| program.leaves.get(i))?;
    leaf.decision.and_then(|d| rules.decisions.get(d))
}

/// The texts of all legal moves, in order of their numbers.
pub fn texts(rules: &Rules, program: &Program, moves: &Moves) -> Vec<String> {
    let mut list: Vec<Move> = moves.iter().collect();
    list.sort_unstable();
    list.into_iter().map(|m| text(rules, program, m)).collect()
}

/// The legal move of a text.
pub fn read(rules: &Rules, program: &Program, moves: &Moves, wanted: &str) -> Result<Move, MoveError> {
    // Records are read through this, a ply at a time: no text is built to be thrown away.
    read_by(rules, program, moves, wanted, |m| {
        let mut rest = Some(wanted);
        words(rules, program, m, &mut |word| rest = rest.and_then(|rest| rest.strip_prefix(word)));
        rest == Some("")
    })
}

/// The legal move that somebody typed: capital and small letters are alike where that leaves one move.
pub fn read_typed(rules: &Rules, program: &Program, moves: &Moves, wanted: &str) -> Result<Move, MoveError> {
    match read(rules, program, moves, wanted) {
        Err(MoveError::NotLegal(_)) => {
            let small = wanted.to_lowercase();
            read_by(rules, program, moves, &small, |m| text(rules, program, m).to_lowercase() == small)
        }
        found => found,
    }
}

fn read_by(
    rules: &Rules,
    program: &Program,
    moves: &Moves,
    wanted: &str,
    is_it: impl Fn(Move) -> bool,
) -> Result<Move, MoveError> {
    let mut found = moves.iter().filter(|m| is_it(*m));
    match (found.next(), found.next()) {
        (Some(m), None) => Ok(m),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (None, _) => {
            let all = texts(rules, program, moves);
            let near = nearest(wanted, all.iter().map(String::as_str)).map(str::to_owned);
            Err(MoveError::NotLegal(near))
        }
    }
}
