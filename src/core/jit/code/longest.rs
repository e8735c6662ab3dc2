//! The helper that chooses the longest paths: see [`crate::jit::longest`].

use super::context::{Apply, Context, Inside, blank};
use crate::play::tables::Plies;
use crate::play::{Move, Moves, Paths};
use crate::program::{Program, StateId};

/// The search that a call may ask for.
pub(super) struct Search<'a> {
    pub(super) program: &'a Program,
    pub(super) apply: Apply,
    /// None where no path is longer than a ply.
    pub(super) inside: Option<Inside>,
    pub(super) paths: &'a mut Option<Box<Paths>>,
}

impl Search<'_> {
    /// May be asked for by the call of a context.
    #[inline]
    pub(super) fn serve(&mut self, context: &mut Context) {
        context.search = std::ptr::from_mut(self).cast();
    }
}

/// Takes those moves out of the last records that begin no longest path; gives back how many.
///
/// # Safety
///
/// The context is that of a running call that may search, `pos` the position that it was given. `inside` is a list of
/// the program. The records lie between the other two in the context's buffer.
pub(super) unsafe extern "C" fn longest(
    context: *const Context,
    pos: *const u64,
    inside: *const Vec<StateId>,
    from: *mut u64,
    upto: *mut u64,
) -> u64 {
    // SAFETY: as the caller promises. Nobody else searches meanwhile: the functions that are called back do not.
    let (context, search, inside) =
        unsafe { (&*context, &mut *(*context).search.cast::<Search<'_>>(), &*inside) };
    let Search { program, apply, inside: Some(go_on), paths } = search else { return 0 };
    let (words, width) = (program.layout.words(), program.layout.width);
    let len = upto.addr().saturating_sub(from.addr()) / 8;
    // SAFETY: as the caller promises.
    let (root, records) =
        unsafe { (std::slice::from_raw_parts(pos, words), std::slice::from_raw_parts_mut(from, len)) };
    let context = blank(context.deal, context.perft);
    let mut plies = OfCode { program, apply: *apply, go_on: *go_on, inside, context };
    paths.get_or_insert_default().choose(root, records, width, &mut plies) as u64
}

/// Plies of longest paths, made by compiled code of a program.
struct OfCode<'a> {
    program: &'a Program,
    apply: Apply,
    go_on: Inside,
    /// The states in which paths go on.
    inside: &'a [StateId],
    context: Context,
}

impl Plies for OfCode<'_> {
    fn lead_on(&self, number: Move) -> bool {
        let leaf = self.program.leaf_of(number.0).and_then(|leaf| self.program.leaves.get(leaf));
        leaf.is_some_and(|leaf| self.inside.contains(&leaf.next))
    }

    fn make(&mut self, words: &mut Box<[u64]>, number: Move, offers: &mut Moves) {
        let OfCode { program, apply, go_on, context, .. } = self;
        context.total = offers.len() as u64;
        let (buffer, used) = offers.buffer();
        context.lay_in(buffer, used, program.layout.width, None);
        // SAFETY: the functions are the program's, the position is a copy of one of it with the same numbers dealt; the
        // buffer lives until the calls are over, and nobody else uses it meanwhile.
        unsafe {
            apply(context, words.as_mut_ptr(), number.0);
            go_on(context, words.as_mut_ptr());
        }
        offers.laid(context.used(), usize::try_from(context.total).unwrap_or(0));
    }
}
