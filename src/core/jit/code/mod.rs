//! Compiled code in memory, and the calls to and from it: the one place with unsafe code.

#![allow(
    unsafe_code,
    reason = "compiled code is called by its address; what keeps it in bounds is said in the module above"
)]

mod checked;
pub(super) mod context;
mod faults;
mod helpers;
mod longest;
mod roam;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use super::asked::Asked;
use super::cost::Costs;
use super::emit::{Called, Emit, Shared};
use super::flow::due_states;
use super::longest::states_inside;
use super::memory::Regions;
use super::{Uncompiled, flow};
use crate::play::{Aids, Moves, Native, Paths, Played, Rng, Roamed, Task};
use crate::program::{Program, slot, verify};
pub use checked::Checked;
use context::{Apply, Context, DUE, Host, Inside, NOT_DONE, context_of};
pub use faults::Fault;
pub(super) use faults::Faults;
pub(super) use helpers::Helpers;
use longest::Search;

/// The most bytes of memory of its own that a function may have: it lies on the stack.
const MAX_FRAME_BYTES: usize = 256 * 1024;

type Value = unsafe extern "C" fn(*mut Context, *mut u64) -> i32;
type Ply = unsafe extern "C" fn(*mut Context, *mut u64, u32) -> i32;
type Each = unsafe extern "C" fn(*mut Context, *const u64, *mut u64) -> u64;

/// A function that is compiled when it is first asked for; none where it cannot be.
type Later<F> = OnceLock<Option<F>>;

/// A compiled program.
///
/// INVARIANT: the functions lie in the memory of `maker`, which is freed when this is dropped; the tables that they read
/// are those of the program, failed tests go to `faults`.
pub(super) struct Compiled {
    program: Arc<Program>,
    apply: Apply,
    /// What can follow a ply of a longest path; none where no path is longer than a ply.
    inside: Option<Inside>,
    score: Option<Value>,
    /// Makes the functions that are compiled later.
    maker: Mutex<Maker>,
    /// Where failed tests are noted, if code is checked.
    faults: Option<Arc<Faults>>,
    /// The functions from here on are compiled at their first call. Those that do a ply without its moves, and lay
    /// them down.
    late: Later<Late>,
    /// Makes moves one after the other.
    each: Later<Each>,
    /// Do a ply with its moves, without and with a call at the start of a turn.
    ply: [Later<Apply>; 2],
    /// Goes on after a move that was made alone.
    resolve: Later<Value>,
    /// Whether the processor has instructions that count and find bits.
    bits: bool,
    /// The shape of positions: see [`crate::program::Layout::shape`].
    shape: u64,
    /// Where in a position the slots are, and how long it is: looked at before every call.
    slots_at: usize,
    words: usize,
}

/// A ply in two parts.
#[derive(Clone, Copy)]
struct Late {
    /// Does a move and goes on after it, up to the moves that follow.
    ply: Ply,
    /// Lays these down.
    list: Inside,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Compiled").finish_non_exhaustive()
    }
}

fn backend(error: impl fmt::Display) -> Uncompiled {
    Uncompiled::Backend(error.to_string())
}

/// The machine that code is made for. Code that is `checked` is seldom run for long: it is made quickly. For it, and with
/// debug assertions, Cranelift checks what it is given.
fn target(checked: bool) -> Result<OwnedTargetIsa, Uncompiled> {
    let verified = checked || cfg!(debug_assertions);
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", if checked { "none" } else { "speed" }),
        ("regalloc_algorithm", if checked { "single_pass" } else { "backtracking" }),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // A frame that is larger than a page touches each of its pages, so that none jumps over a stack's guard.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("unwind_info", "false"),
        ("enable_verifier", if verified { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(backend)?;
    }
    let builder = cranelift_native::builder().map_err(backend)?;
    builder.finish(settings::Flags::new(flags)).map_err(backend)
}

/// Makes the functions of a program, and owns the memory in which they lie: none while this is dropped.
struct Maker {
    module: Option<JITModule>,
    shared: Shared,
    contexts: FunctionBuilderContext,
    called: Called<FuncId>,
}

/// Parameters and results of a function, behind the context and the position.
fn signature(convention: CallConv, more: &[types::Type], results: &[types::Type]) -> Signature {
    let mut signature = Signature::new(convention);
    let params = [types::I64, types::I64].iter().chain(more);
    signature.params.extend(params.map(|ty| AbiParam::new(*ty)));
    signature.returns.extend(results.iter().map(|ty| AbiParam::new(*ty)));
    signature
}

impl Maker {
    /// A maker of functions, if the program is not too large. Their tests are noted in `faults`, if they are checked.
    fn new(program: Arc<Program>, faults: Option<Arc<Faults>>) -> Result<Maker, Uncompiled> {
        // What is written out is faster.
        let mut asked = Asked::default();
        let costs = match Costs::new(&program, &asked) {
            Err(Uncompiled::TooLarge) => {
                asked = Asked::new(&program);
                Costs::new(&program, &asked)?
            }
            costs => costs?,
        };
        let module = JITModule::new(JITBuilder::with_isa(target(faults.is_some())?, default_libcall_names()));
        let called = Called {
            generators: vec![None; program.decisions.len()],
            conditions: vec![None; asked.conditions.len()],
            lister: None,
        };
        let shared = Shared {
            costs,
            regions: Regions::of(&program),
            asked,
            helpers: Helpers::new(program.layout.width),
            convention: module.isa().default_call_conv(),
            faults,
            holes: program.all.iter().map(|w| w.count_ones() as usize).sum::<usize>() < program.layout.sites,
            program,
        };
        Ok(Maker { module: Some(module), shared, contexts: FunctionBuilderContext::new(), called })
    }

    fn module(&mut self) -> Result<&mut JITModule, Uncompiled> {
        self.module.as_mut().ok_or_else(|| backend("its memory is gone"))
    }

    /// The module, whose functions can be called now, as long as this lives.
    fn finish(&mut self) -> Result<&JITModule, Uncompiled> {
        let module = self.module()?;
        module.finalize_definitions().map_err(backend)?;
        Ok(module)
    }

    /// Makes the functions of generators, and those of conditions, which they call.
    fn generators(&mut self) -> Result<(), Uncompiled> {
        for number in 0..self.shared.asked.conditions.len() {
            let about = self.shared.asked.conditions[number].about.len();
            let own = signature(CallConv::Fast, &vec![types::I32; about], &[types::I32]);
            let id =
                self.define(&format!("condition{number}"), own, |e, params| e.condition(number, params))?;
            self.called.conditions[number] = Some(id);
        }
        let records = [types::I64, types::I64];
        let own = signature(CallConv::Fast, &[types::I32, types::I64, types::I64], &records);
        let functions = flow::functions(&self.shared.program, &self.shared.costs);
        for decision in (0..functions.len()).filter(|i| functions[*i]) {
            let name = format!("generate{decision}");
            let id = self.define(&name, own.clone(), |e, params| e.generator(decision, params))?;
            self.called.generators[decision] = Some(id);
        }
        Ok(())
    }

    fn define(
        &mut self,
        name: &str,
        signature: Signature,
        body: impl FnOnce(&mut Emit<'_>, &[cranelift_codegen::ir::Value]),
    ) -> Result<FuncId, Uncompiled> {
        let id = self.module()?.declare_function(name, Linkage::Local, &signature).map_err(backend)?;
        self.fill(id, signature, body)?;
        Ok(id)
    }

    fn fill(
        &mut self,
        id: FuncId,
        signature: Signature,
        body: impl FnOnce(&mut Emit<'_>, &[cranelift_codegen::ir::Value]),
    ) -> Result<(), Uncompiled> {
        let Maker { module, shared, contexts, called } = self;
        let module = module.as_mut().ok_or_else(|| backend("its memory is gone"))?;
        let mut context = module.make_context();
        context.func.signature = signature;
        let called = called.clone().map(|id| module.declare_func_in_func(id, &mut context.func));
        let builder = FunctionBuilder::new(&mut context.func, contexts);
        let (mut emit, params) = Emit::new(builder, shared, called);
        body(&mut emit, &params);
        // The function is finished in any case: the next one is built with the same contexts.
        let (unsound, frame) = (emit.unsound.get(), emit.finish(module.target_config()));
        if let Some(why) = unsound {
            return Err(backend(why));
        }
        // Threads have stacks of a few megabytes.
        if frame > MAX_FRAME_BYTES {
            return Err(Uncompiled::TooLarge);
        }
        module.define_function(id, &mut context).map_err(|error| backend(format!("{error:?}")))
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nobody calls the functions any more: they are reached through the owner of this only.
            unsafe { module.free_memory() };
        }
    }
}

impl Compiled {
    pub fn new(program: Arc<Program>, faults: Option<Arc<Faults>>) -> Result<Compiled, Uncompiled> {
        verify(&program).map_err(Uncompiled::Unsound)?;
        let layout = &program.layout;
        // Copies of a position lie on the stack.
        if layout.words() > 2048 {
            return Err(Uncompiled::TooLarge);
        }
        if layout.players > 8 {
            return Err(Uncompiled::Unsupported("a game of more than eight players"));
        }
        let mut maker = Maker::new(Arc::clone(&program), faults.clone())?;
        maker.generators()?;
        let apply = signature(maker.shared.convention, &[types::I32], &[]);
        let apply = maker.define("apply", apply, |e, params| e.apply(params[0]))?;
        let inside = match states_inside(&program).is_empty() {
            true => None,
            false => {
                let signature = signature(maker.shared.convention, &[], &[]);
                Some(maker.define("inside", signature, |e, _| e.inside())?)
            }
        };
        let score = match program.score {
            None => None,
            Some(score) => {
                let signature = signature(maker.shared.convention, &[], &[types::I32]);
                Some(maker.define("score", signature, |e, _| {
                    use cranelift_codegen::ir::InstBuilder;
                    let value = e.int(score);
                    e.b.ins().return_(&[value]);
                })?)
            }
        };
        let module = maker.finish()?;
        let address = |id: FuncId| module.get_finalized_function(id);
        // SAFETY: the functions were defined with these signatures.
        let (apply, inside, score) = unsafe {
            let value = |id: FuncId| std::mem::transmute::<*const u8, Value>(address(id));
            let apply = std::mem::transmute::<*const u8, Apply>(address(apply));
            let inside = inside.map(|id| std::mem::transmute::<*const u8, Inside>(address(id)));
            (apply, inside, score.map(value))
        };
        let (slots_at, words) = (program.layout.slots_at(), program.layout.words());
        let (each, ply, late) = (OnceLock::new(), [const { OnceLock::new() }; 2], OnceLock::new());
        let resolve = OnceLock::new();
        let (bits, shape) = (roam::has_bits(), program.layout.shape(&program.all));
        Ok(Compiled {
            program,
            apply,
            resolve,
            inside,
            score,
            maker: Mutex::new(maker),
            faults,
            late,
            each,
            ply,
            bits,
            shape,
            slots_at,
            words,
        })
    }

    /// Makes a function that was not made with the others, and gives back its address. It is called as long as this
    /// lives.
    fn later(
        &self,
        name: &str,
        params: &[types::Type],
        results: &[types::Type],
        body: impl FnOnce(&mut Emit<'_>, &[cranelift_codegen::ir::Value]),
    ) -> Result<*const u8, Uncompiled> {
        let mut maker = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
        let signature = signature(maker.shared.convention, params, results);
        let function = maker.define(name, signature, body)?;
        Ok(maker.finish()?.get_finalized_function(function))
    }

    /// The function that makes moves one after the other.
    fn each(&self) -> Option<Each> {
        *self.each.get_or_init(|| {
            let body = |e: &mut Emit<'_>, params: &[_]| e.make_each(params[0]);
            let address = self.later("each", &[types::I64], &[types::I64], body).ok()?;
            // SAFETY: the function was defined with this signature.
            Some(unsafe { std::mem::transmute::<*const u8, Each>(address) })
        })
    }

    /// The function that does a move and goes on after it; it may tell the starts of turns.
    fn ply(&self, tells_starts: bool) -> Option<Apply> {
        *self.ply[usize::from(tells_starts)].get_or_init(|| {
            let body = |e: &mut Emit<'_>, params: &[_]| {
                e.tells_starts = tells_starts;
                e.ply(params[0]);
            };
            let name = ["ply", "ply with starts"][usize::from(tells_starts)];
            let address = self.later(name, &[types::I32], &[], body).ok()?;
            // SAFETY: the function was defined with this signature.
            Some(unsafe { std::mem::transmute::<*const u8, Apply>(address) })
        })
    }

    /// The function that goes on after a move.
    fn resolver(&self) -> Option<Value> {
        *self.resolve.get_or_init(|| {
            let address = self.later("resolve", &[], &[types::I32], |e, _| e.resolve()).ok()?;
            // SAFETY: the function was defined with this signature.
            Some(unsafe { std::mem::transmute::<*const u8, Value>(address) })
        })
    }

    /// The functions that do a ply in two parts; none where no state is due for certain.
    fn late(&self) -> Option<Late> {
        *self.late.get_or_init(|| {
            if due_states(&self.program).is_empty() {
                return None;
            }
            let mut maker = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
            let convention = maker.shared.convention;
            let list = maker.define("list", signature(convention, &[], &[]), |e, _| e.list()).ok()?;
            maker.called.lister = Some(list);
            let ply = signature(convention, &[types::I32], &[types::I32]);
            let ply = maker.define("play on", ply, |e, params| e.play_on(params[0]));
            // Other functions do without.
            maker.called.lister = None;
            let (module, ply) = (maker.finish().ok()?, ply.ok()?);
            let [list, ply] = [list, ply].map(|id| module.get_finalized_function(id));
            // SAFETY: the functions were defined with these signatures.
            Some(unsafe {
                let ply = std::mem::transmute::<*const u8, Ply>(ply);
                Late { ply, list: std::mem::transmute::<*const u8, Inside>(list) }
            })
        })
    }

    /// Whether a position is of this program: the sizes that compiled code takes for granted.
    #[inline]
    fn fits(&self, words: &[u64], task: &Task<'_>) -> Option<()> {
        const _: () = assert!(slot::MOVER == 0 && slot::TURN == 1);
        let layout = &self.program.layout;
        // Each is read as it was written: a read of both at once would have to wait for the writes.
        let slots = bytemuck::cast_slice::<u64, u32>(words.get(self.slots_at..).unwrap_or(&[]));
        let fits = task.shape == self.shape
            && words.len() == self.words
            && task.deal.len() >= layout.dealt
            && slots.iter().take(2).all(|player| (*player as usize) < layout.players);
        fits.then_some(())
    }

    /// The search for longest paths that a call may ask for.
    #[inline]
    fn search<'a>(&'a self, paths: &'a mut Option<Box<Paths>>) -> Search<'a> {
        Search { program: &self.program, apply: self.apply, inside: self.inside, paths }
    }

    /// Calls a function that lays down moves.
    #[inline]
    fn lay(
        &self,
        task: &mut Task<'_>,
        moves: &mut Moves,
        aids: Aids<'_>,
        call: impl FnOnce(&mut Context, *mut u64) -> i32,
    ) -> Option<Played> {
        let width = self.program.layout.width;
        let Aids { starts, paths } = aids;
        let mut host = starts.map(|starts| Host { starts, words: self.words });
        let mut search = self.search(paths);
        let mut context = context_of(task);
        context.lay_in(moves.room(width), 0, width, host.as_mut());
        search.serve(&mut context);
        let played = match call(&mut context, task.words.as_mut_ptr()) {
            NOT_DONE => return None,
            DUE => Played::Due,
            _ => Played::Resolved,
        };
        moves.laid(context.used(), usize::try_from(context.total).unwrap_or(0));
        Some(played)
    }
}

impl Native for Compiled {
    fn apply(&self, task: Task<'_>, number: u32) -> Option<()> {
        self.fits(task.words, &task)?;
        let mut context = context_of(&task);
        // SAFETY: the position and the dealt numbers are as long as the program says.
        unsafe { (self.apply)(&raw mut context, task.words.as_mut_ptr(), number) };
        Some(())
    }

    fn resolve(&self, mut task: Task<'_>, moves: &mut Moves, aids: Aids<'_>) -> Option<()> {
        self.fits(task.words, &task)?;
        let resolve = self.resolver()?;
        // SAFETY: the position and the dealt numbers are as long as the program says; the buffer and who is
        // called live until the call is over, and nobody else uses them meanwhile.
        self.lay(&mut task, moves, aids, |context, pos| unsafe { resolve(context, pos) }).map(|_| ())
    }

    fn play(&self, mut task: Task<'_>, number: u32, moves: &mut Moves, aids: Aids<'_>) -> Option<Played> {
        self.fits(task.words, &task)?;
        let ply = self.ply(aids.starts.is_some())?;
        self.lay(&mut task, moves, aids, |context, pos| {
            // SAFETY: as for resolving alone.
            unsafe { ply(context, pos, number) };
            0
        })
    }

    fn play_on(&self, mut task: Task<'_>, number: u32, moves: &mut Moves, aids: Aids<'_>) -> Option<Played> {
        let Some(late) = self.late() else { return self.play(task, number, moves, aids) };
        self.fits(task.words, &task)?;
        // SAFETY: as for resolving alone.
        self.lay(&mut task, moves, aids, |context, pos| unsafe { (late.ply)(context, pos, number) })
    }

    fn list(&self, mut task: Task<'_>, moves: &mut Moves, aids: Aids<'_>) -> Option<()> {
        let late = self.late()?;
        self.fits(task.words, &task)?;
        let listed = self.lay(&mut task, moves, aids, |context, pos| {
            // SAFETY: as for resolving alone.
            unsafe { (late.list)(context, pos) };
            0
        });
        listed.map(|_| ())
    }

    fn roam(
        &self,
        task: Task<'_>,
        moves: &mut Moves,
        aids: Aids<'_>,
        rng: &mut Rng,
        most: u32,
    ) -> Option<Roamed> {
        self.roam_from(task, moves, aids, rng, most)
    }

    fn make_each(&self, from: &[u64], task: Task<'_>, moves: &Moves) -> Option<u64> {
        let width = self.program.layout.width;
        let records = moves.records_of(width)?;
        self.fits(from, &task).filter(|()| task.words.len() == self.words)?;
        let each = self.each()?;
        let mut context = context_of(&task);
        let room = records.as_ptr_range();
        // Nothing is written there.
        (context.start, context.sink) = (room.start.cast_mut(), room.end.cast_mut());
        // SAFETY: both positions and the dealt numbers are as long as the program says, the records are
        // whole and of its width; none of them lies in another.
        Some(unsafe { each(&raw mut context, from.as_ptr(), task.words.as_mut_ptr()) })
    }

    fn score(&self, task: Task<'_>) -> Option<i32> {
        let score = self.score?;
        self.fits(task.words, &task)?;
        let mut context = context_of(&task);
        // SAFETY: as for a move.
        Some(unsafe { score(&raw mut context, task.words.as_mut_ptr()) })
    }
}
