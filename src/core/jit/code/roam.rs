//! Random play: from one decision to the next without a way back through the interpreter.

use super::Compiled;
use super::context::{Apply, Context, Host, context_of};
use crate::play::tables::{nth_of, select};
use crate::play::{Aids, Moves, Rng, Roamed, Task};

impl Compiled {
    /// See [`crate::play::Native::roam`].
    pub(super) fn roam_from(
        &self,
        task: Task<'_>,
        moves: &mut Moves,
        aids: Aids<'_>,
        rng: &mut Rng,
        most: u32,
    ) -> Option<Roamed> {
        let width = self.program.layout.width;
        let ply = self.ply(aids.starts.is_some())?;
        moves.records_of(width)?;
        self.fits(task.words, &task)?;
        let Aids { starts, paths } = aids;
        let mut host = starts.map(|starts| Host { starts, words: self.words });
        let mut search = self.search(paths);
        let mut context = context_of(&task);
        context.total = moves.len() as u64;
        let (buffer, used) = moves.buffer();
        context.lay_in(buffer, used, width, host.as_mut());
        search.serve(&mut context);
        let walk = Walk { ply, pos: task.words.as_mut_ptr(), width, rng, most };
        // SAFETY: the position and the dealt numbers are as long as the program says; the buffer and who is called
        // live until the call is over, and nobody else uses them meanwhile. The processor has what the faster
        // way is compiled for.
        let roamed = unsafe {
            #[cfg(target_arch = "x86_64")]
            match self.bits {
                true => walk.go_with_bits(&mut context),
                false => walk.go(&mut context, select),
            }
            #[cfg(not(target_arch = "x86_64"))]
            walk.go(&mut context, select)
        };
        moves.laid(context.used(), usize::try_from(context.total).unwrap_or(0));
        Some(roamed)
    }
}

/// Random play that is about to begin.
struct Walk<'r> {
    /// The function that does a move and goes on after it.
    ply: Apply,
    pos: *mut u64,
    /// Words of a set.
    width: usize,
    rng: &'r mut Rng,
    /// How many plies at most.
    most: u32,
}

impl Walk<'_> {
    /// With the processor's instructions that count and find bits, which the least of processors lacks.
    ///
    /// # Safety
    ///
    /// As for [`Walk::go`], and the processor has those instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    unsafe fn go_with_bits(self, context: &mut Context) -> Roamed {
        let select = |word, k: u32| std::arch::x86_64::_pdep_u64(1 << k, word).trailing_zeros();
        // SAFETY: as the caller promises.
        unsafe { self.go(context, select) }
    }

    /// Plays.
    ///
    /// # Safety
    ///
    /// The function, the position and the width are those of one program. The context is one for laying down moves
    /// and holds those of the position, which is as long as the program says.
    #[inline(always)]
    unsafe fn go(self, context: &mut Context, select: impl Fn(u64, u32) -> u32 + Copy) -> Roamed {
        // SAFETY: as the caller promises.
        unsafe {
            match self.width {
                // As constants, so that the loop looks at no width and at no more words than there are.
                1 => self.go_at(context, 1, select),
                2 => self.go_at(context, 2, select),
                4 => self.go_at(context, 4, select),
                width => self.go_at(context, width, select),
            }
        }
    }

    /// # Safety
    ///
    /// As for [`Walk::go`].
    #[inline(always)]
    unsafe fn go_at(
        self,
        context: &mut Context,
        width: usize,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> Roamed {
        let mut roamed = Roamed::default();
        while roamed.plies < self.most && context.total != 0 {
            // SAFETY: so many words were laid down there, and nobody writes them before the next call.
            let records = unsafe { std::slice::from_raw_parts(context.start, context.used()) };
            let k = self.rng.pick(context.total as usize);
            let Some(number) = nth_of(records, width, k, select) else { break };
            roamed.plies += 1;
            roamed.choices += context.total;
            // SAFETY: as the caller promises.
            unsafe { (self.ply)(context, self.pos, number.0) };
        }
        roamed
    }
}

/// Whether the processor has the instructions of [`Walk::go_with_bits`].
pub(super) fn has_bits() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("popcnt")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
