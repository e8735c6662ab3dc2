//! Looking one ply ahead, and at the end one more: moments in which exactly one move is good.
//!
//! *Only win*: a player decides among several moves, and exactly one of them ends the game at once with a win
//! for that player. *Only defence*: at the last ply that was made by a player who did not win, exactly one of
//! several moves leaves no next player a win at once. Both looks are exhaustive. Positions after a chance
//! node are not looked at. A game in which the looks would cost more than [`MAX_TRIED`] moves is left out of these
//! figures.

use crate::ids::Player;
use crate::play::{History, Machine, Move, Moves, Outcome, Position};

/// The most moves that are tried in one game.
const MAX_TRIED: u32 = 300_000;

/// A position to come back to.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// The position.
    pub pos: Position,
    /// The legal moves there.
    pub moves: Moves,
    /// The ply.
    pub ply: u32,
    turns: usize,
}

/// Working space of the looks of one game.
pub(super) struct Look {
    left: u32,
    /// Where moves are tried, with the legal moves and the history there.
    tried: Option<Position>,
    moves: Moves,
    history: History,
    /// The last moment at which each player decided.
    last: Vec<Option<Moment>>,
}

impl Look {
    /// For so many players.
    pub fn new(players: usize) -> Look {
        Look {
            left: MAX_TRIED,
            tried: None,
            moves: Moves::new(),
            history: History::new(),
            last: vec![None; players],
        }
    }

    /// A new game begins.
    pub fn begin(&mut self) {
        self.left = MAX_TRIED;
        self.last.fill(None);
    }

    /// Whether all looks of the game could be made.
    pub fn is_whole(&self) -> bool {
        self.left > 0
    }

    /// Keeps a moment, for [`Look::defences`].
    pub fn keep(&mut self, pos: &Position, history: &History, moves: &Moves, ply: u32) {
        let Some(place) = self.last.get_mut(moves.mover().index()) else { return };
        let new = || Moment { pos: pos.clone(), moves: Moves::new(), ply, turns: 0 };
        let moment = place.get_or_insert_with(new);
        moment.pos.copy_from(pos);
        moment.moves.clone_from(moves);
        (moment.ply, moment.turns) = (ply, history.len());
    }

    /// The only move that wins at once, if exactly one does.
    pub fn only_win(
        &mut self,
        machine: &mut Machine,
        pos: &Position,
        history: &History,
        moves: &Moves,
    ) -> Option<Move> {
        self.history.copy_from(history);
        let mut found = None;
        for m in moves.iter() {
            if self.wins(machine, pos, m, moves.mover()) && found.replace(m).is_some() {
                return None;
            }
        }
        found
    }

    /// At the last ply that a player other than the winner made: how many moves avoid an immediate loss,
    /// how many there are, one that avoids it, and the moment. None where no other player ever decided.
    pub fn defences(
        &mut self,
        machine: &mut Machine,
        winner: Player,
        history: &History,
    ) -> Option<(u32, u32, Option<Move>, Moment)> {
        let others = self.last.iter().enumerate().filter(|(p, _)| *p != winner.index());
        let moment = others.filter_map(|(_, m)| m.as_ref()).max_by_key(|m| m.ply)?.clone();
        self.history.copy_from(history);
        self.history.truncate(moment.turns);
        let (mut pos, mut next) = (moment.pos.clone(), Moves::new());
        let (mut good, mut which) = (0, None);
        for m in moment.moves.iter() {
            if !self.pay() {
                break;
            }
            pos.copy_from(&moment.pos);
            machine.play(&mut pos, m, &mut self.history, &mut next);
            let mover = moment.moves.mover();
            let lost = match machine.outcome(&pos) {
                Some(Outcome::Win(player)) => player != mover,
                Some(_) => false,
                None if next.is_chance() || next.mover() == mover => false,
                None => next.iter().any(|reply| self.wins(machine, &pos, reply, next.mover())),
            };
            self.history.truncate(moment.turns);
            if !lost {
                good += 1;
                which = Some(m);
            }
        }
        let all = u32::try_from(moment.moves.len()).unwrap_or(u32::MAX);
        Some((good, all, which, moment))
    }

    /// Takes one look from the budget; whether there was one.
    fn pay(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// Whether a move wins at once for a player, as far as the budget allows to see that.
    fn wins(&mut self, machine: &mut Machine, pos: &Position, m: Move, player: Player) -> bool {
        if !self.pay() {
            return false;
        }
        let turns = self.history.len();
        let next = self.tried.get_or_insert_with(|| pos.clone());
        next.copy_from(pos);
        machine.play(next, m, &mut self.history, &mut self.moves);
        self.history.truncate(turns);
        machine.outcome(next) == Some(Outcome::Win(player))
    }
}
