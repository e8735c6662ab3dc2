//! The arguments of compiled code, and its results.

use std::ffi::c_void;
use std::mem::offset_of;

use crate::play::{Starts, Task};

/// Does a move.
pub(super) type Apply = unsafe extern "C" fn(*mut Context, *mut u64, u32);
/// Finds what can follow a ply of a longest path.
pub(super) type Inside = unsafe extern "C" fn(*mut Context, *mut u64);

/// The arguments of compiled code beside the position.
#[repr(C)]
pub(super) struct Context {
    /// Where the first record of moves goes.
    pub(super) start: *mut u64,
    /// Afterwards: behind the last record.
    pub(super) sink: *mut u64,
    /// Behind it there is room for as many records as are laid down [without a look](MARGIN), and no more.
    pub(super) end: *mut u64,
    /// Afterwards: how many moves were laid down.
    pub(super) total: u64,
    /// The dealt numbers.
    pub(super) deal: *const i32,
    /// The [`Host`] to be called when a turn starts, or null.
    pub(super) host: *mut c_void,
    /// The [search](super::longest::Search) to be made where longest paths are asked for, or null.
    pub(super) search: *mut c_void,
    /// The buffer in which the records are.
    pub(super) buffer: *mut Vec<u64>,
    /// Words of a record.
    pub(super) record: usize,
    /// Whether ends that perft ignores are ignored.
    pub(super) perft: u32,
}

// Where the fields of the context are.
pub(in crate::jit) const START: usize = offset_of!(Context, start);
pub(in crate::jit) const SINK: usize = offset_of!(Context, sink);
pub(in crate::jit) const TOTAL: usize = offset_of!(Context, total);
pub(in crate::jit) const END: usize = offset_of!(Context, end);
pub(in crate::jit) const DEAL: usize = offset_of!(Context, deal);
pub(in crate::jit) const HOST: usize = offset_of!(Context, host);
pub(in crate::jit) const PERFT: usize = offset_of!(Context, perft);

/// How many records code lays down without a look at the room that is left.
pub(in crate::jit) const MARGIN: u64 = 16;

/// Who is called when a turn starts.
pub(super) struct Host<'a> {
    pub(super) starts: Starts<'a>,
    /// Words of a position.
    pub(super) words: usize,
}

/// The result of resolving where it did nothing.
pub(in crate::jit) const NOT_DONE: i32 = 1;

/// The result of a ply after which the moves are still to be laid down.
pub(in crate::jit) const DUE: i32 = 2;

impl Context {
    /// Has moves laid down in a buffer behind so many words that are in use.
    #[inline]
    pub(super) fn lay_in(
        &mut self,
        buffer: &mut Vec<u64>,
        used: usize,
        width: usize,
        host: Option<&mut Host<'_>>,
    ) {
        self.record = 1 + width;
        if buffer.len() < used + self.margin() {
            buffer.resize(used + self.margin(), 0);
        }
        self.buffer = std::ptr::from_mut(buffer);
        self.lies_in(buffer);
        self.sink = self.start.wrapping_add(used);
        if let Some(host) = host {
            self.host = std::ptr::from_mut(host).cast();
        }
    }

    /// The words that are kept behind [`Context::end`].
    #[inline]
    fn margin(&self) -> usize {
        MARGIN as usize * self.record
    }

    /// Says where the room for records is. It is larger than the margin.
    #[inline]
    pub(super) fn lies_in(&mut self, buffer: &mut [u64]) {
        let room = buffer.as_mut_ptr_range();
        (self.start, self.end) = (room.start, room.end.wrapping_sub(self.margin()));
    }

    /// How many words of the buffer are in use.
    #[inline]
    pub(super) fn used(&self) -> usize {
        (self.sink.addr() - self.start.addr()) / 8
    }
}

/// A context without moves.
pub(super) fn context_of(task: &Task<'_>) -> Context {
    blank(task.deal.as_ptr(), u32::from(task.perft))
}

/// A context without moves, for so many dealt numbers.
pub(super) fn blank(deal: *const i32, perft: u32) -> Context {
    Context {
        start: std::ptr::null_mut(),
        sink: std::ptr::null_mut(),
        end: std::ptr::null_mut(),
        total: 0,
        deal,
        host: std::ptr::null_mut(),
        search: std::ptr::null_mut(),
        buffer: std::ptr::null_mut(),
        record: 0,
        perft,
    }
}
