//! The last good replies: playouts learn from playouts.
//!
//! After each simulation every move that its winner made is kept as the reply to the move before it, and the replies of
//! its loser are forgotten. A later playout makes the reply that is kept if it is legal (*last good reply* with
//! forgetting: Baier and Drake, IEEE Transactions on Computational Intelligence and AI in Games, 2010). Replies to the
//! last two moves are not kept: they won no more, and took as long as the rest of the playout.

use crate::play::Move;

/// Moves of a simulation: who made which.
pub(super) type Line = [(u8, Move)];

/// Moves by who made them fall on so many places, a power of two.
pub(super) const PLACES: usize = 1 << 16;

/// The place of a move. It is shared where there are too many moves.
#[inline]
pub(super) fn place(person: u8, number: Move) -> usize {
    (number.0 as usize).wrapping_mul(8).wrapping_add(usize::from(person)) % PLACES
}

/// Replies to moves. Of moves that share a place the last reply stays.
#[derive(Debug, Default)]
pub(super) struct Replies {
    /// One more than the reply; 0: none.
    places: Vec<u32>,
}

impl Replies {
    /// The reply to the last move of a line, if it is one of those that can be made.
    #[inline]
    pub fn find(&self, line: &Line, can: impl Fn(Move) -> bool) -> Option<Move> {
        let (person, number) = line.last()?;
        let reply = Move(self.places.get(place(*person, *number))?.checked_sub(1)?);
        can(reply).then_some(reply)
    }

    /// Learns from a simulation and the points of each person.
    pub fn learn(&mut self, line: &Line, value: &[f32]) {
        if self.places.is_empty() {
            self.places = vec![0; PLACES];
        }
        for pair in line.windows(2) {
            let [(before, to), (person, with)] = *pair else { continue };
            let Some(value) = value.get(usize::from(person)) else { continue };
            let (place, reply) = (&mut self.places[place(before, to)], with.0.saturating_add(1));
            if *value > 0.5 {
                *place = reply;
            } else if *value < 0.5 && *place == reply {
                *place = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_is_answered_as_it_answered() {
        let mut replies = Replies::default();
        let line = [(0, Move(7)), (1, Move(3)), (0, Move(5)), (1, Move(4))];
        let found = |replies: &Replies, line: &Line| replies.find(line, |number| number != Move(9));
        assert_eq!(found(&replies, &line[..1]), None);
        replies.learn(&line, &[0.0, 1.0]);
        assert_eq!(found(&replies, &line[..1]), Some(Move(3)));
        assert_eq!(found(&replies, &line[..2]), None, "the loser's is no good reply");
        assert_eq!(found(&replies, &line[..3]), Some(Move(4)));
        // The last stays.
        replies.learn(&[(0, Move(5)), (1, Move(6))], &[0.0, 1.0]);
        assert_eq!(found(&replies, &line[..3]), Some(Move(6)));
        replies.learn(&line[2..], &[1.0, 0.0]);
        assert_eq!(found(&replies, &line[..3]), Some(Move(6)), "another was kept since");
        // A reply that lost is forgotten, one that cannot be made is none, one to another's move is another.
        replies.learn(&line[..2], &[1.0, 0.0]);
        assert_eq!(found(&replies, &line[..1]), None);
        replies.learn(&[(0, Move(8)), (1, Move(9))], &[0.0, 1.0]);
        assert_eq!(found(&replies, &[(0, Move(8))]), None);
        assert_eq!(found(&replies, &[(1, Move(5))]), None);
    }
}
