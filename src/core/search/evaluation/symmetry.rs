//! Which terms are the same seen from another side, so that they share their weights.
//!
//! A *symmetry* turns the board, and perhaps lets two players change places. Nothing in a program says that there is
//! one. So turns of the board are guessed from how sites are numbered (back to front, rows upside down, rows back to
//! front, the diagonal), and tried: a symmetry has to map positions of random games to positions with as many legal
//! moves, but for a few. One that is wrong and yet passes costs strength, never
//! correctness.

use super::{Term, Terms};
use crate::play::{History, Machine, Moves, Position, Rng};
use crate::program::{Layout, Stacks, slot};
use crate::search::draw;

/// Sites by site, and whether the players change places.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Symmetry {
    sites: Vec<u16>,
    swaps: bool,
}

/// Positions that a symmetry is tried on.
const TRIED: usize = 300;

/// One position in so many may break a symmetry: a square that the state names is not turned with the board.
const RARE: usize = 20;

/// Symmetries of a game of two.
const PLAYERS: usize = 2;

/// The symmetries of a game's terms.
#[derive(Clone, Debug)]
pub struct Shares {
    /// For each weight the weight that it shares, and the sign with which it does: 0 where it has to be nothing.
    links: Vec<(u32, f32)>,
    /// The image of each weight in each symmetry that leaves the players in place, but for the one that leaves all.
    turns: Vec<Vec<u32>>,
    /// The image of each weight in the first symmetry by which they change places.
    swap: Option<Vec<u32>>,
}

impl Shares {
    /// No weight shares another.
    pub fn none(terms: &Terms) -> Shares {
        let links = (0..terms.len()).map(|at| (at as u32, 1.0)).collect();
        Shares { links, turns: Vec::new(), swap: None }
    }

    /// Finds the shared weights, by random games from a start.
    pub fn find(machine: &mut Machine, terms: &Terms, start: &Position) -> Shares {
        let mut shares = Shares::none(terms);
        if terms.players() != PLAYERS {
            return shares;
        }
        let layout = machine.layout().clone();
        let seen = positions(machine, start);
        for symmetry in candidates(&layout) {
            let mut broken = seen.len() / RARE;
            let mut holds = |(pos, count): &(Position, usize)| {
                let kept = symmetry.keeps(machine, &layout, pos, *count);
                broken = if kept { broken } else { broken.wrapping_sub(1) };
                broken != usize::MAX
            };
            if seen.iter().all(&mut holds) {
                let images = symmetry.of_weights(machine, &layout, terms);
                shares.merge(&images);
                let images = images.iter().map(|(image, _)| *image).collect();
                match symmetry.swaps {
                    true => shares.swap = shares.swap.or(Some(images)),
                    false => shares.turns.push(images),
                }
            }
        }
        shares
    }

    /// Joins each weight with its image.
    fn merge(&mut self, images: &[(u32, f32)]) {
        for (at, (image, sign)) in images.iter().enumerate() {
            let (one, other) = (self.root(at as u32), self.root(*image));
            // Both are now the lower: weights of the higher get the sign between them.
            let (low, high) = if one.0 < other.0 { (one, other) } else { (other, one) };
            let between = low.1 * high.1 * sign;
            if one.0 != other.0
                && let Some(to) = self.links.get_mut(high.0 as usize)
            {
                *to = (low.0, between);
            }
            // What is its own image, and good for either player, is good for nobody; so is what is like it.
            if (between == 0.0 || one.0 == other.0 && between < 0.0)
                && let Some(root) = self.links.get_mut(low.0 as usize)
            {
                root.1 = 0.0;
            }
        }
    }

    fn root(&self, at: u32) -> (u32, f32) {
        let (mut at, mut sign) = (at, 1.0);
        while let Some((next, by)) = self.links.get(at as usize).copied().filter(|(next, _)| *next != at) {
            (at, sign) = (next, sign * by);
        }
        // The root's own sign is 0 where nothing is gained.
        (at, sign * self.links.get(at as usize).map_or(1.0, |(_, own)| *own))
    }

    /// For each weight the one that it is fitted as, and the sign.
    pub(super) fn roots(&self) -> Vec<(u32, f32)> {
        (0..self.links.len()).map(|at| self.root(at as u32)).collect()
    }

    /// All weights, from those that are shared; those that count with the phase share alike.
    pub fn spread(&self, row: &[f64]) -> Vec<f64> {
        let signs = || (0..self.links.len()).map(|at| f64::from(self.root(at as u32).1));
        let spread =
            |half: &[f64]| self.shared(half).into_iter().zip(signs()).map(|(weight, sign)| weight * sign);
        row.chunks(self.links.len().max(1)).flat_map(|half| spread(half).collect::<Vec<_>>()).collect()
    }

    /// What belongs to all weights, from what belongs to those that are shared, whatever the sign.
    pub(super) fn shared(&self, row: &[f64]) -> Vec<f64> {
        let of = |at: usize| row.get(self.root(at as u32).0 as usize).copied().unwrap_or(0.0);
        (0..self.links.len()).map(of).collect()
    }

    /// The image of each weight in each symmetry that leaves the players in place, but for the one that leaves all.
    pub(super) fn turns(&self) -> impl Iterator<Item = &[u32]> {
        self.turns.iter().map(|images| &images[..])
    }

    /// The image of each weight where the players change places, if they can.
    pub(super) fn swap(&self) -> Option<&[u32]> {
        self.swap.as_deref()
    }

    /// How many weights are left.
    pub fn len(&self) -> usize {
        self.links.iter().enumerate().filter(|(at, (root, _))| *at == *root as usize).count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }
}

/// Positions of random games in which a player decides, with how many legal moves each has.
fn positions(machine: &mut Machine, start: &Position) -> Vec<(Position, usize)> {
    let (mut rng, mut moves) = (Rng::new(11), Moves::new());
    let mut seen = Vec::new();
    let mut plies = 0;
    while seen.len() < TRIED && plies < 40 * TRIED {
        let mut pos = start.clone();
        let mut history = History::new();
        machine.moves(&pos, &mut moves);
        while !moves.is_empty() && seen.len() < TRIED && plies < 40 * TRIED {
            if !moves.is_chance() && (seen.is_empty() || rng.pick(4) == 0) {
                seen.push((pos.clone(), moves.len()));
            }
            let Some(number) = draw(machine, &pos, &moves, &mut rng) else { break };
            machine.play(&mut pos, number, &mut history, &mut moves);
            plies += 1;
        }
        plies += 1;
    }
    seen
}

/// Turns of the board, with and without the players.
fn candidates(layout: &Layout) -> Vec<Symmetry> {
    let n = layout.sites;
    let mut turns: Vec<Vec<usize>> = vec![(0..n).collect(), (0..n).rev().collect()];
    for columns in (2..n).filter(|columns| n.is_multiple_of(*columns)) {
        let rows = n / columns;
        turns.push((0..n).map(|s| (rows - 1 - s / columns) * columns + s % columns).collect());
        turns.push((0..n).map(|s| s / columns * columns + (columns - 1 - s % columns)).collect());
        if rows == columns {
            turns.push((0..n).map(|s| s % columns * columns + s / columns).collect());
        }
    }
    let mut all = Vec::new();
    for (number, turn) in turns.iter().enumerate() {
        let sites: Vec<u16> = turn.iter().filter_map(|s| u16::try_from(*s).ok()).collect();
        for swaps in [false, true] {
            if swaps || number > 0 {
                all.push(Symmetry { sites: sites.clone(), swaps });
            }
        }
    }
    all
}

impl Symmetry {
    /// The layer that a layer becomes: owners change places, all else stays.
    fn layer(&self, layout: &Layout, layer: usize) -> usize {
        let owners = layout.pieces.owner_layers(layout.players);
        match layer.checked_sub(owners.start) {
            Some(owner) if owners.contains(&layer) => owners.start + self.owner(owner),
            _ => layer,
        }
    }

    fn image(&self, layout: &Layout, pos: &Position) -> Position {
        let mut image = pos.clone();
        for layer in 0..layout.layers.len() {
            let mut members = vec![0_u64; layout.width];
            for (w, word) in pos.layer(layout, layer).iter().enumerate() {
                for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                    let Some(to) = self.sites.get(64 * w + bit).map(|s| usize::from(*s)) else { continue };
                    if let Some(word) = members.get_mut(to / 64) {
                        *word |= 1 << (to % 64);
                    }
                }
            }
            image.set_layer(layout, self.layer(layout, layer), &members);
        }
        if let Some(stacks) = layout.pieces.stacks {
            self.turn_stacks(layout, stacks, pos, &mut image);
        }
        if self.swaps {
            for slot in [slot::MOVER, slot::TURN] {
                image.set_slot(layout, slot, 1 - pos.slot(layout, slot));
            }
        }
        image
    }

    /// Below the top pieces stands what stood there, the owners' places changed.
    fn turn_stacks(&self, layout: &Layout, stacks: Stacks, pos: &Position, image: &mut Position) {
        for (site, to) in self.sites.iter().enumerate().take(stacks.sites) {
            let to = usize::from(*to);
            let mut slots: Vec<(usize, i32)> = stacks.of_site(to).map(|slot| (slot, 0)).collect();
            for (number, sort) in stacks.below(site, |slot| pos.slot(layout, slot)).enumerate() {
                let (at, worth) = stacks.place(to, number);
                let sort = self.sort(layout, sort) as i32;
                for (slot, value) in &mut slots {
                    *value += if *slot == at { sort * worth } else { 0 };
                    *value += i32::from(*slot == stacks.heights + to);
                }
            }
            slots.iter().for_each(|(slot, value)| image.set_slot(layout, *slot, *value));
        }
    }

    /// The owner that an owner becomes.
    fn owner(&self, owner: usize) -> usize {
        if self.swaps && owner < PLAYERS { 1 - owner } else { owner }
    }

    /// The sort of pieces that a sort becomes.
    fn sort(&self, layout: &Layout, sort: usize) -> usize {
        let (owner, kind) = layout.pieces.of_sort(layout.players, sort);
        layout.pieces.sort(layout.players, self.owner(owner), kind)
    }

    fn keeps(&self, machine: &mut Machine, layout: &Layout, pos: &Position, count: usize) -> bool {
        // Sites that are no sites, and all that is the same for ever, must map onto such.
        let all = machine.program().all.clone();
        let has = |site: usize| all.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1);
        if (0..layout.sites).any(|s| self.sites.get(s).is_none_or(|to| has(s) != has(usize::from(*to)))) {
            return false;
        }
        let mut moves = Moves::new();
        machine.moves(&self.image(layout, pos), &mut moves);
        moves.len() == count
    }

    /// For each weight its image, and the sign: a term that is good for one player is bad for the other.
    fn of_weights(&self, machine: &Machine, layout: &Layout, terms: &Terms) -> Vec<(u32, f32)> {
        let sign = if self.swaps { -1.0 } else { 1.0 };
        let other = |player: usize| if self.swaps { 1 - player } else { player };
        let layer_of = |at: usize| (at - 1) / machine.layout().width.max(1);
        let turned = |at: usize| layout.layer_at(self.layer(layout, layer_of(at)));
        let mut images: Vec<(u32, f32)> = (0..terms.len()).map(|at| (at as u32, 1.0)).collect();
        for (term, range) in terms.ranges() {
            let image = match term {
                Term::Set((one, two), sites) => Term::Set((turned(*one), two.map(turned)), *sites),
                Term::Below(top, sort) => Term::Below(self.owner(*top), self.sort(layout, *sort)),
                Term::Score(player, scale) => Term::Score(other(*player), *scale),
                Term::Turn(player) => Term::Turn(other(*player)),
                Term::Mobility(player) => Term::Mobility(other(*player)),
                // Nothing says for which player a number is good, and pairs are turned below.
                Term::Slot(..) | Term::Pair(..) => continue,
            };
            let same = |found: &Term| match (found, &image) {
                (Term::Score(a, _), Term::Score(b, _)) => a == b,
                (found, image) => found == image,
            };
            let Some((_, to)) = terms.ranges().find(|(found, _)| same(found)) else { continue };
            // A set that is its own image is good for nobody, but turned sites may be.
            for place in 0..range.len() {
                let site = place.checked_sub(1).and_then(|site| self.sites.get(site));
                let image = match (term, site) {
                    (Term::Set(..), Some(site)) => to.start + 1 + usize::from(*site),
                    _ => to.start + place,
                };
                if let Some(slot) = images.get_mut(range.start + place) {
                    *slot = (image as u32, sign);
                }
            }
        }
        if let Some(pairs) = terms.pairs() {
            for place in 0..pairs.places() {
                let image = pairs.image(place, &self.sites, |sort| self.sort(layout, sort));
                let of = [Some(place), image].map(|place| place.and_then(|place| terms.pair(place)));
                if let [Some(at), Some(to)] = of
                    && let Some(slot) = images.get_mut(at)
                {
                    *slot = (to as u32, sign);
                }
            }
        }
        images
    }
}
