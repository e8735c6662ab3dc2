//! Random play: from one decision to the next without a way back through the interpreter.

use super::{Apply, Compiled, Context, Host, context_of};
use crate::play::tables::{nth_of, select};
use crate::play::{Moves, Rng, Starts, Task};

impl Compiled {
    /// See [`crate::play::Native::roam`].
    pub(super) fn roam_from(
        &self,
        task: Task<'_>,
        moves: &mut Moves,
        starts: Option<Starts<'_>>,
        rng: &mut Rng,
        most: u32,
    ) -> Option<u32> {
        let width = self.program.layout.width;
        let ply = self.ply()?;
        moves.records_of(width)?;
        if !self.fits(task.words, &task) {
            return None;
        }
        let mut host = starts.map(|starts| Host { starts, words: self.words });
        let mut context = context_of(&task);
        context.total = moves.len() as u64;
        let (buffer, used) = moves.buffer();
        context.lay_in(buffer, used, width, host.as_mut());
        let pos = task.words.as_mut_ptr();
        // SAFETY: the position and the dealt numbers are as long as the program says; the buffer and the host
        // live until the call is over, and nobody else uses them meanwhile. The processor has what the faster
        // way is compiled for.
        let roamed = unsafe {
            #[cfg(target_arch = "x86_64")]
            match self.bits {
                true => self.roam_with_bits(ply, &mut context, pos, rng, most),
                false => self.roam_on(ply, &mut context, pos, rng, most, select),
            }
            #[cfg(not(target_arch = "x86_64"))]
            self.roam_on(ply, &mut context, pos, rng, most, select)
        };
        moves.laid(context.used(), usize::try_from(context.total).unwrap_or(0));
        Some(roamed)
    }

    /// With the processor's instructions that count and find bits, which the least of processors lacks.
    ///
    /// # Safety
    ///
    /// As for [`Compiled::roam_on`], and the processor has those instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    unsafe fn roam_with_bits(
        &self,
        ply: Apply,
        context: &mut Context,
        pos: *mut u64,
        rng: &mut Rng,
        most: u32,
    ) -> u32 {
        let select = |word, k: u32| std::arch::x86_64::_pdep_u64(1 << k, word).trailing_zeros();
        // SAFETY: as the caller promises.
        unsafe { self.roam_on(ply, context, pos, rng, most, select) }
    }

    /// # Safety
    ///
    /// The function does a move of this program. The context is one for laying down moves and holds those of the position, which is as long as the
    /// program says.
    #[inline(always)]
    unsafe fn roam_on(
        &self,
        ply: Apply,
        context: &mut Context,
        pos: *mut u64,
        rng: &mut Rng,
        most: u32,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> u32 {
        let width = self.program.layout.width;
        let mut plies = 0;
        while plies < most && context.total != 0 {
            // SAFETY: so many words were laid down there, and nobody writes them before the next call.
            let records = unsafe { std::slice::from_raw_parts(context.start, context.used()) };
            let k = rng.pick(context.total as usize);
            let Some(number) = nth_of(records, width, k, select) else { break };
            plies += 1;
            // SAFETY: as the caller promises.
            unsafe { ply(context, pos, number.0) };
        }
        plies
    }
}

/// Whether the processor has the instructions of [`Compiled::roam_with_bits`].
pub(super) fn has_bits() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("popcnt")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
