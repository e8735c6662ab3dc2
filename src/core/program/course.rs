//! The course of turns: the counters of a ply, whose turn is next, how a turn begins.
//!
//! It is written once, over the trait [`Slots`]: the interpreter runs it, the compiler emits code for it.

use super::{Program, StateId, Stmt, slot};

/// The slots of a position, and choices by their values.
pub trait Slots {
    /// A number.
    type Int: Copy;
    /// Whether something holds.
    type Truth: Copy;

    /// A constant.
    fn constant(&mut self, value: i32) -> Self::Int;
    /// The value of a slot.
    fn slot(&mut self, slot: usize) -> Self::Int;
    /// Sets a slot.
    fn set_slot(&mut self, slot: usize, value: Self::Int);
    /// The number after a number; it wraps.
    fn successor(&mut self, number: Self::Int) -> Self::Int;
    /// Whether a number is 0.
    fn is_zero(&mut self, number: Self::Int) -> Self::Truth;
    /// Whether the first is at most the second.
    fn is_at_most(&mut self, a: Self::Int, b: Self::Int) -> Self::Truth;
    /// Whether a number is a player's.
    fn is_player(&mut self, number: Self::Int) -> Self::Truth;
    /// The first where something holds, else the second.
    fn select(&mut self, truth: Self::Truth, yes: Self::Int, no: Self::Int) -> Self::Int;
    /// Does something where a truth holds.
    fn when(&mut self, truth: Self::Truth, then: impl FnOnce(&mut Self));
    /// The one where a truth holds, else the other.
    fn either(
        &mut self,
        truth: Self::Truth,
        yes: impl FnOnce(&mut Self) -> Self::Int,
        no: impl FnOnce(&mut Self) -> Self::Int,
    ) -> Self::Int;
    /// The value for an entry of a table: the first entry for a number below 0, none for one behind the last.
    fn entry<T: Copy + PartialEq>(
        &mut self,
        number: Self::Int,
        table: &[T],
        each: impl Fn(&mut Self, Option<T>) -> Self::Int,
    ) -> Self::Int;
}

/// One more in a slot.
#[inline(always)]
fn count<S: Slots>(on: &mut S, slot: usize) {
    let now = on.slot(slot);
    let more = on.successor(now);
    on.set_slot(slot, more);
}

/// Counts a ply that leads to a state: a decision that was acted on, or a pass.
#[inline(always)]
pub fn count_ply<S: Slots>(on: &mut S, act: bool, next: S::Int) {
    if act {
        count(on, slot::TURN_ACTS);
        let none = on.constant(0);
        on.set_slot(slot::PASSES, none);
    } else {
        // A turn that is only a pass so far; a later act in it resets the counter.
        let plies = on.slot(slot::TURN_PLIES);
        let first = on.is_zero(plies);
        on.when(first, |on| count(on, slot::PASSES));
    }
    count(on, slot::PLY);
    count(on, slot::TURN_PLIES);
    on.set_slot(slot::STATE, next);
}

/// How the turns of a program follow each other.
#[derive(Clone, Debug)]
pub struct Course {
    /// The states in which the opening turns start.
    opening: Vec<StateId>,
    /// Whom each belongs to; empty if they all belong to the next in order.
    owners: Vec<Option<u8>>,
    /// The state in which every later turn starts.
    main: StateId,
    /// Whether players can swap sides.
    swaps: bool,
}

impl Program {
    /// Whether players can swap sides: then a person may end with another player's pieces.
    pub fn swaps_sides(&self) -> bool {
        self.blocks.iter().flatten().any(|statement| matches!(statement, Stmt::SwapSides))
    }
}

impl Course {
    /// Of a program.
    pub fn of(program: &Program) -> Course {
        let (opening, mut owners): (Vec<_>, Vec<_>) = program.opening.iter().copied().unzip();
        if owners.iter().all(Option::is_none) {
            owners.clear();
        }
        Course { opening, owners, main: program.main, swaps: program.swaps_sides() }
    }

    /// The states in which turns begin.
    #[cfg(feature = "jit")]
    pub fn beginnings(&self) -> Vec<StateId> {
        let mut states: Vec<StateId> = self.opening.iter().copied().chain([self.main]).collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// Sets slot `TURN` to the player of the next turn, and the slots that go with it. `chosen` is the value of
    /// [`Program::next`].
    #[inline(always)]
    pub fn choose_next<S: Slots>(&self, on: &mut S, chosen: Option<S::Int>) {
        let last = on.slot(slot::TURN);
        let next = if self.owners.is_empty() {
            self.after(on, last, chosen)
        } else {
            let opened = on.slot(slot::OPENED);
            on.entry(opened, &self.owners, |on, owner| match owner.flatten() {
                None => self.after(on, last, chosen),
                Some(owner) => {
                    if self.swaps {
                        let swap = on.slot(slot::SWAP);
                        let stays = on.is_zero(swap);
                        on.either(stays, |_| last, |on| swap_sides(on, last));
                    }
                    let owner = on.constant(i32::from(owner));
                    count_round(on, owner, last);
                    owner
                }
            })
        };
        on.set_slot(slot::TURN, next);
    }

    /// Who follows where no opening says it: the same player again where sides were swapped.
    #[inline(always)]
    fn after<S: Slots>(&self, on: &mut S, last: S::Int, chosen: Option<S::Int>) -> S::Int {
        if !self.swaps {
            return in_order(on, last, chosen);
        }
        let swap = on.slot(slot::SWAP);
        let stays = on.is_zero(swap);
        on.either(stays, |on| in_order(on, last, chosen), |on| swap_sides(on, last))
    }

    /// Begins a turn of the player in slot `TURN`; gives back its state.
    #[inline(always)]
    pub fn begin<S: Slots>(&self, on: &mut S) -> S::Int {
        let turn = on.slot(slot::TURN);
        on.set_slot(slot::MOVER, turn);
        let none = on.constant(0);
        for counter in [slot::TURN_PLIES, slot::TURN_ACTS, slot::SWAP] {
            on.set_slot(counter, none);
        }
        let state = if self.opening.is_empty() {
            on.constant(self.main.0 as i32)
        } else {
            let opened = on.slot(slot::OPENED);
            on.entry(opened, &self.opening, |on, state| {
                if state.is_some() {
                    count(on, slot::OPENED);
                }
                on.constant(state.unwrap_or(self.main).0 as i32)
            })
        };
        on.set_slot(slot::STATE, state);
        state
    }
}

/// The player that was chosen, if that is one, else the next in order.
#[inline(always)]
fn in_order<S: Slots>(on: &mut S, last: S::Int, chosen: Option<S::Int>) -> S::Int {
    let (after, first) = (on.successor(last), on.constant(0));
    let is_player = on.is_player(after);
    let mut next = on.select(is_player, after, first);
    if let Some(chosen) = chosen {
        let is_player = on.is_player(chosen);
        next = on.select(is_player, chosen, next);
    }
    count_round(on, next, last);
    next
}

/// A round ends where the next player is not later in order than the last.
#[inline(always)]
fn count_round<S: Slots>(on: &mut S, next: S::Int, last: S::Int) {
    let again = on.is_at_most(next, last);
    on.when(again, |on| count(on, slot::ROUND));
}

/// The players swap sides, as the last one said in this turn; gives back that player.
#[inline(always)]
fn swap_sides<S: Slots>(on: &mut S, last: S::Int) -> S::Int {
    let (sides, one, none) = (on.slot(slot::SIDES), on.constant(1), on.constant(0));
    let unswapped = on.is_zero(sides);
    let sides = on.select(unswapped, one, none);
    on.set_slot(slot::SIDES, sides);
    last
}
