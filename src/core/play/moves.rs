//! The legal moves of a position, as segments.

use crate::ids::Player;
use crate::siteset::Bits;

/// A move as one number: the base of the leaf that offers it plus the number of the choices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u32);

/// The legal moves of a position.
///
/// ```
/// use farrier::play::Moves;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "tic-tac-toe".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let start = game.start(&mut machine, None, 1)?;
/// let mut moves = Moves::new();
/// machine.moves(&start, &mut moves);
/// assert_eq!(game.player(moves.mover().index()), game.player(0));
/// let texts: Vec<String> = moves.iter().map(|number| game.move_text(number)).collect();
/// assert_eq!(texts.len(), 9);
/// assert_eq!(moves.nth(0), Some(game.read_move(&moves, &texts[0])?));
/// # Ok(())
/// # }
/// ```
///
/// They are kept as segments of a set, a base and a multiplier. Their order is that of
/// the generators. Buffers are kept from one use to the next.
///
/// A segment is a record of `1 + width` words: the base in the low half of the first and the multiplier
/// in the high half, then the set. The records lie one after the other, so that compiled code can lay
/// them down too.
#[derive(Clone, Debug)]
pub struct Moves {
    /// Records, then room for more.
    buffer: Vec<u64>,
    /// How many words of the buffer are in use.
    used: usize,
    /// Words of a set.
    width: usize,
    total: usize,
    pub(super) mover: Player,
    pub(super) chance: bool,
    /// Whether they are still to be listed.
    pub(super) due: bool,
}

/// Moves that differ in one choice: a site, or something that is numbered like one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    /// The move of site 0, whether that is one of them or not.
    pub base: u32,
    /// How much further the move of the next site is.
    pub step: u32,
    /// The sites.
    pub sites: &'a [u64],
}

impl Run<'_> {
    /// The move of a site.
    #[inline]
    pub fn of(self, site: usize) -> Move {
        Move(self.base.wrapping_add(self.step.wrapping_mul(site as u32)))
    }

    /// The first of its sites.
    #[inline]
    pub fn lowest(self) -> Option<usize> {
        let word = self.sites.iter().position(|word| *word != 0)?;
        Some(64 * word + self.sites[word].trailing_zeros() as usize)
    }
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::new()
    }
}

impl PartialEq for Moves {
    fn eq(&self, other: &Moves) -> bool {
        let parts = |m: &Moves| (m.width, m.total, m.mover, m.chance, m.due);
        parts(self) == parts(other) && self.records() == other.records()
    }
}

impl Eq for Moves {}

/// The move of a record's site.
#[inline]
fn at(head: u64, site: usize) -> Move {
    let step = ((head >> 32) as u32).wrapping_mul(site as u32);
    Move((head as u32).wrapping_add(step))
}

impl Moves {
    /// No moves.
    pub fn new() -> Moves {
        Moves { buffer: vec![0; 256], ..Moves::roomless() }
    }

    /// No moves, and no room for any so far.
    pub(super) const fn roomless() -> Moves {
        Moves { buffer: Vec::new(), used: 0, width: 1, total: 0, mover: Player(0), chance: false, due: false }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The move with exactly `k` before it.
    #[inline]
    pub fn nth(&self, k: usize) -> Option<Move> {
        nth_of(self.records(), self.width, k, select)
    }

    /// All moves in order.
    #[inline]
    pub fn iter(&self) -> MovesIter<'_> {
        moves_in(self.records(), self.width)
    }

    /// All moves in order, those together that differ in one choice.
    #[inline]
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.records().chunks_exact(1 + self.width).filter_map(|record| {
            let (head, sites) = record.split_first()?;
            Some(Run { base: *head as u32, step: (*head >> 32) as u32, sites })
        })
    }

    /// Whether a move is among them.
    pub fn contains(&self, wanted: Move) -> bool {
        self.records().chunks_exact(1 + self.width).any(|record| {
            let distance = wanted.0.wrapping_sub(record[0] as u32);
            let multiplier = ((record[0] >> 32) as u32).max(1);
            // Most records lie elsewhere, which is seen without a division.
            let reach = u64::from(multiplier) * 64 * self.width as u64;
            if u64::from(distance) >= reach || !distance.is_multiple_of(multiplier) {
                return false;
            }
            let site = (distance / multiplier) as usize;
            record[1..].get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
        })
    }

    /// Forgets them.
    #[inline]
    pub fn clear(&mut self) {
        self.used = 0;
        self.total = 0;
        self.chance = false;
        self.due = false;
    }

    /// Forgets all but the first so many.
    pub fn keep_first(&mut self, most: usize) {
        let (mut left, mut used) = (most, 0);
        for record in self.buffer[..self.used].chunks_exact_mut(1 + self.width) {
            if left == 0 {
                break;
            }
            used += 1 + self.width;
            for word in &mut record[1..] {
                let mut kept = 0;
                while *word != 0 && left > 0 {
                    kept |= *word & word.wrapping_neg();
                    *word &= *word - 1;
                    left -= 1;
                }
                *word = kept;
            }
        }
        (self.used, self.total) = (used, self.total.min(most));
    }

    /// Becomes a copy of other moves, in the memory it has.
    #[inline]
    pub fn copy_from(&mut self, other: &Moves) {
        if self.buffer.len() < other.used {
            self.buffer.resize(other.buffer.len(), 0);
        }
        self.buffer[..other.used].copy_from_slice(other.records());
        (self.used, self.width, self.total) = (other.used, other.width, other.total);
        (self.mover, self.chance, self.due) = (other.mover, other.chance, other.due);
    }

    /// Whether they are known. Only [`Machine::play_on`](super::Machine::play_on) leaves them unknown: none are there
    /// then.
    #[inline]
    pub fn are_listed(&self) -> bool {
        !self.due
    }

    /// Who decides among them. For a chance node the player whose turn it is.
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// Whether the seed decides among them, not a player.
    #[inline]
    pub fn is_chance(&self) -> bool {
        self.chance
    }

    /// The records in use.
    #[inline]
    pub(super) fn records(&self) -> &[u64] {
        self.buffer.get(..self.used).unwrap_or(&[])
    }

    /// Words of a set.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Forgets them and takes sets of that many words from now on.
    #[inline]
    pub(super) fn reset(&mut self, width: usize) {
        self.clear();
        self.width = width;
    }

    /// Where compiled code lays down records of sets of so many words: the buffer, all of it room. Until
    /// [`Moves::laid`] is called there are no moves.
    #[cfg(feature = "jit")]
    #[inline]
    pub(crate) fn room(&mut self, width: usize) -> &mut Vec<u64> {
        self.reset(width);
        &mut self.buffer
    }

    /// The records, for compiled code to read; none where they are of another width.
    #[cfg(feature = "jit")]
    #[inline]
    pub(crate) fn records_of(&self, width: usize) -> Option<&[u64]> {
        (self.width == width || self.used == 0).then(|| self.records())
    }

    /// The buffer, the moves left as they are, and how many words of it they take.
    #[cfg(feature = "jit")]
    #[inline]
    pub(crate) fn buffer(&mut self) -> (&mut Vec<u64>, usize) {
        (&mut self.buffer, self.used)
    }

    /// Takes over the records that compiled code has laid down: their words, and the moves in them.
    #[cfg(feature = "jit")]
    #[inline]
    pub(crate) fn laid(&mut self, used: usize, total: usize) {
        self.used = used.min(self.buffer.len());
        self.total = total;
    }

    /// Where the next record goes: the mark that [`Moves::truncate`] and others take.
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.used
    }

    /// Forgets the segments after a mark.
    pub(super) fn truncate(&mut self, mark: usize) {
        self.total -= count_in(self.records().get(mark..).unwrap_or(&[]), self.width);
        self.used = mark;
    }

    /// Adds a segment; an empty one is left out. The multiplier is at least 1.
    #[inline]
    pub(super) fn push<const W: usize>(&mut self, set: Bits<W>, base: u32, multiplier: u32) {
        let count = set.count();
        if count == 0 {
            return;
        }
        if self.used + 1 + W > self.buffer.len() {
            self.grow(W);
        }
        let record = self.buffer.get_mut(self.used..self.used + 1 + W);
        if let Some((head, words)) = record.and_then(<[u64]>::split_first_mut) {
            *head = u64::from(base) | u64::from(multiplier) << 32;
            words.copy_from_slice(&set.0);
        }
        self.used += 1 + W;
        self.total += count as usize;
    }

    /// Makes room for more records of sets of so many words.
    #[cold]
    fn grow(&mut self, width: usize) {
        self.buffer.resize(2 * (self.used + 1 + width), 0);
    }

    /// Adds one move.
    #[inline]
    pub(super) fn push_one<const W: usize>(&mut self, number: u32) {
        self.push(Bits::<W>::one(0), number, 1);
    }

    /// The segments, each as its moves in order, where sets have so many words.
    #[inline]
    pub(super) fn segments<const W: usize>(
        &self,
    ) -> impl Iterator<Item = impl Iterator<Item = Move> + Clone> {
        self.records().chunks_exact(1 + W).map(|record| {
            let (head, set) = record.split_first().unwrap_or((&0, &[]));
            Bits::<W>::load(set).iter().map(|site| at(*head, site))
        })
    }

    /// The `k`-th move, where sets have so many words.
    #[inline]
    pub(super) fn nth_of_width<const W: usize>(&self, k: usize) -> Option<Move> {
        match W {
            1 => nth_word(self.records(), k, select),
            _ => nth_in(self.records(), W, k, select),
        }
    }

    /// Keeps the moves for which `keep` says yes.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        self.thin(0, |records, width| retain_in(records, width, |_, number| keep(number)));
    }

    /// Has moves taken out of the records from a mark, by a function that says how many it took. It is given the
    /// records and the words of their sets.
    pub(super) fn thin(&mut self, mark: usize, take: impl FnOnce(&mut [u64], usize) -> usize) {
        let records = self.buffer.get_mut(mark..self.used).unwrap_or(&mut []);
        self.total -= take(records, self.width);
    }
}

/// All moves of some records in order.
#[inline]
pub(super) fn moves_in(records: &[u64], width: usize) -> MovesIter<'_> {
    MovesIter { records, width, word: 0, rest: records.get(1).copied().unwrap_or(0) }
}

/// How many moves some records have.
pub(super) fn count_in(mut records: &[u64], width: usize) -> usize {
    let mut sum = 0;
    while let [_, words @ ..] = records {
        let (set, next) = words.split_at(width.min(words.len()));
        for word in set {
            sum += word.count_ones() as usize;
        }
        records = next;
    }
    sum
}

/// Takes those moves out of some records for which `keep` says no; gives back how many. It is given the number of moves
/// before the move, and the move.
pub(super) fn retain_in(
    records: &mut [u64],
    width: usize,
    mut keep: impl FnMut(usize, Move) -> bool,
) -> usize {
    let (mut number, mut taken) = (0, 0);
    for record in records.chunks_exact_mut(1 + width) {
        let Some((head, words)) = record.split_first_mut() else { continue };
        for (i, word) in words.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let site = 64 * i + bit.trailing_zeros() as usize;
                if !keep(number, at(*head, site)) {
                    *word ^= bit;
                    taken += 1;
                }
                number += 1;
            }
        }
    }
    taken
}

/// The move with exactly `k` before it among records of sets of so many words. `select` finds the bit of a
/// word with exactly so many lower ones.
#[inline(always)]
pub(crate) fn nth_of(
    records: &[u64],
    width: usize,
    k: usize,
    select: impl Fn(u64, u32) -> u32,
) -> Option<Move> {
    match width {
        1 => nth_word(records, k, select),
        _ => nth_in(records, width, k, select),
    }
}

/// The same for sets of one word.
#[inline(always)]
fn nth_word(records: &[u64], k: usize, select: impl Fn(u64, u32) -> u32) -> Option<Move> {
    let mut k = u32::try_from(k).ok()?;
    for [head, word] in records.as_chunks::<2>().0 {
        let here = word.count_ones();
        if k < here {
            return Some(at(*head, select(*word, k) as usize));
        }
        k -= here;
    }
    None
}

/// The same for sets of more.
#[inline(always)]
fn nth_in(mut records: &[u64], width: usize, k: usize, select: impl Fn(u64, u32) -> u32) -> Option<Move> {
    let mut k = u32::try_from(k).ok()?;
    while let Some((record, others)) = records.split_at_checked(1 + width) {
        records = others;
        let (head, words) = record.split_first()?;
        let (last, others) = words.split_last()?;
        // A branch on whether it is in this word would often be mispredicted, so there is none.
        let (mut upto, mut before, mut at_word) = (0, 0, 0);
        for word in others {
            upto += word.count_ones();
            let later = k >= upto;
            before = if later { upto } else { before };
            at_word += usize::from(later);
        }
        upto += last.count_ones();
        if k < upto {
            let word = *words.get(at_word)?;
            return Some(at(*head, at_word * 64 + select(word, k - before) as usize));
        }
        k -= upto;
    }
    None
}

/// The number of the bit with exactly `k` lower ones. There is one.
#[inline]
pub(crate) fn select(mut word: u64, k: u32) -> u32 {
    if k >= 8 {
        return select_far(word, k);
    }
    for _ in 0..k {
        word &= word.wrapping_sub(1);
    }
    word.trailing_zeros()
}

/// The same without a loop: the byte is found by the counts of all bytes at once, then the half of it, and
/// so on.
#[inline]
fn select_far(word: u64, k: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // How many ones are in each two bits, four bits, byte, and in the bytes up to each.
    let twos = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let upto = bytes.wrapping_mul(ONES);
    // The high bit of a byte stays where `k` is no less than the count up to it: the bit lies above.
    let below = (((u64::from(k) * ONES) | HIGH).wrapping_sub(upto) & HIGH) >> 7;
    let mut at = (below.wrapping_mul(ONES) >> 56) * 8;
    let mut left = u64::from(k) - ((upto << 8) >> at & 0xff);
    for (counts, mask, width) in [(fours, 0xf, 4), (twos, 0x3, 2), (word, 0x1, 1)] {
        let low = counts >> at & mask;
        let above = u64::from(left >= low);
        left -= low * above;
        at += width * above;
    }
    at as u32
}

impl<'a> IntoIterator for &'a Moves {
    type Item = Move;
    type IntoIter = MovesIter<'a>;

    fn into_iter(self) -> MovesIter<'a> {
        self.iter()
    }
}

/// The moves in order.
#[derive(Clone, Debug)]
pub struct MovesIter<'a> {
    /// The records from the one at hand.
    records: &'a [u64],
    width: usize,
    /// Which word of its set.
    word: usize,
    /// The rest of that word.
    rest: u64,
}

impl Iterator for MovesIter<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while self.rest == 0 {
            self.word += 1;
            if self.word >= self.width {
                self.word = 0;
                self.records = self.records.get(1 + self.width..)?;
            }
            self.rest = *self.records.get(1 + self.word)?;
        }
        let site = self.word * 64 + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some(at(*self.records.first()?, site))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_found_by_its_number() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for word in [u64::MAX, 1 << 63, 1, 0xff00_ff00_ff00_ff00].into_iter().chain((0..200).map(|_| {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word
        })) {
            let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
            for (k, bit) in bits.enumerate() {
                assert_eq!(select(word, k as u32), bit, "{word:x}, {k}");
                assert_eq!(select_far(word, k as u32), bit, "{word:x}, {k}");
            }
        }
    }
}
