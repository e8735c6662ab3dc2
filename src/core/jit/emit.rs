//! A function that is being written.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, BlockArg, FuncRef, InstBuilder, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

use super::asked::Asked;
use super::code::{Faults, Helpers, context};
use super::cost::Costs;
use super::memory::{Address, Region, Regions};
use super::values::{Number, Words, WorkingPosition};
use crate::program::{IntId, Program, SetId};

/// The things that all functions of a program share.
pub(super) struct Shared {
    pub program: Arc<Program>,
    pub costs: Costs,
    pub regions: Regions,
    pub asked: Asked,
    pub helpers: Helpers,
    pub convention: CallConv,
    /// Whether some bits below the number of sites are no sites.
    pub holes: bool,
    /// Where a failed test is noted, if code is checked.
    pub faults: Option<Arc<Faults>>,
}

/// One function.
pub(super) struct Emit<'p> {
    pub b: FunctionBuilder<'p>,
    pub shared: &'p Shared,
    pub program: &'p Program,
    /// Words of a set that sites are in. The others are 0 in memory, and not held at all.
    pub w: usize,
    /// Where the [`super::code::Context`] is.
    pub context: Address,
    /// The position that is read and written.
    pub place: WorkingPosition,
    /// Where the next record of moves goes.
    pub sink: Variable,
    /// How many moves were laid down.
    pub total: Variable,
    /// How many records may still be laid down without a look at the room. Only a function that begins to lay down has
    /// some, and none where its code runs several times.
    pub margin: u64,
    /// Whether the start of a turn is told to whoever keeps the history.
    pub tells_starts: bool,
    pub set_locals: Vec<Option<Vec<Variable>>>,
    /// What was found once for several ends, in the position that they look at.
    pub held: BTreeMap<SetId, Vec<Variable>>,
    /// The number of a set local that is one site, and its bounds.
    pub only: Vec<Option<(Variable, (i64, i64))>>,
    pub int_locals: Vec<Option<Variable>>,
    /// The bounds of integer locals, as far as they are known.
    pub bounds: Vec<(i64, i64)>,
    /// Bytes of memory of the function's own.
    pub frame: usize,
    pub called: Called<FuncRef>,
    /// Whether the code is of several places, in which pieces of several kinds move.
    pub any_kind: bool,
    /// Why the function must not be used: a mistake of the code that writes it.
    pub unsound: Cell<Option<&'static str>>,
}

/// The functions that others call.
#[derive(Clone)]
pub(super) struct Called<F> {
    /// The generators of decisions that are functions of their own.
    pub generators: Vec<Option<F>>,
    /// The conditions that are.
    pub conditions: Vec<Option<F>>,
    /// The function that lists moves, where it is one.
    pub lister: Option<F>,
}

impl<F: Copy> Called<F> {
    /// The same functions as others refer to them.
    pub fn map<G>(&self, mut refer: impl FnMut(F) -> G) -> Called<G> {
        let mut all = |list: &[Option<F>]| list.iter().map(|id| id.map(&mut refer)).collect();
        let (generators, conditions) = (all(&self.generators), all(&self.conditions));
        Called { generators, conditions, lister: self.lister.map(refer) }
    }
}

const NO_ARGS: [BlockArg; 0] = [];

impl<'p> Emit<'p> {
    /// The body of a function whose first parameters are the context and the position. Gives back its
    /// other parameters.
    pub fn new(
        mut b: FunctionBuilder<'p>,
        shared: &'p Shared,
        called: Called<FuncRef>,
    ) -> (Emit<'p>, Vec<Value>) {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let params = b.block_params(entry).to_vec();
        let (sink, total) = (b.declare_var(types::I64), b.declare_var(types::I64));
        let program = &*shared.program;
        let emit = Emit {
            b,
            shared,
            program,
            w: program.layout.words_in_use(),
            context: Address::of(params[0]).within(Region::CONTEXT),
            place: WorkingPosition::Memory(Address::of(params[1])),
            sink,
            total,
            margin: 0,
            tells_starts: true,
            set_locals: vec![None; program.set_locals],
            held: BTreeMap::new(),
            only: vec![None; program.set_locals],
            int_locals: vec![None; program.int_locals.max(1)],
            bounds: vec![super::values::ANY; program.int_locals.max(1)],
            frame: 0,
            called,
            any_kind: false,
            unsound: Cell::new(None),
        };
        (emit, params[2..].to_vec())
    }

    /// Gives the function up: it would do something else than the program says.
    pub fn unsound(&self, why: &'static str) {
        self.unsound.set(Some(why));
    }

    pub fn block(&mut self) -> Block {
        self.b.create_block()
    }

    /// Goes on in a block. It is sealed at the end of the function.
    pub fn at(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &NO_ARGS);
    }

    pub fn brif(&mut self, cond: Value, then: Block, otherwise: Block) {
        self.b.ins().brif(cond, then, &NO_ARGS, otherwise, &NO_ARGS);
    }

    /// Runs code only where a condition holds.
    pub fn when(&mut self, cond: Value, then: impl FnOnce(&mut Self)) {
        let (yes, after) = (self.block(), self.block());
        self.brif(cond, yes, after);
        self.at(yes);
        then(self);
        self.jump(after);
        self.at(after);
    }

    /// Runs code where a condition holds; without one it certainly does.
    pub fn when_certain(&mut self, cond: Option<Value>, then: impl FnOnce(&mut Self)) {
        match cond {
            Some(cond) => self.when(cond, then),
            None => then(self),
        }
    }

    /// Runs the code of the first case where an expression is not 0, else that of the second.
    pub fn fork<T>(&mut self, cond: IntId, cases: [T; 2], mut each: impl FnMut(&mut Self, T)) {
        let (yes, no, after) = (self.block(), self.block(), self.block());
        self.branch(cond, yes, no);
        for (block, case) in [yes, no].into_iter().zip(cases) {
            self.at(block);
            each(self, case);
            self.jump(after);
        }
        self.at(after);
    }

    pub fn i32(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    pub fn i64(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    pub fn cmp(&mut self, cond: IntCC, a: Value, b: Value) -> Value {
        self.b.ins().icmp(cond, a, b)
    }

    /// Compares with a constant.
    pub fn cmp_to(&mut self, cond: IntCC, a: Value, constant: i64) -> Value {
        let ty = self.b.func.dfg.value_type(a);
        let b = self.b.ins().iconst(ty, constant);
        self.cmp(cond, a, b)
    }

    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.b.ins().select(cond, a, b)
    }

    /// The first where a truth holds, else the second; without a truth it certainly does.
    pub fn select_certain(&mut self, cond: Option<Value>, a: Value, b: Value) -> Value {
        cond.map_or(a, |cond| self.select(cond, a, b))
    }

    /// Whether both hold; none: certainly.
    pub fn and_certain(&mut self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.and(a, b)),
            (a, b) => a.or(b),
        }
    }

    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().band(a, b)
    }

    pub fn or(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().bor(a, b)
    }

    /// An unsigned number of 32 bits as one of 64.
    pub fn wide(&mut self, value: Value) -> Value {
        self.b.ins().uextend(types::I64, value)
    }

    pub fn narrow(&mut self, value: Value) -> Value {
        self.b.ins().ireduce(types::I32, value)
    }

    /// A truth as a number.
    pub fn number(&mut self, truth: Value) -> Value {
        self.b.ins().uextend(types::I32, truth)
    }

    /// A truth as a word of ones or zeros.
    pub fn mask(&mut self, truth: Value) -> Value {
        let wide = self.b.ins().uextend(types::I64, truth);
        self.b.ins().ineg(wide)
    }

    /// A variable with a value.
    pub fn variable(&mut self, ty: Type, value: Value) -> Variable {
        let variable = self.b.declare_var(ty);
        self.b.def_var(variable, value);
        variable
    }

    pub fn get(&mut self, variable: Variable) -> Value {
        self.b.use_var(variable)
    }

    pub fn put(&mut self, variable: Variable, value: Value) {
        self.b.def_var(variable, value);
    }

    /// Variables with the words of a set.
    pub fn set_variable(&mut self, words: &Words) -> Vec<Variable> {
        words.0.iter().map(|word| self.variable(types::I64, *word)).collect()
    }

    pub fn get_set(&mut self, variables: &[Variable]) -> Words {
        Words(variables.iter().map(|v| self.b.use_var(*v)).collect())
    }

    pub fn put_set(&mut self, variables: &[Variable], words: &Words) {
        for (variable, word) in variables.iter().zip(&words.0) {
            self.b.def_var(*variable, *word);
        }
    }

    /// Binds a set local.
    pub fn bind_set(&mut self, local: u32, words: &Words) {
        match self.set_locals[local as usize].clone() {
            Some(variables) => self.put_set(&variables, words),
            None => self.set_locals[local as usize] = Some(self.set_variable(words)),
        }
        self.only[local as usize] = None;
    }

    /// Binds an integer local, whose bounds are known.
    pub fn bind_int(&mut self, local: u32, Number { value, bounds }: Number) {
        let local = local as usize;
        match self.int_locals[local] {
            Some(variable) => self.put(variable, value),
            None => self.int_locals[local] = Some(self.variable(types::I32, value)),
        }
        self.bounds[local] = bounds;
    }

    /// Binds an integer local to a site.
    pub fn bind_site(&mut self, local: u32, value: Value) {
        let bounds = (0, self.program.layout.sites as i64 - 1);
        self.bind_int(local, Number { value, bounds });
    }

    /// Calls a helper by its address. Parameters are given with their values.
    pub fn call(&mut self, address: usize, args: &[Value], result: Option<Type>) -> Option<Value> {
        let mut signature = Signature::new(self.shared.convention);
        for arg in args {
            signature.params.push(AbiParam::new(self.b.func.dfg.value_type(*arg)));
        }
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let target = self.i64(address as i64);
        let call = self.b.ins().call_indirect(signature, target, args);
        self.b.inst_results(call).first().copied()
    }

    /// Makes sure that there is room for so many more records. The first that each call lays down outside loops find
    /// room in the margin.
    pub fn reserve(&mut self, records: u64) {
        if records <= self.margin {
            self.margin -= records;
            return;
        }
        let size = self.record_size() as i64 * records as i64;
        let sink = self.get(self.sink);
        let next = self.b.ins().iadd_imm_s(sink, size);
        let end = self.load(types::I64, self.context, context::END);
        let full = self.cmp(IntCC::UnsignedGreaterThan, next, end);
        let (grow, on) = (self.block(), self.block());
        self.b.set_cold_block(grow);
        self.brif(full, grow, on);
        self.at(grow);
        let records = self.i64(records as i64);
        let context = self.pointer(self.context);
        let moved = self.call_int(self.shared.helpers.grow, &[context, sink, records], types::I64);
        self.put(self.sink, moved);
        self.jump(on);
        self.at(on);
    }

    /// Lays down the moves `base + multiplier * site` of a set; nothing for an empty one. There is room.
    pub fn lay(&mut self, words: &Words, base: Value, multiplier: u32) {
        let sink = self.get(self.sink);
        let at = self.record_at("room for a record of moves", sink, context::END);
        let base = self.wide(base);
        let multiplier = self.i64((u64::from(multiplier) << 32) as i64);
        let head = self.or(base, multiplier);
        self.store(head, at, 0);
        self.write(words, at.plus(8));
        // An empty record is overwritten by the next: cheaper than a branch that is often mispredicted.
        let count = self.count(words);
        let some = match self.w {
            1 => self.some(words),
            _ => self.cmp_to(IntCC::NotEqual, count, 0),
        };
        let size = self.record_size() as i64;
        let next = self.b.ins().iadd_imm_s(sink, size);
        let next = self.select(some, next, sink);
        self.put(self.sink, next);
        let before = self.get(self.total);
        let total = self.b.ins().iadd(before, count);
        self.put(self.total, total);
    }

    /// Ends the function. Gives back how many bytes of memory it has of its own.
    pub fn finish(mut self, config: cranelift_codegen::isa::TargetFrontendConfig) -> usize {
        self.b.seal_all_blocks();
        self.b.finalize(config);
        self.frame
    }
}
