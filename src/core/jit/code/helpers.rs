//! The functions that compiled code calls: room for moves, starts of turns, and tables where inline code would be
//! too long.

use std::ffi::c_void;

use super::context::{Context, Host};
use super::faults::{Fault, Faults};
use super::longest::longest;
use crate::play::tables;
use crate::program::{RayTable, Relation};
use crate::siteset::Bits;

/// The addresses of the functions that compiled code calls.
#[derive(Clone, Copy, Debug)]
pub(in crate::jit) struct Helpers {
    pub grow: usize,
    pub starts: usize,
    pub longest: usize,
    pub ring: usize,
    pub line: usize,
    pub distance: usize,
    pub slide: usize,
    pub slide_over: usize,
    pub between: usize,
    pub fault: usize,
    /// The sets of one site each, where looking them up is cheaper than making them.
    pub bits: Option<usize>,
}

/// The sets of one site each, for every bit that a set of `W` words has.
const fn bits<const W: usize, const N: usize>() -> [[u64; W]; N] {
    let mut sets = [[0; W]; N];
    let mut bit = 0;
    while bit < N {
        sets[bit][bit / 64] = 1 << (bit % 64);
        bit += 1;
    }
    sets
}

static BITS_2: [[u64; 2]; 128] = bits();
static BITS_4: [[u64; 4]; 256] = bits();

impl Helpers {
    pub(super) fn new(width: usize) -> Helpers {
        match width {
            1 => Helpers::of::<1>(),
            2 => Helpers::of::<2>(),
            4 => Helpers::of::<4>(),
            8 => Helpers::of::<8>(),
            _ => Helpers::of::<16>(),
        }
    }

    fn of<const W: usize>() -> Helpers {
        Helpers {
            grow: grow as *const () as usize,
            starts: starts as *const () as usize,
            longest: longest as *const () as usize,
            ring: ring::<W> as *const () as usize,
            line: line::<W> as *const () as usize,
            distance: distance::<W> as *const () as usize,
            slide: slide::<W> as *const () as usize,
            slide_over: slide_over::<W> as *const () as usize,
            between: between::<W> as *const () as usize,
            fault: fault as *const () as usize,
            bits: match W {
                2 => Some(BITS_2.as_ptr() as usize),
                4 => Some(BITS_4.as_ptr() as usize),
                _ => None,
            },
        }
    }
}

/// Makes room for so many more records; gives back where the next one goes.
///
/// # Safety
///
/// The context is that of a running call, `sink` points into its buffer.
unsafe extern "C" fn grow(context: *mut Context, sink: *mut u64, records: u64) -> *mut u64 {
    // SAFETY: as the caller promises.
    unsafe {
        let context = &mut *context;
        let buffer = &mut *context.buffer;
        let used = (sink.addr() - context.start.addr()) / 8;
        buffer.resize(2 * buffer.len() + records as usize * context.record, 0);
        context.lies_in(buffer);
        context.start.add(used)
    }
}

/// Says that a turn has started; gives back how often its position was seen.
///
/// # Safety
///
/// `host` is that of a running call, `pos` the position that it was given.
unsafe extern "C" fn starts(host: *mut c_void, pos: *mut u64) -> i32 {
    // SAFETY: as the caller promises.
    unsafe {
        let host = &mut *host.cast::<Host<'_>>();
        (host.starts)(std::slice::from_raw_parts_mut(pos, host.words))
    }
}

/// Notes a test that failed.
///
/// # Safety
///
/// `faults` are those of the code that calls; the name is a text of so many bytes that is always there.
unsafe extern "C" fn fault(faults: *const Faults, name: *const u8, len: usize, index: u64, bound: u64) {
    // SAFETY: as the caller promises.
    let (faults, name) = unsafe { (&*faults, std::slice::from_raw_parts(name, len)) };
    let operation = std::str::from_utf8(name).unwrap_or("");
    faults.note(Fault { operation, index, bound });
}

/// The words of a set as compiled code lays them down.
///
/// # Safety
///
/// `words` points to `W` words that nobody else uses meanwhile.
unsafe fn set<'a, const W: usize>(words: *mut u64) -> &'a mut [u64; W] {
    // SAFETY: as the caller promises.
    unsafe { &mut *words.cast::<[u64; W]>() }
}

/// # Safety
///
/// The relation is one of the program, `words` a set.
unsafe extern "C" fn ring<const W: usize>(relation: *const Relation, words: *mut u64, steps: i32) {
    // SAFETY: as the caller promises.
    let (relation, words) = unsafe { (&*relation, set::<W>(words)) };
    *words = tables::ring(relation, Bits(*words), steps).0;
}

/// # Safety
///
/// The relation is one of the program, `words` a set.
unsafe extern "C" fn line<const W: usize>(relation: *const Relation, words: *mut u64, length: i32) {
    // SAFETY: as the caller promises.
    let (relation, words) = unsafe { (&*relation, set::<W>(words)) };
    *words = tables::line(relation, Bits(*words), length).0;
}

/// # Safety
///
/// The relation is one of the program.
unsafe extern "C" fn distance<const W: usize>(
    relation: *const Relation,
    from: u32,
    to: u32,
    none: i32,
) -> i32 {
    // SAFETY: as the caller promises.
    let relation = unsafe { &*relation };
    tables::distance::<W>(relation, from as usize, to as usize).unwrap_or(none)
}

/// # Safety
///
/// The rays are those of the program, `words` is a set.
unsafe extern "C" fn slide<const W: usize>(ray: *const RayTable, from: u32, words: *mut u64) {
    // SAFETY: as the caller promises.
    let (ray, words) = unsafe { (&*ray, set::<W>(words)) };
    *words = tables::slide(ray, from as usize, Bits(*words)).0;
}

/// # Safety
///
/// The rays are those of the program, `words` and `over` are sets.
unsafe extern "C" fn slide_over<const W: usize>(
    ray: *const RayTable,
    from: u32,
    words: *mut u64,
    over: *mut u64,
) {
    // SAFETY: as the caller promises.
    let (ray, words, over) = unsafe { (&*ray, set::<W>(words), set::<W>(over)) };
    *words = tables::slide_over(ray, from as usize, Bits(*words), Bits(*over)).0;
}

/// # Safety
///
/// The rays are those of the program, `words` is a set.
unsafe extern "C" fn between<const W: usize>(ray: *const RayTable, from: u32, words: *mut u64) {
    // SAFETY: as the caller promises.
    let (ray, words) = unsafe { (&*ray, set::<W>(words)) };
    *words = tables::between(ray, from as usize, Bits(*words)).0;
}
