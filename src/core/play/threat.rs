//! Threats: the pieces that the next player would take, if the mover passed.

use super::{History, Machine, Move, Moves, Position};
use crate::program::slot;
use crate::siteset::SiteSet;

/// How many moves of the next player are tried; a threat that only a later move makes is not found.
const MAX_MOVES: usize = 4096;

impl Machine {
    /// The pass that ends a turn without doing anything, whether or not the rules allow one: a *null move*.
    pub fn pass(&self) -> Move {
        let program = self.program();
        Move(program.leaves.get(program.stuck_pass).map_or(0, |leaf| leaf.base))
    }

    /// The sites of the mover's pieces that the next player would take with one ply if the mover passed: moves after
    /// which the mover has fewer pieces, and the sites that they empty. None within a turn, at a chance node, where
    /// the game is over, and where pieces are nobody's.
    pub fn threatened(&mut self, pos: &Position, history: &History) -> SiteSet {
        let none = SiteSet::default();
        let program = self.program().clone();
        let layout = &program.layout;
        let at_start = pos.slot(layout, slot::STATE) == program.main.0 as i32;
        let Some(owners) = layout.pieces.owner_base.filter(|_| at_start) else { return none };
        let mover = pos.slot(layout, slot::MOVER);
        let Ok(player) = usize::try_from(mover) else { return none };
        let own = |pos: &Position| SiteSet::load(pos.layer(layout, owners + player));
        let (mut passed, mut history, mut moves) = (pos.clone(), history.clone(), Moves::new());
        self.play(&mut passed, self.pass(), &mut history, &mut moves);
        if moves.is_chance() || passed.slot(layout, slot::MOVER) == mover {
            return none;
        }
        let before = own(&passed);
        let (mut threatened, mut next) = (none, passed.clone());
        for m in moves.iter().take(MAX_MOVES) {
            next.copy_from(&passed);
            self.apply(&mut next, m);
            let after = own(&next);
            if after.count() < before.count() {
                threatened = threatened | (before - after);
            }
        }
        threatened & own(pos)
    }
}
