//! The terms of a position: the features of an evaluation.

use std::ops::Range;

use super::covered::Covered;
use super::pairs::Pairs;
use super::phase::Phase;
use super::sides::Sides;
use super::units::UNIT;
use crate::board::Board;
use crate::play::{Machine, Moves, Position};
use crate::program::{Layout, Program, slot};
use crate::siteset::Bits;

/// A kind of term. Its weights lie in a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// The members of a set, met with another where there is one, by the first word of each: a weight for each
    /// member alike, then one for each site.
    Set((usize, Option<usize>), usize),
    /// The pieces of a sort below the top pieces of an owner: the numbers of both.
    Below(usize, usize),
    /// The pieces of a sort that have one of another beside them: the numbers of both. A weight for each axis of the
    /// board: the second stands forwards.
    Pair(usize, usize),
    /// A number of the state, and how large it usually is.
    Slot(usize, f64),
    /// A player's score, and how large it usually is.
    Score(usize, f64),
    /// Who decides: a weight for each state of the turn.
    Turn(usize),
    /// The logarithm of the legal moves, of a mover.
    Mobility(usize),
}

impl Term {
    fn weights(&self, states: usize, axes: usize) -> usize {
        match self {
            Term::Set(_, sites) => 1 + sites,
            Term::Turn(_) => states,
            Term::Pair(..) => axes,
            Term::Below(..) | Term::Slot(..) | Term::Score(..) | Term::Mobility(_) => 1,
        }
    }
}

/// A term with its name and where its weights lie.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    term: Term,
    range: Range<usize>,
}

/// The terms of a program's positions.
#[derive(Clone, Debug)]
pub struct Terms {
    list: Vec<Row>,
    players: usize,
    sides: Sides,
    covered: Option<Covered>,
    pairs: Option<Pairs>,
    phase: Phase,
    states: usize,
    width: usize,
    sites: usize,
    len: usize,
}

impl Terms {
    /// The terms of a program.
    pub fn new(program: &Program) -> Terms {
        let layout = &program.layout;
        let pieces = &layout.pieces;
        let at = |layer: usize| layout.layer_at(layer);
        let named = |layer: usize| layout.layers.get(layer).map_or("", |l| &l.name[..]);
        let mut list: Vec<(String, Term)> = Vec::new();
        let owners: Vec<usize> = pieces.owner_layers(layout.players).collect();
        let kinds: Vec<usize> = pieces.kind_layers().into_iter().flatten().collect();
        let levels: Vec<usize> = (pieces.level_base..pieces.level_base + pieces.levels).collect();
        let mut known: Vec<usize> = owners.iter().chain(&kinds).chain(&levels).copied().collect();
        known.sort_unstable();
        let mut set = |first: usize, other: Option<usize>| {
            let name = match other {
                Some(other) => format!("{} {}", named(first), named(other)),
                None => named(first).to_owned(),
            };
            list.push((name, Term::Set((at(first), other.map(at)), layout.sites)));
        };
        match (&owners[..], &kinds[..]) {
            ([], kinds) => kinds.iter().for_each(|kind| set(*kind, None)),
            (owners, []) => owners.iter().for_each(|owner| set(*owner, None)),
            (owners, kinds) => {
                for owner in owners {
                    kinds.iter().for_each(|kind| set(*owner, Some(*kind)));
                }
            }
        }
        for level in &levels {
            match &owners[..] {
                [] => set(*level, None),
                owners => owners.iter().for_each(|owner| set(*level, Some(*owner))),
            }
        }
        for (number, layer) in layout.layers.iter().enumerate() {
            if layer.identity && known.binary_search(&number).is_err() {
                set(number, None);
            }
        }
        let covered = Covered::new(layout);
        list.extend(covered.iter().flat_map(Covered::pairs).map(|(top, sort)| {
            let what = sort_name(layout, sort);
            let whose = owners.get(top).map_or("any", |owner| named(*owner));
            (format!("{what} below {whose}"), Term::Below(top, sort))
        }));
        let own = layout.slots.iter().enumerate().skip(slot::COUNT);
        let stacked = pieces.stacks.map_or(0..0, |stacks| stacks.slots());
        let own = own.filter(|(number, s)| s.identity && !s.memo && !stacked.contains(number));
        list.extend(own.map(|(number, slot)| (slot.name.clone(), Term::Slot(number, 1.0))));
        let players = 0..layout.players;
        if program.score.is_some() {
            list.extend(players.clone().map(|p| (format!("score of player {}", p + 1), Term::Score(p, 1.0))));
        }
        list.extend(players.clone().map(|p| (format!("turn of player {}", p + 1), Term::Turn(p))));
        list.extend(players.map(|p| (format!("mobility of player {}", p + 1), Term::Mobility(p))));
        let states = program.states.len();
        let mut len = 0;
        let list = list.into_iter().map(|(name, term)| {
            let from = len;
            len += term.weights(states, 0);
            Row { name, term, range: from..len }
        });
        let list = list.collect();
        Terms {
            list,
            players: layout.players,
            sides: Sides::new(program),
            covered,
            pairs: None,
            phase: Phase::new(program),
            states,
            width: layout.width,
            sites: layout.sites,
            len,
        }
    }

    /// The terms of pieces beside each other too, behind all others. A guess does without: it has too few games for so
    /// many weights.
    pub fn with_pairs(mut self, program: &Program, board: &Board) -> Terms {
        let layout = &program.layout;
        let Some(pairs) = Pairs::new(layout, board) else { return self };
        for (a, b) in (0..pairs.sorts()).flat_map(|a| (0..pairs.sorts()).map(move |b| (a, b))) {
            let name = format!("{} beside {}", sort_name(layout, b), sort_name(layout, a));
            let term = Term::Pair(a, b);
            let range = self.len..self.len + term.weights(self.states, pairs.axes());
            self.len = range.end;
            self.list.push(Row { name, term, range });
        }
        self.pairs = Some(pairs);
        self
    }

    /// The weights of a sum of some first terms, as those of all terms: the others weigh nothing.
    pub fn widened(&self, row: &[f64]) -> Vec<f64> {
        let wide = |half: &[f64]| half.iter().copied().chain(std::iter::repeat(0.0)).take(self.len).collect();
        row.chunks((row.len() / 2).max(1)).flat_map(|half| -> Vec<f64> { wide(half) }).collect()
    }

    /// How many places for weights there are. A sum has as many again for what the phase adds to each.
    pub fn len(&self) -> usize {
        self.len
    }

    /// For each weight, whether it is of a single site.
    pub fn of_one_site(&self) -> impl Iterator<Item = bool> {
        self.list.iter().flat_map(|row| {
            let sites = matches!(row.term, Term::Set(..));
            (0..row.range.len()).map(move |place| sites && place > 0)
        })
    }

    /// For each weight, whether it says nothing as long as few games say otherwise: there are many like it.
    pub(super) fn are_held(&self) -> impl Iterator<Item = bool> {
        self.of_one_site().zip(self.are_pairs()).map(|(site, pair)| site || pair)
    }

    /// For each weight, whether it is of pieces beside each other.
    pub(super) fn are_pairs(&self) -> impl Iterator<Item = bool> {
        self.list.iter().flat_map(|row| row.range.clone().map(|_| matches!(row.term, Term::Pair(..))))
    }

    /// For each weight, whether it is of a number of the state.
    pub(super) fn are_numbers(&self) -> impl Iterator<Item = bool> {
        self.list.iter().flat_map(|row| row.range.clone().map(|_| matches!(row.term, Term::Slot(..))))
    }

    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Whose points the sums are.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// Where pieces are that stand below others.
    pub(super) fn covered(&self) -> Option<&Covered> {
        self.covered.as_ref()
    }

    /// Where pieces are that stand beside others.
    pub(super) fn pairs(&self) -> Option<&Pairs> {
        self.pairs.as_ref()
    }

    /// Where the weight of a pair is, by its place.
    pub(super) fn pair(&self, place: usize) -> Option<usize> {
        self.pairs.as_ref().map(|pairs| self.first_pair() + pairs.weight(place))
    }

    /// Where the weights of pairs begin: behind all others.
    fn first_pair(&self) -> usize {
        self.len - self.pairs.as_ref().map_or(0, Pairs::weights)
    }

    /// The weights of a sum as they are on a board that is half full, and what the phase adds to each; nothing where none
    /// changes.
    pub(super) fn halves<'r>(&self, row: &'r [f64]) -> (&'r [f64], &'r [f64]) {
        row.split_at(self.len.min(row.len()))
    }

    /// How full the board is.
    pub(super) fn phase(&self) -> &Phase {
        &self.phase
    }

    /// How many words a set has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many sites the board has.
    pub fn sites(&self) -> usize {
        self.sites
    }

    /// How many states a turn has.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The terms, and where their weights lie.
    pub fn ranges(&self) -> impl Iterator<Item = (&Term, Range<usize>)> {
        self.list.iter().map(|row| (&row.term, row.range.clone()))
    }

    /// The names of the terms, and where their weights lie. No two have one name.
    pub fn names(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.list.iter().map(|row| (&row.name[..], row.range.clone()))
    }

    /// The scale by which the values of each term are divided.
    pub(super) fn scales(&self) -> Vec<f64> {
        let mut scales = vec![1.0; self.len];
        for (term, range) in self.ranges() {
            if let Term::Slot(_, scale) | Term::Score(_, scale) = term {
                scales[range.start] = *scale;
            }
        }
        scales
    }

    /// Sets how large numbers usually are.
    pub fn scale(&mut self, usual: &[f64]) {
        for Row { term, range, .. } in &mut self.list {
            let usual = usual.get(range.start).copied().unwrap_or(1.0);
            if let Term::Slot(_, scale) | Term::Score(_, scale) = term {
                *scale = if usual > 0.0 { usual } else { 1.0 };
            }
        }
    }

    /// Adds the values of the terms of a position: the place of the weight, and how often or how much. Comes back with
    /// the phase.
    pub fn tell(
        &self,
        machine: &mut Machine,
        pos: &Position,
        moves: &Moves,
        out: &mut Vec<(u32, f32)>,
    ) -> f32 {
        let scores = machine.scores(pos);
        let layout = machine.layout();
        let mover = moves.mover().index();
        let below = self.covered.as_ref().map(|covered| (covered, covered.counts(pos.words())));
        let beside = self.pairs.as_ref().map(|pairs| pairs.counts(pos.words())).unwrap_or_default();
        let first_pair = self.first_pair();
        let mut add = |place: usize, much: f64| out.push((place as u32, much as f32));
        for Row { term, range, .. } in &self.list {
            match term {
                Term::Set(at, sites) => {
                    let mut members = 0;
                    for w in 0..self.width {
                        let word = |first: usize| pos.words().get(first + w).copied().unwrap_or(0);
                        let bits = Bits([word(at.0) & at.1.map_or(u64::MAX, word)]);
                        for site in bits.iter().map(|bit| 64 * w + bit).filter(|site| site < sites) {
                            add(range.start + 1 + site, 1.0);
                            members += 1;
                        }
                    }
                    if members > 0 {
                        add(range.start, f64::from(members));
                    }
                }
                Term::Below(top, sort) => {
                    let count = below.as_ref().and_then(|(c, counts)| counts.get(c.place(*top, *sort)));
                    if let Some(count) = count.filter(|count| **count > 0) {
                        add(range.start, f64::from(*count));
                    }
                }
                Term::Pair(..) => {
                    for (at, count) in range.clone().zip(beside.iter().skip(range.start - first_pair)) {
                        if *count > 0 {
                            add(at, f64::from(*count));
                        }
                    }
                }
                Term::Slot(slot, scale) => add(range.start, f64::from(pos.slot(layout, *slot)) / scale),
                Term::Score(player, scale) => {
                    add(range.start, f64::from(scores.get(*player).copied().unwrap_or(0)) / scale);
                }
                Term::Turn(who) if *who == mover => {
                    let state = usize::try_from(pos.slot(layout, slot::STATE)).unwrap_or(0);
                    if state < self.states {
                        add(range.start + state, 1.0);
                    }
                }
                Term::Mobility(who) if *who == mover => add(range.start, (1.0 + moves.len() as f64).ln()),
                Term::Turn(_) | Term::Mobility(_) => {}
            }
        }
        self.phase.of(pos.words()) as f32 / UNIT as f32
    }
}

/// The name of a sort of pieces.
fn sort_name(layout: &Layout, sort: usize) -> String {
    let pieces = &layout.pieces;
    let (owner, kind) = pieces.of_sort(layout.players, sort);
    let owner = pieces.owner_layers(layout.players).nth(owner);
    let kind = pieces.kind_layers().and_then(|mut kinds| kinds.nth(kind));
    let layers = owner.into_iter().chain(kind).filter_map(|layer| layout.layers.get(layer));
    layers.map(|layer| &layer.name[..]).collect::<Vec<_>>().join(" ")
}
