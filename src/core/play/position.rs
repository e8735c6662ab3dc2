//! A position: the words that a program works on.

use std::sync::Arc;

use super::moves::Move;
use crate::ids::Player;
use crate::limits::PLAYERS;
use crate::program::{Layout, result, slot};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Nobody wins.
    Draw,
    /// The scores decide; [`super::Machine::outcome`] says how.
    Score,
    /// A player wins, and all others have lost alike.
    Win(Player),
    /// Several win together, or more than two places differ.
    Places(Places),
}

/// The place of each player, see [`result::places`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Places(i32);

impl Places {
    /// How many players stand before a player.
    pub fn of(self, player: usize) -> usize {
        (self.0 >> (result::PLACE_BITS as usize * player)) as usize & ((1 << result::PLACE_BITS) - 1)
    }

    /// The places that are taken, the first lowest, as bits.
    fn taken(self) -> u32 {
        (0..PLAYERS).fold(0, |taken, player| taken | (1 << self.of(player)))
    }
}

impl Outcome {
    /// How a game of so many players ended, by the value of slot `RESULT`; none while it goes on.
    pub fn of(value: i32, players: usize) -> Option<Outcome> {
        let win = |player: usize| u8::try_from(player).ok().filter(|p| usize::from(*p) < players).map(Player);
        Some(match value {
            0 => return None,
            result::SCORE => Outcome::Score,
            result::PLACES.. => {
                let places = Places(value);
                let mut first = (0..players).filter(|player| places.of(*player) == 0);
                match (places.taken().count_ones(), first.next(), first.next()) {
                    (1, ..) => Outcome::Draw,
                    (2, Some(only), None) => win(only).map_or(Outcome::Draw, Outcome::Win),
                    _ => Outcome::Places(places),
                }
            }
            value => {
                let player = usize::try_from(value.saturating_sub(result::WIN)).ok().and_then(win);
                player.map_or(Outcome::Draw, Outcome::Win)
            }
        })
    }

    /// The place of a player: how many stand before it. In a draw nobody does.
    pub fn place(self, player: Player) -> usize {
        match self {
            Outcome::Draw | Outcome::Score => 0,
            Outcome::Win(winner) => usize::from(winner != player),
            Outcome::Places(places) => places.of(player.index()),
        }
    }

    /// Whether a player has won, alone or with others.
    pub fn has_won(self, player: Player) -> bool {
        matches!(self, Outcome::Win(_) | Outcome::Places(_)) && self.place(player) == 0
    }

    /// The points of a player where so many sides play against each other: 1 for the first place, 0 for the last,
    /// those between evenly apart; in a draw the share of a side.
    pub fn points(self, player: Player, sides: usize) -> f64 {
        match self {
            Outcome::Draw | Outcome::Score => 1.0 / sides.max(1) as f64,
            Outcome::Win(winner) => f64::from(u8::from(winner == player)),
            Outcome::Places(places) => {
                let taken = places.taken();
                let before = taken & ((1 << places.of(player.index())) - 1);
                1.0 - f64::from(before.count_ones()) / f64::from(taken.count_ones().max(2) - 1)
            }
        }
    }
}

/// A position: the hash, the layers, the slots, and the numbers dealt at the start.
///
/// ```
/// use farrier::play::{History, Moves};
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "tic-tac-toe".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let mut pos = game.start(&mut machine, None, 1)?;
/// let mut moves = Moves::new();
/// machine.moves(&pos, &mut moves);
/// let number = game.read_move(&moves, "b2")?;
/// machine.play(&mut pos, number, &mut History::new(), &mut moves);
/// let layout = machine.layout();
/// assert_eq!((pos.ply(layout), pos.mover(layout).index(), pos.outcome(layout)), (1, 1, None));
/// # Ok(())
/// # }
/// ```
///
/// INVARIANT: the first word is the hash of the rest, or 0 where no hash is kept. The setters make it 0 and clear the
/// slots that are caches: [`Layout::forget`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(super) words: Box<[u64]>,
    pub(super) deal: Arc<[i32]>,
    /// Of which [`Layout::shape`] it is.
    pub(super) shape: u64,
    /// The moves that are on offer but for the positions that they would bring back. A position does not know what
    /// came before it, so whoever resolves it says so here.
    pub(super) barred: Vec<Move>,
}

impl Position {
    /// Becomes a copy of another position; allocates only if the sizes differ.
    #[inline(always)]
    pub fn copy_from(&mut self, other: &Position) {
        if self.words.len() == other.words.len() {
            self.words.copy_from_slice(&other.words);
        } else {
            self.words = other.words.clone();
        }
        self.belong_to(other);
    }

    /// Takes over all but the words.
    #[inline]
    pub(super) fn belong_to(&mut self, other: &Position) {
        // Counting references up and down costs more than looking.
        if !Arc::ptr_eq(&self.deal, &other.deal) {
            self.deal = Arc::clone(&other.deal);
        }
        self.shape = other.shape;
        if !(self.barred.is_empty() && other.barred.is_empty()) {
            self.barred.clone_from(&other.barred);
        }
    }

    /// The hash as it is kept: 0 if none is.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.words.first().copied().unwrap_or(0)
    }

    /// All words: hash, layers, slots.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The numbers dealt at the start that never change.
    pub fn dealt(&self) -> &[i32] {
        &self.deal
    }

    /// The members of a layer; empty if there is no such layer.
    #[inline]
    pub fn layer(&self, layout: &Layout, layer: usize) -> &[u64] {
        if layer >= layout.layers.len() {
            return &[];
        }
        let at = layout.layer_at(layer);
        self.words.get(at..at + layout.width).unwrap_or(&[])
    }

    /// Sets the members of a layer; a layer that is not there is ignored, missing words are empty, bits
    /// beyond the sites are left out. The members must be sites that exist.
    pub fn set_layer(&mut self, layout: &Layout, layer: usize, members: &[u64]) {
        if layer >= layout.layers.len() {
            return;
        }
        self.barred.clear();
        let at = layout.layer_at(layer);
        if let Some(words) = self.words.get_mut(at..at + layout.width) {
            words.fill(0);
            words.iter_mut().zip(members).for_each(|(to, from)| *to = *from);
            // Tables have rows for sites only: a bit beyond them would be an index out of range.
            for (w, word) in words.iter_mut().enumerate() {
                let used = layout.sites.saturating_sub(w * 64);
                if used < 64 {
                    *word &= (1 << used) - 1;
                }
            }
            layout.forget(&mut self.words);
        }
    }

    /// All pieces of a site, the lowest first: owner (the number of players for neutral) and kind.
    pub fn stack(&self, layout: &Layout, site: usize) -> Vec<(u8, u8)> {
        let pieces = &layout.pieces;
        let has = |layer: &usize| {
            self.layer(layout, *layer).get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
        };
        let (mut owners, kinds) = (pieces.owner_layers(layout.players), pieces.kind_layers());
        let (neutral, owner) = (owners.is_empty(), owners.position(|layer| has(&layer)));
        let kind = match kinds {
            Some(mut kinds) => kinds.position(|layer| has(&layer)),
            None => owner.map(|_| 0),
        };
        let owner = owner.or(neutral.then_some(layout.players));
        let (Some(owner), Some(kind)) = (owner, kind) else { return Vec::new() };
        let equal = (pieces.level_base..pieces.level_base + pieces.levels).filter(has).count();
        let below = pieces.stacks.iter().flat_map(|s| s.below(site, |slot| self.slot(layout, slot)));
        let below = below.map(|sort| pieces.of_sort(layout.players, sort));
        let all = below.chain(std::iter::repeat_n((owner, kind), 1 + equal));
        all.map(|(owner, kind)| (owner as u8, kind as u8)).collect()
    }

    /// The value of a slot; 0 if there is no such slot.
    #[inline]
    pub fn slot(&self, layout: &Layout, slot: usize) -> i32 {
        layout.slot(&self.words, slot)
    }

    /// Sets the value of a slot; a slot that is not there is ignored.
    pub fn set_slot(&mut self, layout: &Layout, slot: usize, value: i32) {
        layout.forget(&mut self.words);
        layout.set_slot(&mut self.words, slot, value);
    }

    /// How the game ended; none while it goes on.
    pub fn outcome(&self, layout: &Layout) -> Option<Outcome> {
        Outcome::of(self.slot(layout, slot::RESULT), layout.players)
    }

    /// Who decides; in a finished game who did last.
    #[inline]
    pub fn mover(&self, layout: &Layout) -> Player {
        Player(u8::try_from(self.slot(layout, slot::MOVER)).unwrap_or(0))
    }

    /// Who plays for a player, by number: the player's own number, or the other's after `swap sides`.
    #[inline]
    pub fn person(&self, layout: &Layout, player: Player) -> usize {
        let swapped = self.slot(layout, slot::SIDES) != 0;
        if swapped && player.index() < 2 { 1 - player.index() } else { player.index() }
    }

    /// Whether no ply of this turn is made.
    #[inline]
    pub fn begins_turn(&self, layout: &Layout) -> bool {
        self.slot(layout, slot::TURN_PLIES) == 0
    }

    /// About how many plies a turn of this game takes, at least 1: so many as the turns so far did, this one included.
    pub fn plies_a_turn(&self, layout: &Layout) -> u32 {
        let slot = |at| u32::try_from(self.slot(layout, at)).unwrap_or(0);
        let players = layout.players as u32;
        let turns =
            slot(slot::ROUND).saturating_sub(1).saturating_mul(players).saturating_add(slot(slot::TURN) + 1);
        slot(slot::PLY).saturating_add(1).div_ceil(turns)
    }

    /// Plies made in the game.
    pub fn ply(&self, layout: &Layout) -> u32 {
        u32::try_from(self.slot(layout, slot::PLY)).unwrap_or(0)
    }
}
