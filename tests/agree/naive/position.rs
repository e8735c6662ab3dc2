//! What the naive evaluator knows of a position: everything, written out.

use std::rc::Rc;

use farrier::semantics::Flow;

use super::value::Value;

/// The pieces of a site: all of one owner and one kind. Of a mixed stack it is the top piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose; nobody's for none.
    pub owner: Option<usize>,
    /// What.
    pub kind: usize,
    /// How many, at least 1.
    pub height: u32,
}

/// A single piece: owner and kind.
pub type Single = (Option<usize>, usize);

/// An entry of a state variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its value.
    pub value: Value,
    /// The number of the turn in which it was last assigned (the first turn is 0, the set-up -1); none if
    /// never, or if it was reset since.
    pub assigned: Option<i64>,
}

/// What tells positions apart at a turn's start.
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    /// The pieces.
    pub pieces: Vec<Option<Piece>>,
    /// Those below them in mixed stacks.
    pub under: Vec<Vec<Single>>,
    /// The entries of every variable with identity, and how many turns ago those were assigned that will be reset.
    pub state: Vec<Vec<(Value, Option<i64>)>>,
    /// Whose turn it is.
    pub turn: usize,
    /// Which turn of the opening it is; none later.
    pub opening: Option<usize>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// How many stand before each player.
    pub places: Vec<usize>,
    /// Whether the only player has won.
    pub alone: bool,
    /// Every player's score, where the score decided.
    pub scores: Option<Vec<i32>>,
}

/// A position with all its bookkeeping.
#[derive(Clone, PartialEq, Debug)]
pub struct NaivePosition {
    /// What stands on each site (holes included, always vacant).
    pub pieces: Vec<Option<Piece>>,
    /// In mixed stacks: the pieces below that one, the lowest first.
    pub under: Vec<Vec<Single>>,
    /// The entries of each state variable, the last index running fastest.
    pub state: Vec<Vec<Entry>>,
    /// Whose turn it is.
    pub turn: usize,
    /// What is left of the turn.
    pub rest: Vec<Flow>,
    /// Plies made in this turn.
    pub turn_plies: usize,
    /// Plies made in this turn that were no pass.
    pub turn_acts: usize,
    /// Plies made in the game.
    pub ply: i32,
    /// Rounds begun.
    pub round: i32,
    /// Turns in a row that were only a pass.
    pub passes: i32,
    /// How often the position at this turn's start had occurred then, itself included.
    pub seen: i32,
    /// Whether the sides were swapped in this turn (an odd number of times).
    pub swap: bool,
    /// Whether the players have swapped sides.
    pub sides: bool,
    /// Opening turns begun.
    pub opened: usize,
    /// Whether this turn is one.
    pub opening: bool,
    /// The number of this turn: turns ended so far; -1 during the set-up.
    pub turn_number: i64,
    /// All positions at turns' starts so far.
    pub history: Vec<Rc<Identity>>,
    /// The end, if the game is over.
    pub result: Option<Ended>,
}

impl NaivePosition {
    /// One piece less on a site; the piece that was taken, alone.
    pub fn lift(&mut self, site: usize) -> Option<Piece> {
        let piece = self.pieces[site]?;
        if let Some((owner, kind)) = self.under[site].pop() {
            self.pieces[site] = Some(Piece { owner, kind, height: 1 });
            return Some(piece);
        }
        self.pieces[site] = (piece.height > 1).then_some(Piece { height: piece.height - 1, ..piece });
        Some(Piece { height: 1, ..piece })
    }

    /// All pieces of a site, the lowest first.
    pub fn stack(&self, site: usize) -> Vec<Single> {
        let top = self.pieces[site].into_iter();
        let top = top.flat_map(|p| std::iter::repeat_n((p.owner, p.kind), p.height as usize));
        self.under[site].iter().copied().chain(top).collect()
    }

    /// A site has exactly these pieces, the lowest first.
    pub fn set_stack(&mut self, site: usize, mut stack: Vec<Single>) {
        self.pieces[site] = stack.pop().map(|(owner, kind)| Piece { owner, kind, height: 1 });
        self.under[site] = stack;
    }

    /// At most so many pieces go from the top of a mixed stack to another, above it or beneath, as they are; none if
    /// that would be more than `most`.
    pub fn shift(&mut self, from: usize, to: usize, upto: i32, under: bool, most: usize) {
        let (mut left, other) = (self.stack(from), self.stack(to));
        let count = left.len().min(usize::try_from(upto).unwrap_or(0));
        if from != to && count > 0 && count + other.len() <= most {
            let moved = left.split_off(left.len() - count);
            self.set_stack(to, if under { [moved, other].concat() } else { [other, moved].concat() });
            self.set_stack(from, left);
        }
    }

    /// Pieces land on a site: on top of the same player's same kind if all find room below `stack`, else
    /// in place of everything there.
    pub fn land(&mut self, site: usize, piece: Piece, stack: u32) {
        let below = self.pieces[site]
            .filter(|p| p.owner == piece.owner && p.kind == piece.kind)
            .map_or(0, |p| p.height);
        let height =
            if below + piece.height <= stack { below + piece.height } else { piece.height.min(stack) };
        self.pieces[site] = Some(Piece { height, ..piece });
    }
}
