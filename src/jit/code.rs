//! Compiled code in memory, and the calls to and from it: the one place with unsafe code.

#![allow(
    unsafe_code,
    reason = "compiled code is called by its address; what keeps it in bounds is said in the module above"
)]

use std::ffi::c_void;
use std::fmt;
use std::mem::offset_of;
use std::sync::{Arc, Mutex};

use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use super::cost::Costs;
use super::emit::{Emit, Shared};
use super::{Uncompiled, flow};
use crate::play::{Moves, Native, Played, Starts, Task, tables};
use crate::program::{Program, RayTable, Relation, slot};
use crate::siteset::Bits;

/// What compiled code is given beside the position.
#[repr(C)]
struct Context {
    /// Where the first record of moves goes.
    start: *mut u64,
    /// Afterwards: behind the last record.
    sink: *mut u64,
    /// Behind the room for records.
    end: *mut u64,
    /// Afterwards: how many moves were laid down.
    total: u64,
    /// The dealt numbers.
    deal: *const i32,
    /// The [`Host`] to be called when a turn starts, or null.
    host: *mut c_void,
    /// The buffer in which the records are.
    buffer: *mut Vec<u64>,
    /// Words of a record.
    record: usize,
    /// Whether ends that perft ignores are ignored.
    perft: u32,
}

/// Where the fields of the context are.
pub(super) mod context {
    use super::{Context, offset_of};
    pub const START: usize = offset_of!(Context, start);
    pub const SINK: usize = offset_of!(Context, sink);
    pub const TOTAL: usize = offset_of!(Context, total);
    pub const END: usize = offset_of!(Context, end);
    pub const DEAL: usize = offset_of!(Context, deal);
    pub const HOST: usize = offset_of!(Context, host);
    pub const PERFT: usize = offset_of!(Context, perft);
}

/// Who is called when a turn starts.
struct Host<'a> {
    starts: Starts<'a>,
    /// Words of a position.
    words: usize,
}

/// What resolving gives back where it did nothing.
pub(super) const NOT_DONE: i32 = 1;

type Apply = unsafe extern "C" fn(*mut Context, *mut u64, u32);
type Value = unsafe extern "C" fn(*mut Context, *mut u64) -> i32;

/// A compiled program.
///
/// INVARIANT: the functions lie in the memory of the module, which is freed when this is dropped; the
/// tables that they read are those of the program.
pub(super) struct Compiled {
    program: Arc<Program>,
    apply: Apply,
    resolve: Option<Value>,
    score: Option<Value>,
    module: Mutex<Option<JITModule>>,
    /// Where in a position the slots are, and how long it is: looked at before every call.
    slots_at: usize,
    words: usize,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Compiled").field("resolve", &self.resolve.is_some()).finish_non_exhaustive()
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        if let Some(module) = self.module.get_mut().ok().and_then(Option::take) {
            // SAFETY: nobody calls the functions any more: they are reached through `self` only.
            unsafe { module.free_memory() };
        }
    }
}

fn backend(error: impl fmt::Display) -> Uncompiled {
    Uncompiled::Backend(error.to_string())
}

fn target() -> Result<OwnedTargetIsa, Uncompiled> {
    let mut flags = settings::builder();
    let checked = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_probestack", "false"),
        ("unwind_info", "false"),
        ("enable_verifier", checked),
    ] {
        flags.set(name, value).map_err(backend)?;
    }
    let builder = cranelift_native::builder().map_err(backend)?;
    builder.finish(settings::Flags::new(flags)).map_err(backend)
}

/// Makes the functions of a program.
struct Maker<'p> {
    module: JITModule,
    shared: Shared<'p>,
    contexts: FunctionBuilderContext,
    /// The generators that are functions.
    generators: Vec<Option<FuncId>>,
}

/// Parameters and results of a function, behind the context and the position.
fn signature(convention: CallConv, more: &[types::Type], results: &[types::Type]) -> Signature {
    let mut signature = Signature::new(convention);
    let params = [types::I64, types::I64].iter().chain(more);
    signature.params.extend(params.map(|ty| AbiParam::new(*ty)));
    signature.returns.extend(results.iter().map(|ty| AbiParam::new(*ty)));
    signature
}

impl<'p> Maker<'p> {
    fn define(
        &mut self,
        name: &str,
        signature: Signature,
        body: impl FnOnce(&mut Emit<'_>, &[cranelift_codegen::ir::Value]),
    ) -> Result<FuncId, Uncompiled> {
        let id = self.module.declare_function(name, Linkage::Local, &signature).map_err(backend)?;
        self.fill(id, signature, body)?;
        Ok(id)
    }

    fn fill(
        &mut self,
        id: FuncId,
        signature: Signature,
        body: impl FnOnce(&mut Emit<'_>, &[cranelift_codegen::ir::Value]),
    ) -> Result<(), Uncompiled> {
        let mut context = self.module.make_context();
        context.func.signature = signature;
        let generators: Vec<Option<FuncRef>> = self
            .generators
            .iter()
            .map(|id| id.map(|id| self.module.declare_func_in_func(id, &mut context.func)))
            .collect();
        let builder = FunctionBuilder::new(&mut context.func, &mut self.contexts);
        let (mut emit, params) = Emit::new(builder, &self.shared, generators);
        body(&mut emit, &params);
        emit.finish(self.module.target_config());
        self.module.define_function(id, &mut context).map_err(|error| backend(format!("{error:?}")))
    }
}

impl Compiled {
    pub fn new(program: Arc<Program>) -> Result<Compiled, Uncompiled> {
        let layout = &program.layout;
        // Copies of a position lie on the stack.
        if layout.words() > 2048 {
            return Err(Uncompiled::TooLarge);
        }
        if layout.players > 8 {
            return Err(Uncompiled::Unsupported("a game of more than eight players"));
        }
        if rows_of_holes(&program) {
            return Err(Uncompiled::Unsupported("a relation from sites that do not exist"));
        }
        let costs = Costs::new(&program)?;
        let functions = flow::functions(&program, &costs);
        let isa = target()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let convention = module.isa().default_call_conv();
        let shared = Shared {
            program: &program,
            costs,
            helpers: Helpers::new(layout.width),
            convention,
            holes: program.all.iter().map(|w| w.count_ones() as usize).sum::<usize>() < layout.sites,
        };
        let contexts = FunctionBuilderContext::new();
        let generators = vec![None; functions.len()];
        let mut maker = Maker { module, shared, contexts, generators };
        let searches = flow::searches(&program);
        if !searches {
            let records = [types::I64, types::I64];
            let own = signature(CallConv::Fast, &[types::I32, types::I64, types::I64], &records);
            for decision in (0..functions.len()).filter(|i| functions[*i]) {
                let name = format!("generate{decision}");
                let id = maker.define(&name, own.clone(), |e, params| e.generator(decision, params))?;
                maker.generators[decision] = Some(id);
            }
        }
        let plain = signature(convention, &[], &[types::I32]);
        let apply = signature(convention, &[types::I32], &[]);
        let apply = maker.define("apply", apply, |e, params| e.apply(params[0]))?;
        let resolve = match searches {
            true => None,
            false => Some(maker.define("resolve", plain.clone(), |e, _| e.resolve())?),
        };
        let score = match program.score {
            None => None,
            Some(score) => Some(maker.define("score", plain, |e, _| {
                use cranelift_codegen::ir::InstBuilder;
                let value = e.int(score);
                e.b.ins().return_(&[value]);
            })?),
        };
        let Maker { mut module, .. } = maker;
        module.finalize_definitions().map_err(backend)?;
        let address = |id: FuncId| module.get_finalized_function(id);
        // SAFETY: the functions were defined with these signatures.
        let (apply, resolve, score) = unsafe {
            let value = |id: FuncId| std::mem::transmute::<*const u8, Value>(address(id));
            let apply = std::mem::transmute::<*const u8, Apply>(address(apply));
            (apply, resolve.map(value), score.map(value))
        };
        let (slots_at, words) = (program.layout.slots_at(), program.layout.words());
        let module = Mutex::new(Some(module));
        Ok(Compiled { program, apply, resolve, score, module, slots_at, words })
    }

    /// Whether a task is of this program: the sizes that compiled code takes for granted.
    #[inline]
    fn fits(&self, task: &Task<'_>) -> bool {
        const _: () = assert!(slot::MOVER == 0 && slot::TURN == 1);
        let layout = &self.program.layout;
        // Each is read as it was written: a read of both at once would have to wait for the writes.
        let slots = bytemuck::cast_slice::<u64, u32>(task.words.get(self.slots_at..).unwrap_or(&[]));
        task.words.len() == self.words
            && task.deal.len() >= layout.dealt
            && slots.iter().take(2).all(|player| (*player as usize) < layout.players)
    }

    /// Calls what lays down moves.
    #[inline]
    fn lay(
        &self,
        task: &mut Task<'_>,
        moves: &mut Moves,
        starts: Option<Starts<'_>>,
        call: impl FnOnce(*mut Context, *mut u64) -> i32,
    ) -> Option<()> {
        let width = self.program.layout.width;
        let mut host = starts.map(|starts| Host { starts, words: self.words });
        let buffer = moves.room(width);
        let mut context = context_of(task);
        let room = buffer.as_mut_ptr_range();
        (context.start, context.sink, context.end) = (room.start, room.start, room.end);
        context.buffer = std::ptr::from_mut(buffer);
        context.record = 1 + width;
        if let Some(host) = &mut host {
            context.host = std::ptr::from_mut(host).cast();
        }
        if call(&raw mut context, task.words.as_mut_ptr()) == NOT_DONE {
            return None;
        }
        let used = (context.sink.addr() - context.start.addr()) / 8;
        moves.laid(used, usize::try_from(context.total).unwrap_or(0));
        Some(())
    }
}

/// A context without moves.
fn context_of(task: &Task<'_>) -> Context {
    Context {
        start: std::ptr::null_mut(),
        sink: std::ptr::null_mut(),
        end: std::ptr::null_mut(),
        total: 0,
        deal: task.deal.as_ptr(),
        host: std::ptr::null_mut(),
        buffer: std::ptr::null_mut(),
        record: 0,
        perft: u32::from(task.perft),
    }
}

impl Native for Compiled {
    fn apply(&self, task: Task<'_>, number: u32) -> Option<()> {
        if !self.fits(&task) {
            return None;
        }
        let mut context = context_of(&task);
        // SAFETY: the position and the dealt numbers are as long as the program says.
        unsafe { (self.apply)(&raw mut context, task.words.as_mut_ptr(), number) };
        Some(())
    }

    fn resolve(&self, mut task: Task<'_>, moves: &mut Moves, starts: Option<Starts<'_>>) -> Option<()> {
        let resolve = self.resolve?;
        if !self.fits(&task) {
            return None;
        }
        // SAFETY: the position and the dealt numbers are as long as the program says; the buffer and the
        // host live until the call is over, and nobody else uses them meanwhile.
        self.lay(&mut task, moves, starts, |context, pos| unsafe { resolve(context, pos) })
    }

    fn play(
        &self,
        mut task: Task<'_>,
        number: u32,
        moves: &mut Moves,
        starts: Option<Starts<'_>>,
    ) -> Option<Played> {
        let resolve = self.resolve?;
        if !self.fits(&task) {
            return None;
        }
        let done = self.lay(&mut task, moves, starts, |context, pos| {
            // SAFETY: as for resolving alone.
            unsafe {
                (self.apply)(context, pos, number);
                resolve(context, pos)
            }
        });
        Some(done.map_or(Played::Applied, |()| Played::Resolved))
    }

    fn score(&self, task: Task<'_>) -> Option<i32> {
        let score = self.score?;
        if !self.fits(&task) {
            return None;
        }
        let mut context = context_of(&task);
        // SAFETY: as for a move.
        Some(unsafe { score(&raw mut context, task.words.as_mut_ptr()) })
    }
}

/// Whether some relation or ray leads on from a site that does not exist. No lowering makes one; compiled
/// code does not look.
fn rows_of_holes(program: &Program) -> bool {
    let width = program.layout.width;
    let holes = |rows: &[u64]| {
        rows.chunks_exact(width).enumerate().any(|(site, row)| {
            program.all[site / 64] >> (site % 64) & 1 == 0 && row.iter().any(|word| *word != 0)
        })
    };
    program.relations.iter().any(|relation| holes(&relation.rows))
        || program.rays.iter().any(|ray| holes(&ray.reach))
}

/// The addresses of what compiled code calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Helpers {
    pub grow: usize,
    pub starts: usize,
    pub ring: usize,
    pub line: usize,
    pub distance: usize,
    pub slide: usize,
    pub slide_over: usize,
    pub between: usize,
}

impl Helpers {
    fn new(width: usize) -> Helpers {
        match width {
            1 => Helpers::of::<1>(),
            2 => Helpers::of::<2>(),
            3 => Helpers::of::<3>(),
            4 => Helpers::of::<4>(),
            6 => Helpers::of::<6>(),
            8 => Helpers::of::<8>(),
            12 => Helpers::of::<12>(),
            _ => Helpers::of::<16>(),
        }
    }

    fn of<const W: usize>() -> Helpers {
        Helpers {
            grow: grow as *const () as usize,
            starts: starts as *const () as usize,
            ring: ring::<W> as *const () as usize,
            line: line::<W> as *const () as usize,
            distance: distance::<W> as *const () as usize,
            slide: slide::<W> as *const () as usize,
            slide_over: slide_over::<W> as *const () as usize,
            between: between::<W> as *const () as usize,
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
        let room = buffer.as_mut_ptr_range();
        (context.start, context.end) = (room.start, room.end);
        room.start.add(used)
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
