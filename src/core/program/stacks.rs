//! Stacks of any pieces: what stands below the top piece of a site.
//!
//! The top piece of a site is in the layers of its kind and owner, as where there are no stacks. So every rule that
//! asks the board sees it, and nothing else. The pieces below it are numbers in slots:
//!
//! ```text
//! slot                              of each site
//! heights + site                    how many pieces are below the top one
//! digits + row * sites + site       these pieces, the lowest first: `each` of them a row, as digits to the base `sorts`
//! ```
//!
//! A digit is the number of a sort of pieces, a kind and an owner (see [`super::Pieces::sort`]). Digits that no piece
//! has are 0, so equal stacks are equal numbers. To add or take the piece below the top is to add or subtract one digit
//! at a place that the height tells; no other digit moves. Boards without stacks have no such slots.

use serde::Serialize;

/// Where the pieces below the top ones are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Stacks {
    /// The most pieces on a site, the top one counted.
    pub most: u32,
    /// The sites of the board.
    pub sites: usize,
    /// The first slot of heights.
    pub heights: usize,
    /// The first slot of digits.
    pub digits: usize,
    /// The base of the digits: how many sorts of pieces there are, at least 2.
    pub sorts: u32,
    /// How many digits a slot has.
    pub each: usize,
}

impl Stacks {
    /// Stacks of at most so many pieces of so many sorts; the slots begin at `first`.
    pub fn new(most: u32, sites: usize, sorts: usize, first: usize) -> Stacks {
        let sorts = (sorts as u32).max(2);
        let each = i32::MAX.ilog(sorts as i32) as usize;
        Stacks { most, sites, heights: first, digits: first + sites, sorts, each }
    }

    /// How many slots a site has for its digits.
    pub fn rows(&self) -> usize {
        (self.most.max(1) as usize - 1).div_ceil(self.each).max(1)
    }

    /// All its slots.
    pub fn slots(&self) -> std::ops::Range<usize> {
        self.heights..self.digits + self.rows() * self.sites
    }

    /// The worth of a digit of its slot.
    pub fn worth(&self, digit: usize) -> i32 {
        (self.sorts as i32).pow(digit as u32)
    }

    /// Where a piece of a site is, by its number from the lowest: the slot, and the worth of its digit there.
    pub fn place(&self, site: usize, number: usize) -> (usize, i32) {
        (self.digits + number / self.each * self.sites + site, self.worth(number % self.each))
    }

    /// The slots of a site.
    pub fn of_site(&self, site: usize) -> impl Iterator<Item = usize> {
        let digits = (0..self.rows()).map(move |row| row * self.sites + site);
        [self.heights + site].into_iter().chain(digits.map(|at| self.digits + at))
    }

    /// The sorts of the pieces below the top of a site, the lowest first; `slot` gives the value of a slot.
    pub fn below(self, site: usize, slot: impl Fn(usize) -> i32) -> impl Iterator<Item = usize> {
        let height = usize::try_from(slot(self.heights + site)).unwrap_or(0).min(self.most as usize);
        (0..height).map(move |number| {
            let (at, worth) = self.place(site, number);
            (slot(at) / worth % self.sorts as i32).max(0) as usize
        })
    }
}
