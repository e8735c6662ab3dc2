//! Classes of moves: those that do much the same.
//!
//! Whether a move captures or promotes is not said by its number, and no rule of the language says it ahead. But moves
//! of one decision, from the same sort of piece onto the same sort, do much the same: a *class* of moves is the leaf,
//! the pieces on the first and the last site that is chosen, and the kind that is chosen.
//!
//! Moves come in runs that differ in one site, or in two that keep their distance, and most sites of a run are empty:
//! these are one class, found at once.

use std::cell::Cell;

use crate::play::{Move, Moves, Position, Run};
use crate::program::{Program, Var, VarKind, slot};

/// Classes fall on so many places.
pub(super) const PLACES: usize = 1 << 12;

/// How the classes of a program's moves are told.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    shapes: Vec<Shape>,
    /// For each player who moves, the first word of each layer of an owner, and what its members add to a sort.
    owners: Vec<Vec<(usize, u64)>>,
    /// The same of kinds, which are the same for all.
    kinds: Vec<(usize, u64)>,
    /// See [`Layout::pieces_at`](crate::program::Layout::pieces_at).
    pieces: Vec<usize>,
    width: usize,
    /// Where the kinds on all sites are found together.
    board: Vec<Cell<u8>>,
    /// Runs that were told before, by their first move: most come again and again.
    told: Vec<Cell<Told>>,
}

/// What the numbers of a run say.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    base: u32,
    step: u32,
    /// The part of a class that the leaf and the kind decide.
    word: u64,
    /// The sites that are chosen first and last.
    ends: [Chosen; 2],
    /// Whether something else than these varies: then each move is classified by itself.
    alone: bool,
}

/// A site that the moves of a run choose.
#[derive(Clone, Copy, Debug, Default)]
enum Chosen {
    #[default]
    None,
    Fixed(i32),
    /// So much further than the site of the run.
    Varying(i32),
}

/// So many runs are remembered.
const TOLD: usize = 512;

/// The choices of a leaf.
#[derive(Clone, Debug, Default)]
struct Shape {
    base: u32,
    first: Option<Digit>,
    last: Option<Digit>,
    kinds: Vec<Digit>,
}

/// Something that is chosen: a digit of a move's number. Quotients are products by reciprocals, exact for all numbers
/// of 32 bits (Granlund and Montgomery, PLDI 1994).
#[derive(Clone, Copy, Debug)]
struct Digit {
    multiplier: u32,
    radix: u32,
    offset: i32,
    by_multiplier: u64,
    by_radix: u64,
}

#[inline]
fn quotient(number: u32, by: u64) -> u32 {
    match by {
        // A reciprocal of 1 is one more than there is room for.
        0 => number,
        _ => ((u128::from(number) * u128::from(by)) >> 64) as u32,
    }
}

impl Digit {
    fn new(var: &Var) -> Digit {
        let by = |divisor: u32| (u64::MAX / u64::from(divisor.max(1))).wrapping_add(1);
        Digit {
            multiplier: var.multiplier,
            radix: var.radix,
            offset: var.offset,
            by_multiplier: by(var.multiplier),
            by_radix: by(var.radix),
        }
    }

    /// The same as [`Var::value`].
    #[inline]
    fn value(&self, choice: u32) -> i32 {
        let above = quotient(choice, self.by_multiplier);
        let rest = above.wrapping_sub(quotient(above, self.by_radix).wrapping_mul(self.radix));
        (rest as i32).wrapping_add(self.offset)
    }
}

/// The pieces on a position's sites, as the player to move sees them: own pieces and others alike, whichever player
/// that is.
struct Sorts<'a> {
    owners: &'a [(usize, u64)],
    kinds: &'a [(usize, u64)],
    pieces: &'a [usize],
    words: &'a [u64],
}

impl Sorts<'_> {
    /// The sort of a site.
    #[inline]
    fn of(&self, site: usize) -> u64 {
        (self.within(self.kinds, site) + self.whose(site)) & 255
    }

    /// The part of a site's sort that says whose the piece is.
    #[inline]
    fn whose(&self, site: usize) -> u64 {
        self.within(self.owners, site)
    }

    #[inline]
    fn within(&self, layers: &[(usize, u64)], site: usize) -> u64 {
        let Some(words) = self.words.get(site / 64..) else { return 0 };
        let mut sort = 0;
        for (layer, weight) in layers {
            sort += words.get(*layer).map_or(0, |word| word >> (site % 64) & 1) * weight;
        }
        sort
    }

    /// The parts of all sites' sorts that kinds decide, on a board of so many words. A piece is of one kind.
    fn all_kinds(&self, board: &[Cell<u8>], width: usize) {
        for sort in board {
            sort.set(0);
        }
        for (layer, weight) in self.kinds {
            for w in 0..width {
                let mut rest = self.words.get(layer + w).copied().unwrap_or(0);
                while rest != 0 {
                    if let Some(sort) = board.get(64 * w + rest.trailing_zeros() as usize) {
                        sort.set(*weight as u8);
                    }
                    rest &= rest - 1;
                }
            }
        }
    }

    /// The sites of a word on which nothing stands.
    #[inline]
    fn empty(&self, w: usize) -> u64 {
        !self.pieces.iter().fold(0, |all, first| all | self.words.get(first + w).copied().unwrap_or(0))
    }
}

/// The sort of no site.
const NOWHERE: u64 = 255;

const FIRST: u32 = 16;
const LAST: u32 = 24;

fn place(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % PLACES
}

/// The part of a class that the position decides for all moves.
#[inline]
fn state(program: &Program, pos: &Position) -> u64 {
    (pos.slot(&program.layout, slot::STATE) as u64) << 40
}

impl Classes {
    pub fn new(program: &Program) -> Classes {
        let layout = &program.layout;
        let shapes = program.leaves.iter().map(|leaf| {
            let vars = leaf.decision.and_then(|d| program.decisions.get(d)).map_or(&[][..], |d| &d.vars);
            let of = |kind: VarKind| vars.iter().filter(move |var| var.kind == kind).map(Digit::new);
            Shape {
                base: leaf.base,
                first: of(VarKind::Site).next(),
                last: of(VarKind::Site).next_back(),
                kinds: of(VarKind::Kind).collect(),
            }
        });
        let at = |layer| layout.layer_at(layer);
        // The highest bit tells a partner's piece from all of one's own and of others.
        let whose = |owner: usize, own: usize| match program.together(owner, own) {
            _ if owner == own => 1,
            true => 128 + 1,
            false => 2,
        };
        let sorted = |own: usize| {
            let owners = layout.pieces.owner_layers(layout.players).enumerate();
            owners.map(|(number, layer)| (at(layer), whose(number, own))).collect()
        };
        let kinds = layout.pieces.kind_layers().into_iter().flatten().enumerate();
        let nothing = Told { step: u32::MAX, ..Told::default() };
        Classes {
            shapes: shapes.collect(),
            owners: (0..layout.players).map(sorted).collect(),
            kinds: kinds.map(|(number, layer)| (at(layer), 3 + 2 * number as u64)).collect(),
            pieces: layout.pieces_at(),
            width: layout.width,
            board: vec![Cell::new(0); 64 * layout.width],
            told: vec![Cell::new(nothing); TOLD],
        }
    }

    fn sorts<'a>(&'a self, program: &Program, pos: &'a Position) -> Sorts<'a> {
        let own = pos.mover(&program.layout).index();
        let owners = self.owners.get(own).map_or(&[][..], |owners| owners);
        Sorts { owners, kinds: &self.kinds, pieces: &self.pieces, words: pos.words() }
    }

    /// The leaf of a move.
    #[inline]
    fn leaf(&self, number: u32) -> Option<(usize, &Shape)> {
        let leaf = self.shapes.partition_point(|shape| shape.base <= number).checked_sub(1)?;
        Some((leaf, self.shapes.get(leaf)?))
    }

    /// The part of a class that the leaf and the kind decide.
    #[inline]
    fn word(leaf: usize, shape: &Shape, choice: u32) -> u64 {
        let kind = shape.kinds.iter().fold(0, |kind, digit| kind + (digit.value(choice) + 1) as u64);
        leaf as u64 | (kind & 255) << 32
    }

    /// What the numbers of a run say, of which this site is one.
    fn tell(&self, run: Run<'_>, site: usize) -> Option<Told> {
        let number = run.of(site).0;
        let (leaf, shape) = self.leaf(number)?;
        let choice = number - shape.base;
        let step = |digit: Option<Digit>| digit.map_or(0, |digit| digit.multiplier);
        let (first, last) = (step(shape.first), step(shape.last));
        let one = first == run.step || last == run.step;
        let together = !one && first + last == run.step;
        let end = |digit: Option<Digit>| match digit {
            None => Chosen::None,
            Some(digit) if together || digit.multiplier == run.step => {
                Chosen::Varying(digit.value(choice) - site as i32)
            }
            Some(digit) => Chosen::Fixed(digit.value(choice)),
        };
        let word = Classes::word(leaf, shape, choice);
        let ends = [end(shape.first), end(shape.last)];
        Some(Told { base: run.base, step: run.step, word, ends, alone: !one && !together })
    }

    /// The class of a move.
    pub fn of(&self, program: &Program, pos: &Position, number: Move) -> usize {
        let Some((leaf, shape)) = self.leaf(number.0) else { return 0 };
        let sorts = self.sorts(program, pos);
        let choice = number.0 - shape.base;
        let of = |site: i32| usize::try_from(site).map_or(NOWHERE, |site| sorts.of(site));
        let sort = |digit: Option<Digit>| digit.map_or(0, |digit| of(digit.value(choice)));
        let word = Classes::word(leaf, shape, choice) | state(program, pos);
        place(word | sort(shape.first) << FIRST | sort(shape.last) << LAST)
    }

    /// Calls `each` with moves of one class: the class, the run, which word of its sites, and which of that word, until
    /// it says that this is enough.
    #[inline]
    pub fn each(
        &self,
        program: &Program,
        pos: &Position,
        moves: &Moves,
        mut each: impl FnMut(usize, Run<'_>, usize, u64) -> bool,
    ) {
        let mut each = |class: usize, run: Run<'_>, w: usize, bits: u64| {
            let any = run.of(64 * w + bits.trailing_zeros() as usize);
            debug_assert_eq!(
                class,
                self.of(program, pos, any),
                "a move of a run by itself is of another class"
            );
            each(class, run, w, bits)
        };
        let sorts = self.sorts(program, pos);
        let state = state(program, pos);
        // Many sites are asked for, so all kinds are found together, once one is.
        let mut found = false;
        let mut sort_of = |site: i32| {
            if !found {
                sorts.all_kinds(&self.board, self.width);
                found = true;
            }
            let Ok(site) = usize::try_from(site) else { return NOWHERE };
            self.board.get(site).map_or(0, |kind| (u64::from(kind.get()) + sorts.whose(site)) & 255)
        };
        // A word, and its empty sites.
        let mut blank = (usize::MAX, 0);
        for run in moves.runs() {
            let at = run.base.wrapping_mul(0x9e37_79b9) as usize >> (32 - 9) & (TOLD - 1);
            let Some(slot) = self.told.get(at) else { continue };
            if slot.get().base != run.base || slot.get().step != run.step {
                let Some(told) = self.tell(run, run.lowest().unwrap_or(0)) else { continue };
                slot.set(told);
            }
            let Told { word, ends, alone, .. } = slot.get();
            let mut known = word | state;
            // Whether what varies is the site of the run itself.
            let mut itself = !alone;
            // One after the other: a loop over two lists is a call here.
            let mut fixed = |end: Chosen, shift: u32| match end {
                Chosen::None => {}
                Chosen::Fixed(site) => known |= sort_of(site) << shift,
                Chosen::Varying(further) => itself &= further == 0,
            };
            fixed(ends[0], FIRST);
            fixed(ends[1], LAST);
            for w in 0..self.width {
                let mut rest = run.sites.get(w).copied().unwrap_or(0);
                if rest == 0 {
                    continue;
                }
                if itself {
                    if blank.0 != w {
                        blank = (w, sorts.empty(w));
                    }
                    let empty = rest & blank.1;
                    if empty != 0 && !each(place(known), run, w, empty) {
                        return;
                    }
                    rest &= !empty;
                }
                // Sites in a row that are of one class are told together.
                let (mut class, mut bits) = (0, 0);
                while rest != 0 {
                    let site = 64 * w + rest.trailing_zeros() as usize;
                    let next = match alone {
                        true => self.of(program, pos, run.of(site)),
                        false => {
                            let mut varying = |end: Chosen, shift: u32| match end {
                                Chosen::Varying(further) => sort_of(further + site as i32) << shift,
                                _ => 0,
                            };
                            place(known | varying(ends[0], FIRST) | varying(ends[1], LAST))
                        }
                    };
                    if bits != 0 && next != class {
                        if !each(class, run, w, bits) {
                            return;
                        }
                        bits = 0;
                    }
                    class = next;
                    bits |= rest & rest.wrapping_neg();
                    rest &= rest - 1;
                }
                if bits != 0 && !each(class, run, w, bits) {
                    return;
                }
            }
        }
    }
}
