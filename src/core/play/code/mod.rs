//! A program as closures, which the interpreter runs.
//!
//! ```text
//! Program (expressions and statements by number) -> Builder<W> -> closures that hold those of their operands
//! ```
//!
//! A match on the operation at every step of every ply would cost more than the operation. So each expression and
//! statement becomes one closure, once, that captures offsets, masks and tables at the width of the sets. Constants,
//! locals, layers and slots are read in place ([`arg`]), so most closures are a few instructions around the calls of
//! their operands.
//!
//! The meaning of each form is stated by [`crate::program`]; here every form stands once, in [`set`], [`int`]
//! or [`statement`]. Nothing here is unsafe, and an index that is out of range reads as nothing.
//!
//! An expression that is used in several places is built again in each; from some size on it is shared, so
//! that there is never more code than a few times the program.

mod arg;
mod int;
mod ray;
mod set;
mod statement;
mod steps;

use std::collections::HashMap;
use std::sync::Arc;

use arg::{Arg, IntArg, SetArg, closure};
pub(super) use arg::{Code, Thunk};

use super::board::Board;
use super::ledger::{Asker, Entered};
use crate::program::{BlockId, IntId, IntOp, Part, Program, SetId, SetOp};
use crate::siteset::Bits;
use ray::Rays;
use steps::Steps;

/// Code that changes a position or emits into the frame's sink.
pub(super) type Do = Thunk<()>;

/// Code of at most this size is built anew wherever it is used; larger code is shared.
const MAX_DUPLICATED_SIZE: u32 = 16;

/// Makes code of a program's expressions and blocks.
pub(super) struct Builder<const W: usize> {
    pub program: Arc<Program>,
    board: Arc<Board<W>>,
    /// Whether work is counted, operation by operation.
    counting: bool,
    /// How often each is used.
    used: Counts,
    /// How many closures each becomes; shared ones are not counted.
    sizes: Counts,
    sets: HashMap<u32, Arc<Thunk<Bits<W>>>>,
    ints: HashMap<u32, Arc<Thunk<i32>>>,
    blocks: HashMap<u32, Arc<Do>>,
    steps: HashMap<u32, Arc<Steps<W>>>,
    /// By the numbers of rays that are taken together; none where bits run in no order on one of them.
    rays: HashMap<Box<[u32]>, Option<Arc<Rays<W>>>>,
}

/// A number for each set, integer and block of a program.
struct Counts {
    sets: Vec<u32>,
    ints: Vec<u32>,
    blocks: Vec<u32>,
}

impl Counts {
    fn new(program: &Program) -> Counts {
        Counts {
            sets: vec![0; program.sets.len()],
            ints: vec![0; program.ints.len()],
            blocks: vec![0; program.blocks.len()],
        }
    }

    /// The number of a piece of code.
    fn of(&mut self, piece: Part) -> Option<&mut u32> {
        match piece {
            Part::Set(SetId(n)) => self.sets.get_mut(n as usize),
            Part::Int(IntId(n)) => self.ints.get_mut(n as usize),
            Part::Block(BlockId(n)) | Part::After(BlockId(n)) => self.blocks.get_mut(n as usize),
        }
    }
}

/// Tells the parts of a piece of code.
fn parts(program: &Program, piece: Part, tell: &mut dyn FnMut(Part)) {
    match piece {
        Part::Set(SetId(n)) => program.sets[n as usize].each(tell),
        Part::Int(IntId(n)) => program.ints[n as usize].each(tell),
        Part::Block(BlockId(n)) | Part::After(BlockId(n)) => {
            program.blocks[n as usize].iter().for_each(|statement| statement.each(tell));
        }
    }
}

impl<const W: usize> Builder<W> {
    /// A builder for a program that was verified.
    pub fn new(program: &Arc<Program>, board: &Arc<Board<W>>, counting: bool) -> Builder<W> {
        let mut used = Counts::new(program);
        let sets = (0..program.sets.len() as u32).map(|n| Part::Set(SetId(n)));
        let ints = (0..program.ints.len() as u32).map(|n| Part::Int(IntId(n)));
        let blocks = (0..program.blocks.len() as u32).map(|n| Part::Block(BlockId(n)));
        for piece in sets.chain(ints).chain(blocks) {
            parts(program, piece, &mut |other| {
                if let Some(count) = used.of(other) {
                    *count += 1;
                }
            });
        }
        Builder {
            program: Arc::clone(program),
            board: Arc::clone(board),
            counting,
            used,
            sizes: Counts::new(program),
            sets: HashMap::new(),
            ints: HashMap::new(),
            blocks: HashMap::new(),
            steps: HashMap::new(),
            rays: HashMap::new(),
        }
    }

    /// How many closures a piece of code becomes.
    fn size(&mut self, piece: Part) -> u32 {
        match self.sizes.of(piece) {
            None => return 0,
            Some(0) => {}
            Some(size) => return *size,
        }
        let mut list = Vec::new();
        parts(&self.program, piece, &mut |other| list.push(other));
        let mut size = 1u32;
        for part in list {
            let of_part = self.size(part);
            size = size.saturating_add(if self.is_shared(part) { 1 } else { of_part });
        }
        if let Some(to) = self.sizes.of(piece) {
            *to = size;
        }
        size
    }

    /// Whether a piece of code is built once for all its uses.
    fn is_shared(&mut self, piece: Part) -> bool {
        self.used.of(piece).is_some_and(|used| *used > 1) && self.size(piece) > MAX_DUPLICATED_SIZE
    }

    /// A set as an operand.
    fn set_arg(&mut self, id: SetId) -> SetArg<W> {
        if !self.is_shared(Part::Set(id)) {
            return self.new_set(id);
        }
        let shared = match self.sets.get(&id.0) {
            Some(shared) => Arc::clone(shared),
            None => {
                let made = Arc::new(self.new_set(id).code());
                self.sets.insert(id.0, Arc::clone(&made));
                made
            }
        };
        set::call(closure(move |frame| shared.run(frame)))
    }

    /// Code of a set, with its work where that is counted. Operands that are read in place cost nothing.
    fn new_set(&mut self, id: SetId) -> SetArg<W> {
        let rays = match &self.program.sets[id.0 as usize] {
            SetOp::Slide { rays, .. } | SetOp::Between { rays, .. } => rays.len(),
            _ => 0,
        };
        let work = (W * (1 + rays)) as u64;
        match self.set_code(id) {
            SetArg::Call(code) if self.counting => set::call(closure(move |frame| {
                frame.work += work;
                code.get(frame)
            })),
            code => code,
        }
    }

    /// Code of an integer, likewise.
    fn new_int(&mut self, id: IntId) -> IntArg {
        let work = match self.program.ints[id.0 as usize] {
            IntOp::HeightAt(_) => 1 + self.program.layout.pieces.levels as u64,
            _ => 1,
        };
        match self.int_code(id) {
            IntArg::Call(code) if self.counting => int::call(closure(move |frame| {
                frame.work += work;
                code.get(frame)
            })),
            code => code,
        }
    }

    /// An integer as an operand.
    fn int_arg(&mut self, id: IntId) -> IntArg {
        match self.is_shared(Part::Int(id)) {
            true => int::call(self.int_shared(id)),
            false => self.new_int(id),
        }
    }

    /// An integer that is built once.
    fn int_shared(&mut self, id: IntId) -> Thunk<i32> {
        let shared = match self.ints.get(&id.0) {
            Some(shared) => Arc::clone(shared),
            None => {
                let made = Arc::new(self.new_int(id).code());
                self.ints.insert(id.0, Arc::clone(&made));
                made
            }
        };
        closure(move |frame| shared.run(frame))
    }

    /// An expression of an integer.
    fn int(&mut self, id: IntId) -> Thunk<i32> {
        self.int_arg(id).code()
    }

    /// An expression that a rule asks for. Many states may ask for the same.
    pub fn asked(&mut self, asker: Asker, id: IntId) -> Thunk<i32> {
        let code = match self.size(Part::Int(id)) > MAX_DUPLICATED_SIZE {
            true => self.int_shared(id),
            false => self.int(id),
        };
        self.entered(asker, code)
    }

    /// A block that a rule asks for.
    pub fn done(&mut self, asker: Asker, id: BlockId) -> Do {
        let code = self.block(id);
        self.entered(asker, code)
    }

    /// Code of which the work is entered, where work is counted.
    fn entered<T: 'static>(&self, asker: Asker, code: Thunk<T>) -> Thunk<T> {
        match self.counting {
            true => Box::new(Entered { asker, code }),
            false => code,
        }
    }

    /// A block of statements.
    pub fn block(&mut self, id: BlockId) -> Do {
        if !self.is_shared(Part::Block(id)) {
            return self.block_code(id);
        }
        let shared = match self.blocks.get(&id.0) {
            Some(shared) => Arc::clone(shared),
            None => {
                let made = Arc::new(self.block_code(id));
                self.blocks.insert(id.0, Arc::clone(&made));
                made
            }
        };
        closure(move |frame| shared.run(frame))
    }

    /// A relation at the width of the sets.
    fn steps(&mut self, number: u32) -> Arc<Steps<W>> {
        let made = self.steps.entry(number).or_insert_with(|| {
            Arc::new(Steps::new(&self.program.relations[number as usize], self.board.all))
        });
        Arc::clone(made)
    }

    /// Rays at the width of the sets; none where bits run in no order along one of them.
    fn rays(&mut self, numbers: &[u32]) -> Option<Arc<Rays<W>>> {
        if let Some(made) = self.rays.get(numbers) {
            return made.clone();
        }
        let made = Rays::new(numbers.iter().map(|ray| &self.program.rays[*ray as usize])).map(Arc::new);
        self.rays.insert(numbers.into(), made.clone());
        made
    }
}
