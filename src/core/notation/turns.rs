//! Texts of whole turns: plies that a game's notation writes as one word, such as a jump of many leaps.
//!
//! A decision with `joined` is written so right behind the ply before it in the turn; any other has a blank and its own
//! text there. Such a word is read by trying: of the legal moves those whose texts the word begins with, and so on
//! behind each of them, until the word is used up. Only one way may lead there.

use super::moves::{self, MoveError};
use crate::play::{History, Machine, Move, Moves, Position};
use crate::program::Program;
use crate::semantics::Rules;

/// So many plies are tried for a word.
const MOST_TRIED: u32 = 1000;

/// Adds a ply to the text of a turn.
pub fn join(rules: &Rules, program: &Program, turn: &mut String, number: Move) {
    if turn.is_empty() {
        return *turn = moves::text(rules, program, number);
    }
    match moves::joined(rules, program, number) {
        Some(text) => *turn += &text,
        None => *turn += &format!(" {}", moves::text(rules, program, number)),
    }
}

/// The plies that a word means in a position whose legal moves are known; `typed` by a person, in capital or small
/// letters. The text of one move is that move.
pub fn read(
    rules: &Rules,
    machine: &mut Machine,
    at: (&Position, &History, &Moves),
    word: &str,
    typed: bool,
) -> Result<Vec<Move>, MoveError> {
    let program = machine.program().clone();
    let (pos, history, legal) = at;
    let one = if typed { moves::read_typed } else { moves::read };
    let near = match one(rules, &program, legal, word) {
        Ok(number) => return Ok(vec![number]),
        Err(MoveError::NotLegal(near)) if rules.decisions.iter().any(|d| d.joined.is_some()) => near,
        Err(error) => return Err(error),
    };
    let mut history = history.clone();
    for small in [false, true].into_iter().take(1 + usize::from(typed)) {
        let word = if small { word.to_lowercase() } else { word.to_owned() };
        let mut ways =
            Ways { rules, program: &program, machine, small, left: MOST_TRIED, path: vec![], found: vec![] };
        ways.go(pos, &mut history, legal, &word);
        match (ways.found.pop(), ways.found.is_empty()) {
            (Some(plies), true) => return Ok(plies),
            (Some(_), false) => return Err(MoveError::Ambiguous),
            (None, _) => {}
        }
    }
    Err(MoveError::NotLegal(near))
}

/// The ways to make plies of a word.
struct Ways<'a> {
    rules: &'a Rules,
    program: &'a Program,
    machine: &'a mut Machine,
    small: bool,
    left: u32,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
}

impl Ways<'_> {
    fn go(&mut self, pos: &Position, history: &mut History, legal: &Moves, rest: &str) {
        for number in legal.iter() {
            let text = match self.path.is_empty() {
                true => Some(moves::text(self.rules, self.program, number)),
                false => moves::joined(self.rules, self.program, number),
            };
            let Some(mut text) = text.filter(|text| !text.is_empty()) else { continue };
            if self.small {
                text = text.to_lowercase();
            }
            let Some(rest) = rest.strip_prefix(&text) else { continue };
            self.path.push(number);
            if rest.is_empty() {
                self.found.push(self.path.clone());
            } else if self.left > 0 {
                self.left -= 1;
                let (mut next, mut moves, past) = (pos.clone(), Moves::new(), history.len());
                self.machine.play(&mut next, number, history, &mut moves);
                if !next.begins_turn(self.machine.layout()) && !moves.is_chance() {
                    self.go(&next, history, &moves, rest);
                }
                history.truncate(past);
            }
            self.path.pop();
        }
    }
}
